package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// rescued are the tables that a salvage copies; the others follow from them. Before schema 6 the journal had another name.
var rescued = []string{
	"records", "access_events", "record_versions", "citations", "relationships", "goals", "journal", formerJournal, "log_index", "difficult_queries",
}

// exportedTables are the tables of an export: what was spent, and the text of questions and answers, belongs to one person and
// stays.
var exportedTables = []string{
	"records", "access_events", "citations", "relationships", "goals", formerJournal, "log_index", "difficult_queries",
}

// formerJournal was the table of figures, which is a view of the journal since.
const formerJournal = "usage_metrics"

// tableFor is the table that rows under a name are written into.
func tableFor(name string) string {
	if name == formerJournal {
		return "journal"
	}
	return name
}

// companions are the endings of the files that make up one database.
var companions = []string{"", "-wal", "-ewal", "-shm"}

// openDamaged copies what can be read of the damaged store at path, and what its newest backup has besides, into a new one and lets them
// change places. The new one is complete before the damaged one moves, so that a crash in between loses nothing.
func openDamaged(ctx context.Context, path string, opts Options, damage error) (*Store, error) {
	saved, err := buildReplacement(ctx, path, opts)
	if err != nil {
		return nil, fmt.Errorf("salvage %s (%w): %w", path, damage, err)
	}
	if err := orDisk(damage, path); !isDamage(err) { // nothing that can't be read now is given up
		return nil, err
	}
	aside, err := moveAside(path, path+".damaged-"+opts.Now().UTC().Format("20060102-150405"))
	if err != nil {
		return nil, fmt.Errorf("move the damaged %s aside: %w", path, err)
	}
	if err := finishSalvage(path); err != nil {
		return nil, err
	}
	s, err := openFile(ctx, path, opts)
	if err != nil {
		return nil, err
	}
	s.opened = fmt.Sprintf("Memory was damaged (%v): %s. The damaged file is kept as %s.", damage, saved, aside)
	return s, nil
}

// A salvage tells what became of a damaged store.
type salvage struct {
	read   int     // records of the damaged file
	added  int     // by the backup
	backup *Backup // the newest one; nil when there is none
}

func (s *salvage) String() string {
	text := fmt.Sprintf("%d records could be saved", s.read)
	if s.backup == nil {
		return text + "; there is no backup"
	}
	if s.added > 0 {
		text += fmt.Sprintf(", and %d more from the backup of %s; what was forgotten since then may be among these", s.added, s.backup.Date)
	}
	return fmt.Sprintf("%s. `aurora mem restore-backup %s` puts that backup in its place", text, s.backup.Date)
}

// replacement is where the new store is built.
func replacement(path string) string { return path + ".salvaged" }

// buildReplacement makes a new store with what can be read of the one at path, and the records of its newest backup that are in none of that.
func buildReplacement(ctx context.Context, path string, opts Options) (*salvage, error) {
	unfinished := path + ".salvaging"
	for _, suffix := range companions {
		if err := removeIfThere(unfinished + suffix); err != nil {
			return nil, err
		}
	}
	source, err := opts.Encryption.reach(path)
	if err != nil {
		return nil, err
	}
	release(source)
	s, err := openFile(ctx, unfinished, opts.like(source)) // nothing that was encrypted becomes plain
	if err != nil {
		return nil, err
	}
	saved, err := fillFromRemains(ctx, s.database, path)
	if err := errors.Join(err, s.Close()); err != nil {
		return nil, err
	}
	return saved, os.Rename(unfinished, replacement(path))
}

// fillFromRemains fills d with what is left of the store at path: by its trees, by single pages, and from its newest backup.
func fillFromRemains(ctx context.Context, d *database, path string) (*salvage, error) {
	_, err := copyReadable(ctx, d, path)
	if err == nil {
		err = copyPages(ctx, d, path)
	}
	if err != nil {
		return nil, err
	}
	saved := &salvage{backup: newestBackup(ctx, path, d.opts.Encryption)}
	if saved.read, err = countAll(ctx, d.db); err != nil {
		return nil, err
	}
	if saved.backup != nil {
		if err := copyFromBackup(ctx, d, saved.backup.Path); err != nil {
			d.opts.Log.Warn("read the newest backup", "file", saved.backup.Path, "err", err)
		}
		all, err := countAll(ctx, d.db)
		if err != nil {
			return nil, err
		}
		saved.added = all - saved.read
	}
	return saved, d.inTx(ctx, func(tx tx) error {
		if err := rebuildUses(ctx, tx); err != nil {
			return err
		}
		return rebuildTokens(ctx, tx)
	})
}

// finishSalvage puts a finished replacement in its place when there is no store at path.
func finishSalvage(path string) error {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(replacement(path), path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("put the salvaged memory in its place: %w", err)
	}
	return nil
}

// moveAside renames the database at path to base, or to a free name after it, and returns that.
func moveAside(path, base string) (string, error) {
	aside := base
	for n := 2; exists(aside); n++ {
		aside = fmt.Sprintf("%s-%d", base, n)
	}
	// The file itself moves last: as long as it is there, the whole is found and tried again.
	for _, suffix := range slices.Backward(companions) {
		if err := os.Rename(path+suffix, aside+suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	return aside, nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// copyReadable copies into d whatever can be read of the database at path, which it leaves as it is, and returns the
// number of records copied. Of a file of which nothing can be read it copies nothing; that is no error.
func copyReadable(ctx context.Context, d *database, path string) (int, error) {
	source, err := d.opts.Encryption.reach(path)
	if err != nil {
		return 0, err
	}
	defer release(source)
	var count int
	err = d.inTx(ctx, func(tx tx) error {
		for _, way := range []string{"mode=ro", "immutable=1"} { // the second one needs no files beside it
			parameters := append(parametersOf(source), way, pragma("busy_timeout(%d)", busyTimeout.Milliseconds()))
			if err := copyFrom(ctx, tx, dsn(path, parameters...)); err != nil {
				return err
			}
			if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM records`).Scan(&count); err != nil || count > 0 {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return count, d.inTx(ctx, func(tx tx) error {
		if err := rebuildUses(ctx, tx); err != nil {
			return err
		}
		return rebuildTokens(ctx, tx)
	})
}

// copyFrom copies the rows of the rescued tables that source yields. Errors of the source end a table, not the copy.
func copyFrom(ctx context.Context, tx tx, source string) error {
	from, err := sql.Open("sqlite", source)
	if err != nil {
		return err
	}
	defer from.Close()
	for _, table := range rescued {
		columns := common(columnsOf(ctx, from, table), columnsOf(ctx, tx, tableFor(table)))
		if len(columns) == 0 {
			continue
		}
		// From both ends, so that a broken page costs only what lies on it.
		for _, order := range []string{"ASC", "DESC"} {
			if err := copyRows(ctx, tx, from, table, columns, order, everyRow); err != nil {
				return fmt.Errorf("copy %s: %w", table, err)
			}
		}
	}
	return ctx.Err()
}

// queryer is a database or a transaction.
type queryer interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// columnsOf returns the columns of a table, none when they can't be read.
func columnsOf(ctx context.Context, db queryer, table string) []string {
	rows, err := db.QueryContext(ctx, `SELECT name FROM pragma_table_info(?)`, table)
	if err != nil {
		return nil
	}
	var names []string
	err = each(rows, func() error {
		var name string
		err := rows.Scan(&name)
		names = append(names, name)
		return err
	})
	if err != nil {
		return nil
	}
	return names
}

// common returns the names that are in both lists. Stores of other schemas lack some columns or have more.
func common(a, b []string) []string {
	var both []string
	for _, name := range a {
		if slices.Contains(b, name) {
			both = append(both, name)
		}
	}
	return both
}

// copyRows copies the rows of a table for whose values wanted is true.
func copyRows(ctx context.Context, tx tx, from *sql.DB, table string, columns []string, order string, wanted func([]any) bool) error {
	list := strings.Join(columns, ", ")
	rows, err := from.QueryContext(ctx, fmt.Sprintf(`SELECT %s FROM %s NOT INDEXED ORDER BY rowid %s`, list, table, order))
	if err != nil {
		return nil // unreadable
	}
	insert := fmt.Sprintf(`INSERT OR IGNORE INTO %s (%s) VALUES (?%s)`, tableFor(table), list, strings.Repeat(", ?", len(columns)-1))
	values, places := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		places[i] = &values[i]
	}
	defer rows.Close()
	for rows.Next() {
		if rows.Scan(places...) != nil {
			return nil // unreadable from here on
		}
		if !wanted(values) {
			continue
		}
		if _, err := tx.ExecContext(ctx, insert, values...); err != nil && !blamesRow(err) {
			return err
		}
	}
	return nil // a read error only means that the rest is unreadable
}
