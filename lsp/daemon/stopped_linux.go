package daemon

import (
	"bytes"
	"fmt"
	"net"
	"os"
)

// stoppedPeer returns the process that listens at the other end of conn when it is suspended, by SIGSTOP or a debugger, else
// 0. The system accepts connections for such a process, so without this a client would wait for a welcome in vain.
func stoppedPeer(conn *net.UnixConn) int {
	_, pid, err := peerOf(conn)
	if err != nil {
		return 0
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	// See proc(5): the state follows the name, which is in parentheses and may hold any.
	state := bytes.TrimLeft(stat[bytes.LastIndexByte(stat, ')')+1:], " ")
	if len(state) == 0 || state[0] != 'T' && state[0] != 't' {
		return 0
	}
	return pid
}
