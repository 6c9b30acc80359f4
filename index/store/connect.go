package store

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

const (
	schemaVersion = 1          // part of the file's name
	applicationID = 0x41757241 // "AurA": marks a SQLite file as ours
	pageSize      = 4096       // bytes; SQLite's default
	readers       = 4          // connections to a database on disk
)

//go:embed schema.sql
var schema string

// errForeign: the file is a healthy SQLite database, but not one of ours.
var errForeign = errors.New("the database belongs to another program")

// databaseName is the name of the database file of this schema version.
func databaseName() string { return fmt.Sprintf("index-v%d.db", schemaVersion) }

// connect opens the database at path ("" for memory), checks whose it is, and creates the schema when it is new and
// may be written.
func connect(ctx context.Context, path string, opts Options, writable bool) (*sql.DB, error) {
	db, err := sql.Open("sqlite", dataSource(path, opts, writable))
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	if path == "" {
		db.SetMaxOpenConns(1) // every connection to memory has a database of its own
	} else {
		db.SetMaxOpenConns(readers)
	}
	if err := prepare(ctx, db, writable); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// dataSource says how to open the database. Every connection of the pool gets these settings.
func dataSource(path string, opts Options, writable bool) string {
	set := url.Values{"_txlock": {"immediate"}}
	set.Add("_pragma", "busy_timeout(5000)")
	if !writable {
		set.Add("_pragma", "query_only(1)")
	}
	if path == "" {
		return "file::memory:?" + set.Encode()
	}
	if writable {
		set.Add("_pragma", "journal_mode(WAL)")
	}
	set.Add("_pragma", "synchronous(NORMAL)")
	if opts.MaxBytes > 0 {
		set.Add("_pragma", fmt.Sprintf("max_page_count(%d)", max(1, opts.MaxBytes/pageSize)))
	}
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // C:/...
	}
	file := url.URL{Scheme: "file", Path: slashed, RawQuery: set.Encode()}
	return file.String()
}

// prepare makes sure that the database has our schema.
func prepare(ctx context.Context, db *sql.DB, writable bool) error {
	var id, version, tables int64
	err := errors.Join(
		db.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id),
		db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version),
		db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables),
	)
	switch {
	case err != nil:
		return fmt.Errorf("read schema: %w", err)
	case id == applicationID && version == schemaVersion && tables > 0:
		return nil
	case id == applicationID:
		return fmt.Errorf("read schema: version %d of %d tables: %w", version, tables, ErrDamaged)
	case id != 0 || tables > 0:
		return fmt.Errorf("read schema: application id %#x: %w", id, errForeign)
	case !writable:
		return errNotThere
	}
	return create(ctx, db)
}

// create makes the schema of a new database.
func create(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("create schema: %w", err)
	}
	defer func() { _ = tx.Rollback() }()
	marks := fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d;", applicationID, schemaVersion)
	if _, err := tx.ExecContext(ctx, schema+marks); err != nil {
		return fmt.Errorf("create schema: %w", err)
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("create schema: %w", err)
	}
	return checkpoint(ctx, db) // so that the file itself says whose it is
}

// checkpoint moves the write-ahead log into the database. That a reader is in its way is not an error: the log
// stays and is read.
func checkpoint(ctx context.Context, db *sql.DB) error {
	if _, err := db.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	return nil
}
