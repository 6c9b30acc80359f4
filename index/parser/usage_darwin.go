package parser

import "syscall"

// residentMemory returns the most bytes of memory that this process ever held: macOS tells no more without its own
// interfaces. What is watched is by how much a text raises it.
func residentMemory() int64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return u.Maxrss
}
