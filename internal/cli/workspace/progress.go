package workspace

import (
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/aurora-sidecar/aurora/index"
)

// A meter shows how far indexing is: a bar drawn in place on a terminal, now and then a line elsewhere.
// It draws in a goroutine of its own, since the index must not wait for a slow terminal.
type meter struct {
	out    io.Writer
	tty    bool
	width  int
	every  time.Duration // between two lines
	events chan index.Progress
	stop   chan struct{}
	done   chan struct{}
}

// redraw is the least time between two drawings of the bar.
const redraw = 80 * time.Millisecond

func newMeter(out io.Writer, tty bool, width int, every time.Duration) *meter {
	m := &meter{out: out, tty: tty, width: width, every: every, events: make(chan index.Progress, 1), stop: make(chan struct{}), done: make(chan struct{})}
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
	var drawn time.Time
	printer := teller{out: m.out, every: m.every}
	for {
		select {
		case p := <-m.events:
			if !m.tty {
				printer.tell(p, time.Now())
			} else if now := time.Now(); now.Sub(drawn) >= redraw {
				fmt.Fprintf(m.out, "\r\x1b[K%s", bar(p, m.width))
				drawn = now
			}
		case <-m.stop:
			if m.tty && !drawn.IsZero() {
				fmt.Fprint(m.out, "\r\x1b[K")
			}
			select {
			case p := <-m.events: // the end came just before the stop
				if !m.tty {
					printer.tell(p, time.Now())
				}
			default:
			}
			return
		}
	}
}

// A teller tells how far indexing is in lines: when it begins, when something can be searched, now and then, and in
// the end.
type teller struct {
	out     io.Writer
	every   time.Duration
	began   bool
	partial bool
	last    time.Time
}

// logProgress writes the lines to the log, for a server that nobody watches.
func (p *Parts) logProgress() {
	if !p.Settings.Index.Bootstrap.ShowProgress {
		return
	}
	var mu sync.Mutex
	printer := teller{out: logLines{p.Log}, every: lineInterval}
	p.Index.OnProgress(func(progress index.Progress) {
		mu.Lock()
		defer mu.Unlock()
		printer.tell(progress, time.Now())
	})
}

// lineInterval is how much time passes between two lines of progress.
const lineInterval = 30 * time.Second

// logLines logs what is written to it, line by line.
type logLines struct{ log *slog.Logger }

func (l logLines) Write(line []byte) (int, error) {
	l.log.Info(strings.TrimSuffix(string(line), "\n"))
	return len(line), nil
}

// partly is the share of files from which on an answer is worth something.
const partly = 0.1

func (t *teller) tell(p index.Progress, now time.Time) {
	if p.Total <= 0 {
		return
	}
	if !t.began {
		t.began, t.last = true, now
		fmt.Fprintln(t.out, p.Start())
	}
	switch {
	case p.Finished:
		fmt.Fprintln(t.out, p.End())
		*t = teller{out: t.out, every: t.every}
	case p.First && !t.partial && float64(p.Done) >= partly*float64(p.Total):
		t.partial = true
		fmt.Fprintln(t.out, p.Partial())
	case now.Sub(t.last) >= t.every:
		t.last = now
		fmt.Fprintln(t.out, p)
	}
}

// bar draws a progress bar of at most width-1 cells, so that no terminal wraps it.
func bar(p index.Progress, width int) string {
	if p.Total <= 0 {
		return "Scanning"
	}
	percent := p.Percent()
	short := fmt.Sprintf("Indexing %d%%", percent)
	counts := fmt.Sprintf(" %d/%d", p.Done, p.Total)
	if speed := fmt.Sprintf(", %.0f files/s, %s left", p.Rate, p.Left.Round(time.Second)); p.Left > 0 && width-len(short)-len(counts)-len(speed) > 20 {
		counts += speed
	}
	room := width - 1 - len(short) - len(counts) - 3
	if room < 10 {
		return short
	}
	room = min(room, 40)
	full := room * percent / 100
	return short + " [" + strings.Repeat("█", full) + strings.Repeat("░", room-full) + "]" + counts
}
