package sqlite

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/aurora-sidecar/aurora/memory"
)

// exportVersion is the version of the format of Export.
const exportVersion = 1

// A line of an export is a header or one row of a table.
type line struct {
	Aurora string         `json:"aurora,omitempty"` // "memory" in the first line
	Format int            `json:"format,omitempty"`
	Table  string         `json:"table,omitempty"`
	Row    map[string]any `json:"row,omitempty"`
}

// Export implements memory.Store. The rows come in the order in which they were written, forgotten records included;
// what follows from others is left out.
func (s *Store) Export(ctx context.Context, w io.Writer) (memory.Counts, error) {
	if err := s.uses.flush(ctx); err != nil {
		return nil, fmt.Errorf("export memory: %w", err)
	}
	out := bufio.NewWriter(w)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(line{Aurora: "memory", Format: exportVersion}); err != nil {
		return nil, fmt.Errorf("export memory: %w", err)
	}
	counts := memory.Counts{}
	// One transaction, so that all tables are of one moment.
	snapshot, err := s.db.BeginTx(ctx, readOnly)
	if err != nil {
		return nil, fmt.Errorf("export memory: %w", err)
	}
	defer snapshot.Rollback()
	for _, table := range exportedTables {
		n, err := exportTable(ctx, snapshot, table, encoder)
		if err != nil {
			return nil, fmt.Errorf("export %s: %w", table, err)
		}
		if n > 0 {
			counts[table] = n
		}
	}
	if err := out.Flush(); err != nil {
		return nil, fmt.Errorf("export memory: %w", err)
	}
	return counts, nil
}

func exportTable(ctx context.Context, db queryer, table string, encoder *json.Encoder) (int, error) {
	columns := slices.DeleteFunc(columnsOf(ctx, db, table), func(name string) bool { return name == "seq" })
	rows, err := db.QueryContext(ctx, `SELECT `+list(columns)+` FROM `+table+` ORDER BY seq`)
	if err != nil {
		return 0, err
	}
	values, places := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		places[i] = &values[i]
	}
	count := 0
	err = each(rows, func() error {
		if err := rows.Scan(places...); err != nil {
			return err
		}
		row := make(map[string]any, len(columns))
		for i, name := range columns {
			if values[i] != nil {
				row[name] = values[i]
			}
		}
		count++
		return encoder.Encode(line{Table: table, Row: row})
	})
	return count, err
}
