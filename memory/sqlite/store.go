package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	_ "modernc.org/sqlite" // the driver
	codes "modernc.org/sqlite/lib"

	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/actr"
	"github.com/aurora-sidecar/aurora/memory/sqlite/cryptvfs"
)

// Options adjusts a Store. The zero value is ready.
type Options struct {
	Now     func() time.Time // nil means time.Now
	Log     *slog.Logger     // nil discards
	Version string           // of AURORA, noted with every migration

	ActivityTime bool    // count ages in time at work rather than by the wall clock
	Decay        DecayOf // nil decays all records alike, logarithmically

	Encryption Encryption

	synchronous string // SQLite's pragma; "" means FULL, with which a commit survives a power cut, too
}

// DecayOf says how a record that lies idle decays: what a policy decides.
type DecayOf func(memory.Hit) actr.Mechanism

func (o Options) withDefaults() Options {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.Version = cmp.Or(o.Version, "unknown")
	o.synchronous = cmp.Or(o.synchronous, "FULL")
	return o
}

// A Store keeps records in a SQLite file or in memory. It implements memory.Store.
type Store struct {
	db   *sql.DB
	path string // "" in memory
	opts Options
	uses *uses
	lost error // why nothing can be kept, nil for nearly all stores

	unlocked *cryptvfs.Unlocked // nil when the file is plain
	locked   error              // why the file's content can't be decrypted, for a store that took its place
	volatile bool               // it has a file that could not be opened

	warningMu sync.Mutex
	opened    string // what was wrong at opening
	failing   string // why the last write failed, "" when it did not
}

var _ memory.Store = (*Store)(nil)

// Warning says in a sentence what the store lacks and what to do about it, or "".
func (s *Store) Warning() string {
	s.warningMu.Lock()
	defer s.warningMu.Unlock()
	switch {
	case s.opened == "":
		return s.failing
	case s.failing == "":
		return s.opened
	}
	return s.opened + " " + s.failing
}

// newStore returns a store over an open database.
func newStore(db *sql.DB, path string, opts Options) *Store {
	s := &Store{db: db, path: path, opts: opts.withDefaults()}
	s.uses = &uses{store: s}
	return s
}

// Close writes everything back into the file and releases it.
func (s *Store) Close() error {
	err := errors.Join(s.uses.close(), s.db.Close())
	release(s.unlocked)
	if err != nil {
		return fmt.Errorf("close memory: %w", err)
	}
	return nil
}

// Stats counts the records that were not forgotten.
func (s *Store) Stats(ctx context.Context) (memory.Stats, error) {
	stats := memory.Stats{Records: map[memory.Type]int{}, Path: s.path}
	if k := s.KeyOf(); k != nil {
		stats.Key = fmt.Sprintf("%s from %s", k.Fingerprint(), k.Source())
	}
	rows, err := s.db.QueryContext(ctx, `SELECT type, count(*) FROM records WHERE deleted_at_ms IS NULL GROUP BY type`)
	if err != nil {
		return memory.Stats{}, fmt.Errorf("count memory records: %w", err)
	}
	err = each(rows, func() error {
		var kind memory.Type
		var count int
		err := rows.Scan(&kind, &count)
		stats.Records[kind] = count
		return err
	})
	if err != nil {
		return memory.Stats{}, fmt.Errorf("count memory records: %w", err)
	}
	if stats.SizeBytes, err = s.size(ctx); err != nil {
		return memory.Stats{}, fmt.Errorf("measure memory: %w", err)
	}
	return stats, nil
}

func (s *Store) size(ctx context.Context) (int64, error) {
	if s.path == "" {
		var bytes int64
		err := s.db.QueryRowContext(ctx, `SELECT page_count * page_size FROM pragma_page_count, pragma_page_size`).Scan(&bytes)
		return bytes, err
	}
	var bytes int64
	for _, suffix := range []string{"", "-wal", "-ewal"} {
		info, err := os.Stat(s.path + suffix)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return 0, err
		}
		bytes += info.Size()
	}
	return bytes, nil
}

// Compact implements memory.Store. Others wait meanwhile, about a second for every 100 MB.
func (s *Store) Compact(ctx context.Context) error {
	for _, statement := range []string{
		`INSERT INTO records_fts (records_fts) VALUES ('optimize')`, `VACUUM`, `PRAGMA optimize`, `PRAGMA wal_checkpoint(TRUNCATE)`,
	} {
		_, err := s.db.ExecContext(ctx, statement)
		if resultCode(err) == codes.SQLITE_BUSY {
			err = writeLock(s.path).error()
		}
		if err != nil {
			return fmt.Errorf("compact memory: %w", err)
		}
	}
	return nil
}

// tx is a write transaction; everything in it happens at one moment.
type tx struct {
	*sql.Tx
	now time.Time
}

// write runs f in a transaction and notes for Warning whether the store can be written.
func (s *Store) write(ctx context.Context, f func(tx) error) error {
	return s.writeThen(ctx, f, func(commit func() error) error { return commit() })
}

// writeThen is write that leaves committing to around.
func (s *Store) writeThen(ctx context.Context, f func(tx) error, around func(commit func() error) error) error {
	err := s.inTxThen(ctx, f, around)
	s.warningMu.Lock()
	defer s.warningMu.Unlock()
	if err == nil {
		s.failing = ""
	} else if remedy := storageRemedy(err); remedy != "" {
		s.failing = fmt.Sprintf("Memory can't be written (%v): %s", err, remedy)
	}
	return err
}

func (s *Store) inTx(ctx context.Context, f func(tx) error) error {
	return s.inTxThen(ctx, f, func(commit func() error) error { return commit() })
}

func (s *Store) inTxThen(ctx context.Context, f func(tx) error, around func(commit func() error) error) error {
	t, end, err := begin(ctx, s.db, writeLock(s.path))
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer end()
	if err := f(tx{t, s.opts.Now()}); err != nil {
		return errors.Join(err, ignoreDone(t.Rollback()))
	}
	if err := around(t.Commit); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// ignoreDone drops the error of ending a transaction that its context has ended already.
func ignoreDone(err error) error {
	if errors.Is(err, sql.ErrTxDone) {
		return nil
	}
	return err
}

// each calls scan for every row and closes the rows.
func each(rows *sql.Rows, scan func() error) error {
	defer rows.Close()
	for rows.Next() {
		if err := scan(); err != nil {
			return err
		}
	}
	return rows.Err()
}

func toMs(t time.Time) int64    { return t.UnixMilli() }
func fromMs(ms int64) time.Time { return time.UnixMilli(ms).UTC() }
