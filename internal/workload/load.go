package workload

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"time"
)

// ErrBusy refuses a request because too many wait already.
var ErrBusy = errors.New("too many requests wait already")

// A Class says how requests are treated.
type Class int

// The classes.
const (
	Ordinary Class = iota // works: waits for its turn
	Prompt                // works, and a person waits for it: its turn comes first
	Light                 // answers at once, so that it needs no turn
	Patient               // works, and waits for models, agents or persons: may take any time
	Waiting               // only waits: needs no turn and may take any time
)

func (c Class) works() bool   { return c != Light && c != Waiting }
func (c Class) endless() bool { return c == Patient || c == Waiting }

// Times after which a request counts as stuck.
const (
	limit        = 60 * time.Second // the caller is answered
	patientLimit = 15 * time.Minute // it is only told of
)

// noticeAfter is from when on Notes names a request: one that takes long, but has time left.
const noticeAfter = 20 * time.Second

// dumpEvery bounds how often goroutines are dumped.
const dumpEvery = 10 * time.Minute

// A Load is the requests of one engine. All methods of a nil one do what they would without any other request.
type Load struct {
	log   *slog.Logger
	limit time.Duration // of requests that are not endless
	turns turns

	mu      sync.Mutex
	running map[*request]bool
	dumped  time.Time // when goroutines were dumped last
}

// A request is at work.
type request struct {
	name    string
	class   Class
	since   time.Time
	stuck   chan struct{} // closed when its time is over
	cancel  context.CancelCauseFunc
	overdue bool // guarded by Load.mu
}

// New returns a Load that gives as many turns at a time as there are processors.
func New(log *slog.Logger) *Load {
	return &Load{log: log, limit: limit, turns: turns{free: max(1, runtime.GOMAXPROCS(0)-1)}, running: map[*request]bool{}}
}

// A StuckError answers a request that took far too long.
type StuckError struct {
	Name  string
	After time.Duration
}

func (e *StuckError) Error() string {
	return fmt.Sprintf("%s did not end within %s and was given up", e.Name, e.After)
}

// Do waits for the turn of a request and runs it. The error is ErrBusy, that of a context that ended before its turn, a
// *StuckError, or work's own; a panic of work goes on in the caller.
func (l *Load) Do(ctx context.Context, name string, class Class, work func(context.Context) (any, error)) (any, error) {
	if l == nil {
		return work(ctx)
	}
	if class.works() {
		done, err := l.turns.take(ctx, class == Prompt)
		if err != nil {
			return nil, err
		}
		defer done()
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r := &request{name: name, class: class, since: time.Now(), stuck: make(chan struct{}), cancel: cancel}
	ended := l.start(ctx, r, work)
	select {
	case o := <-ended:
		return o.unwrap()
	case <-r.stuck:
		return nil, &StuckError{Name: name, After: l.limit}
	}
}

// An outcome is how work ended.
type outcome struct {
	result any
	err    error
	panic  any // nil for none
	stack  []byte
}

func (o *outcome) unwrap() (any, error) {
	if o.panic != nil {
		panic(fmt.Sprintf("%v\n%s", o.panic, o.stack))
	}
	return o.result, o.err
}

// start runs work beside its caller, who may leave before it ends.
func (l *Load) start(ctx context.Context, r *request, work func(context.Context) (any, error)) <-chan *outcome {
	l.add(r)
	ended := make(chan *outcome, 1)
	go func() {
		o := &outcome{}
		after := l.limit
		if r.class.endless() {
			after = patientLimit
		}
		overdue := time.AfterFunc(after, func() { l.overdue(r) })
		defer func() {
			overdue.Stop()
			if o.panic = recover(); o.panic != nil {
				o.stack = debug.Stack()
			}
			l.remove(r, o)
			ended <- o
		}()
		o.result, o.err = work(ctx)
	}()
	return ended
}

func (l *Load) add(r *request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.running[r] = true
}

// remove tells of the end of a request whose caller has left.
func (l *Load) remove(r *request, o *outcome) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.running, r)
	if r.overdue {
		l.log.Warn("a stuck request has ended", "request", r.name, "after", time.Since(r.since).Round(time.Second), "panic", o.panic)
	}
}

// overdue tells of a request whose time is over, and answers its caller.
func (l *Load) overdue(r *request) {
	args := []any{"request", r.name, "after", time.Since(r.since).Round(time.Second)}
	if l.mark(r) {
		args = append(args, "goroutines", Goroutines())
	}
	l.log.Error("a request is stuck", args...)
	if !r.class.endless() {
		r.cancel(context.DeadlineExceeded)
		close(r.stuck)
	}
}

// mark reports whether goroutines are to be dumped, too.
func (l *Load) mark(r *request) (dump bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r.overdue = true
	now := time.Now()
	if dump = now.Sub(l.dumped) >= dumpEvery; dump {
		l.dumped = now
	}
	return dump
}

// Notes are sentences about requests that have been running for long, the oldest first.
func (l *Load) Notes() []string {
	var notes []string
	now := time.Now()
	for _, r := range l.slow(now) {
		note := fmt.Sprintf("%s has been running for %d s", r.name, int(now.Sub(r.since).Seconds()))
		switch {
		case r.overdue && r.class.endless():
			note += "; it may be stuck: logs/aurora.log shows where"
		case r.overdue:
			note += fmt.Sprintf(": it is stuck, and its caller was told so after %d s; logs/aurora.log shows where", int(l.limit.Seconds()))
		}
		notes = append(notes, note)
	}
	return notes
}

func (l *Load) slow(now time.Time) []request {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	var slow []request
	for r := range l.running {
		if r.overdue || !r.class.endless() && now.Sub(r.since) >= noticeAfter {
			slow = append(slow, *r)
		}
	}
	slices.SortFunc(slow, func(a, b request) int { return a.since.Compare(b.since) })
	return slow
}
