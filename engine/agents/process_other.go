//go:build !unix

package agents

import (
	"io/fs"
	"os/exec"
)

// ownGroup leaves cmd as it is: without process groups, only the program itself is killed.
func ownGroup(*exec.Cmd) {}

func terminateGroup(cmd *exec.Cmd) { killGroup(cmd) }

// killGroup fails when the process has ended, which is as it should be.
func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

func executable(fs.FileInfo) bool { return true }
