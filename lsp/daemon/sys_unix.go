//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package daemon

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

const supported = true

// detached are the attributes of a process that outlives the session and the terminal of the one that starts it.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// owned reports whether a file belongs to the user.
func owned(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Getuid()
}

// tryLock takes the advisory lock of the file at path, which it creates. It returns nil when another process holds
// it. The system frees the lock when its process ends, however that happens. The file may be removed by who holds
// the lock.
func tryLock(path string) (*os.File, error) {
	for {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
		if err != nil {
			return nil, err
		}
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil && isAt(f, path) {
			return f, nil
		}
		_ = f.Close()
		switch {
		case err == nil || errors.Is(err, syscall.EINTR): // the file was removed before it was locked
		case errors.Is(err, syscall.EWOULDBLOCK):
			return nil, nil
		default:
			return nil, &os.PathError{Op: "lock", Path: path, Err: err}
		}
	}
}

// isAt reports whether f is the file that path names now.
func isAt(f *os.File, path string) bool {
	opened, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(path)
	return err == nil && os.SameFile(opened, named)
}
