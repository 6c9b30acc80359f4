package parser

import (
	"bytes"
	"os"
	"strconv"
	"sync"
)

// memoryFile stays open, since a small text takes less time than opening it.
var memoryFile = sync.OnceValues(func() (*os.File, error) { return os.Open("/proc/self/statm") })

// residentMemory returns how many bytes of memory this process holds, 0 when the system does not tell.
func residentMemory() int64 {
	f, err := memoryFile()
	if err != nil {
		return 0
	}
	var buf [128]byte
	n, _ := f.ReadAt(buf[:], 0)
	fields := bytes.Fields(buf[:n])
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseInt(string(fields[1]), 10, 64)
	return pages * int64(os.Getpagesize())
}
