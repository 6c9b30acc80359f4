//go:build unix

package filelock

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// InUse reports whether another process holds a POSIX lock, of any kind, on one of the bytes of the file at path, and which; pid may be
// 0. This process must hold none there: they would be dropped.
func InUse(path string, offset, length int64) (used bool, pid int, err error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, 0, nil
	}
	if err != nil {
		return false, 0, err
	}
	defer f.Close()
	lock := syscall.Flock_t{Type: syscall.F_WRLCK, Whence: io.SeekStart, Start: offset, Len: length}
	if err := syscall.FcntlFlock(f.Fd(), syscall.F_GETLK, &lock); err != nil {
		return false, 0, err
	}
	return lock.Type != syscall.F_UNLCK, int(lock.Pid), nil
}
