package store

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// What callers can act on; errors.Is finds them in every error of this package.
var (
	// ErrReadOnly: the folder or a file in it can't be created or written. OpenMemory goes on without it.
	ErrReadOnly = errors.New("the index folder can't be written")
	// ErrFull: no space, or Options.MaxBytes is reached. What was stored before is still there.
	ErrFull = errors.New("no space left for the index")
	// ErrDisk: the disk fails to read or write.
	ErrDisk = errors.New("the disk of the index fails, check it")
	// ErrDamaged: the database file is damaged. Rebuild empties it.
	ErrDamaged = errors.New("the index database is damaged")
	// ErrNotWriter: another process owns writing, see Store.Writer.
	ErrNotWriter = errors.New("another process writes this index")
	// ErrClosed: the store was closed.
	ErrClosed = errors.New("the index store is closed")
)

// wrap says which operation failed and, when it is known, which of the errors above it amounts to.
func wrap(op string, err error) error {
	if err == nil {
		return nil
	}
	if kind := classify(err); kind != nil && !errors.Is(err, kind) {
		return fmt.Errorf("%s: %w: %w", op, kind, err)
	}
	return fmt.Errorf("%s: %w", op, err)
}

// classify returns the error above that err amounts to, nil when there is none.
func classify(err error) error {
	var sq *sqlite.Error
	if errors.As(err, &sq) && sq.Code() != sqlite3.SQLITE_IOERR_SHMSIZE {
		return classifyCode(sq.Code())
	}
	switch {
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS), errors.Is(err, syscall.ENOTDIR):
		return ErrReadOnly
	case errors.Is(err, syscall.ENOSPC):
		return ErrFull
	case errors.Is(err, syscall.EIO):
		return ErrDisk
	}
	return nil
}

// classifyCode is classify for an extended result code of SQLite.
func classifyCode(code int) error {
	switch code & 0xff {
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM:
		return ErrReadOnly
	case sqlite3.SQLITE_FULL:
		return ErrFull
	case sqlite3.SQLITE_IOERR:
		return ErrDisk
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return ErrDamaged
	}
	return nil
}
