//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package picker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"

	"golang.org/x/sys/unix"
)

// Supported tells that this system has terminals as the picker needs them.
const Supported = true

// Run shows the picker on the terminal that in and out are, until the person leaves or ctx ends. It returns ErrLeft or
// ErrInterrupted when nothing was chosen.
func Run(ctx context.Context, in, out *os.File, o Options) (Choice, error) {
	before, err := unix.IoctlGetTermios(int(in.Fd()), getTermios)
	if err != nil {
		return Choice{}, fmt.Errorf("the input is not a terminal: %w", err)
	}
	raw := *before
	raw.Iflag &^= unix.BRKINT | unix.ICRNL | unix.INLCR | unix.IGNCR | unix.INPCK | unix.ISTRIP | unix.IXON | unix.PARMRK
	raw.Lflag &^= unix.ECHO | unix.ECHONL | unix.ICANON | unix.IEXTEN | unix.ISIG
	raw.Cflag = raw.Cflag&^(unix.CSIZE|unix.PARENB) | unix.CS8
	raw.Cc[unix.VMIN], raw.Cc[unix.VTIME] = 0, 1 // a read ends after a tenth of a second: Esc alone is told by it
	if err := unix.IoctlSetTermios(int(in.Fd()), setTermios, &raw); err != nil {
		return Choice{}, fmt.Errorf("take the terminal: %w", err)
	}
	t := &device{in: int(in.Fd()), out: out}
	_, err = out.WriteString("\x1b[?1049h\x1b[?2004h") // a screen of its own, and pasted text is told
	defer func() {
		_, _ = out.WriteString("\x1b[?2004l\x1b[?1049l")
		_ = unix.IoctlSetTermios(int(in.Fd()), setTermios, before)
	}()
	if err != nil {
		return Choice{}, fmt.Errorf("draw: %w", err)
	}
	resized := make(chan os.Signal, 1)
	signal.Notify(resized, unix.SIGWINCH)
	defer signal.Stop(resized)
	return run(ctx, t, o, resized)
}

// A device is a real terminal.
type device struct {
	in  int
	out *os.File
}

// Read implements terminal.
func (d *device) Read(p []byte) (int, error) {
	n, err := unix.Read(d.in, p)
	if errors.Is(err, unix.EINTR) || errors.Is(err, unix.EAGAIN) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("read the keyboard: %w", err)
	}
	return n, nil
}

// Write implements terminal.
func (d *device) Write(p []byte) (int, error) { return d.out.Write(p) }

// Size implements terminal.
func (d *device) Size() (width, height int) {
	size, err := unix.IoctlGetWinsize(int(d.out.Fd()), unix.TIOCGWINSZ)
	if err != nil || size.Col == 0 || size.Row == 0 {
		return 80, 24
	}
	return int(size.Col), int(size.Row)
}
