//go:build unix

package app

import (
	"os"

	"golang.org/x/sys/unix"
)

// TerminalWidth returns the width in cells of the terminal behind f; ok is false when f is something else.
func TerminalWidth(f *os.File) (width int, ok bool) {
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0, false
	}
	if size.Col == 0 { // a terminal that does not know its size, such as a serial line
		return DefaultWidth, true
	}
	return int(size.Col), true
}
