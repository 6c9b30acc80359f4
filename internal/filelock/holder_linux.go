package filelock

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// Holder returns the process that holds a POSIX write lock on the byte at offset of the file at path, or 0. It does not open
// the file: closing it would release the locks that this process has on it.
func Holder(path string, offset int64) (pid int) {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	stat, is := info.Sys().(*syscall.Stat_t)
	if !is {
		return 0
	}
	locks, err := os.ReadFile("/proc/locks")
	if err != nil {
		return 0
	}
	// See proc(5). The device is not compared: on btrfs and overlays it differs from the one that stat tells.
	inode := ":" + strconv.FormatUint(stat.Ino, 10)
	for line := range strings.Lines(string(locks)) {
		f := strings.Fields(line)
		if len(f) != 8 || f[1] != "POSIX" || f[3] != "WRITE" || !strings.HasSuffix(f[5], inode) {
			continue
		}
		first, _ := strconv.ParseInt(f[6], 10, 64)
		last, err := strconv.ParseInt(f[7], 10, 64)
		if offset < first || err == nil && offset > last { // the end may be EOF
			continue
		}
		if pid, err := strconv.Atoi(f[4]); err == nil && pid > 0 {
			return pid
		}
	}
	return 0
}

// Suspended reports whether a process does not run until somebody lets it: after SIGSTOP, or in a debugger.
func Suspended(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	// See proc(5): the state follows the name, which is in parentheses and may hold any.
	state := bytes.TrimLeft(stat[bytes.LastIndexByte(stat, ')')+1:], " ")
	return len(state) > 0 && (state[0] == 'T' || state[0] == 't')
}
