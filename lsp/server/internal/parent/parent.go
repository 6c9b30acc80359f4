package parent

import (
	"context"
	"errors"
	"os"
	"syscall"
	"time"
)

// pollEvery is how often a process is looked at where the system can't tell of its end.
const pollEvery = time.Second

// Wait returns true when the process has ended, false when ctx ends first.
func Wait(ctx context.Context, pid int) bool {
	if ended, ok := waitByHandle(ctx, pid); ok {
		return ended
	}
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for alive(pid) {
		select {
		case <-ctx.Done():
			return false
		case <-tick.C:
		}
	}
	return true
}

// alive reports whether a process exists; one that may not be asked does.
func alive(pid int) bool {
	process, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	err = process.Signal(syscall.Signal(0))
	return err == nil || errors.Is(err, os.ErrPermission)
}
