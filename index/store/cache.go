package store

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/aurora-sidecar/aurora/internal/filelock"
)

// A Cache keeps what was computed from contents, for all workspaces of a user: a second worktree, a copy of a library
// or a return to an earlier branch costs hashing only. Any number of processes read and write it at once. It never
// decides what is right: what it has lost is computed again, and what it holds is checked before it is believed.
type Cache struct {
	opts      Options
	place     database
	recovered string

	mu     sync.RWMutex
	db     *sql.DB   // nil once closed; mu guards the handle, not what is done with it
	get    *sql.Stmt // one content
	opened uint64    // how often the database was
	used   usedKeys
}

// usedKeys gathers which contents were asked for since their day was written down.
type usedKeys struct {
	mu   sync.Mutex
	keys map[Key]bool
}

const (
	openLockName = "open.lock"
	openPatience = 5 * time.Second // for the lock; then it is opened without
	checksumSize = 4
	// maxNoted bounds how many used contents are remembered before they are written down.
	maxNoted = 4096
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// OpenCache opens the cache in dir, which it creates. A database that is damaged or foreign is replaced by an empty
// one, see Recovered. Errors are ErrReadOnly, ErrFull, or the cause.
func OpenCache(ctx context.Context, dir string, opts Options) (*Cache, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, wrap("open content cache", err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, wrap("create cache folder", err)
	}
	// One process at a time looks whether the database is in order, so that none replaces what another has just made.
	unlock, err := waitLock(ctx, filepath.Join(dir, openLockName), openPatience)
	if err != nil {
		return nil, wrap("lock cache folder", err)
	}
	c := &Cache{opts: opts, place: cacheLayout.in(dir, opts), used: usedKeys{keys: map[Key]bool{}}}
	if err = errors.Join(c.connect(ctx), unlock()); err != nil {
		return nil, errors.Join(wrap("open content cache", err), c.Close())
	}
	return c, nil
}

// waitLock takes the lock of a file, or goes on without it after a while.
func waitLock(ctx context.Context, path string, patience time.Duration) (unlock func() error, err error) {
	patient, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	unlock, err = filelock.Wait(patient, path)
	if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		return func() error { return nil }, nil
	}
	return unlock, err
}

// Recovered returns one sentence about what OpenCache had to replace, "" when all was well.
func (c *Cache) Recovered() string { return c.recovered }

// SizeBytes returns how much of the disk the cache takes up.
func (c *Cache) SizeBytes() int64 { return c.place.size() }

// Load returns the content of a key. ok is false when there is none, or when what is there is not what was stored.
func (c *Cache) Load(ctx context.Context, key Key) (data []byte, ok bool, err error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.db == nil {
		return nil, false, wrap("load content", ErrClosed)
	}
	var day int64
	switch err := c.get.QueryRowContext(ctx, key[:]).Scan(&data, &day); {
	case errors.Is(err, sql.ErrNoRows):
		return nil, false, nil
	case err != nil:
		return nil, false, wrap("load content", err)
	}
	if data, ok = unseal(key, data); ok && day < c.today() {
		c.used.note(key)
	}
	return data, ok, nil
}

// Empty reports whether nothing is in the cache, so that asking it is in vain.
func (c *Cache) Empty(ctx context.Context) (bool, error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.db == nil {
		return true, wrap("look for contents", ErrClosed)
	}
	var some bool
	err := c.db.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM content)").Scan(&some)
	return !some, wrap("look for contents", err)
}

// Opened counts how often the database was opened: it tells one database from the next.
func (c *Cache) Opened() uint64 {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.opened
}

// Rebuild deletes the database and starts an empty one: the answer to ErrDamaged. It does nothing when the database of
// that count is not the present one any more, as somebody else has met the damage before. Other processes go on with what
// they have opened.
func (c *Cache) Rebuild(ctx context.Context, opened uint64) error {
	unlock, err := waitLock(ctx, filepath.Join(filepath.Dir(c.place.path), openLockName), openPatience)
	if err != nil {
		return wrap("rebuild content cache", err)
	}
	defer func() { _ = unlock() }()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.db == nil {
		return wrap("rebuild content cache", ErrClosed)
	}
	if c.opened != opened {
		return nil
	}
	_ = c.get.Close()
	_ = closeIdle(c.db) // of a damaged database: its errors are why we are here
	c.db, c.get = nil, nil
	if err := os.Remove(c.place.path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return wrap("rebuild content cache", err)
	}
	removeSidecars(c.place.path)
	return wrap("rebuild content cache", c.connect(ctx))
}

// connect opens the database and prepares what is asked most.
func (c *Cache) connect(ctx context.Context) error {
	var err error
	c.opened++
	if c.db, c.recovered, err = c.place.openForWriting(ctx); err != nil {
		return err
	}
	c.get, err = c.db.PrepareContext(ctx, "SELECT data, used_day FROM content WHERE key = ?")
	return err
}

// Store keeps contents, in place of what was there under their keys.
func (c *Cache) Store(ctx context.Context, contents map[Key][]byte) error {
	used := c.used.take(maxNoted)
	if len(contents) == 0 && used == nil {
		return nil
	}
	return c.write(ctx, "store content", func(tx *sql.Tx) error {
		stmt, err := tx.PrepareContext(ctx, "INSERT OR REPLACE INTO content (key, used_day, data) VALUES (?, ?, ?)")
		if err != nil {
			return err
		}
		defer func() { _ = stmt.Close() }()
		for key, data := range contents {
			if _, err := stmt.ExecContext(ctx, key[:], c.today(), seal(key, data)); err != nil {
				return fmt.Errorf("content %x: %w", key[:4], err)
			}
		}
		return c.markUsed(ctx, tx, used)
	})
}

// markUsed writes down that contents were of use today.
func (c *Cache) markUsed(ctx context.Context, tx *sql.Tx, keys []Key) error {
	if len(keys) == 0 {
		return nil
	}
	stmt, err := tx.PrepareContext(ctx, "UPDATE content SET used_day = ? WHERE key = ?")
	if err != nil {
		return err
	}
	defer func() { _ = stmt.Close() }()
	for _, key := range keys {
		if _, err := stmt.ExecContext(ctx, c.today(), key[:]); err != nil {
			return fmt.Errorf("mark content %x: %w", key[:4], err)
		}
	}
	return nil
}

// Shrink drops what was not used for a while, and then the longest unused contents until the cache is no larger than
// maxBytes. It does so once a day for all processes together, and returns how many contents went.
func (c *Cache) Shrink(ctx context.Context, maxBytes int64, unused time.Duration) (dropped int64, err error) {
	due, err := c.shrinkDue(ctx)
	if err != nil || !due {
		return 0, wrap("shrink content cache", err)
	}
	err = c.write(ctx, "shrink content cache", func(tx *sql.Tx) error {
		oldest := c.today() - int64(unused/(24*time.Hour))
		res, err := tx.ExecContext(ctx, "DELETE FROM content WHERE used_day < ?", oldest)
		if err != nil {
			return err
		}
		if dropped, err = res.RowsAffected(); err != nil {
			return err
		}
		more, err := dropAbove(ctx, tx, maxBytes)
		dropped += more
		if err == nil {
			_, err = tx.ExecContext(ctx, "INSERT OR REPLACE INTO meta (key, value) VALUES ('shrunk', ?)", c.today())
		}
		return err
	})
	if err != nil || dropped == 0 {
		return dropped, err
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.db != nil {
		_, err = c.db.ExecContext(ctx, "PRAGMA incremental_vacuum")
	}
	return dropped, wrap("shrink content cache", err)
}

// dropAbove deletes the longest unused contents until the rest takes maxBytes at most.
func dropAbove(ctx context.Context, tx *sql.Tx, maxBytes int64) (int64, error) {
	const perRow = 48 // bytes of a key and of what SQLite keeps beside a row
	res, err := tx.ExecContext(ctx, `DELETE FROM content WHERE key IN (
		SELECT key FROM (SELECT key, sum(length(data) + ?) OVER (ORDER BY used_day DESC, key) AS total FROM content)
		WHERE total > ?)`, perRow, maxBytes)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// shrinkDue reports whether nobody has shrunk the cache today.
func (c *Cache) shrinkDue(ctx context.Context) (bool, error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.db == nil {
		return false, ErrClosed
	}
	var day int64
	err := c.db.QueryRowContext(ctx, "SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'shrunk'").Scan(&day)
	if errors.Is(err, sql.ErrNoRows) {
		return true, nil
	}
	return day < c.today(), err
}

// Close writes down what was used and ends the cache. Closing again does nothing.
func (c *Cache) Close() error {
	var err error
	if used := c.used.take(0); used != nil && c.db != nil {
		err = c.write(context.Background(), "mark used content", func(tx *sql.Tx) error {
			return c.markUsed(context.Background(), tx, used)
		})
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.db == nil {
		return err
	}
	if c.get != nil {
		err = errors.Join(err, c.get.Close())
	}
	err = errors.Join(err, closeIdle(c.db))
	c.db = nil
	return wrap("close content cache", err)
}

// write runs f in a transaction.
func (c *Cache) write(ctx context.Context, op string, f func(tx *sql.Tx) error) error {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.db == nil {
		return wrap(op, ErrClosed)
	}
	return wrap(op, inTx(ctx, c.db, f))
}

// today is the number of the present day since 1970 UTC.
func (c *Cache) today() int64 { return c.opts.now() / (24 * time.Hour).Milliseconds() }

func (u *usedKeys) note(key Key) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.keys[key] = true
}

// take returns the gathered keys and forgets them, or nil when there are at most atLeast.
func (u *usedKeys) take(atLeast int) []Key {
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.keys) <= atLeast {
		return nil
	}
	keys := make([]Key, 0, len(u.keys))
	for key := range u.keys {
		keys = append(keys, key)
	}
	u.keys = map[Key]bool{}
	return keys
}

// seal packs a content and puts a checksum before it, so that a content never answers for another key.
func seal(key Key, data []byte) []byte {
	data = Pack(data)
	out := make([]byte, checksumSize, checksumSize+len(data))
	binary.LittleEndian.PutUint32(out, checksum(key, data))
	return append(out, data...)
}

// unseal returns a content whose checksum is right.
func unseal(key Key, sealed []byte) ([]byte, bool) {
	if len(sealed) < checksumSize {
		return nil, false
	}
	packed := sealed[checksumSize:]
	if binary.LittleEndian.Uint32(sealed) != checksum(key, packed) {
		return nil, false
	}
	data, err := Unpack(packed)
	return data, err == nil
}

func checksum(key Key, data []byte) uint32 {
	return crc32.Update(crc32.Checksum(key[:], castagnoli), castagnoli, data)
}
