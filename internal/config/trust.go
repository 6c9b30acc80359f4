package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/internal/atomicfile"
)

// Trust are the workspace folders whose own configuration may run programs and send data elsewhere. Only the folders
// named are trusted, not those below them: a project may hold another one's code.
type Trust struct {
	path string // "" trusts nobody
}

// A TrustedFolder is one of them.
type TrustedFolder struct {
	Path  string    `json:"path"` // canonical
	Since time.Time `json:"since"`
}

type trustFile struct {
	Folders []TrustedFolder `json:"folders"`
}

// OpenTrust returns the trust that is kept in AURORA's folder. Without one nothing is trusted.
func OpenTrust(home string) *Trust { return &Trust{below(home, "trusted.json")} }

// Trusted reports whether the user trusts a folder. What can't be read is not trusted.
func (t *Trust) Trusted(folder string) bool {
	list, err := t.List()
	real := realPath(folder)
	return err == nil && slices.ContainsFunc(list, func(f TrustedFolder) bool { return f.Path == real })
}

// List returns the trusted folders by path.
func (t *Trust) List() ([]TrustedFolder, error) {
	if t.path == "" {
		return nil, nil
	}
	data, err := readSmall(t.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", t.path, err)
	}
	var file trustFile
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("%s is damaged, so nothing is trusted; correct or remove it: %w", t.path, err)
	}
	return file.Folders, nil
}

// Set trusts a folder from now on, or no longer. It reports whether that is a change.
func (t *Trust) Set(folder string, trusted bool, now time.Time) (changed bool, err error) {
	if t.path == "" {
		return false, errors.New("there is no folder to keep it in; set HOME or AURORA_HOME")
	}
	list, err := t.List()
	if err != nil {
		return false, err
	}
	real := realPath(folder)
	at := slices.IndexFunc(list, func(f TrustedFolder) bool { return f.Path == real })
	switch {
	case trusted == (at >= 0):
		return false, nil
	case trusted:
		list = append(list, TrustedFolder{real, now.UTC().Truncate(time.Second)})
		slices.SortFunc(list, func(a, b TrustedFolder) int { return strings.Compare(a.Path, b.Path) })
	default:
		list = slices.Delete(list, at, at+1)
	}
	return true, t.write(list)
}

// write replaces the file whole or not at all.
func (t *Trust) write(list []TrustedFolder) error {
	data, err := json.MarshalIndent(trustFile{list}, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(t.path), 0o700); err != nil {
		return err
	}
	return atomicfile.Write(t.path, append(data, '\n'), atomicfile.Private)
}

// realPath is the path without links, as it is when the folder is gone.
func realPath(folder string) string {
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		return real
	}
	return filepath.Clean(folder)
}
