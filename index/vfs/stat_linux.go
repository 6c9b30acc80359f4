package vfs

import (
	"io/fs"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// statIn looks at an entry of an open folder, without following a link. The system need not walk the whole path for it.
func statIn(dir *os.File, entry fs.DirEntry) (fileState, error) {
	var stat unix.Stat_t
	for {
		err := unix.Fstatat(int(dir.Fd()), entry.Name(), &stat, unix.AT_SYMLINK_NOFOLLOW)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return fileState{}, &fs.PathError{Op: "lstat", Path: dir.Name() + "/" + entry.Name(), Err: err}
		}
		break
	}
	var mode fs.FileMode // but for the permissions, which nobody asks for
	switch stat.Mode & unix.S_IFMT {
	case unix.S_IFREG:
	case unix.S_IFDIR:
		mode = fs.ModeDir
	case unix.S_IFLNK:
		mode = fs.ModeSymlink
	default:
		mode = fs.ModeIrregular
	}
	return fileState{size: stat.Size, mode: mode, modified: time.Unix(stat.Mtim.Unix()), node: Node{stat.Ino, unix.TimespecToNsec(stat.Ctim)}}, nil
}

func nodeOf(info fs.FileInfo) Node {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return Node{}
	}
	return Node{stat.Ino, syscall.TimespecToNsec(stat.Ctim)}
}
