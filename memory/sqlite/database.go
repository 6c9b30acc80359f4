package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/aurora-sidecar/aurora/memory/sqlite/cryptvfs"
	"github.com/aurora-sidecar/aurora/memory/sqlite/replica"
)

// A database is what all parts of a Store read and write.
type database struct {
	db   *sql.DB
	path string // "" in memory
	opts Options
	lost error // why nothing can be kept, nil for nearly all stores

	unlocked *cryptvfs.Unlocked // nil when the file is plain
	locked   error              // why the file's content can't be decrypted, for a store that took its place
	volatile bool               // it has a file that could not be opened

	warningMu sync.Mutex
	opened    string // what was wrong at opening
	failing   string // why the last write failed, "" when it did not
	unsaved   string // why there is no backup of today, "" when there is one or none is due
}

// Warning says in a sentence what the store lacks and what to do about it, or "".
func (d *database) Warning() string {
	d.warningMu.Lock()
	defer d.warningMu.Unlock()
	present := slices.DeleteFunc([]string{d.opened, d.failing, d.unsaved}, func(text string) bool { return text == "" })
	return strings.Join(present, " ")
}

func (d *database) size(ctx context.Context) (int64, error) {
	if d.path == "" {
		var bytes int64
		err := d.db.QueryRowContext(ctx, `SELECT page_count * page_size FROM pragma_page_count, pragma_page_size`).Scan(&bytes)
		return bytes, err
	}
	var bytes int64
	for _, suffix := range []string{"", "-wal", "-ewal"} {
		info, err := os.Stat(d.path + suffix)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return 0, err
		}
		bytes += info.Size()
	}
	return bytes, nil
}

// tx is a write transaction; everything in it happens at one moment.
type tx struct {
	replica.Tx
	now time.Time
}

// write runs f in a transaction and notes for Warning whether the store can be written.
func (d *database) write(ctx context.Context, f func(tx) error) error {
	return d.writeThen(ctx, f, func(commit func() error) error { return commit() })
}

// writeThen is write that leaves committing to around.
func (d *database) writeThen(ctx context.Context, f func(tx) error, around func(commit func() error) error) error {
	err := orDisk(d.inTxThen(ctx, f, around), d.path)
	d.warningMu.Lock()
	defer d.warningMu.Unlock()
	if err == nil {
		d.failing = ""
	} else if remedy := storageRemedy(err); remedy != "" {
		d.failing = fmt.Sprintf("Memory can't be written (%v): %s", err, remedy)
	}
	return err
}

func (d *database) inTx(ctx context.Context, f func(tx) error) error {
	return d.inTxThen(ctx, f, func(commit func() error) error { return commit() })
}

func (d *database) inTxThen(ctx context.Context, f func(tx) error, around func(commit func() error) error) error {
	t, end, err := begin(ctx, d.db, writeLock(d.path))
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer end()
	if err := f(tx{t, d.opts.Now()}); err != nil {
		return errors.Join(err, ignoreDone(t.Rollback()))
	}
	if err := around(t.Commit); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// ignoreDone drops the error of ending a transaction that its context has ended already.
func ignoreDone(err error) error {
	if errors.Is(err, sql.ErrTxDone) {
		return nil
	}
	return err
}

// each calls scan for every row and closes the rows.
func each(rows *sql.Rows, scan func() error) error {
	defer rows.Close()
	for rows.Next() {
		if err := scan(); err != nil {
			return err
		}
	}
	return rows.Err()
}

func toMs(t time.Time) int64    { return t.UnixMilli() }
func fromMs(ms int64) time.Time { return time.UnixMilli(ms).UTC() }
