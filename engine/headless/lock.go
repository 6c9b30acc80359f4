package headless

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/aurora-sidecar/aurora/index/git"
	"github.com/aurora-sidecar/aurora/internal/filelock"
)

// ErrRunning says that another run works in the same work tree.
var ErrRunning = errors.New("another headless run works here")

// Lock keeps other runs, of whomever, out of the work tree at root until unlock is called or this process ends. The lock
// lies where git keeps the state of the work tree. It fails with ErrRunning when another run works there.
func Lock(ctx context.Context, root string) (unlock func(), err error) {
	dir, err := git.OwnDir(ctx, root)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, "aurora-headless.lock")
	free, err := filelock.Try(path)
	if err != nil {
		return nil, err
	}
	holder := filepath.Join(dir, "aurora-headless.pid") // some systems let nobody read a locked file
	if free == nil {
		return nil, fmt.Errorf("%w%s", ErrRunning, holderOf(holder))
	}
	// Who holds it is told for convenience; without it the lock is one all the same.
	_ = os.WriteFile(holder, []byte(strconv.Itoa(os.Getpid())), 0o600)
	return func() {
		os.Remove(holder)
		_ = free() // the system frees it at the latest when the process ends
	}, nil
}

// holderOf names the process that holds the lock, if that is known.
func holderOf(path string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	if _, err := strconv.Atoi(strings.TrimSpace(string(data))); err != nil {
		return ""
	}
	return " (process " + strings.TrimSpace(string(data)) + ")"
}
