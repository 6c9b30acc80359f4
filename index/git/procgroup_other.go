//go:build !unix

package git

import "os/exec"

// ownGroup leaves cmd as it is: without process groups, cancelling kills git alone.
func ownGroup(*exec.Cmd) {}
