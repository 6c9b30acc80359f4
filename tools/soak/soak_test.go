package soak

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/tools/lspclient"
)

var soakTime = flag.Duration("soak", 0, "how long the clients work, its first third, ten minutes at most, to warm up; 0 skips it")

const (
	warmUp       = 10 * time.Minute // at most
	samples      = 60               // over the whole time
	growth       = 1.10             // of memory and of the index on the disk that is allowed after ten minutes
	earlyGrowth  = 1.35             // in a shorter run, in which caches and databases still fill
	poolFiles    = 16               // connections that databases may open later
	poolRoutines = 24               // goroutines of requests that are under way when they are counted
)

// TestSoak has two editors and an agent work in one project while its branches are switched, and compares what the daemon holds at
// the end with what it held when it was warm.
func TestSoak(t *testing.T) {
	if *soakTime == 0 {
		t.Skip("make test-soak runs it")
	}
	w := newWorld(t)
	editors := []*editor{w.editor("one"), w.editor("two")}
	a := w.agent()
	d := w.daemon()
	defer w.rest()
	w.work(editors[0].step, editors[1].step, a.step, w.switchBranch)

	warm, most := min(*soakTime/3, warmUp), growth
	if warm < warmUp {
		most = earlyGrowth
	}
	first := w.sample(d, warm)
	rest := w.sample(d, *soakTime-warm)
	w.rest()

	window := max(1, len(rest)/5)
	before, after := middle(rest[:window]), middle(rest[len(rest)-window:])
	t.Logf("warming up  %v", middle(first))
	t.Logf("warm        %v", before)
	t.Logf("at the end  %v", after)
	w.logCounts()
	if after.Goroutines > before.Goroutines+poolRoutines || after.Files > before.Files+poolFiles {
		t.Errorf("goroutines %d, then %d; open files %d, then %d", before.Goroutines, after.Goroutines, before.Files, after.Files)
	}
	if float64(after.Resident) > most*float64(before.Resident) {
		t.Errorf("resident memory grew from %d to %d KiB", before.Resident, after.Resident)
	}
	if float64(after.Index) > most*float64(before.Index) {
		t.Errorf("the index on the disk grew from %d to %d KiB", before.Index, after.Index)
	}
}

// middle is the median of each figure.
func middle(of []usage) usage {
	median := func(figure func(usage) int) int {
		var all []int
		for _, u := range of {
			all = append(all, figure(u))
		}
		slices.Sort(all)
		return all[len(all)/2]
	}
	return usage{
		Resident:   median(func(u usage) int { return u.Resident }),
		Anonymous:  median(func(u usage) int { return u.Anonymous }),
		Goroutines: median(func(u usage) int { return u.Goroutines }),
		Files:      median(func(u usage) int { return u.Files }),
		Threads:    median(func(u usage) int { return u.Threads }),
		Index:      median(func(u usage) int { return u.Index }),
		Memory:     median(func(u usage) int { return u.Memory }),
	}
}

// A world is a project, a home folder and what works with them.
type world struct {
	*testing.T
	program, dir, home string
	files              []string // of the project, relative
	stop               chan struct{}
	working            sync.WaitGroup
	resting            sync.Once

	mu     sync.Mutex // guards all below
	counts map[string]int
	times  []time.Duration // of hovers
}

// work has every step done again and again, until rest.
func (w *world) work(steps ...func(*rand.Rand) error) {
	for i, step := range steps {
		rng := rand.New(rand.NewPCG(uint64(i), 7))
		w.working.Go(func() {
			for {
				select {
				case <-w.stop:
					return
				case <-time.After(time.Duration(rng.IntN(60)) * time.Millisecond): // as fast as a person at best
				}
				if err := step(rng); err != nil {
					w.Errorf("%v", err)
					return
				}
			}
		})
	}
}

// rest ends the work; what is under way is finished.
func (w *world) rest() {
	w.resting.Do(func() { close(w.stop) })
	w.working.Wait()
}

func (w *world) count(what string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.counts[what]++
}

func (w *world) logCounts() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.Logf("%v", w.counts)
	slices.Sort(w.times)
	if n := len(w.times); n > 0 {
		w.Logf("hovers: p50 %v, p95 %v, p99 %v, longest %v", w.times[n/2], w.times[n*95/100], w.times[n*99/100], w.times[n-1])
	}
}

// refusals are what a server may say under load, by their codes: busy, cancelled, modified meanwhile.
var refusals = []int{1012, -32800, -32801}

// allow counts a refusal as such; other errors remain.
func (w *world) allow(err error) error {
	var refused *lspclient.Error
	if errors.As(err, &refused) && slices.Contains(refusals, refused.Code) {
		w.count("refused")
		return nil
	}
	return err
}

// switchBranch checks the other branch out, twice a minute.
func (w *world) switchBranch(rng *rand.Rand) error {
	select {
	case <-w.stop:
		return nil
	case <-time.After(30 * time.Second):
	}
	branch := []string{"main", "other"}[rng.IntN(2)]
	w.count("checkout")
	return w.git("checkout", "-q", "-f", branch)
}

func (w *world) git(args ...string) error {
	cmd := exec.Command("git", args...)
	cmd.Dir = w.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("git %v: %w: %s", args, err, out)
	}
	return nil
}
