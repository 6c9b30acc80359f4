package history

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/aurora-sidecar/aurora/internal/atrest"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// A Store is a folder of questions. Several processes may share one.
type Store struct {
	dir    string
	keep   int
	policy atrest.Policy
	mu     sync.Mutex // of Save, so that it prunes once at a time
}

// Open returns the store in a folder, which is made when something is saved. It keeps the newest keep questions; 0
// means 200.
func Open(dir string, keep int) *Store {
	if keep <= 0 {
		keep = 200
	}
	return &Store{dir: dir, keep: keep}
}

// Encrypted makes the store write and read as a policy says, and returns it.
func (s *Store) Encrypted(p atrest.Policy) *Store {
	s.policy = p
	return s
}

var (
	// ErrNotFound says that there is no such question.
	ErrNotFound = errors.New("no such question in the history")
	// ErrDamaged says that the file of a question can't be read.
	ErrDamaged = errors.New("the record is damaged")
)

const (
	suffix       = ".json.gz"
	sealedSuffix = suffix + atrest.Ending
)

// maxRecord is the size of the largest record that is read, unpacked.
const maxRecord = 256 << 20

var validID = lazyregexp.New(`^aurora-\d{8}-\d{6}-[a-z0-9]{1,16}$`)

// Save writes a record, without what looks like a secret, and removes the oldest ones beyond the number that is kept.
func (s *Store) Save(r Record) error {
	if !validID.MatchString(r.ID) {
		return fmt.Errorf("save history: %q is no id of a question", r.ID)
	}
	packed, err := pack(r)
	if err != nil {
		return fmt.Errorf("save history: %w", err)
	}
	ending := suffix
	if s.policy.Enabled {
		ending = sealedSuffix
		if packed, err = s.policy.Seal(packed); err != nil {
			return fmt.Errorf("save history: %w", err)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return fmt.Errorf("save history: %w", err)
	}
	if err := writeWhole(filepath.Join(s.dir, r.ID+ending), packed); err != nil {
		return fmt.Errorf("save history: %w", err)
	}
	return s.prune()
}

// pack is the file of a record: two lines of JSON, compressed.
func pack(r Record) ([]byte, error) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	enc := json.NewEncoder(z)
	enc.SetEscapeHTML(false)
	for _, line := range []any{r.Entry, r} {
		clean, err := scrubbed(line)
		if err != nil {
			return nil, err
		}
		if err := enc.Encode(clean); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func writeWhole(path string, data []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*") // with mode 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// ids are those of all questions, the newest first: an id begins with the time.
func (s *Store) ids() ([]string, error) {
	entries, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read history: %w", err)
	}
	var ids []string
	for _, e := range entries {
		if id, ok := strings.CutSuffix(strings.TrimSuffix(e.Name(), atrest.Ending), suffix); ok && validID.MatchString(id) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	slices.Reverse(ids)
	return slices.Compact(ids), nil
}

func (s *Store) prune() error {
	ids, err := s.ids()
	if err != nil {
		return err
	}
	for _, id := range ids[min(len(ids), s.keep):] {
		for _, ending := range []string{suffix, sealedSuffix} {
			if err := os.Remove(filepath.Join(s.dir, id+ending)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("prune history: %w", err)
			}
		}
	}
	return nil
}

// A Filter chooses entries.
type Filter struct {
	Limit        int    // 0 means 20
	Search       string // words that the question must have, in any case
	Conversation string // "" for all
}

func (f Filter) takes(e Entry) bool {
	if f.Conversation != "" && e.Conversation != f.Conversation {
		return false
	}
	question := strings.ToLower(e.Question)
	for word := range strings.FieldsSeq(strings.ToLower(f.Search)) {
		if !strings.Contains(question, word) {
			return false
		}
	}
	return true
}

// List returns the entries that a filter takes, the newest first. Files that can't be read are left out and counted.
func (s *Store) List(ctx context.Context, f Filter) (list []Entry, damaged int, err error) {
	ids, err := s.ids()
	if err != nil {
		return nil, 0, err
	}
	limit := f.Limit
	if limit <= 0 {
		limit = 20
	}
	var locked error // why some can't be decrypted
	for _, id := range ids {
		if len(list) == limit || ctx.Err() != nil {
			break
		}
		var e Entry
		switch err := s.read(id, 1, &e); {
		case errors.Is(err, ErrNotFound): // another process removed it
		case errors.Is(err, atrest.ErrNoKey), errors.Is(err, atrest.ErrWrongKey):
			locked = err
		case err != nil || e.ID != id:
			damaged++
		case f.takes(e):
			list = append(list, e)
		}
	}
	if len(list) == 0 && ctx.Err() == nil && locked != nil {
		return nil, damaged, locked
	}
	return list, damaged, ctx.Err()
}

// Load returns a record by its id, by the end of an id that only one has, or by "last".
func (s *Store) Load(id string) (*Record, error) {
	full, err := s.resolve(id)
	if err != nil {
		return nil, err
	}
	r := &Record{}
	if err := s.read(full, 2, r); err != nil {
		return nil, err
	}
	return r, nil
}

func (s *Store) resolve(id string) (string, error) {
	if validID.MatchString(id) {
		return id, nil
	}
	ids, err := s.ids()
	if err != nil {
		return "", err
	}
	if id == "last" && len(ids) > 0 {
		return ids[0], nil
	}
	const shortest = 4
	at := -1
	for i, full := range ids {
		if len(id) < shortest || !strings.HasSuffix(full, id) {
			continue
		}
		if at >= 0 {
			return "", fmt.Errorf("%w: %q is the end of several ids", ErrNotFound, id)
		}
		at = i
	}
	if at < 0 {
		return "", fmt.Errorf("%w: %q", ErrNotFound, id)
	}
	return ids[at], nil
}

// read decodes a line, one-based, of the file of a question.
func (s *Store) read(id string, line int, target any) error {
	f, err := os.Open(filepath.Join(s.dir, id+suffix))
	if errors.Is(err, fs.ErrNotExist) {
		f, err = os.Open(filepath.Join(s.dir, id+sealedSuffix))
	}
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %q", ErrNotFound, id)
	}
	if err != nil {
		return fmt.Errorf("read history: %w", err)
	}
	defer f.Close()
	var content io.Reader = bufio.NewReader(f)
	if strings.HasSuffix(f.Name(), atrest.Ending) {
		if content, err = s.policy.Reader(content); err != nil {
			return fmt.Errorf("read history: %w", err)
		}
	}
	z, err := gzip.NewReader(content)
	if err != nil {
		return fmt.Errorf("read %s: %w: %v", id, ErrDamaged, err)
	}
	dec := json.NewDecoder(io.LimitReader(z, maxRecord))
	for range line - 1 {
		var skipped json.RawMessage
		if err := dec.Decode(&skipped); err != nil {
			return fmt.Errorf("read %s: %w: %v", id, ErrDamaged, err)
		}
	}
	if err := dec.Decode(target); err != nil {
		return fmt.Errorf("read %s: %w: %v", id, ErrDamaged, err)
	}
	return nil
}
