package cryptvfs

import (
	"bytes"
	"crypto/cipher"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

type kind int

const (
	database kind = iota
	wal
	journal
	temporary
)

// cFile is what SQLite has of an open file; that of the VFS below follows it.
type cFile struct {
	methods uintptr
	id      uintptr // in files
}

// baseOffset is where the file of the VFS below begins.
const baseOffset = unsafe.Sizeof(cFile{})

// A file is one that SQLite has open. SQLite uses it from one goroutine at a time.
type file struct {
	kind   kind
	layout layout
	aead   cipher.AEAD
	db     *Unlocked // nil for a temporary file

	name     uintptr // C string, ours when nameSize is not 0
	nameSize int

	// C memory, since the VFS below takes addresses: a unit as it is on disk, and one in clear.
	sealedAt, plainAt uintptr
	sealed, plain     []byte
	word              uintptr // 8 bytes for a result
}

// allocate gets memory for units of up to size bytes.
func (f *file) allocate(tls *libc.TLS, size int) int32 {
	f.sealedAt = libc.Xcalloc(tls, 1, libc.Tsize_t(2*(size+overhead)+8))
	if f.sealedAt == 0 {
		f.free(tls)
		return sqlite3.SQLITE_NOMEM
	}
	f.plainAt = f.sealedAt + uintptr(size+overhead)
	f.word = f.plainAt + uintptr(size+overhead)
	f.sealed, f.plain = bytesAt(f.sealedAt, size+overhead), bytesAt(f.plainAt, size)
	return sqlite3.SQLITE_OK
}

// free gives the memory back and leaves no text in it.
func (f *file) free(tls *libc.TLS) {
	clear(f.plain)
	f.plain, f.sealed = nil, nil
	if f.sealedAt != 0 {
		libc.Xfree(tls, f.sealedAt)
		f.sealedAt = 0
	}
	if f.nameSize != 0 {
		libc.Xfree(tls, f.name)
		f.nameSize = 0
	}
}

// isUnlocked reports whether a database that was opened is the one that was unlocked, and not another one that took its
// place since.
func (f *file) isUnlocked(tls *libc.TLS, below uintptr) bool {
	head := libc.Xcalloc(tls, 1, headerSize)
	if head == 0 {
		return false
	}
	defer libc.Xfree(tls, head)
	m := deref[sqlite3.Tsqlite3_io_methods](deref[sqlite3.Tsqlite3_file](below).FpMethods)
	rc := fn[ioFunc](m.FxRead)(tls, below, head, headerSize, 0)
	return rc == sqlite3.SQLITE_OK && bytes.Equal(bytesAt(head, headerSize), f.db.header)
}

// read fills buf from off, with zeros where the file ends before.
func (f *file) read(tls *libc.TLS, below below, buf []byte, off int64) int32 {
	result := int32(sqlite3.SQLITE_OK)
	lenient := f.kind == wal && isFrameHeader(f.layout.at(off))
	for len(buf) > 0 {
		u := f.layout.at(off)
		within := int(off - u.start)
		n := min(len(buf), u.size-within)
		part := buf[:n]
		buf, off = buf[n:], off+int64(n)

		whole := part
		if n < u.size {
			whole = f.plain[:u.size]
		}
		switch rc := f.readUnit(tls, below, whole[:u.size:u.size], u); {
		case rc == sqlite3.SQLITE_IOERR_SHORT_READ:
			clear(whole)
			result = rc
		case rc == sqlite3.SQLITE_CORRUPT && f.forgives(u, lenient, n):
			clear(whole)
			if f.kind == database {
				result = sqlite3.SQLITE_IOERR_SHORT_READ
			}
		case rc != sqlite3.SQLITE_OK:
			return rc
		}
		if n < u.size {
			copy(part, whole[within:])
		}
	}
	return result
}

// forgives reports whether a unit that can't be decrypted is to be seen as zeros.
func (f *file) forgives(u unit, lenient bool, n int) bool {
	switch f.kind {
	case wal:
		// A frame that was not written to its end is where the log ends. SQLite finds out by reading frames from their
		// header on, and believes what it then reads of their pages.
		return lenient
	case journal:
		return u.index == 0 // the same for a journal whose header was not written to its end
	case database:
		// SQLite looks at some bytes of the first page before it looks into the log, which has that page when it was
		// not written to its end.
		return u.index == 0 && n < u.size
	}
	return false
}

// readUnit decrypts a unit into plain. It returns SQLITE_CORRUPT for one that is not what was written.
func (f *file) readUnit(tls *libc.TLS, below below, plain []byte, u unit) int32 {
	size := u.size + overhead
	if rc := below.read(tls, f.sealedAt, size, u.physical); rc != sqlite3.SQLITE_OK {
		return rc
	}
	if !unseal(f.aead, plain, f.sealed[:size], u.index) {
		return sqlite3.SQLITE_CORRUPT
	}
	return sqlite3.SQLITE_OK
}

// write encrypts buf into the file at off. SQLite writes whole units; what surrounds anything less is kept.
func (f *file) write(tls *libc.TLS, below below, buf []byte, off int64) int32 {
	for len(buf) > 0 {
		u := f.layout.at(off)
		within := int(off - u.start)
		n := min(len(buf), u.size-within)
		plain := buf[:n]
		if n < u.size {
			plain = f.plain[:u.size]
			switch rc := f.readUnit(tls, below, plain, u); {
			case rc == sqlite3.SQLITE_IOERR_SHORT_READ, rc == sqlite3.SQLITE_CORRUPT && f.kind != database:
				clear(plain) // never written, or not to its end
			case rc != sqlite3.SQLITE_OK:
				return rc
			}
			copy(plain[within:], buf[:n])
		}
		seal(f.aead, f.sealed, plain, u.index)
		if rc := below.write(tls, f.sealedAt, u.size+overhead, u.physical); rc != sqlite3.SQLITE_OK {
			return rc
		}
		buf, off = buf[n:], off+int64(n)
	}
	return sqlite3.SQLITE_OK
}
