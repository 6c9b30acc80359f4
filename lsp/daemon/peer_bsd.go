//go:build darwin || freebsd

package daemon

import (
	"net"

	"golang.org/x/sys/unix"
)

// peerOf returns the user at the other end of a connection, as it was when it was made. The process is not told: 0.
func peerOf(conn *net.UnixConn) (uid, pid int, err error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return 0, 0, err
	}
	var peer *unix.Xucred
	controlled := raw.Control(func(fd uintptr) {
		peer, err = unix.GetsockoptXucred(int(fd), unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	})
	if controlled != nil {
		return 0, 0, controlled
	}
	if err != nil {
		return 0, 0, err
	}
	return int(peer.Uid), 0, nil
}
