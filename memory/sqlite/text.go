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
