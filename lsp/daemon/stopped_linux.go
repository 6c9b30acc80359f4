package daemon

import (
	"net"

	"github.com/aurora-sidecar/aurora/internal/filelock"
)

// stoppedPeer returns the process that listens at the other end of conn when it is suspended, by SIGSTOP or a debugger, else
// 0. The system accepts connections for such a process, so without this a client would wait for a welcome in vain.
func stoppedPeer(conn *net.UnixConn) int {
	if _, pid, err := peerOf(conn); err == nil && filelock.Suspended(pid) {
		return pid
	}
	return 0
}
