//go:build !linux

package vfs

import (
	"io/fs"
	"os"
)

// statIn looks at an entry of an open folder, without following a link.
func statIn(_ *os.File, entry fs.DirEntry) (fileState, error) {
	info, err := entry.Info()
	if err != nil {
		return fileState{}, err
	}
	return stateOf(info), nil
}
