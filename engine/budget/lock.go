package budget

import (
	"context"
	"time"

	"github.com/aurora-sidecar/aurora/internal/filelock"
)

// lockPatience bounds the wait for a lock whose holder hangs.
const lockPatience = 5 * time.Second

// lock takes the lock of a file, which others hold for a few milliseconds.
func lock(ctx context.Context, path string) (unlock func() error, err error) {
	ctx, cancel := context.WithTimeout(ctx, lockPatience)
	defer cancel()
	return filelock.Wait(ctx, path)
}
