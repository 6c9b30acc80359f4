package sqlite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/internal/filelock"
)

// A Backup is a copy of a store that RestoreBackup can put in its place.
type Backup struct {
	Path    string
	Date    string    // as in its name: 2026-11-22 of a daily one, v7 before a migration of schema 7, replaced-… of what a backup replaced
	Changed time.Time // when what it holds was last changed
	Size    int64     // in bytes
	Records int       // without forgotten ones
	Err     error     // why it can't be read
}

// Backups lists the backups of the store at path, those of the latest changes first.
func Backups(ctx context.Context, path string, e Encryption) ([]Backup, error) {
	path, err := locate(path)
	if err != nil {
		return nil, err
	}
	files, aside := Copies(path)
	for _, file := range aside {
		if replacedName.MatchString(file[len(path):]) {
			files = append(files, file)
		}
	}
	var list []Backup
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil {
			continue // deleted meanwhile
		}
		b := Backup{Path: file, Date: strings.TrimPrefix(file[len(path)+1:], "bak-"), Changed: info.ModTime(), Size: info.Size()}
		b.Records, b.Err = e.countRecords(ctx, file)
		list = append(list, b)
	}
	slices.SortFunc(list, func(a, b Backup) int { return cmp.Or(b.Changed.Compare(a.Changed), cmp.Compare(b.Path, a.Path)) })
	return list, ctx.Err()
}

// newestBackup is the backup of the latest changes that can be read, nil when there is none.
func newestBackup(ctx context.Context, path string, e Encryption) *Backup {
	list, err := Backups(ctx, path, e)
	if err != nil {
		return nil
	}
	i := slices.IndexFunc(list, func(b Backup) bool { return b.Err == nil && !strings.HasPrefix(b.Date, "replaced-") })
	if i < 0 {
		return nil
	}
	return &list[i]
}

// countRecords counts the records of a copy that were not forgotten.
func (e Encryption) countRecords(ctx context.Context, path string) (n int, err error) {
	db, done, err := e.openStill(path)
	if err != nil {
		return 0, err
	}
	defer done()
	err = db.QueryRowContext(ctx, `SELECT count(*) FROM records WHERE deleted_at_ms IS NULL`).Scan(&n)
	return n, err
}

// RestoreBackup puts a copy of a backup, which is checked from end to end, in the place of the store at path, and moves what was there
// aside, complete. The copy is encrypted as the options say. It fails with ErrInUse, and changes nothing, while
// another process has the store open; this one must not. A process that is killed leaves either of them in place.
func RestoreBackup(ctx context.Context, path, backup string, opts Options) (aside string, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("restore %s: %w", backup, err)
		}
	}()
	opts = opts.withDefaults()
	if path, err = locate(path); err != nil {
		return "", err
	}
	unlock, err := lock(ctx, path)
	if err != nil {
		return "", fmt.Errorf("wait for other processes that open it: %w", err)
	}
	defer unlock()
	if err := atRest(path); err != nil {
		return "", err
	}
	if err := copyBackup(ctx, path, backup, opts); err != nil {
		return "", err
	}
	if exists(path) {
		if aside, err = moveAside(path, path+".replaced-"+opts.Now().UTC().Format("20060102-150405")); err != nil {
			return "", fmt.Errorf("move %s aside: %w", path, err)
		}
	}
	return aside, errors.Join(finishSalvage(path), syncFolder(filepath.Dir(path)))
}

// atRest fails with ErrInUse when another process has the store at path open, damaged or not: all who do hold a lock on the bytes
// that SQLite calls shared.
func atRest(path string) error {
	const shared, bytes = 0x40000002, 510
	used, pid, err := filelock.InUse(path, shared, bytes)
	if used && pid > 0 {
		return fmt.Errorf("%w (process %d)", ErrInUse, pid)
	}
	if used {
		return ErrInUse
	}
	return err
}

// copyBackup makes the store that takes the place of the one at path.
func copyBackup(ctx context.Context, path, backup string, opts Options) error {
	unfinished := path + ".salvaging"
	for _, suffix := range companions {
		if err := removeIfThere(unfinished + suffix); err != nil {
			return err
		}
	}
	if err := opts.Encryption.copyWhole(ctx, backup, unfinished); err != nil {
		return errors.Join(err, removeIfThere(unfinished))
	}
	return os.Rename(unfinished, replacement(path))
}

// copyWhole copies a database with what is in its log, and checks the copy.
func (e Encryption) copyWhole(ctx context.Context, from, to string) error {
	u, err := e.reach(from)
	if err != nil {
		return err
	}
	defer release(u)
	db, err := openReading(from, u)
	if err != nil {
		return err
	}
	err = copyInto(ctx, db, to, e)
	if err := errors.Join(err, db.Close()); err != nil {
		return err
	}
	if err := checkCopy(ctx, to, e); err != nil {
		return err
	}
	return syncFile(to)
}

// Unsaved tells since when something remembered is in no backup of the store at path: the zero time when all that is older
// than age is in one, or there is none at all.
func Unsaved(ctx context.Context, path string, opts Options, age time.Duration) (since time.Time, newest Backup, err error) {
	opts = opts.withDefaults()
	if found := newestBackup(ctx, path, opts.Encryption); found != nil {
		newest = *found
	} else {
		return time.Time{}, newest, nil
	}
	u, err := opts.Encryption.reach(path)
	if err != nil {
		return time.Time{}, newest, err
	}
	defer release(u)
	db, err := openReading(path, u)
	if err != nil {
		return time.Time{}, newest, err
	}
	defer db.Close()
	var first *int64
	err = db.QueryRowContext(ctx, `SELECT min(updated_at_ms) FROM records WHERE updated_at_ms > ?`, toMs(newest.Changed)).Scan(&first)
	if err == nil && first != nil && opts.Now().Sub(fromMs(*first)) > age {
		since = fromMs(*first)
	}
	return since, newest, err
}
