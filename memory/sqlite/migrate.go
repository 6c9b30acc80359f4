package sqlite

import (
	"cmp"
	"context"
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

//go:embed migration/*.sql
var migrations embed.FS

// A migration brings a store from schema version-1 to version.
type migration struct {
	version int
	name    string // of its file
	script  string
}

// migrate applies the migrations in files that d has not seen yet, each once and whole. A store that holds something
// is backed up before.
func migrate(ctx context.Context, d *database, files fs.FS) error {
	all, err := readMigrations(files)
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	schema, writtenBy, err := schemaOf(ctx, d)
	if err != nil {
		return fmt.Errorf("read the schema's version: %w", err)
	}
	if schema > len(all) {
		return &FutureError{Path: d.path, Schema: schema, Known: len(all), WrittenBy: writtenBy}
	}
	pending := all[schema:]
	if len(pending) > 0 && schema > 0 {
		if err := backUp(ctx, d, schema); err != nil {
			return fmt.Errorf("back up before migrating: %w", err)
		}
	}
	for _, m := range pending {
		if err := apply(ctx, d, m); err != nil {
			return fmt.Errorf("migrate to schema %d: %w", m.version, err)
		}
	}
	return nil
}

// readMigrations returns the migrations in order; they are numbered from 1 without gaps.
func readMigrations(files fs.FS) ([]migration, error) {
	names, err := fs.Glob(files, "migration/*.sql")
	if err != nil {
		return nil, err
	}
	var all []migration
	for _, path := range names {
		script, err := fs.ReadFile(files, path)
		if err != nil {
			return nil, err
		}
		name := strings.TrimPrefix(path, "migration/")
		number, _, _ := strings.Cut(name, "_")
		version, err := strconv.Atoi(number)
		if err != nil {
			return nil, fmt.Errorf("%s does not begin with a number", name)
		}
		all = append(all, migration{version: version, name: name, script: string(script)})
	}
	slices.SortFunc(all, func(a, b migration) int { return cmp.Compare(a.version, b.version) })
	for i, m := range all {
		if m.version != i+1 {
			return nil, fmt.Errorf("%s stands where migration %d belongs", m.name, i+1)
		}
	}
	return all, nil
}

// schemaOf returns the version that the store is at, 0 for an empty one, and the AURORA that brought it there.
func schemaOf(ctx context.Context, d *database) (version int, writtenBy string, err error) {
	var tables, ours int
	err = d.db.QueryRowContext(ctx, `SELECT count(*), count(*) FILTER (WHERE name = 'migrations') FROM sqlite_schema`).
		Scan(&tables, &ours)
	if err != nil || tables == 0 {
		return 0, "", err
	}
	if ours == 0 {
		return 0, "", fmt.Errorf("%s belongs to another program; set memory.database_path to another file", d.path)
	}
	err = d.db.QueryRowContext(ctx, `SELECT version, applied_by FROM migrations ORDER BY version DESC LIMIT 1`).
		Scan(&version, &writtenBy)
	return version, writtenBy, err
}

func apply(ctx context.Context, d *database, m migration) error {
	return d.inTx(ctx, func(tx tx) error {
		const table = `CREATE TABLE IF NOT EXISTS migrations (
			version       INTEGER PRIMARY KEY,
			name          TEXT    NOT NULL,
			applied_at_ms INTEGER NOT NULL,
			applied_by    TEXT    NOT NULL
		)`
		if _, err := tx.ExecContext(ctx, table); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, m.script); err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO migrations VALUES (?, ?, ?, ?)`,
			m.version, m.name, toMs(tx.now), d.opts.Version)
		return err
	})
}
