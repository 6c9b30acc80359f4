package trust

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/aurora-sidecar/aurora/internal/atomicfile"
)

// An Item is one thing that a folder brings along and that needs the user's approval.
type Item struct {
	Kind   string `json:"kind"`   // setting, agent, server
	Name   string `json:"name"`   // unique among its kind in the folder
	Does   string `json:"does"`   // in words, for the user
	Digest string `json:"digest"` // of all that decides what it does
}

// String says what the item is and does. What would act on a terminal, or show as other than it is, stands there as an escape.
func (i Item) String() string {
	return fmt.Sprintf("%-7s %s: %s", i.Kind, visible(i.Name), visible(i.Does))
}

// visible replaces control characters and those that change the direction of text.
func visible(s string) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.IsPrint(r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

func (i Item) is(other Item) bool { return i.Kind == other.Kind && i.Name == other.Name }

// Digest returns the digest of some values, which must be encodable as JSON.
func Digest(values ...any) string {
	data, err := json.Marshal(values)
	if err != nil {
		return "" // approved by nobody, see Approves
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// FileDigest returns the digest of a regular file's content, "" when there is none.
func FileDigest(path string) string {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	h := sha256.New()
	if _, err := io.Copy(h, file); err != nil {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil))
}

// A Folder is one that the user trusts, with what was approved in it. Folders below it are not trusted: a project may hold
// another one's code.
type Folder struct {
	Path  string    `json:"path"` // canonical
	Since time.Time `json:"since"`
	Items []Item    `json:"items"`
}

// A Store keeps trust in a file.
type Store struct{ path string }

// Open returns the trust that is kept in AURORA's folder. Without one, "", nothing is trusted.
func Open(home string) *Store {
	if home == "" {
		return &Store{}
	}
	return &Store{filepath.Join(home, "trusted.json")}
}

// maxFile is the size in bytes of the largest file that is read.
const maxFile = 4 << 20

// List returns the trusted folders by path.
func (s *Store) List() ([]Folder, error) {
	if s.path == "" {
		return nil, nil
	}
	data, err := os.ReadFile(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && len(data) > maxFile {
		err = fmt.Errorf("it is larger than %d MiB", maxFile>>20)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", s.path, err)
	}
	var file struct {
		Folders []Folder `json:"folders"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("%s is damaged, so nothing is trusted; correct or remove it: %w", s.path, err)
	}
	return file.Folders, nil
}

// lookup returns a folder that is trusted. What can't be read is not.
func (s *Store) lookup(folder string) (Folder, bool) {
	list, err := s.List()
	if err != nil {
		return Folder{}, false
	}
	real := realPath(folder)
	at := slices.IndexFunc(list, func(f Folder) bool { return f.Path == real })
	if at < 0 {
		return Folder{}, false
	}
	return list[at], true
}

// Trusts reports whether the user trusts a folder, whatever of it may be new since.
func (s *Store) Trusts(folder string) bool {
	_, ok := s.lookup(folder)
	return ok
}

// Approves reports whether the user has approved an item of a folder as it is.
func (s *Store) Approves(folder string, item Item) bool {
	f, ok := s.lookup(folder)
	return ok && item.Digest != "" && slices.ContainsFunc(f.Items, func(i Item) bool { return i.is(item) && i.Digest == item.Digest })
}

// A Review is what a user has to see of a folder before deciding.
type Review struct {
	Folder  string
	Known   bool   // it was trusted before
	Items   []Item // all that it brings along
	Changes []Change
}

// Trusted reports whether all that the folder brings along is approved.
func (r *Review) Trusted() bool { return r.Known && len(r.Changes) == 0 }

// A Change is an item that is not approved as it is.
type Change struct {
	Item
	Before *Item // as it was approved; nil when it is new
}

// String says what is new, or what differs.
func (c Change) String() string {
	switch {
	case c.Before == nil:
		return c.Item.String()
	case c.Before.Does == c.Does:
		return c.Item.String() + " (changed: its definition or its program has another content)"
	}
	return c.Item.String() + " (changed; it was: " + visible(c.Before.Does) + ")"
}

// Review compares what a folder brings along with what is approved.
func (s *Store) Review(folder string, items []Item) *Review {
	f, known := s.lookup(folder)
	r := &Review{Folder: folder, Known: known, Items: items}
	for _, item := range items {
		at := slices.IndexFunc(f.Items, item.is)
		switch {
		case at < 0:
			r.Changes = append(r.Changes, Change{Item: item})
		case item.Digest == "" || f.Items[at].Digest != item.Digest:
			r.Changes = append(r.Changes, Change{item, &f.Items[at]})
		}
	}
	return r
}

// Approve trusts a folder from now on, with what was reviewed and nothing else.
func (s *Store) Approve(r *Review, now time.Time) error {
	return s.change(func(list []Folder) []Folder {
		real := realPath(r.Folder)
		list = slices.DeleteFunc(list, func(f Folder) bool { return f.Path == real })
		list = append(list, Folder{real, now.UTC().Truncate(time.Second), r.Items})
		slices.SortFunc(list, func(a, b Folder) int { return strings.Compare(a.Path, b.Path) })
		return list
	})
}

// Withdraw ends the trust in a folder. It reports whether there was any.
func (s *Store) Withdraw(folder string) (changed bool, err error) {
	err = s.change(func(list []Folder) []Folder {
		real, n := realPath(folder), len(list)
		list = slices.DeleteFunc(list, func(f Folder) bool { return f.Path == real })
		changed = len(list) < n
		return list
	})
	return changed, err
}

// change replaces the file whole or not at all.
func (s *Store) change(edit func([]Folder) []Folder) error {
	if s.path == "" {
		return errors.New("there is no folder to keep it in; set HOME or AURORA_HOME")
	}
	list, err := s.List()
	if err != nil {
		return err
	}
	data, err := json.MarshalIndent(map[string][]Folder{"folders": edit(list)}, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
		return err
	}
	return atomicfile.Write(s.path, append(data, '\n'), atomicfile.Private)
}

// realPath is the path without links, as it is when the folder is gone.
func realPath(folder string) string {
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		return real
	}
	return filepath.Clean(folder)
}
