package atrest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Convert brings a file to what the policy says: encrypted with the first key, under a name that ends with Ending, or plain,
// under a name that does not. Its time stays. The new file is there, whole, before the old one goes. A file that is as wanted
// already, or that is gone, is left.
func (p Policy) Convert(path string) (converted bool, err error) {
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("convert %s: %w", path, err)
		}
	}()
	sealed := IsSealed(content)
	if sealed == p.Enabled && (!sealed || p.Keys.OpenedByFirst(content)) {
		return false, nil
	}
	if sealed {
		r, err := p.Reader(bytes.NewReader(content))
		if err != nil {
			return false, err
		}
		if content, err = io.ReadAll(r); err != nil {
			return false, fmt.Errorf("%w: %w", ErrDamaged, err)
		}
	}
	to := strings.TrimSuffix(path, Ending)
	if p.Enabled {
		to += Ending
		if content, err = p.Seal(content); err != nil {
			return false, err
		}
	}
	return true, takePlace(path, to, content)
}

// takePlace writes content to a name and removes the file that it was made from.
func takePlace(from, to string, content []byte) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(to), ".converting-*.tmp") // mode 0600
	if err != nil {
		return err
	}
	_, err = temp.Write(content)
	err = errors.Join(err, temp.Sync(), temp.Close(), os.Chtimes(temp.Name(), info.ModTime(), info.ModTime()))
	if err == nil {
		err = os.Rename(temp.Name(), to)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp.Name()))
	}
	if from == to {
		return nil
	}
	return os.Remove(from)
}

// RemoveUnfinished removes what a Convert that was killed has left in a folder.
func RemoveUnfinished(dir string) error {
	left, err := filepath.Glob(filepath.Join(dir, ".converting-*.tmp"))
	for _, path := range left {
		err = errors.Join(err, os.Remove(path))
	}
	return err
}
