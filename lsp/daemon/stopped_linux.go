package daemon

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"syscall"
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
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", peer.Pid))
	if err != nil {
		return 0
	}
	// See proc(5): the state follows the name, which is in parentheses and may hold any.
	state := bytes.TrimLeft(stat[bytes.LastIndexByte(stat, ')')+1:], " ")
	if len(state) == 0 || state[0] != 'T' && state[0] != 't' {
		return 0
	}
	return int(peer.Pid)
}
