package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// bounds are what the programs of a run may take together of the machine. The kernel bounds neither without a cgroup, which
// a user's program can't count on, so they are looked at while a program runs.
type bounds struct {
	memory   uint64 // bytes that its processes hold and share with no file
	diskLeft uint64 // bytes that stay free where it writes
}

const (
	boundsEvery = 200 * time.Millisecond
	leastLeft   = 1 << 30 // bytes of a disk, or a twentieth of a smaller one
)

// machineBounds are half of the machine's memory, and a gigabyte or a twentieth of the disk that holds folder.
func machineBounds(folder string) (bounds, error) {
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		return bounds{}, err
	}
	var disk unix.Statfs_t
	if err := unix.Statfs(folder, &disk); err != nil {
		return bounds{}, err
	}
	return bounds{memory: info.Totalram * uint64(info.Unit) / 2, diskLeft: min(leastLeft, disk.Blocks*uint64(disk.Bsize)/20)}, nil
}

var (
	errMemory = errors.New("more memory than half of the machine's")
	errDisk   = errors.New("nearly all that was free on the disk")
)

// watch calls end with what was taken too much of, until ctx ends. pid is the first process of the run.
func (b bounds) watch(ctx context.Context, pid int, folder string, end func(error)) {
	ticker := time.NewTicker(boundsEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		var disk unix.Statfs_t
		if unix.Statfs(folder, &disk) == nil && disk.Bavail*uint64(disk.Bsize) < b.diskLeft {
			end(errDisk)
			return
		}
		if memoryOf(pid) > b.memory {
			end(errMemory)
			return
		}
	}
}

// memoryOf is what a process and all that descend from it hold, in bytes. Pages that a process shares with its parent count
// for both until one of them writes.
func memoryOf(pid int) uint64 {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return 0
	}
	children := map[int][]int{}
	for _, e := range entries {
		if p, err := strconv.Atoi(e.Name()); err == nil {
			parent := parentOf(p)
			children[parent] = append(children[parent], p)
		}
	}
	pages, of := uint64(0), []int{pid}
	for len(of) > 0 {
		p := of[len(of)-1]
		of = append(of[:len(of)-1], children[p]...)
		delete(children, p)
		pages += pagesOf(p)
	}
	return pages * uint64(os.Getpagesize())
}

// parentOf is 0 where a process has ended.
func parentOf(pid int) int {
	stat, _ := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	var state string
	var parent int
	_, _ = fmt.Sscan(string(stat[strings.LastIndexByte(string(stat), ')')+1:]), &state, &parent) // a name may hold spaces and brackets
	return parent
}

// pagesOf are those of a process that belong to no file.
func pagesOf(pid int) uint64 {
	statm, _ := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "statm"))
	var size, resident, shared uint64
	if n, _ := fmt.Sscan(string(statm), &size, &resident, &shared); n < 3 || shared > resident {
		return 0
	}
	return resident - shared
}
