package sqlite

import (
	"context"
	"fmt"

	"github.com/aurora-sidecar/aurora/memory"
)

// Texts implements memory.Store.
func (rs records) Texts(ctx context.Context, since memory.TextMark, f func(memory.RecordText)) (memory.TextMark, error) {
	mark := since
	rows, err := rs.db.QueryContext(ctx, `SELECT seq, updated_at_ms, id, workspace, title, content, content_hash FROM records
		WHERE updated_at_ms >= ? OR seq > ?`, since.Updated, since.Seq)
	if err == nil {
		err = each(rows, func() error {
			var seq, updated int64
			var t memory.RecordText
			if err := rows.Scan(&seq, &updated, &t.ID, &t.Workspace, &t.Title, &t.Content, &t.ContentHash); err != nil {
				return err
			}
			mark.Seq, mark.Updated = max(mark.Seq, seq), max(mark.Updated, updated)
			f(t)
			return nil
		})
	}
	if err != nil {
		return since, fmt.Errorf("read the texts of memory: %w", err)
	}
	return mark, nil
}

// Vectors implements memory.Store.
func (s *Store) Vectors(ctx context.Context, space string, ids []string, f func(id string, vector []int8)) error {
	rows, err := s.db.QueryContext(ctx, `SELECT record, vector FROM record_vectors WHERE space = ? AND record IN (SELECT value FROM json_each(?))`,
		space, jsonList(ids))
	if err == nil {
		err = each(rows, func() error {
			var id string
			var kept []byte
			err := rows.Scan(&id, &kept)
			vector := make([]int8, len(kept))
			for i, b := range kept {
				vector[i] = int8(b)
			}
			f(id, vector)
			return err
		})
	}
	if err != nil {
		return fmt.Errorf("read the vectors of memory: %w", err)
	}
	return nil
}

// KeepVectors implements memory.Store.
func (s *Store) KeepVectors(ctx context.Context, space string, vectors []memory.RecordVector) error {
	err := s.write(ctx, func(tx tx) error {
		for _, v := range vectors {
			kept := make([]byte, len(v.Vector))
			for i, n := range v.Vector {
				kept[i] = byte(n)
			}
			_, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO record_vectors SELECT id, ?, ? FROM records WHERE id = ? AND title = ? AND content_hash = ?`,
				space, kept, v.Of.ID, v.Of.Title, v.Of.ContentHash)
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("keep vectors of memory: %w", err)
	}
	return nil
}
