package vfs

import (
	"io/fs"
	"syscall"
)

func nodeOf(info fs.FileInfo) Node {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return Node{}
	}
	return Node{stat.Ino, syscall.TimespecToNsec(stat.Ctimespec)}
}
