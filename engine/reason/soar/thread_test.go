package soar

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

func subgoalIDs(p *Plan) []string {
	var ids []string
	for _, s := range p.Subgoals {
		ids = append(ids, s.ID)
	}
	return ids
}

// TestFollowUpAddsToThePlan holds SIG-004: the level stays, what was worked on stays, and the plan grows.
func TestFollowUpAddsToThePlan(t *testing.T) {
	b := newBench(t, 10*time.Second)
	first := b.ask(context.Background(), planned)
	if first.err != nil || first.Thread() == nil || len(first.Thread().Outcomes) != 3 {
		t.Fatalf("%v, thread %+v", first.err, first.Thread())
	}
	b.server.Reset()
	second := b.ask(context.Background(), Request{Query: "and its tests", Before: first.Thread()})
	if second.err != nil || second.Method != "conversation" || second.Assessment.Level != Medium {
		t.Fatalf("%v, assessed %+v by %s", second.err, second.Assessment, second.Method)
	}
	if got, want := subgoalIDs(second.Plan), []string{"SG1", "SG2", "SG3", "SG4", "SG5", "SG6"}; !slices.Equal(got, want) || !second.Plan.Extended {
		t.Errorf("subgoals %q, want %q", got, want)
	}
	if n := b.tasks(); n["assess"] != 0 || n["solve"] != 2 {
		t.Errorf("calls %v: the finished subgoals were worked on again", n)
	}
	for _, o := range first.Outcomes {
		if !slices.Contains(second.Outcomes, o) {
			t.Errorf("the outcome of %s is lost", o.Subgoal.ID)
		}
	}
	for _, c := range b.server.Calls() {
		if c.Task == "decompose" && (!strings.Contains(c.Text(), "ids from SG4 on") || !strings.Contains(c.Text(), `<aurora:earlier query="`+mediumQuery)) {
			t.Errorf("the prompt does not tell of the question before:\n%s", c.Text())
		}
	}
}

// TestFollowUpThatDoesNotFit gets a plan of its own.
func TestFollowUpThatDoesNotFit(t *testing.T) {
	b := newBench(t, 10*time.Second)
	thread := b.ask(context.Background(), planned).Thread()
	for i := range thread.Plan.Subgoals {
		thread.Plan.Subgoals[i].Agent = "who-left"
	}
	o := b.ask(context.Background(), Request{Query: "and its tests", Before: thread})
	if o.err != nil || o.Plan.Extended || len(o.Plan.Subgoals) != 3 || !strings.Contains(o.Plan.Subgoals[0].Description, "and its tests") {
		t.Errorf("%v, plan %+v", o.err, o.Plan)
	}
}

// TestStoppedQuestionGoesOn stops a question while its subgoals are worked on, and asks on behind its plan.
func TestStoppedQuestionGoesOn(t *testing.T) {
	b := newBench(t, 10*time.Second)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	var stopped *State
	_, _, _, err := func() (s *State, p []Phase, d time.Duration, err error) {
		stopped, p, d, err = b.Ask(ctx, planned, func(e Event) {
			if e.Phase == Synthesize {
				stop()
			}
		})
		return stopped, p, d, err
	}()
	if !errors.Is(err, context.Canceled) || len(b.ledger.results) > 0 {
		t.Fatalf("%v, recorded %d", err, len(b.ledger.results))
	}
	thread := stopped.Thread()
	thread.Same = true
	b.server.Reset()
	o := b.ask(context.Background(), Request{Query: mediumQuery, Mode: "soar", Before: thread})
	if n := b.tasks(); o.err != nil || !o.Verified || n["decompose"]+n["assess"]+n["solve"] != 0 || n["synthesize"] != 1 {
		t.Errorf("%v, verified %v, calls %v", o.err, o.Verified, n)
	}
}

func TestThreadForgetsWhatChanged(t *testing.T) {
	b := newBench(t, 10*time.Second)
	thread := b.ask(context.Background(), planned).Thread()
	thread.Outcomes[1].Sources = []Source{{ID: "S9", Key: "gone"}}
	thread.Keep(func(s Source) bool { return s.Key != "gone" })
	if len(thread.Outcomes) != 1 || thread.Outcomes[0].Subgoal.ID != "SG1" { // SG3 depends on SG2
		t.Errorf("kept %+v", thread.Outcomes)
	}
	thread.Same = true
	b.server.Reset()
	o := b.ask(context.Background(), Request{Query: mediumQuery, Mode: "soar", Before: thread})
	if n := b.tasks(); o.err != nil || n["decompose"] != 0 || n["solve"] == 0 || len(o.Outcomes) != 3 {
		t.Errorf("%v, calls %v, %d outcomes", o.err, n, len(o.Outcomes))
	}
	if (*State)(nil).Thread() != nil || (&State{}).Thread() != nil {
		t.Error("a thread of nothing")
	}
}

// TestThreadPlaysAgain has a follow-up survive the history's JSON, and play as it went.
func TestThreadPlaysAgain(t *testing.T) {
	b := newBench(t, 10*time.Second)
	first := b.ask(context.Background(), planned)
	second := b.ask(context.Background(), Request{Query: "and its tests", Before: first.Thread()})
	encoded, err := json.Marshal(second.Request)
	if err != nil {
		t.Fatal(err)
	}
	var again Request
	if err := json.Unmarshal(encoded, &again); err != nil || !reflect.DeepEqual(again.Before.Plan, second.Request.Before.Plan) {
		t.Fatalf("%v, plan %+v", err, again.Before)
	}
	player := NewPlayer(second.Recording)
	p := NewPipeline(Options{Reasoning: player, Library: player, Examples: b.opts.Examples})
	state, _, _, err := p.Ask(context.Background(), again, nil)
	if err != nil || state.Answer != second.Answer {
		t.Errorf("%v: %q, was %q", err, state.Answer, second.Answer)
	}
}

func TestExtend(t *testing.T) {
	first := &Plan{
		Given: []Given{{ID: "G1", Fact: "a"}}, Subgoals: []Subgoal{{ID: "SG1", Description: "find the code"}, {ID: "SG2", Description: "join them", DependsOn: []string{"SG1"}}},
		ExecutionOrder: []string{"SG1", "SG2"}, Parallelizable: [][]string{{"SG1"}},
	}
	second := &Plan{
		Given: []Given{{ID: "G1", Fact: "b"}, {ID: "G2", Fact: "a"}},
		Subgoals: []Subgoal{
			{ID: "SG1", Description: "Find the code.", Requires: []string{"G2"}},
			{ID: "SG2", Description: "list the tests", Requires: []string{"G1"}, DependsOn: []string{"SG1"}},
			{ID: "SG7", Description: "count them", Requires: []string{"SG2"}, DependsOn: []string{"SG2"}},
		},
		ExecutionOrder: []string{"SG1", "SG2", "SG7"}, Parallelizable: [][]string{{"SG1", "SG2"}},
	}
	whole := extend(first, second)
	if got := subgoalIDs(whole); !slices.Equal(got, []string{"SG1", "SG2", "SG3", "SG4"}) {
		t.Errorf("subgoals %q", got)
	}
	tests, count := whole.Subgoals[2], whole.Subgoals[3]
	if !slices.Equal(tests.Requires, []string{"G2"}) || !slices.Equal(tests.DependsOn, []string{"SG1"}) || !slices.Equal(count.DependsOn, []string{"SG3"}) {
		t.Errorf("%+v, %+v", tests, count)
	}
	if !slices.Equal(whole.ExecutionOrder, []string{"SG1", "SG2", "SG3", "SG4"}) || len(whole.Given) != 2 || whole.Given[1].Fact != "b" || len(first.Subgoals) != 2 {
		t.Errorf("whole %+v, first %+v", whole, first)
	}
}
