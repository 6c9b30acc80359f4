package daemon

import (
	"net"
	"syscall"
)

// peerOf returns the user and the process at the other end of a connection, as they were when it was made.
func peerOf(conn *net.UnixConn) (uid, pid int, err error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return 0, 0, err
	}
	var peer *syscall.Ucred
	controlled := raw.Control(func(fd uintptr) {
		peer, err = syscall.GetsockoptUcred(int(fd), syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	})
	if controlled != nil {
		return 0, 0, controlled
	}
	if err != nil {
		return 0, 0, err
	}
	return int(peer.Uid), int(peer.Pid), nil
}
