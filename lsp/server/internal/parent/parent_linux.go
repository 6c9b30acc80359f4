package parent

import (
	"context"
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// waitByHandle waits on a pidfd, which becomes readable when the process ends, even while nobody has collected its
// status. ok is false on kernels without it.
func waitByHandle(ctx context.Context, pid int) (ended, ok bool) {
	fd, err := unix.PidfdOpen(pid, unix.PIDFD_NONBLOCK)
	if errors.Is(err, unix.ESRCH) {
		return true, true
	}
	if err != nil {
		return false, false
	}
	handle := os.NewFile(uintptr(fd), "pidfd")
	stop := context.AfterFunc(ctx, func() { _ = handle.Close() })
	defer func() {
		if stop() {
			_ = handle.Close()
		}
	}()
	raw, err := handle.SyscallConn()
	if err != nil {
		return false, false
	}
	err = raw.Read(func(fd uintptr) bool {
		ended = readable(fd)
		return ended
	})
	if err != nil && ctx.Err() == nil {
		return false, false
	}
	return ended, true
}

func readable(fd uintptr) bool {
	poll := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
	n, err := unix.Poll(poll, 0)
	return err == nil && n > 0
}
