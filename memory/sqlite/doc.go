// Package sqlite keeps memory in one SQLite file.
//
// It owns the schema, its migrations, the full-text index over records and the account of what was used when. It
// guarantees that an acknowledged record survives the end of the process, that two processes may share a file, that a
// store is backed up before it is migrated and on each day that it has changed, when it is told to, that a backup was read
// from end to end before it has its name, and that a damaged file is moved aside, never overwritten, after what can be read of it
// was copied. It never decides what deserves to be remembered, and it never writes anywhere but beside its file: <path>-wal and
// <path>-shm while it is open, <path>.lock, <path>.bak.lock, <path>.bak-<date>, <path>.bak-v<N>, <path>.damaged-<time> and
// <path>.replaced-<time>.
package sqlite
