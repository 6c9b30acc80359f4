package workload

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func newTestLoad(free int) (*Load, *bytes.Buffer) {
	var log bytes.Buffer
	l := New(slog.New(slog.NewTextHandler(&log, nil)))
	l.turns.free = free
	return l, &log
}

// Those that a person waits for go first; the others in the order in which they came.
func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, _ := newTestLoad(1)
		release := make(chan struct{})
		var group sync.WaitGroup
		var mu sync.Mutex
		var order []string
		ask := func(name string, class Class) {
			group.Go(func() {
				_, err := l.Do(t.Context(), name, class, func(context.Context) (any, error) {
					mu.Lock()
					defer mu.Unlock()
					order = append(order, name)
					return nil, nil
				})
				if err != nil {
					t.Error(err)
				}
			})
			synctest.Wait()
		}
		group.Go(func() {
			_, _ = l.Do(t.Context(), "first", Ordinary, func(context.Context) (any, error) { <-release; return nil, nil })
		})
		synctest.Wait()
		ask("search 1", Ordinary)
		ask("search 2", Ordinary)
		ask("remember", Prompt)
		ask("status", Light)
		close(release)
		group.Wait()
		if want := []string{"status", "remember", "search 1", "search 2"}; !slices.Equal(order, want) {
			t.Errorf("order %v, want %v", order, want)
		}
		if l.turns.free != 1 {
			t.Errorf("%d turns are free in the end", l.turns.free)
		}
	})
}

// A request that waits for something else keeps its turn only for a while.
func TestATurnEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, _ := newTestLoad(1)
		release := make(chan struct{})
		go func() {
			_, _ = l.Do(t.Context(), "query", Patient, func(context.Context) (any, error) { <-release; return nil, nil })
		}()
		synctest.Wait()
		begin := time.Now()
		if _, err := l.Do(t.Context(), "search", Ordinary, func(context.Context) (any, error) { return nil, nil }); err != nil {
			t.Fatal(err)
		}
		if waited := time.Since(begin); waited != lease {
			t.Errorf("waited %s", waited)
		}
		close(release)
		synctest.Wait()
		if l.turns.free != 1 {
			t.Errorf("%d turns are free in the end", l.turns.free)
		}
	})
}

func TestTooManyAreRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, _ := newTestLoad(0)
		ctx, cancel := context.WithCancel(t.Context())
		for range maxWaiting {
			go func() { _, _ = l.Do(ctx, "search", Ordinary, nil) }()
		}
		synctest.Wait()
		if _, err := l.Do(ctx, "search", Ordinary, nil); !errors.Is(err, ErrBusy) {
			t.Errorf("error %v", err)
		}
		cancel() // who gives up makes room
		synctest.Wait()
		if n := len(l.turns.waiting[0]) + len(l.turns.waiting[1]); n != 0 {
			t.Errorf("%d wait", n)
		}
	})
}

// A request that never ends is told of, its caller is answered, and its context ends.
func TestStuck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, log := newTestLoad(1)
		release, told := make(chan struct{}), make(chan error, 1)
		go func() {
			_, err := l.Do(t.Context(), "search", Ordinary, func(ctx context.Context) (any, error) {
				<-ctx.Done()
				<-release
				return nil, nil
			})
			told <- err
		}()
		time.Sleep(noticeAfter + time.Second)
		if notes := l.Notes(); len(notes) != 1 || !strings.HasPrefix(notes[0], "search has been running for 21 s") {
			t.Errorf("notes %q", notes)
		}
		var stuck *StuckError
		if err := <-told; !errors.As(err, &stuck) {
			t.Errorf("error %v", err)
		}
		time.Sleep(35 * time.Second)
		if notes := l.Notes(); len(notes) != 1 || !strings.HasPrefix(notes[0], "search has been running for 95 s: it is stuck") {
			t.Errorf("notes %q", notes)
		}
		close(release)
		synctest.Wait()
		if notes := l.Notes(); len(notes) != 0 {
			t.Errorf("notes %q after its end", notes)
		}
		for _, want := range []string{"a request is stuck", "goroutine profile", "TestStuck", "has ended"} {
			if !strings.Contains(log.String(), want) {
				t.Errorf("the log lacks %q", want)
			}
		}
	})
}

func TestDumpsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, log := newTestLoad(1)
		for i := range 5 {
			_, _ = l.Do(t.Context(), fmt.Sprint("search ", i), Ordinary, func(ctx context.Context) (any, error) {
				<-ctx.Done()
				time.Sleep(time.Second)
				return nil, nil
			})
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if n := strings.Count(log.String(), "goroutine profile"); n != 1 {
			t.Errorf("%d dumps", n)
		}
		if len(Goroutines()) > maxDump+10 {
			t.Error("too long")
		}
	})
}

func TestAPanicGoesOnInTheCaller(t *testing.T) {
	l, _ := newTestLoad(1)
	for range 3 { // the turn comes back each time
		func() {
			defer func() {
				if p := recover(); p == nil || !strings.Contains(fmt.Sprint(p), "nil map") {
					t.Errorf("recovered %v", p)
				}
			}()
			var m map[string]int
			_, _ = l.Do(t.Context(), "search", Ordinary, func(context.Context) (any, error) { m["a"] = 1; return nil, nil })
		}()
	}
	if l.turns.free != 1 {
		t.Errorf("%d turns are free", l.turns.free)
	}
}
