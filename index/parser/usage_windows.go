package parser

import (
	"syscall"
	"time"
)

// processorTime returns how long this process has kept processors busy.
func processorTime() time.Duration {
	self, err := syscall.GetCurrentProcess()
	if err != nil {
		return 0
	}
	var created, exited, kernel, user syscall.Filetime
	if syscall.GetProcessTimes(self, &created, &exited, &kernel, &user) != nil {
		return 0
	}
	return time.Duration(ticks(kernel)+ticks(user)) * 100
}

// ticks is a duration in units of 100 ns.
func ticks(t syscall.Filetime) int64 { return int64(t.HighDateTime)<<32 | int64(t.LowDateTime) }
