package store

import (
	"cmp"
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"modernc.org/sqlite" // the driver "sqlite", too
	sqlite3 "modernc.org/sqlite/lib"
)

const (
	pageSize = 4096 // bytes; SQLite's default
	readers  = 4    // connections to a database on disk
)

// A layout is one of the two shapes that our databases have.
type layout struct {
	name    string // of the file, before its version
	version int    // of the schema
	id      int64  // SQLite's application id: marks the file as ours
	schema  string
}

//go:embed schema.sql
var workspaceSchema string

//go:embed cache.sql
var cacheSchema string

var (
	workspaceLayout = &layout{name: "index", version: 2, id: 0x41757241, schema: workspaceSchema} // "AurA"
	cacheLayout     = &layout{name: "content", version: 2, id: 0x41757243, schema: cacheSchema}   // "AurC"
)

// file is the name of the database file of this version.
func (l *layout) file() string { return fmt.Sprintf("%s-v%d.db", l.name, l.version) }

// in is the database of this layout in a folder.
func (l *layout) in(dir string, opts Options) database {
	return database{layout: l, path: filepath.Join(dir, l.file()), maxBytes: opts.MaxBytes}
}

// removeOlder deletes the databases of earlier versions in dir: nobody writes them any more, because they share our
// lock, and all that is in them can be computed again.
func (l *layout) removeOlder(dir string) {
	for version := 1; version < l.version; version++ {
		older := database{layout: &layout{name: l.name, version: version, id: l.id}}
		older.path = filepath.Join(dir, older.file())
		if older.isOurs() {
			_ = os.Remove(older.path)
			removeSidecars(older.path)
		}
	}
}

// errForeign: the file is a healthy SQLite database, but not one of ours.
var errForeign = errors.New("the database belongs to another program")

// A database is where one of ours is, or belongs.
type database struct {
	*layout
	path     string // "" for memory
	maxBytes int64  // 0 means no limit
}

// size is how many bytes of the disk the database takes up.
func (d database) size() int64 {
	var total int64
	for _, suffix := range append([]string{""}, sidecars...) {
		if info, err := os.Stat(d.path + suffix); err == nil {
			total += info.Size()
		}
	}
	return total
}

// connect opens the database, checks whose it is, and creates the schema when it is new and may be written.
func (d database) connect(ctx context.Context, writable bool) (*sql.DB, error) {
	db, err := sql.Open("sqlite", d.source(writable))
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	if d.path == "" {
		db.SetMaxOpenConns(1) // every connection to memory has a database of its own
	} else {
		db.SetMaxOpenConns(readers)
	}
	if err := d.prepare(ctx, db, writable); err != nil {
		return nil, errors.Join(d.growth(err), db.Close())
	}
	return db, nil
}

// growth adds to err why the file beside the database that its users share can't grow, which SQLite does not say.
func (d database) growth(err error) error {
	var sq *sqlite.Error
	if d.path == "" || !errors.As(err, &sq) || sq.Code() != sqlite3.SQLITE_IOERR_SHMSIZE {
		return err
	}
	f, cause := os.CreateTemp(filepath.Dir(d.path), ".growth-*")
	if cause == nil {
		_, cause = f.Write(make([]byte, sharedBytes))
		_ = f.Close()
		_ = os.Remove(f.Name())
	}
	if cause == nil {
		return err
	}
	return fmt.Errorf("%w: %w", err, cause)
}

// sharedBytes is by how much that file grows at once.
const sharedBytes = 32 << 10

// source says how to open the database. Every connection of the pool gets these settings.
func (d database) source(writable bool) string {
	set := url.Values{"_txlock": {"immediate"}}
	set.Add("_pragma", "busy_timeout(5000)")
	if !writable {
		set.Add("_pragma", "query_only(1)")
	}
	if d.path == "" {
		return "file::memory:?" + set.Encode()
	}
	if writable {
		set.Add("_pragma", "auto_vacuum(INCREMENTAL)") // counts for a new database only
		set.Add("_pragma", "journal_mode(WAL)")
	}
	set.Add("_pragma", "synchronous(NORMAL)")
	if d.maxBytes > 0 {
		set.Add("_pragma", fmt.Sprintf("max_page_count(%d)", max(1, d.maxBytes/pageSize)))
	}
	slashed := filepath.ToSlash(d.path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // C:/...
	}
	file := url.URL{Scheme: "file", Path: slashed, RawQuery: set.Encode()}
	return file.String()
}

// prepare makes sure that the database has our schema.
func (d database) prepare(ctx context.Context, db *sql.DB, writable bool) error {
	var id, version, tables int64
	err := cmp.Or( // one is enough: all fail for the same reason
		db.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id),
		db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version),
		db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables),
	)
	switch {
	case err != nil:
		return fmt.Errorf("read schema: %w", err)
	case id == d.id && version == int64(d.version) && tables > 0:
		return nil
	case id == d.id:
		return fmt.Errorf("read schema: version %d of %d tables: %w", version, tables, ErrDamaged)
	case id != 0 || tables > 0:
		return fmt.Errorf("read schema: application id %#x: %w", id, errForeign)
	case !writable:
		return errNotThere
	}
	return d.create(ctx, db)
}

// create makes the schema of a new database.
func (d database) create(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("create schema: %w", err)
	}
	defer func() { _ = tx.Rollback() }()
	marks := fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d;", d.id, d.version)
	if _, err := tx.ExecContext(ctx, d.schema+marks); err != nil {
		return fmt.Errorf("create schema: %w", err)
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("create schema: %w", err)
	}
	return checkpoint(ctx, db) // so that the file itself says whose it is
}

// inTx runs f, whose statements take ctx, in a transaction. When it returns, the connection is free. A transaction that
// knew of ctx would be rolled back beside us when ctx ends, and the write-ahead log outlive the closing of the database.
func inTx(ctx context.Context, db *sql.DB, f func(tx *sql.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	tx, err := db.BeginTx(context.WithoutCancel(ctx), nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if err := errors.Join(f(tx), ctx.Err()); err != nil {
		return err
	}
	return tx.Commit()
}

// closePatience bounds the wait for connections that are still being given back.
const closePatience = time.Second

// closeIdle closes db. A statement that was cancelled gives its connection back a moment after it has returned; a
// connection that is closed after the database would write its log into a file that may be somebody else's by then.
func closeIdle(db *sql.DB) error {
	for end := time.Now().Add(closePatience); db.Stats().InUse > 0 && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	return db.Close()
}

// checkpoint moves the write-ahead log into the database. That a reader is in its way is not an error: the log
// stays and is read.
func checkpoint(ctx context.Context, db *sql.DB) error {
	if _, err := db.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	return nil
}
