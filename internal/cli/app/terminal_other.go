//go:build !unix

package app

import "os"

// TerminalWidth takes a character device to be a terminal of the usual width.
func TerminalWidth(f *os.File) (width int, ok bool) {
	info, err := f.Stat()
	return DefaultWidth, err == nil && info.Mode()&os.ModeCharDevice != 0
}
