package daemon

import (
	"net"
	"syscall"

	"github.com/aurora-sidecar/aurora/internal/filelock"
)

// stoppedPeer returns the process that listens at the other end of conn when it is suspended, by SIGSTOP or a debugger, else
// 0. The system accepts connections for such a process, so without this a client would wait for a welcome in vain.
func stoppedPeer(conn *net.UnixConn) int {
	raw, err := conn.SyscallConn()
	if err != nil {
		return 0
	}
	var peer *syscall.Ucred
	_ = raw.Control(func(fd uintptr) {
		peer, err = syscall.GetsockoptUcred(int(fd), syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	})
	if err != nil || peer == nil {
		return 0
	}
	if pid := int(peer.Pid); filelock.Suspended(pid) {
		return pid
	}
	return 0
}
