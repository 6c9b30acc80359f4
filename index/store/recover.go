package store

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// errNotThere: there is no database yet and this process may not create one.
var errNotThere = errors.New("no index database yet")

// sidecars are the files that SQLite keeps beside a database in WAL mode.
var sidecars = []string{"-wal", "-shm", "-journal"}

// openForWriting opens the database and replaces it when it can't be used. warning says what was replaced.
func (d database) openForWriting(ctx context.Context) (db *sql.DB, warning string, err error) {
	db, err = d.openExisting(ctx)
	if err == nil || !replaceable(err) {
		return db, "", err
	}
	fate, moveErr := d.discard(err)
	if moveErr != nil {
		return nil, "", errors.Join(err, moveErr)
	}
	warning = fmt.Sprintf("The index database could not be used and starts empty (%v); the old file was %s.", err, fate)
	db, err = d.openExisting(ctx)
	return db, warning, err
}

// replaceable reports whether a new database is the answer to err.
func replaceable(err error) bool {
	return errors.Is(err, errForeign) || errors.Is(err, errNotAFile) || errors.Is(err, ErrDamaged) || errors.Is(classify(err), ErrDamaged)
}

// errNotAFile: something else than a file stands where the database belongs.
var errNotAFile = errors.New("not a regular file")

// openExisting opens the database, creating it with mode 0600 when there is none.
func (d database) openExisting(ctx context.Context) (*sql.DB, error) {
	path := d.path
	switch info, err := os.Lstat(path); {
	case errors.Is(err, fs.ErrNotExist):
		f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
		if err != nil {
			return nil, fmt.Errorf("create database: %w", err)
		}
		if err := f.Close(); err != nil {
			return nil, fmt.Errorf("create database: %w", err)
		}
		removeSidecars(path) // of a database that was deleted by hand
	case err != nil:
		return nil, fmt.Errorf("open database: %w", err)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("open database %s: %w", path, errNotAFile)
	}
	if err := checkLength(path); err != nil {
		return nil, err
	}
	return d.connect(ctx, true)
}

// checkLength finds a database that lost its end, which SQLite would only notice when it needs a lost page.
func checkLength(path string) error {
	header, size, err := readHeader(path)
	if err != nil || header == nil {
		return err
	}
	if wal, err := os.Stat(path + "-wal"); err == nil && wal.Size() > 0 {
		return nil // the log may hold what the file still lacks
	}
	page := int64(binary.BigEndian.Uint16(header[16:]))
	if page == 1 {
		page = 1 << 16
	}
	if want := page * int64(binary.BigEndian.Uint32(header[28:])); size < want {
		return fmt.Errorf("open database: %d bytes of %d: %w", size, want, ErrDamaged)
	}
	return nil
}

// readHeader returns the 100 bytes that start a SQLite database, nil when the file at path is not one, and the
// file's size.
func readHeader(path string) (header []byte, size int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, fmt.Errorf("open database: %w", err)
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return nil, 0, fmt.Errorf("open database: %w", err)
	}
	header = make([]byte, 100)
	if _, err := f.ReadAt(header, 0); err != nil || string(header[:16]) != "SQLite format 3\x00" {
		return nil, info.Size(), nil
	}
	return header, info.Size(), nil
}

// discard makes room for a new database. Our own one is deleted; what may be somebody else's is moved aside, at most
// one such thing being kept.
func (d database) discard(cause error) (fate string, err error) {
	path := d.path
	if errors.Is(cause, errNotAFile) || !d.isOurs() {
		aside := path + ".aside"
		if err := os.RemoveAll(aside); err != nil {
			return "", fmt.Errorf("move %s aside: %w", path, err)
		}
		if err := os.Rename(path, aside); err != nil {
			return "", fmt.Errorf("move %s aside: %w", path, err)
		}
		removeSidecars(path)
		return "moved to " + aside, nil
	}
	if err := os.Remove(path); err != nil {
		return "", fmt.Errorf("delete damaged database: %w", err)
	}
	removeSidecars(path)
	return "deleted", nil
}

// isOurs reports whether the file carries our application id.
func (d database) isOurs() bool {
	header, _, err := readHeader(d.path)
	return err == nil && header != nil && int64(binary.BigEndian.Uint32(header[68:])) == d.id
}

// removeSidecars deletes what SQLite left beside a database that is gone; they would spoil the next one.
func removeSidecars(path string) {
	for _, suffix := range sidecars {
		_ = os.Remove(path + suffix)
	}
}
