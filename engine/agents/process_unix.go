//go:build unix

package agents

import (
	"io/fs"
	"os/exec"
	"syscall"
)

// ownGroup puts the process and its children into a group of their own.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// The signals reach nobody when the group is gone, which is as it should be.

func terminateGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }

func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

func executable(info fs.FileInfo) bool { return info.Mode()&0o111 != 0 }
