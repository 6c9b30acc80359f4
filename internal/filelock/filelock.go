package filelock

import (
	"context"
	"fmt"
	"time"

	"github.com/gofrs/flock"
)

// pause between two attempts.
const pause = 5 * time.Millisecond

// Try takes the lock of the file at path, which it creates, readable by its owner only. It returns nil when somebody
// else holds it, be it in this process.
func Try(path string) (unlock func() error, err error) {
	lock := flock.New(path, flock.SetPermissions(0o600))
	held, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	if !held {
		return nil, nil
	}
	return lock.Unlock, nil
}

// Wait takes the lock as soon as it is free. An error is that of ctx, or why there can be no lock.
func Wait(ctx context.Context, path string) (unlock func() error, err error) {
	retry := time.NewTicker(pause)
	defer retry.Stop()
	for {
		if unlock, err := Try(path); err != nil || unlock != nil {
			return unlock, err
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("lock %s: %w", path, ctx.Err())
		case <-retry.C:
		}
	}
}
