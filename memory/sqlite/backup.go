package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/aurora-sidecar/aurora/internal/filelock"
)

// dailyKept is how many daily backups are kept.
const dailyKept = 7

// backupLock is the file that who makes or deletes daily backups of the store at path has locked.
func backupLock(path string) string { return path + ".bak.lock" }

// BackUp makes the backup of this day, <path>.bak-<date>, if memory has changed since the one before, and deletes the oldest of more
// than seven. made is its path, or "" when none was due: a store that was made today, or is empty, has none, and of several
// processes one makes it. Others read and write meanwhile. Warning tells of a failure until another attempt succeeds.
func (s *Store) BackUp(ctx context.Context) (made string, err error) {
	if s.path == "" || s.lost != nil {
		return "", nil
	}
	if made, err = backUpDaily(ctx, s.database); err != nil {
		err = fmt.Errorf("back up memory: %w", err)
	}
	if ctx.Err() == nil {
		s.noteBackup(err)
	}
	return made, err
}

// noteBackup notes for Warning whether memory can be backed up.
func (d *database) noteBackup(err error) {
	text := ""
	if err != nil {
		text = fmt.Sprintf("Memory has no backup of today (%v): %s", err, cmp.Or(storageRemedy(err), "`aurora doctor` looks closer."))
	}
	d.warningMu.Lock()
	defer d.warningMu.Unlock()
	d.unsaved = text
}

func backUpDaily(ctx context.Context, d *database) (made string, err error) {
	target := d.path + ".bak-" + d.opts.Now().Format(time.DateOnly)
	if exists(target) {
		return "", nil
	}
	unlock, err := filelock.Try(backupLock(d.path))
	if err != nil || unlock == nil { // another process makes it
		return "", err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if due, err := backupDue(ctx, d, target); err != nil || !due {
		return "", err
	}
	// What the log holds is written back now: when the store is closed its file stays as it is, and is not taken for changed.
	if _, err := d.db.ExecContext(ctx, `PRAGMA wal_checkpoint(PASSIVE)`); err != nil {
		return "", err
	}
	changed, err := settled(ctx, d.path)
	if err != nil {
		return "", err
	}
	if err := writeBackup(ctx, d, target, changed); err != nil {
		return "", err
	}
	return target, dropOldBackups(d.path, target)
}

// backupDue reports whether the store has to be copied to target.
func backupDue(ctx context.Context, d *database, target string) (bool, error) {
	if exists(target) {
		return false, nil
	}
	var full bool
	err := d.db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM records) OR EXISTS (SELECT 1 FROM journal)`).Scan(&full)
	if err != nil || !full {
		return false, err
	}
	changed, err := lastChange(d.path)
	if err != nil {
		return false, err
	}
	daily := dailyBackups(d.path)
	for _, backup := range daily {
		if info, err := os.Stat(backup); err == nil && !changed.After(info.ModTime()) {
			return false, nil
		}
	}
	if len(daily) > 0 {
		return true, nil
	}
	var made int64
	err = d.db.QueryRowContext(ctx, `SELECT min(applied_at_ms) FROM migrations`).Scan(&made)
	now := d.opts.Now()
	return now.Format(time.DateOnly) != fromMs(made).In(now.Location()).Format(time.DateOnly), err
}

// lastChange is when the file of the store at path, or its log, was last written.
func lastChange(path string) (time.Time, error) {
	var last time.Time
	for _, suffix := range []string{"", "-wal", "-ewal"} {
		info, err := os.Stat(path + suffix)
		if errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0 {
			continue
		}
		if err != nil {
			return time.Time{}, err
		}
		if info.ModTime().After(last) {
			last = info.ModTime()
		}
	}
	return last, nil
}

// settled is lastChange, as soon as a write from now on gets another time from the file system.
func settled(ctx context.Context, path string) (time.Time, error) {
	const tick = 20 * time.Millisecond
	changed, err := lastChange(path)
	if err != nil {
		return changed, err
	}
	select {
	case <-time.After(min(tick, time.Until(changed.Add(tick)))):
	case <-ctx.Done():
	}
	return changed, ctx.Err()
}

// dailyBackups lists those of the store at path, the oldest first.
func dailyBackups(path string) []string {
	backups, _ := Copies(path)
	daily := slices.DeleteFunc(backups, func(backup string) bool { return !dailyName.MatchString(backup[len(path):]) })
	slices.Sort(daily)
	return daily
}

// dropOldBackups deletes the oldest daily backups of more than are kept, but not the one just made, however the clock was set, and
// what processes left that were killed while they made one.
func dropOldBackups(path, made string) error {
	daily := slices.DeleteFunc(dailyBackups(path), func(backup string) bool { return backup == made })
	old := daily[:max(0, len(daily)-(dailyKept-1))]
	_, aside := Copies(path)
	for _, file := range aside {
		if unfinishedName.MatchString(file[len(path):]) {
			old = append(old, file)
		}
	}
	var err error
	for _, file := range old {
		err = errors.Join(err, os.Remove(file))
	}
	return err
}

// backUp copies the store to <path>.bak-v<schema>. A backup of the same schema is replaced: it comes from a migration
// that failed, since when the store may have grown.
func backUp(ctx context.Context, d *database, schema int) error {
	if d.path == "" {
		return nil
	}
	changed, err := lastChange(d.path)
	if err != nil {
		return err
	}
	return writeBackup(ctx, d, fmt.Sprintf("%s.bak-v%d", d.path, schema), changed)
}

// writeBackup makes a copy of the store, checks it from end to end, and only then gives it its name. The time of the file is when
// what it holds was last changed. Of one that fails nothing is left.
func writeBackup(ctx context.Context, d *database, target string, changed time.Time) error {
	unfinished := target + ".tmp"
	if err := removeUnfinishedBackup(unfinished); err != nil {
		return err
	}
	err := copyInto(ctx, d.db, unfinished, d.opts.like(d.unlocked).Encryption)
	if err == nil {
		err = checkCopy(ctx, unfinished, d.opts.Encryption)
	}
	if err == nil {
		err = syncFile(unfinished)
	}
	if err == nil {
		err = os.Chtimes(unfinished, time.Time{}, changed)
	}
	if err != nil {
		return errors.Join(err, removeUnfinishedBackup(unfinished))
	}
	if err := os.Rename(unfinished, target); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(target))
}

// copyInto makes a copy of a database in a new file, encrypted as e says.
func copyInto(ctx context.Context, db *sql.DB, path string, e Encryption) error {
	if err := e.create(path); err != nil {
		return err
	}
	if err := createPrivate(path); err != nil { // VACUUM INTO accepts an empty file
		return err
	}
	target, err := e.reach(path)
	if err != nil {
		return err
	}
	defer release(target)
	_, err = db.ExecContext(ctx, `VACUUM INTO ?`, dsn(path, parametersOf(target)...))
	return err
}

// checkCopy reads a copy that nobody else knows of from end to end, and compares its indexes with its tables.
func checkCopy(ctx context.Context, path string, e Encryption) error {
	db, done, err := e.openStill(path)
	if err != nil {
		return err
	}
	defer done()
	var verdict string
	if err := db.QueryRowContext(ctx, `PRAGMA integrity_check(1)`).Scan(&verdict); err != nil {
		return err
	}
	if verdict != "ok" {
		return fmt.Errorf("check %s: %w: %s", path, errDamaged, firstLine(verdict))
	}
	return nil
}

// openStill opens a database that nobody changes, without making files beside it.
func (e Encryption) openStill(path string) (db *sql.DB, done func(), err error) {
	u, err := e.reach(path)
	if err != nil {
		return nil, nil, err
	}
	db, err = sql.Open("sqlite", dsn(path, append(parametersOf(u), "mode=ro", "immutable=1")...))
	if err != nil {
		release(u)
		return nil, nil, err
	}
	return db, func() {
		_ = db.Close() // nothing was written
		release(u)
	}, nil
}

func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// removeUnfinishedBackup removes a backup that nobody finished, with its journal.
func removeUnfinishedBackup(path string) error {
	return errors.Join(removeIfThere(path), removeIfThere(path+"-journal"), removeIfThere(path+"-ejournal"))
}

func removeIfThere(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
