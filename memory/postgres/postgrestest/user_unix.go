//go:build unix

package postgrestest

import (
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
)

// postgresUser is who the server runs as when the tests run as root, which it refuses.
func postgresUser() (uid, gid int, ok bool) {
	if os.Getuid() != 0 {
		return 0, 0, false
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		return 0, 0, false
	}
	uid, _ = strconv.Atoi(u.Uid)
	gid, _ = strconv.Atoi(u.Gid)
	return uid, gid, uid != 0
}

func asOther(cmd *exec.Cmd) {
	if uid, gid, ok := postgresUser(); ok {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
	}
}

func give(folder string) error {
	if uid, gid, ok := postgresUser(); ok {
		return os.Chown(folder, uid, gid)
	}
	return nil
}
