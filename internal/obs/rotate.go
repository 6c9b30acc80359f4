package obs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

const (
	defaultMaxSize = 100 << 20
	defaultFiles   = 10
)

// rotating is a file that only grows to a certain size. When full it is renamed and a new one begun. Several
// processes may write to the same file: each line is written at once and at the end.
type rotating struct {
	path  string
	max   int64 // bytes
	files int   // how many there are at most; full ones are <path>.1 (the latest), <path>.2, ...

	mu   sync.Mutex
	file *os.File
	size int64
}

// openRotating opens the file at path for appending, and creates it and its folder for the user alone.
func openRotating(path string, max int64, files int) (*rotating, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	r := &rotating{path: path, max: max, files: files}
	if err := r.open(); err != nil {
		return nil, err
	}
	return r, nil
}

func (r *rotating) open() error {
	file, err := os.OpenFile(r.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err != nil {
		return errors.Join(err, file.Close())
	}
	r.file, r.size = file, info.Size()
	return nil
}

// Write appends a line whole.
func (r *rotating) Write(line []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.file == nil {
		return 0, os.ErrClosed
	}
	if r.size > 0 && r.size+int64(len(line)) > r.max {
		if err := r.rotate(); err != nil {
			return 0, fmt.Errorf("rotate the log: %w", err)
		}
	}
	n, err := r.file.Write(line)
	r.size += int64(n)
	return n, err
}

// rotate begins a new file, unless another process has done so already.
func (r *rotating) rotate() error {
	full := r.file
	if r.isCurrent() {
		r.shift()
	}
	// A failure leaves the full file in use: a log too long is better than none.
	if err := r.open(); err != nil {
		return err
	}
	return full.Close()
}

// isCurrent reports whether the open file is the one at path.
func (r *rotating) isCurrent() bool {
	mine, err := r.file.Stat()
	if err != nil {
		return false
	}
	current, err := os.Stat(r.path)
	return err == nil && os.SameFile(mine, current)
}

// shift renames file to file.1, file.1 to file.2, and so on; the last one goes.
func (r *rotating) shift() {
	name := func(n int) string { return fmt.Sprintf("%s.%d", r.path, n) }
	if r.files < 2 {
		_ = os.Remove(r.path) // when it fails, the file goes on growing
		return
	}
	for n := r.files - 2; n > 0; n-- {
		if err := os.Rename(name(n), name(n+1)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return
		}
	}
	_ = os.Rename(r.path, name(1)) // when it fails, the file goes on growing
}

// Close releases the file.
func (r *rotating) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.file == nil {
		return os.ErrClosed
	}
	err := r.file.Close()
	r.file = nil
	return err
}
