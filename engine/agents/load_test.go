//go:build unix

package agents

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/aurora-sidecar/aurora/engine/reason/soar"
)

// TestManyQuestions puts 50 questions at once, several times: every one gets its answer and all of its events, and what
// they take is given back.
func TestManyQuestions(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts 150 programs")
	}
	const atOnce, rounds = 50, 3
	b := newBench(t)
	b.agent(`echo "{\"summary\": \"` + "`Checkout` is in cart.go:4 [S1]." + ` \", \"confidence\": 0.9}"`)
	var heap [rounds]uint64
	for round := range rounds {
		var group sync.WaitGroup
		answers := make([]asked, atOnce)
		for i := range atOnce {
			group.Go(func() { answers[i] = b.ask(t.Context(), fmt.Sprintf("%s, take %d-%d", question, round, i)) })
		}
		group.Wait()
		for i, a := range answers {
			checkEvents(t, i, a)
		}
		clear(answers)
		b.model.Reset()
		runtime.GC()
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		heap[round] = stats.HeapAlloc
	}
	if heap[rounds-1] > heap[0]+4<<20 {
		t.Errorf("the heap grew: %v", heap)
	}
	t.Logf("heap after each round of %d questions: %v bytes", atOnce, heap)
	if d, _ := b.list().Get("tester"); d.Runs == 0 {
		t.Error("no outcome was counted")
	}
}

// checkEvents holds that nothing of a question's account is missing.
func checkEvents(t *testing.T, i int, a asked) {
	t.Helper()
	if a.err != nil || !a.Verified || len(a.phases) != len(soar.AllPhases) {
		t.Errorf("question %d: %v, verified %v, %d phases", i, a.err, a.Verified, len(a.phases))
		return
	}
	began, ended, worked := map[string]int{}, map[string]int{}, 0
	done := 0.0
	for _, e := range a.events {
		if e.Done < done {
			t.Errorf("question %d: progress goes back at %+v", i, e)
		}
		done = e.Done
		switch {
		case e.Status == soar.Complete:
			ended[e.Phase]++
		case e.Phase == soar.Collect && strings.Contains(e.Detail, " by "):
			worked++
		case e.Status == soar.InProgress && e.Detail == "":
			began[e.Phase]++
		}
	}
	if done != 1 || worked != 3 {
		t.Errorf("question %d: ends at %v, %d subgoals told", i, done, worked)
	}
	for _, phase := range soar.AllPhases {
		if ended[phase] != 1 || began[phase] > 1 {
			t.Errorf("question %d: %s began %d times and ended %d times", i, phase, began[phase], ended[phase])
		}
	}
}
