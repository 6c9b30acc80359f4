//go:build !unix

package vfs

import "os"

// openRegular opens path unless it is a link or a device.
func openRegular(path string) (*os.File, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, ErrNotRegular
	}
	return os.Open(path)
}
