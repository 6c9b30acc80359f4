package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	codes "modernc.org/sqlite/lib"

	"github.com/aurora-sidecar/aurora/internal/atrest"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
	"github.com/aurora-sidecar/aurora/memory/sqlite/cryptvfs"
)

// ErrInUse says that another process has the database open.
var ErrInUse = errors.New("another process uses it")

// A State is how a file of memory is kept.
type State struct {
	Path      string
	Exists    bool
	Encrypted bool
	Current   bool // the key that encrypts now opens it
	Err       error
}

// StateOf looks at a database, and changes nothing. Err is a *KeyError when the keys don't open it.
func StateOf(path string, e Encryption) State {
	s := State{Path: path}
	state, err := cryptvfs.Inspect(path)
	s.Exists, s.Encrypted, s.Err = state != cryptvfs.Missing, state == cryptvfs.Sealed, err
	if !s.Encrypted {
		return s
	}
	u, err := e.reach(path)
	if err != nil {
		s.Err = err
		return s
	}
	defer release(u)
	s.Current = u.Current()
	return s
}

// Check reads the whole database at path, and changes nothing.
func Check(ctx context.Context, path string, e Encryption) error {
	u, err := e.reach(path)
	if err != nil {
		return err
	}
	defer release(u)
	db, err := openReading(path, u)
	if err != nil {
		return err
	}
	defer db.Close()
	var verdict string
	if err := db.QueryRowContext(ctx, `PRAGMA quick_check(1)`).Scan(&verdict); err != nil {
		return err
	}
	if verdict != "ok" {
		return fmt.Errorf("%w: %s", errDamaged, firstLine(verdict))
	}
	return nil
}

// openReading opens a database that u unlocked, to read it.
func openReading(path string, u *cryptvfs.Unlocked) (*sql.DB, error) {
	return sql.Open("sqlite", dsn(path, append(parametersOf(u), "mode=ro", pragma("busy_timeout(5000)"))...))
}

// unfinishedCopy is where Convert builds the file that takes the old one's place.
func unfinishedCopy(path string) string { return path + ".converting" }

// removeUnfinished removes what a Convert that was killed has left. The store itself is whole.
func removeUnfinished(path string) error {
	if err := os.Remove(unfinishedCopy(path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove what an earlier conversion left: %w", err)
	}
	return nil
}

// Convert encrypts the database at path with the first of the keys, or makes it plain when encryption is off. One
// that is as wanted already is left as it is, and converted is false. The new file is complete, and was read back,
// before it takes the place of the old one; a process that is killed leaves either of them. It fails with ErrInUse when
// somebody else has the database open.
func Convert(ctx context.Context, path string, e Encryption) (converted bool, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("convert %s: %w", path, err)
		}
	}()
	if path, err = locate(path); err != nil {
		return false, err
	}
	unlock, err := lock(ctx, path)
	if err != nil {
		return false, fmt.Errorf("wait for other processes that open it: %w", err)
	}
	defer unlock()
	if err := errors.Join(finishSalvage(path), removeUnfinished(path)); err != nil {
		return false, err
	}
	state := StateOf(path, e)
	if state.Err != nil || !state.Exists {
		return false, state.Err
	}
	if state.Encrypted == e.Enabled && (state.Current || !e.Enabled) {
		return false, nil
	}
	if e.Enabled && e.Keys.Count() == 0 {
		return false, e.keyError(path, true, atrest.ErrNoKey)
	}
	if err := e.copyAlone(ctx, path); err != nil {
		return false, err
	}
	return true, e.replace(path)
}

// copyAlone writes the copy while nobody else has the database open.
func (e Encryption) copyAlone(ctx context.Context, path string) error {
	u, err := e.reach(path)
	if err != nil {
		return err
	}
	defer release(u)
	const patience = 2 * time.Second // of statements that end by themselves
	parameters := append(parametersOf(u), "_txlock=exclusive", pragma("busy_timeout(%d)", patience.Milliseconds()))
	db, err := sql.Open("sqlite", dsn(path, parameters...))
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	file, err := os.Open(path)
	if err != nil {
		return errors.Join(err, db.Close())
	}
	err = foldAndCopy(ctx, db, file, e, path)
	// Only now: closing the file drops the locks of the connection.
	err = errors.Join(err, db.Close(), file.Close())
	if resultCode(err) == codes.SQLITE_BUSY {
		return ErrInUse
	}
	return err
}

func foldAndCopy(ctx context.Context, db *sql.DB, file *os.File, e Encryption, path string) error {
	var verdict, mode string
	if err := db.QueryRowContext(ctx, `PRAGMA quick_check(1)`).Scan(&verdict); err != nil {
		return err
	}
	if verdict != "ok" {
		return fmt.Errorf("%w: %s; start AURORA once, which saves what can be read", errDamaged, firstLine(verdict))
	}
	// This writes the log back and removes it, which nobody else may have open. Opening the store brings it back.
	if err := db.QueryRowContext(ctx, `PRAGMA journal_mode(DELETE)`).Scan(&mode); err != nil {
		return err
	}
	if mode != "delete" {
		return ErrInUse
	}
	held, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer held.Rollback() // nothing was written
	to := e.Keys
	if !e.Enabled {
		to = nil
	}
	return cryptvfs.Copy(ctx, file, e.Keys, unfinishedCopy(path), to)
}

// replace puts the copy in the place of the database.
func (e Encryption) replace(path string) error {
	for _, ending := range []string{"-wal", "-ewal", "-journal", "-ejournal"} {
		if info, err := os.Stat(path + ending); err == nil && info.Size() > 0 {
			return errors.Join(fmt.Errorf("%s%s was not written back", path, ending), removeUnfinished(path))
		}
	}
	err := keepTime(path, unfinishedCopy(path))
	if err == nil {
		err = os.Rename(unfinishedCopy(path), path)
	}
	if err != nil {
		return errors.Join(err, removeUnfinished(path))
	}
	for _, ending := range []string{"-wal", "-ewal", "-shm"} {
		if err := os.Remove(path + ending); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return syncFolder(filepath.Dir(path))
}

// keepTime gives a copy the time of the file that it was made of: what it holds was last changed then.
func keepTime(path, made string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	return os.Chtimes(made, time.Time{}, info.ModTime())
}

// syncFolder makes a renaming last through a power cut, where folders can be synced.
func syncFolder(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

var (
	backupName     = lazyregexp.New(`^\.bak-(v\d+|\d{4}-\d\d-\d\d)$`)
	dailyName      = lazyregexp.New(`^\.bak-\d{4}-\d\d-\d\d$`)
	unfinishedName = lazyregexp.New(`^\.bak-\d{4}-\d\d-\d\d\.tmp(-e?journal)?$`)
	replacedName   = lazyregexp.New(`^\.replaced-[\d-]+$`)
	asideName      = lazyregexp.New(`^\.(damaged|old|replaced)-[\d-]+(-e?wal)?$|^\.bak-(v\d+|[\d-]+)\.tmp(-e?journal)?$|^\.salvag(ed|ing)(-e?wal)?$`)
)

// Copies lists what lies beside the database at path and holds records, too: backups of days and of migrations, and files that
// were moved aside or never finished.
func Copies(path string) (backups, others []string) {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return nil, nil
	}
	for _, entry := range entries {
		ending, is := strings.CutPrefix(entry.Name(), filepath.Base(path))
		whole := filepath.Join(filepath.Dir(path), entry.Name())
		switch {
		case !is || !entry.Type().IsRegular():
		case backupName.MatchString(ending):
			backups = append(backups, whole)
		case asideName.MatchString(ending):
			others = append(others, whole)
		}
	}
	return backups, others
}
