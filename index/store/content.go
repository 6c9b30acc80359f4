package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"fmt"
	"strings"
	"time"
)

// A Key says what a content was computed from.
type Key [sha256.Size]byte

// ContentKey returns the key of what chunker version v computes from a text of the hash in the language. Other
// inputs give other keys.
func ContentKey(hash [32]byte, language string, v int) Key {
	var b []byte
	b = append(b, hash[:]...)
	b = binary.AppendVarint(b, int64(v))
	b = append(b, language...)
	return sha256.Sum256(b)
}

// loadBatch is how many contents one statement asks for at most.
const loadBatch = 128

// LoadContent returns the contents of those keys that have one.
func (s *Store) LoadContent(ctx context.Context, keys []Key) (map[Key][]byte, error) {
	found := make(map[Key][]byte, len(keys))
	err := s.EachContent(ctx, keys, func(key Key, data []byte) error {
		found[key] = append([]byte{}, data...)
		return nil
	})
	return found, err
}

// EachContent yields the contents of those keys that have one, in no particular order. The data is only valid during
// the call, which must not use the store. An error of yield ends the walk and is returned.
func (s *Store) EachContent(ctx context.Context, keys []Key, yield func(key Key, data []byte) error) error {
	if len(keys) == 0 {
		return nil
	}
	err := s.with(func(db *sql.DB) error {
		size := min(len(keys), loadBatch)
		query := "SELECT key, data FROM content WHERE key IN (?" + strings.Repeat(",?", size-1) + ")"
		stmt, err := db.PrepareContext(ctx, query)
		if err != nil {
			return err
		}
		defer func() { _ = stmt.Close() }()
		args := make([]any, size)
		for start := 0; start < len(keys); start += size {
			for i := range args {
				args[i] = keys[min(start+i, len(keys)-1)][:] // the last key fills a short batch
			}
			if err := eachRow(ctx, stmt, args, yield); err != nil {
				return err
			}
		}
		return nil
	})
	return wrap("load content", err)
}

// eachRow runs one batch of EachContent.
func eachRow(ctx context.Context, stmt *sql.Stmt, args []any, yield func(key Key, data []byte) error) error {
	rows, err := stmt.QueryContext(ctx, args...)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	var rawKey, data sql.RawBytes
	for rows.Next() {
		if err := rows.Scan(&rawKey, &data); err != nil {
			return err
		}
		var key Key
		if copy(key[:], rawKey) != len(key) {
			return fmt.Errorf("key of %d bytes: %w", len(rawKey), ErrDamaged)
		}
		if err := yield(key, data); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Empty reports whether no content is stored, so that asking for one is in vain.
func (s *Store) Empty(ctx context.Context) (bool, error) {
	var some bool
	err := s.with(func(db *sql.DB) error {
		return db.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM content)").Scan(&some)
	})
	return !some, wrap("look for contents", err)
}

// Prune deletes contents that no file refers to and that were neither stored nor let go of within the last unused,
// and returns how many. A good while for unused makes switching back to a branch cheap.
func (s *Store) Prune(ctx context.Context, unused time.Duration) (dropped int64, err error) {
	if !s.writer {
		return 0, wrap("prune content", ErrNotWriter)
	}
	s.applyMu.Lock()
	defer s.applyMu.Unlock()
	err = s.with(func(db *sql.DB) error {
		res, err := db.ExecContext(ctx, `DELETE FROM content WHERE used_at_ms <= ?
			AND key NOT IN (SELECT content_key FROM files WHERE content_key IS NOT NULL)`, s.opts.now()-unused.Milliseconds())
		if err != nil {
			return err
		}
		dropped, err = res.RowsAffected()
		return err
	})
	return dropped, wrap("prune content", err)
}
