package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"strings"

	"github.com/aurora-sidecar/aurora/memory/sqlite/cryptvfs"
	"github.com/aurora-sidecar/aurora/memory/sqlite/leafpage"
)

// A shape is what the rows of a table look like.
type shape struct {
	table   string
	columns leafpage.Columns
}

// ofLinks and ofGoals have rows of the same kinds; they are told apart by a number that is a weight, or a time.
const ofLinks, ofGoals = "relationships", "goals"

// fits reports whether a row can be one of the table.
func (s *shape) fits(row leafpage.Row) bool {
	if !s.columns.Fit(row) {
		return false
	}
	switch number, _ := row.Values[len(row.Values)-2].(int64); s.table {
	case ofLinks:
		return number <= 1
	case ofGoals:
		return number > 1
	}
	return true
}

// shapesOf are those of the tables that a salvage copies.
func shapesOf(ctx context.Context, tx tx) ([]*shape, error) {
	var shapes []*shape
	for _, table := range rescued {
		if table == formerJournal { // its rows are the beginning of the journal's
			continue
		}
		rows, err := tx.QueryContext(ctx, `SELECT name, type, "notnull" = 0, dflt_value IS NOT NULL OR "notnull" = 0 FROM pragma_table_info(?)`, table)
		if err != nil {
			return nil, err
		}
		s := &shape{table: table}
		err = each(rows, func() error {
			var c leafpage.Column
			err := rows.Scan(&c.Name, &c.Kind, &c.Nullable, &c.Later)
			s.columns = append(s.columns, c)
			return err
		})
		if err != nil {
			return nil, err
		}
		shapes = append(shapes, s)
	}
	return shapes, nil
}

// copyPages adds to the store the rows of the damaged database at path that its single pages have, and that the store lacks: no tree leads
// to them any more. Of a file of which nothing can be read it copies nothing; that is no error.
func copyPages(ctx context.Context, d *database, path string) error {
	file, err := os.Open(path)
	if err != nil {
		return nil // the damaged file is kept, for somebody who can
	}
	defer file.Close()
	pages, err := cryptvfs.ReadPages(file, d.opts.Encryption.Keys)
	if err != nil {
		return nil
	}
	defer pages.Close()
	return d.inTx(ctx, func(tx tx) error {
		shapes, err := shapesOf(ctx, tx)
		if err != nil {
			return err
		}
		return leafpage.Each(pages, func(row leafpage.Row) error {
			for _, s := range shapes {
				if s.fits(row) {
					return s.insert(ctx, tx, row)
				}
			}
			return ctx.Err()
		})
	})
}

// insert adds a row, unless one with its number or name is there.
func (s *shape) insert(ctx context.Context, tx tx, row leafpage.Row) error {
	names, values := make([]string, len(row.Values)), row.Values
	for i := range names {
		names[i] = s.columns[i].Name
	}
	values[0] = row.ID
	_, err := tx.ExecContext(ctx, fmt.Sprintf(`INSERT OR IGNORE INTO %s (%s) VALUES (?%s)`,
		s.table, strings.Join(names, ", "), strings.Repeat(", ?", len(values)-1)), values...)
	if err != nil && !blamesRow(err) {
		return err
	}
	return nil
}

// ofRecord are the tables of what belongs to a record, with the column that has its id.
var ofRecord = []struct{ table, id string }{{"records", "id"}, {"citations", "record"}, {"record_versions", "record"}, {"access_events", "subject"}}

// copyFromBackup adds to the store the records of a backup that it lacks, with their citations, former texts and uses.
func copyFromBackup(ctx context.Context, d *database, backup string) error {
	from, done, err := d.opts.Encryption.openStill(backup)
	if err != nil {
		return err
	}
	defer done()
	return d.inTx(ctx, func(tx tx) error {
		known, err := recordIDs(ctx, tx)
		if err != nil {
			return err
		}
		for _, part := range ofRecord {
			columns := common(columnsOf(ctx, from, part.table), columnsOf(ctx, tx, part.table))
			lacking := func(values []any) bool {
				for i, name := range columns {
					if id, _ := values[i].(string); name == part.id {
						return !known[id]
					}
				}
				return false
			}
			if err := copyRows(ctx, tx, from, part.table, columns, "ASC", lacking); err != nil {
				return err
			}
		}
		return nil
	})
}

// recordIDs are those of all records, forgotten ones included.
func recordIDs(ctx context.Context, tx tx) (map[string]bool, error) {
	rows, err := tx.QueryContext(ctx, `SELECT id FROM records`)
	if err != nil {
		return nil, err
	}
	ids := map[string]bool{}
	return ids, each(rows, func() error {
		var id string
		err := rows.Scan(&id)
		ids[id] = true
		return err
	})
}

// everyRow is for copyRows.
func everyRow([]any) bool { return true }

// countAll counts records, forgotten ones included.
func countAll(ctx context.Context, db *sql.DB) (n int, err error) {
	err = db.QueryRowContext(ctx, `SELECT count(*) FROM records`).Scan(&n)
	return n, err
}
