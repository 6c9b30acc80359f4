package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	driver "modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"

	"github.com/aurora-sidecar/aurora/internal/atrest"
	"github.com/aurora-sidecar/aurora/memory/sqlite/cryptvfs"
)

// A FutureError says that a newer AURORA has migrated the store, which this one would damage.
type FutureError struct {
	Path      string
	Schema    int
	Known     int    // the newest schema that this AURORA knows
	WrittenBy string // the version of AURORA that migrated it
}

func (e *FutureError) Error() string {
	return fmt.Sprintf("%s has schema %d, written by AURORA %s; this AURORA knows schemas up to %d",
		e.Path, e.Schema, e.WrittenBy, e.Known)
}

// A LockedError says that another process kept the store from being written.
type LockedError struct {
	Path      string
	PID       int // of the process, 0 when the system does not tell
	Suspended bool
}

func (e *LockedError) Error() string {
	if e.Suspended {
		return fmt.Sprintf("process %d is suspended while it writes to %s; kill -CONT %[1]d lets it go on, kill -9 %[1]d ends it", e.PID, e.Path)
	}
	holder := "another process"
	if e.PID != 0 {
		holder = fmt.Sprintf("process %d", e.PID)
	}
	return fmt.Sprintf("%s has been writing to %s for more than %s", holder, e.Path, busyTimeout)
}

// errReadOnly stands for SQLite's error of a write to a file that may only be read.
var errReadOnly = errors.New("the file may only be read")

// errDamaged is wrapped when a check, rather than SQLite by itself, finds a file damaged.
var errDamaged = errors.New("the file is damaged")

// isDamage reports whether err says that the file's content is broken, rather than out of reach.
func isDamage(err error) bool {
	switch resultCode(err) {
	case codes.SQLITE_CORRUPT, codes.SQLITE_NOTADB:
		return true
	}
	return errors.Is(err, errDamaged)
}

// orDisk is err or, when SQLite takes the file at path for damaged because the disk does not give it up, what the disk says.
func orDisk(err error, path string) error {
	if path == "" || !isDamage(err) {
		return err
	}
	for _, suffix := range []string{"", "-wal", "-ewal"} { // the shared memory has locks that reading it would drop
		if disk := cryptvfs.Readable(path + suffix); disk != nil {
			return fmt.Errorf("%w (%v)", disk, err)
		}
	}
	return err
}

// resultCode is SQLite's primary result code of err, or -1.
func resultCode(err error) int {
	var sqlite *driver.Error
	if errors.As(err, &sqlite) {
		return sqlite.Code() & 0xff
	}
	return -1
}

// blamesRow reports whether err says that a row can't be in its table, because it is none of ours or garbled.
func blamesRow(err error) bool {
	code := resultCode(err)
	return code == codes.SQLITE_CONSTRAINT || code == codes.SQLITE_MISMATCH
}

// storageRemedy says what a person can do about err when the storage is at fault, else "".
func storageRemedy(err error) string {
	var locked *LockedError
	if errors.As(err, &locked) {
		return "let that process go on, or end it: nothing that was acknowledged is lost."
	}
	if errors.Is(err, syscall.ENOSPC) {
		return "free some disk space."
	}
	if errors.Is(err, syscall.EIO) || resultCode(err) == codes.SQLITE_IOERR {
		return "check the disk, or set memory.database_path to another place."
	}
	if isForbidden(err) {
		return "make the file and its folder writable, or set memory.database_path to another place."
	}
	switch resultCode(err) {
	case codes.SQLITE_FULL:
		return "free some disk space."
	case codes.SQLITE_CORRUPT, codes.SQLITE_NOTADB:
		return "restart AURORA, which then saves what can be read."
	}
	return ""
}

func isForbidden(err error) bool {
	switch resultCode(err) {
	case codes.SQLITE_READONLY, codes.SQLITE_PERM, codes.SQLITE_CANTOPEN:
		return true
	}
	return errors.Is(err, errReadOnly)
}

// IsDiskFault reports whether err, of using a database, is an error of input or output. Where SQLite says only that it can't open
// the file, or that it is damaged, the file is read to find out. What this process can't open it has no locks on that closing drops.
func IsDiskFault(err error, path string) bool {
	if err = orDisk(err, path); resultCode(err) == codes.SQLITE_CANTOPEN {
		var f *os.File
		if f, err = os.Open(path); err == nil {
			defer f.Close()
			_, err = f.Read(make([]byte, 1))
		}
	}
	return resultCode(err) == codes.SQLITE_IOERR || errors.Is(err, syscall.EIO)
}

// openRemedy says what a person can do when the store at a path could not be opened.
func openRemedy(err error, path string) string {
	var future *FutureError
	var key *KeyError
	var locked *LockedError
	switch {
	case errors.As(err, &locked):
		return "Let that process go on or end it, and restart AURORA."
	case errors.As(err, &key) && errors.Is(err, atrest.ErrWrongKey):
		return "Give AURORA the key that the file was encrypted with (`aurora mem encryption` says where it looks), and restart it."
	case errors.As(err, &key) && errors.Is(err, atrest.ErrNoKey):
		return "Give AURORA the key (`aurora mem encryption` says where it looks), and restart it."
	case errors.As(err, &key):
		return "`aurora mem encryption` says more. The file was not changed."
	case errors.As(err, &future):
		return "Update AURORA, or set memory.database_path to another file."
	case errors.Is(err, syscall.ENOSPC), resultCode(err) == codes.SQLITE_FULL:
		return "Free some disk space and restart AURORA."
	case IsDiskFault(err, path):
		return "The disk fails: check it, or set memory.database_path to a file on another one, and restart AURORA. The file was not changed."
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS), isForbidden(err):
		return "Make the folder writable, or set memory.database_path to another place, and restart AURORA."
	}
	return "Set memory.database_path to a file in a folder that AURORA may write to, and restart it."
}
