package soar

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestSideBySide holds that only steps that are still there, and of which none waits for another, are worked on side by side.
func TestSideBySide(t *testing.T) {
	p := &Plan{
		Subgoals:       []Subgoal{{ID: "A"}, {ID: "B"}, {ID: "C", DependsOn: []string{"A"}}, {ID: "D", DependsOn: []string{"C"}}, {ID: "E"}},
		Parallelizable: [][]string{{"A", "B"}, {"A", "C"}, {"A", "D", "E"}, {"B", "gone"}, {"B", "gone", "E"}, {"A"}},
	}
	want := [][]string{{"A", "B"}, {"B", "E"}}
	if got := p.sideBySide(false); !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := p.sideBySide(true); got != nil {
		t.Errorf("a circle: %v", got)
	}
}

// TestIncoming holds what a step learns of those before it: what they found, what they hand over, why they failed.
func TestIncoming(t *testing.T) {
	found := func(id, summary, handoff string) *Outcome {
		e := &Envelope{Handoff: handoff}
		e.Output.Summary = summary
		return &Outcome{Subgoal: Subgoal{ID: id}, Envelope: e}
	}
	after := func(outcomes ...*Outcome) *query { return &query{state: &State{Work: Work{Outcomes: outcomes}}} }
	q := after(found("A", "two callers", ""), found("B", "one test", "look at pay.go"), &Outcome{Subgoal: Subgoal{ID: "C"}, Note: "no time left"}, found("other", "nothing to do with it", "x"))
	got := q.incoming(Subgoal{DependsOn: []string{"A", "B", "C", "not run"}})
	if want := []string{"A: two callers", "B: one test\nlook at pay.go", "C failed: no time left"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	long := after(found("A", strings.Repeat("s", 9*maxSummary), strings.Repeat("h", 9*maxSummary)))
	if got := long.incoming(Subgoal{DependsOn: []string{"A"}}); len(got[0]) > maxSummary {
		t.Errorf("%d bytes come in", len(got[0]))
	}
}

// TestDue holds which steps a wave works on: those without an outcome, and none when the calls are spent, but for the first wave.
func TestDue(t *testing.T) {
	wave := []Subgoal{{ID: "A"}, {ID: "B"}, {ID: "C"}}
	ids := func(list []Subgoal) (all string) {
		for _, s := range list {
			all += s.ID
		}
		return all
	}
	before := &Outcome{Subgoal: Subgoal{ID: "B"}, Envelope: &Envelope{}}
	for _, tt := range []struct {
		ttl, taken int
		outcomes   []*Outcome
		due        string
	}{
		{0, 100, nil, "ABC"}, {0, 100, []*Outcome{{Subgoal: Subgoal{ID: "A"}}}, "BC"}, {5, 4, []*Outcome{{Subgoal: Subgoal{ID: "A"}}}, "BC"},
		{5, 5, []*Outcome{{Subgoal: Subgoal{ID: "A"}}}, ""}, {5, 9, nil, "ABC"},
	} {
		q := &query{state: &State{Work: Work{Outcomes: tt.outcomes}}, recording: &Recording{steps: tt.taken}}
		q.redo = rework{ttl: tt.ttl, old: []*Outcome{before}}
		if got := ids(q.due(wave)); got != tt.due {
			t.Errorf("%+v: due are %q", tt, got)
		}
		if tt.due != "" {
			continue
		}
		if b, c := q.outcome("B"), q.outcome("C"); b != before || c == nil || !c.Failed() || !strings.Contains(c.Note, errSpent.Error()) {
			t.Errorf("what is left has %+v and %+v", b, c)
		}
	}
}

// TestBlame holds that an error between two phases is noted once, with the phase before it.
func TestBlame(t *testing.T) {
	var events []Event
	r := newRun(time.Now, func(e Event) { events = append(events, e) }, []string{"assess", "retrieve", "collect"})
	trouble := errors.New("the disk is full")
	r.blame(trouble) // nothing has run
	for _, phase := range []string{"assess", "retrieve"} {
		if err := r.Do(phase, func() (string, error) { return "well", nil }); err != nil {
			t.Fatal(err)
		}
	}
	r.blame(trouble)
	r.blame(errors.New("another one"))
	phases, _ := r.Done()
	if phases[0].Status != OK || phases[1].Status != Failed || phases[1].Detail != trouble.Error() {
		t.Errorf("%+v", phases)
	}
	failures := slices.DeleteFunc(events, func(e Event) bool { return e.Status != Failure })
	if len(failures) != 1 || failures[0].Phase != "retrieve" {
		t.Errorf("%+v", failures)
	}
}

// TestRoom holds that a prompt's data leaves room for the reply and for what every prompt says, in any window.
func TestRoom(t *testing.T) {
	for _, tt := range []struct{ window, reply, room int }{
		{0, 0, usualWindow - usualReply - frame}, {100_000, 1000, 100_000 - 1000 - frame}, {100_000, 90_000, 75_000 - frame}, {8000, 0, 8000 - 2000 - frame}, {2000, 0, smallEvidence},
	} {
		o := &Options{window: tt.window, Sizes: Sizes{MaxTokens: tt.reply}}
		if got := o.room(); got != tt.room {
			t.Errorf("window %d, reply %d: %d, want %d", tt.window, tt.reply, got, tt.room)
		}
	}
}

// TestSettled holds when keywords decide the complexity of a question without a model.
func TestSettled(t *testing.T) {
	sure := Assessment{Confidence: sureEnough, Score: borderHigh + 1, Matched: []string{"refactor"}}
	for name, tt := range map[string]struct {
		change  func(*Assessment)
		query   string
		settled bool
	}{
		"sure":               {func(*Assessment) {}, "refactor the daemon", true},
		"not sure":           {func(a *Assessment) { a.Confidence = sureEnough - 0.01 }, "refactor the daemon", false},
		"at the upper edge":  {func(a *Assessment) { a.Score = borderHigh }, "refactor the daemon", false},
		"at the lower edge":  {func(a *Assessment) { a.Score = borderLow }, "refactor the daemon", false},
		"below":              {func(a *Assessment) { a.Score = borderLow - 1 }, "refactor the daemon", true},
		"no keyword":         {func(a *Assessment) { a.Matched = nil }, "daemon", false},
		"a look-up in words": {func(a *Assessment) { a.Matched = nil }, "  " + strings.ToUpper(lookUps[0]) + " is it", true},
	} {
		a := sure
		tt.change(&a)
		if got := a.settled(tt.query); got != tt.settled {
			t.Errorf("%s: %v", name, got)
		}
	}
}
