package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"

	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/sqlite/cryptvfs"
	"github.com/aurora-sidecar/aurora/memory/sqlite/flat"
)

// isLegacy reports whether the database at path is an old flat one, which the present schema would not fit into.
func isLegacy(ctx context.Context, path string) bool {
	if state, err := cryptvfs.Inspect(path); err != nil || state != cryptvfs.Plain {
		return false
	}
	db, err := sql.Open("sqlite", dsn(path, "mode=ro", pragma("busy_timeout(%d)", busyTimeout.Milliseconds())))
	if err != nil {
		return false
	}
	defer db.Close()
	var old, ours int
	err = db.QueryRowContext(ctx, `SELECT count(*) FILTER (WHERE name = ?), count(*) FILTER (WHERE name = 'migrations')
		FROM sqlite_schema WHERE type = 'table'`, flat.Table).Scan(&old, &ours)
	return err == nil && old == 1 && ours == 0
}

// openLegacy makes a store of an old flat one at path, which is kept beside it.
func openLegacy(ctx context.Context, path string, opts Options) (*Store, error) {
	unfinished := path + ".salvaging"
	for _, suffix := range companions {
		if err := os.Remove(unfinished + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
	}
	s, err := openFile(ctx, unfinished, opts)
	if err != nil {
		return nil, err
	}
	counts, err := s.ImportLegacy(ctx, path)
	if err := errors.Join(err, s.Close()); err != nil {
		return nil, fmt.Errorf("import the old memory %s: %w", path, err)
	}
	if err := os.Rename(unfinished, replacement(path)); err != nil {
		return nil, err
	}
	aside, err := moveAside(path, path+".old-"+opts.Now().UTC().Format("20060102-150405"))
	if err != nil {
		return nil, fmt.Errorf("move the old memory %s aside: %w", path, err)
	}
	if err := finishSalvage(path); err != nil {
		return nil, err
	}
	opts.Log.Info("imported an old memory", "counts", counts, "kept", aside)
	return openFile(ctx, path, opts)
}

// ImportLegacy adds the records of an old flat database, which is only read. Rows without content are counted and left.
func (s *Store) ImportLegacy(ctx context.Context, path string) (memory.Counts, error) {
	from, err := sql.Open("sqlite", dsn(path, "mode=ro", pragma("busy_timeout(%d)", busyTimeout.Milliseconds())))
	if err != nil {
		return nil, err
	}
	defer from.Close()
	counts := memory.Counts{}
	err = s.write(ctx, func(tx tx) error {
		clear(counts)
		i := &importer{tx: tx, counts: counts, ids: map[string]string{}}
		rows, err := from.QueryContext(ctx, `SELECT * FROM `+flat.Table)
		if err != nil {
			return fmt.Errorf("read %s: %w", flat.Table, err)
		}
		columns, err := rows.Columns()
		if err != nil {
			return errors.Join(err, rows.Close())
		}
		values, places := make([]any, len(columns)), make([]any, len(columns))
		for c := range values {
			places[c] = &values[c]
		}
		err = each(rows, func() error {
			if err := rows.Scan(places...); err != nil {
				return err
			}
			err := i.record(ctx, flat.Record(columns, values), nil)
			if errors.Is(err, memory.ErrInvalid) {
				counts["without usable content"]++
				return nil
			}
			return err
		})
		if err != nil {
			return err
		}
		return rebuildUses(ctx, tx)
	})
	if err != nil {
		return nil, fmt.Errorf("import %s: %w", path, err)
	}
	return counts, nil
}
