// Package cryptvfs encrypts SQLite databases below SQLite: it is a VFS that wraps the one of the operating system.
//
// It owns the format of an encrypted database. SQLite itself sees plain pages, so text indexes, write-ahead log and
// transactions are covered without knowing of it; locks and shared memory are those of the VFS below, so that several
// processes share an encrypted database as they share a plain one.
//
// # Format
//
// The file begins with a header of 4096 bytes: Magic, the length of what follows (4 bytes, big endian), and an age file
// that holds a random key of 32 bytes and the page size. Anyone who has the age identity can open it. Each database has a key of its own.
//
// After it, each page is a unit of its own: a nonce of 12 random bytes, the page encrypted with AES-256-GCM, and a tag of 16
// bytes. The number of the page is authenticated, too, so that pages can't change places. In the write-ahead log the header,
// each frame's header and each page are units; so a write touches nothing but what it writes, and a writer that is killed, or
// a reader that looks at the same moment, finds what it would find in a plain log. Rollback journals and temporary
// files are cut into blocks; the latter have a key that is never written.
//
// A key serves at most 2^32 units (16 TiB of pages), which random nonces of 96 bits allow; making the
// database again (rekey) gives it another key.
//
// # What it does not do
//
// A page, or the whole file, can be put back to what it was earlier by someone who may write the file. The number
// and the order of written pages can be seen. The file beside the database named -shm holds page numbers and
// a checksum over the log, no text.
//
// The log is named -ewal, not -wal: a program that does not know of the encryption would take it for broken and
// delete it.
package cryptvfs
