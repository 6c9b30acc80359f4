//go:build unix

package git

import (
	"os/exec"
	"syscall"
)

// ownGroup puts the process and its children into a group of their own and lets cancelling kill all of them.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
