//go:build !unix

package main

import "os"

// terminalWidth takes a character device to be a terminal of the usual width.
func terminalWidth(f *os.File) (width int, ok bool) {
	info, err := f.Stat()
	return defaultWidth, err == nil && info.Mode()&os.ModeCharDevice != 0
}
