package daemon

import (
	"fmt"
	"net"
	"os"
)

// CheckPeer fails unless the process at the other end of a Unix socket runs as this user, by what the kernel says of it.
func CheckPeer(conn net.Conn) error {
	local, ok := conn.(*net.UnixConn)
	if !ok {
		return fmt.Errorf("%s is no local socket", conn.RemoteAddr().Network())
	}
	uid, _, err := peerOf(local)
	if err != nil {
		return fmt.Errorf("whose process connects can't be told: %w", err)
	}
	if uid != os.Getuid() {
		return fmt.Errorf("the process that connects belongs to user %d, not to %d", uid, os.Getuid())
	}
	return nil
}
