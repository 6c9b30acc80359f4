// Package store is the disposable memory of the index on disk: which files there were, and what was computed from
// their contents, so that a second start costs hashing only.
//
// It owns one SQLite file per schema version (index-v1.db: a newer AURORA beside an older one uses another file) and
// the lock file that decides which process may write it. It guarantees that a batch is stored whole or not at all,
// also when the process is killed; that a file which is damaged or not ours never keeps AURORA from starting; and
// that the lock of a dead process is free. It never holds anything that can't be computed again, never touches the
// user's files, and never knows what the content that it keeps means.
//
// When Open fails, the folder can't be used (ErrReadOnly, ErrFull, ...), and the index keeps nothing.
package store
