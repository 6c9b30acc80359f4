package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/index"
)

// A meter shows how far indexing is: a bar drawn in place on a terminal, a line for every tenth elsewhere.
// It draws in a goroutine of its own, since the index must not wait for a slow terminal.
type meter struct {
	out    io.Writer
	tty    bool
	width  int
	events chan index.Progress
	stop   chan struct{}
	done   chan struct{}
}

// redraw is the least time between two drawings of the bar.
const redraw = 80 * time.Millisecond

func newMeter(out io.Writer, tty bool, width int) *meter {
	m := &meter{out: out, tty: tty, width: width, events: make(chan index.Progress, 1), stop: make(chan struct{}), done: make(chan struct{})}
	go m.draw()
	return m
}

// update takes the newest state; it never blocks.
func (m *meter) update(p index.Progress) {
	for {
		select {
		case m.events <- p:
			return
		default:
		}
		select {
		case <-m.events: // an older state that nobody needs any more
		default:
		}
	}
}

// close ends drawing and clears the bar.
func (m *meter) close() {
	close(m.stop)
	<-m.done
}

func (m *meter) draw() {
	defer close(m.done)
	var last time.Time
	tenth := 0
	for {
		select {
		case p := <-m.events:
			if !m.tty {
				tenth = m.printTenth(p, tenth)
			} else if now := time.Now(); now.Sub(last) >= redraw {
				fmt.Fprintf(m.out, "\r\x1b[K%s", bar(p, m.width))
				last = now
			}
		case <-m.stop:
			if m.tty && !last.IsZero() {
				fmt.Fprint(m.out, "\r\x1b[K")
			}
			return
		}
	}
}

// printTenth prints a line when another tenth is done, and returns how many are.
func (m *meter) printTenth(p index.Progress, tenth int) int {
	if p.Total <= 0 {
		return tenth
	}
	now := 10 * p.Done / p.Total
	if now > tenth {
		fmt.Fprintf(m.out, "Indexing: %d of %d files (%d%%)\n", p.Done, p.Total, 100*p.Done/p.Total)
	}
	return max(now, tenth)
}

// bar draws a progress bar of at most width-1 cells, so that no terminal wraps it.
func bar(p index.Progress, width int) string {
	if p.Total <= 0 {
		return "Scanning"
	}
	percent := min(100, 100*p.Done/p.Total)
	short := fmt.Sprintf("Indexing %d%%", percent)
	counts := fmt.Sprintf(" %d/%d", p.Done, p.Total)
	room := width - 1 - len(short) - len(counts) - 3
	if room < 10 {
		return short
	}
	room = min(room, 40)
	full := room * percent / 100
	return short + " [" + strings.Repeat("█", full) + strings.Repeat("░", room-full) + "]" + counts
}
