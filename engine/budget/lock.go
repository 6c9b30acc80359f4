package budget

import (
	"context"
	"time"
)

// lockPause is how long a tracker waits before it tries again; others hold the lock for a few milliseconds.
const lockPause = 2 * time.Millisecond

// lockPatience bounds the wait for a lock whose holder hangs.
const lockPatience = 5 * time.Second

// lock takes the advisory lock of a file. The system frees it when its process ends, however that happens.
func lock(ctx context.Context, path string) (unlock func() error, err error) {
	ctx, cancel := context.WithTimeout(ctx, lockPatience)
	defer cancel()
	for {
		unlock, err := tryLock(path)
		if err != nil || unlock != nil {
			return unlock, err
		}
		timer := time.NewTimer(lockPause)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return nil, ctx.Err()
		}
	}
}
