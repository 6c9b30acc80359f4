//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package budget

import (
	"errors"
	"os"
	"syscall"
)

// tryLock takes the advisory lock of the file at path, which it creates. It returns nil when another tracker holds
// it. The system frees the lock when its process ends, however that happens.
func tryLock(path string) (unlock func() error, err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	for {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	if err == nil {
		return f.Close, nil // closing frees the lock
	}
	_ = f.Close()
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, nil
	}
	return nil, &os.PathError{Op: "lock", Path: path, Err: err}
}
