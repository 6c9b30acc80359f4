package progress

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	lsp "go.lsp.dev/protocol"
)

// A recorder notes what a client is told.
type recorder struct {
	mu     sync.Mutex
	events []string
	refuse error
}

func (r *recorder) note(event string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = append(r.events, event)
}

func (r *recorder) WorkDoneProgressCreate(_ context.Context, p *lsp.WorkDoneProgressCreateParams) error {
	r.note(fmt.Sprintf("create %v", p.Token))
	return r.refuse
}

func (r *recorder) Progress(ctx context.Context, p *lsp.ProgressParams) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	r.note(fmt.Sprintf("%v %s", p.Token, p.Value))
	return nil
}

func TestWorkDone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &recorder{}
		ctx, cancel := context.WithCancel(t.Context())
		w, err := Create(ctx, r, "aurora-1", "Indexing")
		if err != nil {
			t.Fatal(err)
		}
		w.Report("a", 0.1)
		w.Report("dropped: too soon", 0.2)
		time.Sleep(reportEvery) // of the test's own clock
		w.Report("b", 2)
		time.Sleep(reportEvery)
		w.Report("", -1)
		cancel()
		var enders sync.WaitGroup
		for range 8 {
			enders.Go(func() { w.End("done") })
		}
		enders.Wait()
		w.Report("after the end", 1)
		want := []string{
			`create aurora-1`,
			`aurora-1 {"kind":"begin","title":"Indexing","cancellable":false}`,
			`aurora-1 {"kind":"report","message":"a","percentage":10}`,
			`aurora-1 {"kind":"report","message":"b","percentage":100}`,
			`aurora-1 {"kind":"report"}`,
			`aurora-1 {"kind":"end","message":"done"}`,
		}
		if got := strings.Join(r.events, "\n"); got != strings.Join(want, "\n") {
			t.Errorf("the client was told\n%s\nwant\n%s", got, strings.Join(want, "\n"))
		}
	})
}

func TestCreateRefused(t *testing.T) {
	r := &recorder{refuse: errors.New("no")}
	if _, err := Create(t.Context(), r, "x", "t"); !errors.Is(err, r.refuse) {
		t.Errorf("error %v", err)
	}
	if len(r.events) != 1 {
		t.Errorf("events after a refusal: %q", r.events)
	}
}

func TestNilWorkDone(*testing.T) {
	var w *WorkDone
	w.Report("x", 1)
	w.End("")
}

func TestCoalescer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		c, start := NewCoalescer(), time.Now()
		var calls []time.Duration
		var done sync.WaitGroup
		done.Go(func() { c.Run(ctx, 250*time.Millisecond, func() { calls = append(calls, time.Since(start)) }) })
		for range 100 { // one second of signals
			c.Signal()
			time.Sleep(10 * time.Millisecond)
		}
		time.Sleep(time.Second)
		cancel()
		done.Wait()
		// at 0, 250, 500, 750 ms, and the last signal at 1 s
		if len(calls) != 5 || calls[0] != 0 || calls[4] != time.Second {
			t.Errorf("calls at %v", calls)
		}
	})
}
