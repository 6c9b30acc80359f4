package store

import (
	"context"
	"database/sql"
	"fmt"
)

// A Batch is a set of changes that become visible together.
type Batch struct {
	Deletes []FileID
	Upserts []FileRow
	Failed  map[FileID]string // why a file could not be indexed; a file that is deleted or upserted has no failure
}

// Apply stores the batch whole, or returns an error and stores nothing of it. Deletes come before Upserts. A process
// that may not write gets ErrNotWriter.
func (s *Store) Apply(ctx context.Context, b Batch) error {
	if !s.writer {
		return wrap("store batch", ErrNotWriter)
	}
	s.applyMu.Lock()
	defer s.applyMu.Unlock()
	return wrap("store batch", s.with(func(db *sql.DB) error {
		return inTx(ctx, db, func(tx *sql.Tx) error { return (&batchWriter{ctx, tx, s.opts.now()}).write(b) })
	}))
}

// A batchWriter writes a batch inside a transaction, all of it with one time.
type batchWriter struct {
	ctx   context.Context
	tx    *sql.Tx
	nowMS int64
}

func (w *batchWriter) write(b Batch) error {
	for _, step := range []func(Batch) error{w.deleteFiles, w.upsertFiles, w.clearErrors, w.storeErrors} {
		if err := step(b); err != nil {
			return err
		}
	}
	return nil
}

// exec prepares the statement, and calls each with what runs it.
func (w *batchWriter) exec(statement string, each func(run func(args ...any) error) error) error {
	stmt, err := w.tx.PrepareContext(w.ctx, statement)
	if err != nil {
		return err
	}
	defer func() { _ = stmt.Close() }()
	return each(func(args ...any) error {
		_, err := stmt.ExecContext(w.ctx, args...)
		return err
	})
}

func (w *batchWriter) deleteFiles(b Batch) error {
	if len(b.Deletes) == 0 {
		return nil
	}
	return w.exec("DELETE FROM files WHERE folder = ? AND path = ?", func(run func(...any) error) error {
		for _, id := range b.Deletes {
			if err := run(id.Folder, id.Path); err != nil {
				return fmt.Errorf("delete %s: %w", id.Path, err)
			}
		}
		return nil
	})
}

func (w *batchWriter) upsertFiles(b Batch) error {
	if len(b.Upserts) == 0 {
		return nil
	}
	const statement = `INSERT OR REPLACE INTO files
		(folder, path, size, mtime_ns, hash, language, indexed_at_ms) VALUES (?, ?, ?, ?, ?, ?, ?)`
	return w.exec(statement, func(run func(...any) error) error {
		for i := range b.Upserts {
			f := &b.Upserts[i]
			err := run(f.Folder, f.Path, f.Size, f.MTimeNS, f.Hash[:], f.Language, w.nowMS)
			if err != nil {
				return fmt.Errorf("file %s: %w", f.Path, err)
			}
		}
		return nil
	})
}

// clearErrors forgets the failures of files that are gone or were indexed.
func (w *batchWriter) clearErrors(b Batch) error {
	var some bool
	if err := w.tx.QueryRowContext(w.ctx, "SELECT EXISTS (SELECT 1 FROM errors)").Scan(&some); err != nil || !some {
		return err
	}
	return w.exec("DELETE FROM errors WHERE folder = ? AND path = ?", func(run func(...any) error) error {
		for _, id := range b.Deletes {
			if err := run(id.Folder, id.Path); err != nil {
				return fmt.Errorf("clear error of %s: %w", id.Path, err)
			}
		}
		for i := range b.Upserts {
			f := &b.Upserts[i]
			if err := run(f.Folder, f.Path); err != nil {
				return fmt.Errorf("clear error of %s: %w", f.Path, err)
			}
		}
		return nil
	})
}

func (w *batchWriter) storeErrors(b Batch) error {
	if len(b.Failed) == 0 {
		return nil
	}
	const statement = `INSERT INTO errors (folder, path, message, occurred_at_ms) VALUES (?, ?, ?, ?)
		ON CONFLICT (folder, path) DO UPDATE SET message = excluded.message, retry_count = retry_count + 1`
	return w.exec(statement, func(run func(...any) error) error {
		for id, message := range b.Failed {
			if err := run(id.Folder, id.Path, message, w.nowMS); err != nil {
				return fmt.Errorf("error of %s: %w", id.Path, err)
			}
		}
		return nil
	})
}
