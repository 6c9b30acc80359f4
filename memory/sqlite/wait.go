package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	codes "modernc.org/sqlite/lib"

	"github.com/aurora-sidecar/aurora/internal/filelock"
)

// suspendedAfter is how long a writer waits before it looks whether the one it waits for is suspended, and between two looks.
const suspendedAfter = 250 * time.Millisecond

// A lockPlace is the byte of a file by whose lock SQLite lets one process in.
type lockPlace struct {
	database, file string
	offset         int64
}

// writeLock is where the lock of the one who writes to a database in WAL mode is, see section 2.3 of SQLite's walformat.
func writeLock(path string) lockPlace { return lockPlace{path, path + "-shm", 120} }

// openLock is where the lock of the one who opens the store at path is: the "reserved" byte of the lock file.
func openLock(path string) lockPlace { return lockPlace{path, path + ".lock", 0x40000001} }

func (l lockPlace) error() *LockedError {
	pid := filelock.Holder(l.file, l.offset)
	return &LockedError{Path: l.database, PID: pid, Suspended: pid != 0 && filelock.Suspended(pid)}
}

// begin begins a transaction that may write, as soon as no other process does; end releases what waiting took. It gives up
// with a *LockedError after the connection's busy timeout, or at once when the process that has the lock is suspended.
func begin(ctx context.Context, db *sql.DB, lock lockPlace) (t *sql.Tx, end context.CancelFunc, err error) {
	waiting, giveUp := context.WithCancelCause(ctx)
	begun := make(chan struct{})
	go func() {
		look := time.NewTicker(suspendedAfter)
		defer look.Stop()
		for {
			select {
			case <-begun:
				return
			case <-look.C:
			}
			if locked := lock.error(); locked.Suspended {
				giveUp(locked)
				return
			}
		}
	}()
	t, err = db.BeginTx(waiting, nil)
	close(begun)
	var locked *LockedError
	switch {
	case err == nil:
		return t, func() { giveUp(nil) }, nil
	case errors.As(context.Cause(waiting), &locked):
		err = locked
	case resultCode(err) == codes.SQLITE_BUSY:
		err = lock.error()
	}
	giveUp(nil)
	return nil, nil, err
}
