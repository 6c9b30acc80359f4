package filelock

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/gofrs/flock"
)

// Guard is Wait for a file that stands in a folder of other programs: unlock removes it. All who lock it must use Guard.
func Guard(ctx context.Context, path string) (unlock func(), err error) {
	retry := time.NewTicker(pause)
	defer retry.Stop()
	for {
		lock := flock.New(path, flock.SetPermissions(0o600))
		held, err := lock.TryLock()
		if err != nil {
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
		if held && stands(lock, path) {
			return func() {
				_ = os.Remove(path) // while it is held: who waits for it sees that it is gone, and makes a new one
				_ = lock.Unlock()
			}, nil
		}
		_ = lock.Close()
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("lock %s: %w", path, ctx.Err())
		case <-retry.C:
		}
	}
}

// stands reports whether the file that is locked is the one at path: the holder before may have removed it since.
func stands(lock *flock.Flock, path string) bool {
	locked, err := lock.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(path)
	return err == nil && os.SameFile(locked, there)
}
