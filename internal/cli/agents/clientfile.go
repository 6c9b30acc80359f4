package agents

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/jsonfile"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
)

const (
	// MaxClientFile is the size in bytes above which a client's file is not touched. Some keep histories in it.
	MaxClientFile = 64 << 20

	// BackupSuffix ends the name of the copy of a file as it was before AURORA was entered. It goes when the entry goes.
	BackupSuffix = ".before-aurora"
)

// unchanged is the state of a file that says already what it should.
const unchanged = "unchanged"

// A ClientChange is what becomes of a client's file.
type ClientChange struct {
	Client string `json:"client"`
	File   string `json:"file"`
	State  string `json:"state"` // unchanged, changed, would change, removed, would be removed
	Diff   string `json:"diff,omitempty"`

	of            *McpClient // nil: the file is no client's
	before, after []byte     // after is nil when the file goes
	entered       bool       // after has the entry
	keep          bool       // a copy of before: it is somebody's own, without an entry of ours
}

// File is the client's configuration, and whether it is the user's own; "" when shared is wanted and there is none in projects.
func (m *McpClient) File(shared bool, root string) (path string, err error) {
	if shared {
		if m.project == nil {
			return "", nil
		}
		return filepath.Join(append([]string{root}, m.project...)...), nil
	}
	home := workspace.HomeDir()
	if home == "" {
		return "", errors.New("there is no home folder; set HOME")
	}
	return filepath.Join(m.user(home)...), nil
}

// add is the change that enters this program in a file.
func (m *McpClient) add(path string, e McpEntry) (*ClientChange, error) {
	before, err := m.read(path)
	if err != nil {
		return nil, err
	}
	entered, err := m.Entered(before)
	if err != nil {
		return nil, m.unreadable(path, err)
	}
	after, err := m.set(before, e)
	if err != nil {
		return nil, m.unreadable(path, err)
	}
	return m.changed(path, before, after, true, before != nil && !entered), nil
}

// remove is the change that takes the entry out of a file.
func (m *McpClient) remove(path string) (*ClientChange, error) {
	before, err := m.read(path)
	if err != nil {
		return nil, err
	}
	change, err := m.Removal(path, before)
	if err != nil {
		return nil, m.unreadable(path, err)
	}
	return change, nil
}

// Removal is the change that takes the entry out of a file with this text. A file in which nothing else is left goes, or
// becomes what it was before the entry.
func (m *McpClient) Removal(path string, before []byte) (*ClientChange, error) {
	if before == nil {
		return m.changed(path, nil, nil, false, false), nil
	}
	after, empty, err := m.unset(before)
	if err != nil {
		return nil, err
	}
	kept, err := jsonfile.Read(path+BackupSuffix, MaxClientFile)
	if err != nil {
		return nil, err
	}
	if empty || kept != nil && m.onlyEntered(kept, after) { // as it was, to the last byte
		after = kept
	}
	return m.changed(path, before, after, false, false), nil
}

// onlyEntered reports whether nothing but the entry came into a file since kept: without it the file is what kept is once an
// entry has been put in and taken out, which leaves a line end, or takes an empty object away.
func (m *McpClient) onlyEntered(kept, after []byte) bool {
	again, err := m.set(kept, McpEntry{Command: "aurora"})
	if err != nil {
		return false
	}
	again, _, err = m.unset(again)
	return err == nil && bytes.Equal(bytes.TrimSpace(again), bytes.TrimSpace(after))
}

func (m *McpClient) changed(path string, before, after []byte, entered, keep bool) *ClientChange {
	return &ClientChange{Client: m.Name, File: path, Diff: diff(before, after), of: m, before: before, after: after, entered: entered, keep: keep}
}

func (m *McpClient) read(path string) ([]byte, error) {
	text, err := jsonfile.Read(path, MaxClientFile)
	if err != nil {
		return nil, fmt.Errorf("read the configuration of %s: %w", m.Title, err)
	}
	return text, nil
}

func (m *McpClient) unreadable(path string, err error) error {
	return fmt.Errorf("%s, the configuration of %s, can't be read: %w", path, m.Title, err)
}

// diff is "" for texts that are the same.
func diff(before, after []byte) string {
	if bytes.Equal(before, after) {
		return ""
	}
	return display.Diff(string(before), string(after))
}

// Make changes the file, when that is wanted, and says what became of it.
func (c *ClientChange) Make(write bool) error {
	gone := c.after == nil && c.before != nil
	switch {
	case bytes.Equal(c.before, c.after) && !gone:
		c.State = unchanged
		return nil
	case !write && gone:
		c.State = "would be removed"
		return nil
	case !write:
		c.State = "would change"
		return nil
	}
	copied := c.File + BackupSuffix
	if _, err := os.Lstat(copied); c.keep && errors.Is(err, fs.ErrNotExist) { // of two copies the first is the one to keep
		if err := jsonfile.Write(copied, c.before); err != nil {
			return fmt.Errorf("keep a copy: %w", err)
		}
	}
	var err error
	if c.State = "changed"; gone {
		c.State = "removed"
		err = removeIfThere(c.File)
	} else {
		err = jsonfile.Write(c.File, c.after)
	}
	if err == nil && c.of != nil && !c.entered {
		err = removeIfThere(copied)
	}
	return err
}

func removeIfThere(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
