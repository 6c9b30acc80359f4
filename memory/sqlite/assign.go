package sqlite

import (
	"context"
	"fmt"

	"github.com/aurora-sidecar/aurora/memory"
)

// projects are what records belong to.
type projects struct{ *database }

// Workspaces implements memory.Store.
func (p projects) Workspaces(ctx context.Context) (map[string]int, error) {
	counts := map[string]int{}
	rows, err := p.db.QueryContext(ctx, `SELECT workspace, count(*) FROM records WHERE deleted_at_ms IS NULL GROUP BY workspace`)
	if err == nil {
		err = each(rows, func() error {
			var name string
			var count int
			err := rows.Scan(&name, &count)
			counts[name] = count
			return err
		})
	}
	if err != nil {
		return nil, fmt.Errorf("count the records of projects: %w", err)
	}
	return counts, nil
}

// assignable are the records of a workspace that do not follow a file in its folder.
const assignable = ` WHERE workspace = ? AND NOT (source_type = 'file' AND id LIKE 'know:note-%')`

// Assign implements memory.Store. Forgotten records are assigned, too.
func (p projects) Assign(ctx context.Context, from, to string) (int, error) {
	if from == "" || from == to {
		return 0, fmt.Errorf("%w: records of %q can't be assigned to %q", memory.ErrInvalid, from, to)
	}
	var count int64
	err := p.write(ctx, func(tx tx) error {
		result, err := tx.ExecContext(ctx, `UPDATE records SET workspace = ?`+assignable, to, from)
		if err != nil {
			return err
		}
		count, err = result.RowsAffected()
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("assign records to a project: %w", err)
	}
	return int(count), nil
}
