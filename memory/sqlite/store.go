package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"time"

	_ "modernc.org/sqlite" // the driver
	codes "modernc.org/sqlite/lib"

	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/actr"
	"github.com/aurora-sidecar/aurora/memory/sqlite/replica"
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
	if o.Decay == nil {
		o.Decay = func(memory.Hit) actr.Mechanism { return actr.Logarithmic }
	}
	o.Version = cmp.Or(o.Version, "unknown")
	o.synchronous = cmp.Or(o.synchronous, "FULL")
	return o
}

// A Store keeps records in a SQLite file or in memory. It implements memory.Store and memory.Journal by its parts, which share
// one database.
type Store struct {
	*database
	uses *uses
	records
	search
	activation
	links
	outcomes
	logIndex
	ledger
	metrics
	journal
	spending
	projects
	*replica.Replica
}

var _ memory.Store = (*Store)(nil)

// newStore returns a store over an open database.
func newStore(db *sql.DB, path string, opts Options) *Store {
	d := &database{db: db, path: path, opts: opts.withDefaults()}
	u := &uses{database: d}
	l := links{d}
	a, st := activation{d, u, l}, standings{d, u}
	return &Store{
		database: d, uses: u, records: records{d, a, st}, search: search{d, a, st}, activation: a, links: l, outcomes: outcomes{d},
		logIndex: logIndex{d}, ledger: ledger{d}, metrics: metrics{d, u}, journal: journal{d}, spending: spending{d}, projects: projects{d}, Replica: newReplica(d),
	}
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
