//go:build unix

package vfs

import (
	"errors"
	"os"
	"syscall"
)

// openRegular opens path without following a link at its end and without waiting for the other end of a pipe.
func openRegular(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	if errors.Is(err, syscall.ELOOP) || errors.Is(err, syscall.ENXIO) {
		return nil, ErrNotRegular
	}
	return f, err
}
