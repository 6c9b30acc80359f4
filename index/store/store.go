package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/aurora-sidecar/aurora/internal/filelock"
)

// lockName is the file whose lock decides who writes, for all schema versions of a folder.
const lockName = "writer.lock"

// Options are what a Store or a Cache can be told. The zero value is what the product uses.
type Options struct {
	Now      func() time.Time // nil means time.Now
	MaxBytes int64            // largest size of the database file; beyond it writing gives ErrFull; 0 means no limit
	Patience time.Duration    // how long to wait for another process to end that writes; then this one reads
}

// now returns the time to write down, in milliseconds.
func (o Options) now() int64 {
	if o.Now != nil {
		return o.Now().UnixMilli()
	}
	return time.Now().UnixMilli()
}

// A Store is an open database of a workspace. It may be used by many goroutines at once.
type Store struct {
	opts      Options
	place     database
	unlock    func() error // nil when another process writes
	writer    bool
	recovered string

	applyMu sync.Mutex // one batch at a time
	dbMu    sync.RWMutex
	db      *sql.DB // nil once closed; dbMu guards the handle, not what is done with it
}

// Open opens the store in dir, which it creates. The first process to open a folder writes it; any later one reads
// what was stored (see Writer). A database that is damaged, foreign or of another shape is replaced by an empty one,
// see Recovered. Errors are ErrReadOnly, ErrFull, or the cause.
func Open(ctx context.Context, dir string, opts Options) (*Store, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, wrap("open index store", err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, wrap("create index folder", err)
	}
	unlock, err := opts.lock(ctx, filepath.Join(dir, lockName))
	if err != nil {
		return nil, wrap("lock index folder", err)
	}
	s := &Store{opts: opts, place: workspaceLayout.in(dir, opts), unlock: unlock, writer: unlock != nil}
	if s.writer {
		s.db, s.recovered, err = s.place.openForWriting(ctx)
		workspaceLayout.removeOlder(dir)
	} else {
		err = s.openForReading(ctx)
	}
	if err != nil {
		return nil, errors.Join(wrap("open index store", err), s.Close())
	}
	return s, nil
}

// lock takes the lock of the writer; nil when another process keeps it.
func (o Options) lock(ctx context.Context, path string) (unlock func() error, err error) {
	if unlock, err = filelock.Try(path); err != nil || unlock != nil || o.Patience == 0 {
		return unlock, err
	}
	patient, cancel := context.WithTimeout(ctx, o.Patience)
	defer cancel()
	if unlock, err = filelock.Wait(patient, path); err != nil && ctx.Err() == nil && patient.Err() != nil {
		return nil, nil
	}
	return unlock, err
}

// openForReading opens the database that another process writes. One that is not there yet, or not in order, reads
// as empty: its writer is about to see to it.
func (s *Store) openForReading(ctx context.Context) error {
	var err error
	if _, statErr := os.Stat(s.place.path); statErr == nil {
		if s.db, err = s.place.connect(ctx, false); err == nil {
			return nil
		}
	}
	if err != nil && !errors.Is(err, errNotThere) {
		s.recovered = fmt.Sprintf("The index database of the process that writes it can't be read (%v).", err)
	}
	s.db, err = database{layout: s.place.layout}.connect(ctx, true)
	return err
}

// Writer reports whether this process may write. A store that may not keeps reading what the writer stores, except
// when there was nothing to read at Open; opening again tells whether that or the writer's life has changed.
func (s *Store) Writer() bool { return s.writer }

// Recovered returns one sentence about what Open had to replace, "" when all was well.
func (s *Store) Recovered() string { return s.recovered }

// Rebuild deletes the database and starts an empty one: the answer to ErrDamaged, after which everything has to be
// indexed again. It waits for operations that are under way.
func (s *Store) Rebuild(ctx context.Context) error {
	if !s.writer {
		return wrap("rebuild index database", ErrNotWriter)
	}
	s.dbMu.Lock()
	defer s.dbMu.Unlock()
	if s.db == nil {
		return wrap("rebuild index database", ErrClosed)
	}
	closeErr := s.db.Close()
	var err error
	if err = os.Remove(s.place.path); err == nil || errors.Is(err, os.ErrNotExist) {
		removeSidecars(s.place.path)
		s.db, err = s.place.openExisting(ctx)
	}
	if err != nil {
		s.db = nil
		return wrap("rebuild index database", errors.Join(err, closeErr))
	}
	return nil
}

// SizeBytes returns how much the store takes up of the disk.
func (s *Store) SizeBytes() int64 { return s.place.size() }

// Close ends the store: what was written is moved into the database file and the lock is freed. Closing again does
// nothing.
func (s *Store) Close() error {
	s.dbMu.Lock()
	defer s.dbMu.Unlock()
	var err error
	if s.db != nil {
		if s.writer {
			err = checkpoint(context.Background(), s.db)
		}
		err = errors.Join(err, closeIdle(s.db))
		s.db = nil
	}
	if s.unlock != nil {
		err = errors.Join(err, s.unlock())
		s.unlock = nil
	}
	return wrap("close index store", err)
}

// with calls f with the database, which stays open until f returns.
func (s *Store) with(f func(db *sql.DB) error) error {
	s.dbMu.RLock()
	defer s.dbMu.RUnlock()
	if s.db == nil {
		return ErrClosed
	}
	return f(s.db)
}
