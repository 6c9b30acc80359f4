package jsonfile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/aurora-sidecar/aurora/internal/atomicfile"
	"github.com/aurora-sidecar/aurora/internal/filelock"
)

// Read returns the text of a file of at most limit bytes, nil when there is none.
func Read(path string, limit int64) ([]byte, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file", path)
	}
	if info.Size() > limit {
		return nil, fmt.Errorf("%s has %d bytes, more than %d", path, info.Size(), limit)
	}
	return os.ReadFile(path)
}

// Write replaces a file in one step, following symbolic links. A new file and its folder are for the user alone; an old
// one keeps its mode.
func Write(path string, text []byte) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	mode := fs.FileMode(0o600)
	if info, err := os.Stat(path); err == nil {
		if mode = info.Mode().Perm(); mode&0o200 == 0 { // renaming another one over it would not ask
			return fmt.Errorf("write %s: it is read-only", path)
		}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	if err := atomicfile.Write(path, text, mode); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// patience is how long a file that somebody else changes is waited for.
const patience = 10 * time.Second

// Update changes a file by edit, which gets its text, nil when there is none. Processes that update the same file at the
// same moment wait for each other, so that no change is lost. Nothing is written when edit fails, changes nothing or returns nil.
func Update(path string, limit int64, edit func(text []byte) ([]byte, error)) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	unlock, err := filelock.Guard(ctx, path+".lock")
	if err != nil {
		return err
	}
	defer unlock()
	before, err := Read(path, limit)
	if err != nil {
		return err
	}
	after, err := edit(before)
	if err != nil || after == nil || before != nil && bytes.Equal(before, after) {
		return err
	}
	return Write(path, after)
}
