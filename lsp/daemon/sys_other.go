//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package daemon

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// supported is false where sockets with an owner or locks that end with their process are missing.
const supported = false

func detached() *syscall.SysProcAttr { return nil }

func owned(fs.FileInfo) bool { return false }

func tryLock(string) (*os.File, error) { return nil, errors.ErrUnsupported }
