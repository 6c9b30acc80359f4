package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	codes "modernc.org/sqlite/lib"
)

const (
	// busyTimeout is how long a statement waits for other processes, and opening for one that migrates or salvages. SQLite's queue is not fair: of three processes
	// that write without a pause, one was seen to wait for more than 5 s on a busy machine.
	busyTimeout = 30 * time.Second

	// maxChecked is the size in bytes up to which a file is checked from end to end at opening, which takes about
	// 1 ms per MiB. Larger ones are believed until a read fails.
	maxChecked = 64 << 20
)

// Open opens the store at path and creates it, and its folder, when it does not exist yet. The store is migrated when
// an older AURORA wrote it, and refused with a *FutureError when a newer one did. When the file is damaged, Open
// copies what can be read of it into a new store, moves it aside, and says so in Warning.
func Open(ctx context.Context, path string, opts Options) (*Store, error) {
	opts = opts.withDefaults()
	s, err := open(ctx, path, opts)
	if err != nil {
		return nil, fmt.Errorf("open memory: %w", err)
	}
	if s.opened != "" {
		opts.Log.Warn(s.opened)
	}
	return s, nil
}

func open(ctx context.Context, path string, opts Options) (*Store, error) {
	path, err := locate(path)
	if err != nil {
		return nil, err
	}
	unlock, err := lock(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("wait for other processes that open %s: %w", path, err)
	}
	defer unlock()
	if err := finishSalvage(path); err != nil {
		return nil, err
	}
	if err := removeUnfinished(path); err != nil {
		return nil, err
	}
	if isLegacy(ctx, path) {
		return openLegacy(ctx, path, opts)
	}
	s, err := openFile(ctx, path, opts)
	if isDamage(err) {
		if err = orDisk(err, path); isDamage(err) {
			s, err = openFile(ctx, path, opts) // the disk may have failed for a moment
		}
	}
	if isDamage(err) {
		return openDamaged(ctx, path, opts, err)
	}
	if err == nil && opts.Encryption.Enabled && s.unlocked == nil {
		s.opened = fmt.Sprintf("%s is not encrypted yet: run `aurora mem encryption --enable`.", path)
	}
	return s, err
}

// cacheKiB is how much of the file a connection keeps at hand: a search by words reads some thousands of pages of the text index.
const cacheKiB = 8 << 10

// openFile opens a file that no other process is opening, whole or not at all.
func openFile(ctx context.Context, path string, opts Options) (*Store, error) {
	if err := opts.Encryption.create(path); err != nil {
		return nil, err
	}
	if err := createPrivate(path); err != nil {
		return nil, err
	}
	unlocked, err := opts.Encryption.reach(path)
	if err != nil {
		return nil, err
	}
	parameters := append(parametersOf(unlocked), "_txlock=immediate",
		pragma("busy_timeout(%d)", busyTimeout.Milliseconds()), pragma("journal_mode(WAL)"),
		pragma("synchronous(%s)", opts.synchronous), pragma("secure_delete(ON)"), pragma("cache_size(-%d)", cacheKiB))
	db, err := sql.Open("sqlite", dsn(path, parameters...))
	if err != nil {
		release(unlocked)
		return nil, err
	}
	db.SetMaxOpenConns(4)
	s := newStore(db, path, opts)
	s.unlocked = unlocked
	if err := prepare(ctx, s.database); err != nil {
		err = errors.Join(err, db.Close())
		release(unlocked)
		return nil, err
	}
	return s, nil
}

// prepare brings an open database to the state that a Store relies on. It writes only what is due, so that it need
// not wait for another process that writes.
func prepare(ctx context.Context, d *database) error {
	if err := checkHealth(ctx, d); err != nil {
		return err
	}
	if err := migrate(ctx, d, migrations); err != nil {
		return err
	}
	if err := refreshTokens(ctx, d); err != nil {
		return fmt.Errorf("rebuild the text index: %w", err)
	}
	if err := cleanUp(ctx, d, "purge forgotten records", purgeExpired); err != nil {
		return err
	}
	if err := cleanUp(ctx, d, "fold old spending", foldExpired); err != nil {
		return err
	}
	return checkWritable(ctx, d)
}

// cleanUp runs f, which writes only what is due. When another process is writing it leaves that for another time.
func cleanUp(ctx context.Context, d *database, doing string, f func(context.Context, tx) error) error {
	t, err := d.db.BeginTx(ctx, readOnly) // of those who read, SQLite lets none wait to write
	if err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	defer t.Rollback() // after a commit, nothing is left to undo
	if err = f(ctx, tx{t, d.opts.Now()}); err == nil {
		err = t.Commit()
	}
	if resultCode(err) == codes.SQLITE_BUSY {
		d.opts.Log.Info("left for later, since another process is writing to memory", "task", doing)
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	return nil
}

// checkWritable finds out whether SQLite opened the file for reading only, which it does when it may not write.
func checkWritable(ctx context.Context, d *database) error {
	conn, err := d.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	return conn.Raw(func(driver any) error {
		const main = "main"
		only, err := driver.(interface{ IsReadOnly(string) (bool, error) }).IsReadOnly(main)
		if err == nil && only {
			err = errReadOnly
		}
		return err
	})
}

// OpenMemory returns an empty store that lives as long as the process.
func OpenMemory(ctx context.Context, opts Options) (*Store, error) {
	db, err := sql.Open("sqlite", ":memory:?_txlock=immediate")
	if err != nil {
		return nil, fmt.Errorf("open memory without a file: %w", err)
	}
	db.SetMaxOpenConns(1) // every connection would have a database of its own
	s := newStore(db, "", opts)
	if err := prepare(ctx, s.database); err != nil {
		return nil, errors.Join(fmt.Errorf("open memory without a file: %w", err), db.Close())
	}
	return s, nil
}

// OpenOrMemory is Open for those who must go on: when the file can't be had, it returns a store in memory that holds
// what could be read of the file, and whose Warning says why and what to do.
func OpenOrMemory(ctx context.Context, path string, opts Options) *Store {
	s, err := Open(ctx, path, opts)
	if err == nil {
		return s
	}
	// Going on is the point, even when ctx has ended.
	ctx = context.WithoutCancel(ctx)
	s, memErr := OpenMemory(ctx, opts)
	if memErr != nil {
		return unusable(opts, errors.Join(err, memErr))
	}
	var key *KeyError
	if errors.As(err, &key) {
		s.locked = err
	}
	kept := "Nothing could be read from the file."
	if n, err := copyReadable(ctx, s.database, path); err == nil {
		kept = fmt.Sprintf("Records read from the file: %d.", n)
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		kept = "It starts empty."
	}
	s.volatile = path != ""
	s.opened = fmt.Sprintf("Memory is kept only until AURORA exits: %v. %s %s", err, kept, openRemedy(err, path))
	s.opts.Log.Warn(s.opened)
	return s
}

// unusable returns a store whose every method fails, for the case that not even memory can be had.
func unusable(opts Options, cause error) *Store {
	db := sql.OpenDB(failingConnector{cause})
	s := newStore(db, "", opts)
	s.lost = cause
	s.volatile = true
	s.opened = fmt.Sprintf("Nothing can be remembered: %v.", cause)
	return s
}

// locate returns the absolute path of the file behind path, following links.
func locate(path string) (string, error) {
	if path == "" {
		return "", errors.New("the path is empty; set memory.database_path")
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s is not a file", path)
	}
	return path, nil
}

// createPrivate makes sure that the file exists and only its owner may read it. SQLite gives the same permissions to
// the files beside it. An existing file is not opened: closing it would drop the locks that this process has on it.
func createPrivate(path string) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err == nil {
		return file.Close()
	}
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if info.Mode().Perm()&0o077 == 0 {
		return nil
	}
	return os.Chmod(path, info.Mode().Perm()&0o700)
}

// lock waits until no other process opens the store at path and keeps them out until unlock. SQLite's own lock on an
// empty file serves, since it ends with the process, however that ends.
func lock(ctx context.Context, path string) (unlock func(), err error) {
	if err := createPrivate(path + ".lock"); err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", dsn(path+".lock", "_txlock=exclusive",
		pragma("busy_timeout(%d)", busyTimeout.Milliseconds())))
	if err != nil {
		return nil, err
	}
	held, end, err := begin(ctx, db, openLock(path))
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return func() {
		defer end()
		// Nothing was written, so neither can fail in a way that matters.
		_ = held.Rollback()
		_ = db.Close()
	}, nil
}

// checkHealth finds out whether the file is a whole database.
func checkHealth(ctx context.Context, d *database) error {
	if _, err := d.db.ExecContext(ctx, `SELECT count(*) FROM sqlite_schema`); err != nil {
		return fmt.Errorf("read %s: %w", d.path, err)
	}
	if size, err := d.size(ctx); err != nil || size > maxChecked {
		return err
	}
	var verdict string
	if err := d.db.QueryRowContext(ctx, `PRAGMA quick_check(1)`).Scan(&verdict); err != nil {
		return fmt.Errorf("check %s: %w", d.path, err)
	}
	if verdict != "ok" {
		return fmt.Errorf("check %s: %w: %s", d.path, errDamaged, firstLine(verdict))
	}
	return nil
}

func firstLine(s string) string {
	s = strings.TrimPrefix(s, "*** in database main ***\n")
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// dsn names a file to the driver; parameters are key=value, already escaped.
func dsn(path string, parameters ...string) string {
	u := url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(path), RawQuery: strings.Join(parameters, "&")}
	return u.String()
}

// pragma is the parameter that runs a pragma on every new connection.
func pragma(format string, args ...any) string {
	return "_pragma=" + url.QueryEscape(fmt.Sprintf(format, args...))
}
