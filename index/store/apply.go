package store

import (
	"context"
	"database/sql"
	"fmt"
)

// A Batch is a set of changes that become visible together.
type Batch struct {
	Deletes  []FileID
	Upserts  []FileRow
	Contents map[Key][]byte    // contents that are there already stay as they are
	Meta     map[string]string // notes to find again with Store.Meta
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
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer func() { _ = tx.Rollback() }()
		if err := (&batchWriter{ctx, tx, s.opts.now()}).write(b); err != nil {
			return err
		}
		return tx.Commit()
	}))
}

// A batchWriter writes a batch inside a transaction, all of it with one time.
type batchWriter struct {
	ctx   context.Context
	tx    *sql.Tx
	nowMS int64
}

func (w *batchWriter) write(b Batch) error {
	if err := w.storeContents(b.Contents); err != nil {
		return err
	}
	if err := w.releaseContents(b); err != nil {
		return err
	}
	if err := w.deleteFiles(b.Deletes); err != nil {
		return err
	}
	if err := w.upsertFiles(b.Upserts); err != nil {
		return err
	}
	return w.storeMeta(b.Meta)
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

func (w *batchWriter) storeContents(contents map[Key][]byte) error {
	if len(contents) == 0 {
		return nil
	}
	const statement = "INSERT INTO content (key, used_at_ms, data) VALUES (?, ?, ?) ON CONFLICT (key) DO NOTHING"
	return w.exec(statement, func(run func(...any) error) error {
		for key, data := range contents {
			if data == nil {
				data = []byte{} // nil would be NULL
			}
			if err := run(key[:], w.nowMS, data); err != nil {
				return fmt.Errorf("content %x: %w", key[:4], err)
			}
		}
		return nil
	})
}

// releaseContents notes the time at which files let go of their contents, so that Prune spares those for a while.
func (w *batchWriter) releaseContents(b Batch) error {
	const statement = `UPDATE content SET used_at_ms = ?
		WHERE key = (SELECT content_key FROM files WHERE folder = ? AND path = ? AND content_key IS NOT ?)`
	return w.exec(statement, func(run func(...any) error) error {
		for _, id := range b.Deletes {
			if err := run(w.nowMS, id.Folder, id.Path, nil); err != nil {
				return fmt.Errorf("release content of %s: %w", id.Path, err)
			}
		}
		for i := range b.Upserts {
			f := &b.Upserts[i]
			if err := run(w.nowMS, f.Folder, f.Path, nullable(f.Content)); err != nil {
				return fmt.Errorf("release content of %s: %w", f.Path, err)
			}
		}
		return nil
	})
}

func (w *batchWriter) deleteFiles(ids []FileID) error {
	if len(ids) == 0 {
		return nil
	}
	return w.exec("DELETE FROM files WHERE folder = ? AND path = ?", func(run func(...any) error) error {
		for _, id := range ids {
			if err := run(id.Folder, id.Path); err != nil {
				return fmt.Errorf("delete %s: %w", id.Path, err)
			}
		}
		return nil
	})
}

func (w *batchWriter) upsertFiles(files []FileRow) error {
	if len(files) == 0 {
		return nil
	}
	const statement = `INSERT OR REPLACE INTO files
		(folder, path, size, mtime_ns, hash, language, error, content_key, indexed_at_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`
	return w.exec(statement, func(run func(...any) error) error {
		for i := range files {
			f := &files[i]
			err := run(f.Folder, f.Path, f.Size, f.MTimeNS, f.Hash[:], f.Language, f.Error, nullable(f.Content), w.nowMS)
			if err != nil {
				return fmt.Errorf("file %s: %w", f.Path, err)
			}
		}
		return nil
	})
}

func (w *batchWriter) storeMeta(meta map[string]string) error {
	if len(meta) == 0 {
		return nil
	}
	return w.exec("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", func(run func(...any) error) error {
		for key, value := range meta {
			if err := run(key, value); err != nil {
				return fmt.Errorf("meta %s: %w", key, err)
			}
		}
		return nil
	})
}

// nullable returns the key as SQLite is to see it: nothing when it is zero.
func nullable(k Key) any {
	if k == (Key{}) {
		return nil
	}
	return k[:]
}
