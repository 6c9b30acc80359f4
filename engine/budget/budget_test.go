package budget

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/sqlite"
)

// TestMain lets this test binary spend from a file, as another process of the user would.
func TestMain(m *testing.M) {
	path := os.Getenv("SPEND_FROM")
	if path == "" {
		os.Exit(m.Run())
	}
	tracker := New(openJournal(path), usual, nil)
	granted := 0
	for range 50 {
		if err := tracker.Reserve(context.Background(), 1, false); err == nil {
			tracker.Settle(context.Background(), 1, 1)
			granted++
		}
	}
	fmt.Print(granted)
}

var usual = Limits{Enabled: true, SoftUSD: 100, HardUSD: 100, Period: "monthly"}

// A clock that tests set.
type clock struct{ time.Time }

func (c *clock) now() time.Time { return c.Time }

// openJournal opens a journal in a file, which ends with the process.
func openJournal(path string) *sqlite.Store {
	s, err := sqlite.Open(context.Background(), path, sqlite.Options{})
	if err != nil {
		panic(err)
	}
	return s
}

func open(t *testing.T, limits Limits) (*Tracker, *clock) {
	t.Helper()
	c := &clock{time.Date(2025, 12, 20, 14, 30, 0, 0, time.UTC)}
	journal, err := sqlite.OpenMemory(t.Context(), sqlite.Options{Now: c.now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { journal.Close() })
	return New(journal, limits, c.now), c
}

func spend(t *testing.T, tracker *Tracker, usd float64) {
	t.Helper()
	if err := tracker.Reserve(context.Background(), usd, false); err != nil {
		t.Fatal(err)
	}
	tracker.Settle(context.Background(), usd, usd)
	asked := memory.JournalEntry{Metric: memory.Metric{At: tracker.now(), Op: memory.OpQuery, ModelUse: memory.ModelUse{Calls: 1}}, Charge: memory.Charge{At: tracker.now()}}
	if _, err := tracker.journal.Append(context.Background(), []memory.JournalEntry{asked}, 0); err != nil {
		t.Fatal(err)
	}
}

func TestEstimate(t *testing.T) {
	for level, want := range map[string]float64{"SIMPLE": 0.001, "MEDIUM": 0.15, "COMPLEX": 2.5, "CRITICAL": 4} {
		if got := Estimate(level, 1000); math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: %v, want %v", level, got, want)
		}
	}
}

func TestLimits(t *testing.T) {
	tracker, _ := open(t, usual)
	ctx := context.Background()
	if w, err := tracker.Check(ctx, 1, false); w != nil || err != nil {
		t.Fatalf("empty: %v, %v", w, err)
	}
	for range 160 {
		spend(t, tracker, 0.5)
	}
	w, err := tracker.Check(ctx, 0, false)
	if err != nil || w == nil {
		t.Fatalf("at 80%%: %v, %v", w, err)
	}
	if want := "Budget Warning: 80% consumed ($80.00 / $100.00)\nRemaining: $20.00 (est. 40 queries)\nPeriod ends: 2025-12-31\n"; w.Long() != want {
		t.Errorf("%q", w.Long())
	}
	spend(t, tracker, 15)
	if w, err = tracker.Check(ctx, 0, false); err != nil || w.Short() != "Near budget limit (95%)" {
		t.Errorf("%v, %v", w, err)
	}
	spend(t, tracker, 5)
	var blocked *Blocked
	if _, err := tracker.Check(ctx, 0.01, true); !errors.As(err, &blocked) || !strings.Contains(err.Error(), "$100.00 / $100.00") ||
		!strings.Contains(blocked.Remedy(), "Wait for monthly reset (2025-12-31)") || !strings.Contains(blocked.Remedy(), "162 queries, $100.00 spent") {
		t.Errorf("at 100%%: %v %v", err, blocked)
	}
	if err := tracker.Reserve(ctx, 0.01, true); !errors.As(err, &blocked) {
		t.Errorf("forced without leave: %v", err)
	}
	loose := usual
	loose.AllowOverride = true
	other := New(tracker.journal, loose, tracker.now)
	if _, err := other.Check(ctx, 0.01, true); err != nil {
		t.Errorf("forced with leave: %v", err)
	}
	if err := other.Reserve(ctx, 0.01, true); err != nil {
		t.Errorf("forced with leave: %v", err)
	}
	off := usual
	off.Enabled = false
	if _, err := New(tracker.journal, off, tracker.now).Check(ctx, 1e9, false); err != nil {
		t.Errorf("switched off: %v", err)
	}
}

func TestPeriods(t *testing.T) {
	tracker, c := open(t, usual)
	ctx := context.Background()
	spend(t, tracker, 10)
	c.Time = time.Date(2025, 12, 31, 23, 59, 59, 5e8, time.UTC)
	if p, err := tracker.Status(ctx); err != nil || p.Consumed != 10 {
		t.Errorf("the last half second: %+v, %v", p, err)
	}
	c.Time = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	if p, err := tracker.Status(ctx); err != nil || p.Consumed != 0 || p.Queries != 0 || p.Start != c.Time || p.Remaining != 100 {
		t.Errorf("the new year: %+v, %v", p, err)
	}
	spend(t, tracker, 3)
	if list, err := tracker.History(ctx, time.Date(2025, 12, 1, 0, 0, 0, 0, time.UTC)); err != nil || len(list) != 1 || list[0].Consumed != 10 {
		t.Errorf("December: %+v, %v", list, err)
	}
	c.Time = time.Date(2025, 6, 1, 0, 0, 0, 0, time.UTC) // a clock that is set back
	if p, err := tracker.Status(ctx); err != nil || p.Consumed != 3 {
		t.Errorf("set back: %+v, %v", p, err)
	}
	if err := tracker.Reset(ctx); err != nil {
		t.Fatal(err)
	}
	if p, err := tracker.Status(ctx); err != nil || p.Consumed != 0 {
		t.Errorf("reset: %+v, %v", p, err)
	}
	for period, want := range map[string][2]string{"daily": {"2025-12-20", "2025-12-20"}, "weekly": {"2025-12-15", "2025-12-21"}, "monthly": {"2025-12-01", "2025-12-31"}} {
		p := (&Tracker{limits: Limits{Period: period}}).periodAt(time.Date(2025, 12, 20, 14, 30, 0, 0, time.UTC))
		if got := [2]string{p.Start.Format(time.DateOnly), p.End.Format(time.DateOnly)}; got != want {
			t.Errorf("%s: %v", period, got)
		}
	}
}

// TestClockChangesMeanwhile has the clock go on into another period, and back, while a call runs: what it took counts in the
// period in which it was reserved, and what was reserved stays in none.
func TestClockChangesMeanwhile(t *testing.T) {
	ctx := context.Background()
	for name, jump := range map[string]func(time.Time) time.Time{
		"into the next month": func(now time.Time) time.Time { return now.AddDate(0, 1, 0) },
		"a year back":         func(now time.Time) time.Time { return now.AddDate(-1, 0, 0) },
		"a minute back":       func(now time.Time) time.Time { return now.Add(-time.Minute) },
	} {
		tracker, c := open(t, usual)
		spend(t, tracker, 2)
		if err := tracker.Reserve(ctx, 10, false); err != nil {
			t.Fatal(err)
		}
		c.Time = jump(c.Time)
		if err := tracker.Reserve(ctx, 5, false); err != nil {
			t.Fatal(err)
		}
		tracker.Settle(ctx, 10, 3)
		tracker.Settle(ctx, 5, 1)
		periods, err := New(tracker.journal, usual, tracker.now).History(ctx, time.Time{})
		total := 0.0
		for _, p := range periods {
			total += p.Consumed
		}
		if err != nil || total != 6 || periods[0].Consumed < 5 {
			t.Errorf("%s: %+v, %v", name, periods, err)
		}
	}
}

// TestLimitHoldsAcrossProcesses has two processes and eight goroutines spend at once: not a cent too much.
func TestLimitHoldsAcrossProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	var commands []*exec.Cmd
	var outputs []*strings.Builder
	for range 2 {
		cmd, out := exec.Command(os.Args[0]), &strings.Builder{}
		cmd.Env, cmd.Stdout = append(os.Environ(), "SPEND_FROM="+path), out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		commands, outputs = append(commands, cmd), append(outputs, out)
	}
	tracker := New(openJournal(path), usual, nil)
	var wg sync.WaitGroup
	var mu sync.Mutex
	granted := 0
	for range 8 {
		wg.Go(func() {
			for range 10 {
				if tracker.Reserve(context.Background(), 1, false) == nil {
					tracker.Settle(context.Background(), 1, 1)
					mu.Lock()
					granted++
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	for i, cmd := range commands {
		if err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
		n := 0
		if _, err := fmt.Sscan(outputs[i].String(), &n); err != nil {
			t.Fatalf("%q: %v", outputs[i], err)
		}
		granted += n
	}
	p, err := tracker.Status(context.Background())
	if err != nil || granted != 100 || p.Consumed != 100 || p.Remaining != 0 {
		t.Errorf("%d dollars granted of 180 asked for, %+v, %v", granted, p, err)
	}
}
