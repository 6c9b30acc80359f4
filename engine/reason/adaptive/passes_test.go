package adaptive

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine/llm/llmtest"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
)

func TestConvergesAtOnce(t *testing.T) {
	b := newBench(t, Options{})
	s := b.must()
	if len(s.Passes) != 1 || s.Passes[0].Ended != "converged" || !s.Passes[0].Convergence.Converged || !s.Verified || len(s.Warnings) > 0 {
		t.Errorf("%+v, warnings %q", s.Passes[0], s.Warnings)
	}
	want := map[string]int{
		"task_profile": 1, "decompose": 1, "critic": 1, "semantic_validation": 2, "solve": 2, "verify_agent_output": 2, "synthesize": 1,
		"verify_synthesis": 1, "convergence": 1,
	}
	if got := b.tasks(); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("calls %v, want %v", got, want)
	}
	p := s.Passes[0]
	if p.TTL != 40 || p.Used != 12 || len(p.Validations) != 2 || len(p.Steps) != 3 || p.Steps[2].Index != 3 || p.Steps[2].Total != 3 || p.Steps[2].Incoming == "" || p.Steps[0].Clarity != soar.Clear {
		t.Errorf("TTL %d, used %d, %d validations, steps %+v", p.TTL, p.Used, len(p.Validations), p.Steps)
	}
	var stages []string
	for _, e := range b.events {
		if e.Phase == strings.ToUpper(e.Phase) && slices.Contains([]string{soar.StagePass, soar.StageProfile, soar.StageValidate, soar.StageConverge}, e.Phase) {
			stages = append(stages, e.Phase)
		}
	}
	if want := "[PROFILE PASS VALIDATE VALIDATE CONVERGE PASS]"; fmt.Sprint(stages) != want {
		t.Errorf("events %v, want %s", stages, want)
	}
}

// TestSecondPass has the first answer lack something: the plan is changed by one step, whose id stays, and only that
// step is worked on again.
func TestSecondPass(t *testing.T) {
	b := newBench(t, Options{})
	b.script(llmtest.Step{Task: "convergence", Scores: figure(0.6), Issue: "the proxy is left out", Times: 1})
	s := b.must()
	if len(s.Passes) != 2 || s.Passes[1].Ended != "converged" || !s.Passes[1].Best || len(s.Warnings) > 0 {
		t.Fatalf("%d passes, the last %+v, warnings %q", len(s.Passes), s.Passes[len(s.Passes)-1], s.Warnings)
	}
	first, second := s.Passes[0], s.Passes[1]
	if fmt.Sprint(ids(first.Plan)) != fmt.Sprint(ids(second.Plan)) || first.Plan.Subgoals[2].Description == second.Plan.Subgoals[2].Description {
		t.Errorf("%v became %v", ids(first.Plan), ids(second.Plan))
	}
	if len(second.Actions) != 1 || !second.Actions[0].Applied || second.Actions[0].Op != soar.Modify || second.Actions[0].Target != "SG3" {
		t.Errorf("actions %+v", second.Actions)
	}
	tasks := b.tasks()
	if tasks["solve"] != 3 || tasks["decompose"] != 1 || tasks["refinement"] != 1 || tasks["critic"] != 2 || tasks["task_profile"] != 1 {
		t.Errorf("calls %v", tasks) // SG2 and SG3 first, then SG3 alone
	}
	if want := []string{"completeness_below_threshold", "coherence_below_threshold", "consistency_below_threshold"}; !slices.Equal(first.Convergence.Reasons, want) {
		t.Errorf("reasons %v", first.Convergence.Reasons)
	}
	again := ""
	for _, c := range b.server.Calls() {
		if c.Task == "refinement" {
			again = c.Text()
		}
	}
	if !strings.Contains(again, "the proxy is left out") {
		t.Error("the refinement was not told what is missing")
	}
}

// TestTTLEnds has work that never converges: it stops, shows the best pass and says so.
func TestTTLEnds(t *testing.T) {
	b := newBench(t, Options{Limits: Limits{TTL: 20}})
	b.script(
		llmtest.Step{Task: "convergence", Scores: figure(0.5), Issue: "more"},
		llmtest.Step{Task: "verify_synthesis", Scores: figure(0.95), Times: 1}, // the first answer is the best
	)
	s := b.must()
	last := s.Passes[len(s.Passes)-1]
	if last.Ended != "the time to live ended" || !s.Passes[0].Best || s.Score != 0.9 { // that of the weakest subgoal
		t.Errorf("%d passes, the last ended as %q, score %v", len(s.Passes), last.Ended, s.Score)
	}
	if text := strings.Join(s.Warnings, "\n"); !strings.Contains(text, "did not converge") || !strings.Contains(text, "The best pass, number 1, is shown") {
		t.Errorf("warnings %q", s.Warnings)
	}
	// A TTL below one pass still gives an answer, from the steps that there was time for.
	b = newBench(t, Options{Limits: Limits{TTL: 3}})
	s = b.must()
	if len(s.Passes) != 1 || s.Answer == "" || len(s.Outcomes) != 3 || !s.Outcomes[2].Failed() || !strings.Contains(s.Outcomes[2].Note, "the time to live ended") {
		t.Errorf("%d passes, answer %q, outcomes %+v", len(s.Passes), s.Answer, s.Outcomes)
	}
}

// TestRefinementLimits has a validation that is never content: 3 attempts for a fragment, 10 in all.
func TestRefinementLimits(t *testing.T) {
	b := newBench(t, Options{Limits: Limits{TTL: 1000}})
	b.script(llmtest.Step{Task: "semantic_validation", Issue: "too vague"}, llmtest.Step{Task: "convergence", Scores: figure(0.5)})
	s := b.must()
	if n := b.tasks()["refinement"]; n != 3 {
		t.Errorf("%d refinements of one fragment", n)
	}
	if last := s.Passes[len(s.Passes)-1]; last.Ended != "another pass would change nothing" {
		t.Errorf("ended as %q", last.Ended)
	}
	b = newBench(t, Options{Limits: Limits{TTL: 1000}, Refinement: soar.PassLimits{PerFragment: 100, Refinements: 4}})
	b.script(llmtest.Step{Task: "semantic_validation", Issue: "too vague"}, llmtest.Step{Task: "convergence", Scores: figure(0.5)})
	s = b.must()
	if n := b.tasks()["refinement"]; n != 4 {
		t.Errorf("%d refinements in all", n)
	}
	if last := s.Passes[len(s.Passes)-1]; last.Ended != "all refinements are used up" {
		t.Errorf("ended as %q", last.Ended)
	}
}

// TestSubplans has a step that holds several: it gets a sub-plan, which is carried out before it.
func TestSubplans(t *testing.T) {
	b := newBench(t, Options{})
	b.script(llmtest.Step{Task: "semantic_validation", Issue: "it holds several", Split: true, Times: 1})
	s := b.must()
	if want := []string{"SG1", "SG2", "SG3", "SG3.1", "SG3.2"}; !slices.Equal(ids(s.Plan), want) {
		t.Fatalf("steps %v", ids(s.Plan))
	}
	if order := s.Plan.ExecutionOrder; slices.Index(order, "SG3") != 4 || len(s.Outcomes) != 5 || s.Outcomes[4].Subgoal.ID != "SG3" || s.Outcomes[4].Failed() {
		t.Errorf("order %v", order)
	}
	if s.Plan.Subgoals[3].Parent != "SG3" || !slices.Equal(s.Plan.Subgoals[2].DependsOn, []string{"SG1", "SG2", "SG3.1", "SG3.2"}) {
		t.Errorf("%+v", s.Plan.Subgoals)
	}
	// A task that is not deep gets none.
	b = newBench(t, Options{})
	shallow, _ := json.Marshal(soar.TaskProfile{Depth: 1, Information: 1, Tools: "none", Breadth: "narrow", Confidence: "low"})
	b.script(llmtest.Step{Task: "task_profile", JSON: shallow}, llmtest.Step{Task: "semantic_validation", Issue: "it holds several", Split: true, Times: 1})
	if s := b.must(); len(s.Plan.Subgoals) != 3 || b.tasks()["subplan"] != 0 || s.Passes[0].TTL != 11 {
		t.Errorf("steps %v, TTL %d", ids(s.Plan), s.Passes[0].TTL)
	}
}

// TestNestingLimit splits the last step again and again.
func TestNestingLimit(t *testing.T) {
	b := newBench(t, Options{Limits: Limits{TTL: 1000}, Refinement: soar.PassLimits{Nesting: 3, PerFragment: 100, Refinements: 100}})
	deep, _ := json.Marshal(soar.TaskProfile{Depth: 5, Information: 0, Tools: "heavy", Breadth: "broad", Confidence: "high"})
	issue := func(fragment string) json.RawMessage {
		return json.RawMessage(`{"scores":{"specificity":0.5,"relevance":1,"consistency":1,"groundedness":1},"issues":[{"fragment":"` + fragment + `","kind":"specificity","severity":"medium","message":"several","split":true}]}`)
	}
	b.script(llmtest.Step{Task: "task_profile", JSON: deep},
		llmtest.Step{Task: "semantic_validation", JSON: issue("SG3"), Times: 1}, llmtest.Step{Task: "semantic_validation", JSON: issue("SG3.1"), Times: 1},
		llmtest.Step{Task: "semantic_validation", JSON: issue("SG3.1.1"), Times: 1})
	s := b.must()
	if b.tasks()["subplan"] != 2 || !slices.Contains(ids(s.Plan), "SG3.1.2") || slices.Contains(ids(s.Plan), "SG3.1.1.1") {
		t.Errorf("%d sub-plans, steps %v", b.tasks()["subplan"], ids(s.Plan))
	}
}

// TestBadRefinements are refused, each for its reason, and leave the plan as it was.
func TestBadRefinements(t *testing.T) {
	for _, tt := range []struct{ name, action, want string }{
		{"an unknown agent", `{"op":"MODIFY","target":"SG3","changes":{"agent":"nobody"},"reason":"x"}`, "nobody"},
		{"a circle", `{"op":"MODIFY","target":"SG1","changes":{"depends_on":["SG3"]},"reason":"x"}`, "circle"},
		{"no such step", `{"op":"MODIFY","target":"SG8","changes":{"description":"x"},"reason":"x"}`, "there is no such step"},
		{"a step without a description", `{"op":"ADD","target":"SG4","changes":{"agent":"llm-executor"},"reason":"x"}`, "needs a description"},
		{"too few left", `{"op":"REMOVE","target":"SG1","reason":"x"},{"op":"REMOVE","target":"SG2","reason":"x"}`, "has 1 subgoals"},
		{"an unknown given", `{"op":"MODIFY","target":"SG3","changes":{"requires":["G7"]},"reason":"x"}`, "G7"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, Options{Limits: Limits{TTL: 1000}})
			b.script(llmtest.Step{Task: "semantic_validation", Issue: "vague", Times: 1},
				llmtest.Step{Task: "refinement", JSON: json.RawMessage(`{"actions":[` + tt.action + `]}`)})
			s := b.must()
			a := s.Passes[0].Actions
			if len(a) == 0 || a[0].Applied || !strings.Contains(fmt.Sprint(a), tt.want) || !slices.Equal(ids(s.Plan), []string{"SG1", "SG2", "SG3"}) || !s.Verified {
				t.Errorf("actions %+v, steps %v, verified %v", a, ids(s.Plan), s.Verified)
			}
		})
	}
}

// TestIdsAreNotUsedTwice removes a step and adds one under its id.
func TestIdsAreNotUsedTwice(t *testing.T) {
	b := newBench(t, Options{})
	b.script(llmtest.Step{Task: "semantic_validation", Issue: "vague", Times: 1}, llmtest.Step{Task: "refinement", JSON: json.RawMessage(`{"actions":[
		{"op":"REMOVE","target":"SG2","reason":"beside the point"},
		{"op":"ADD","target":"SG2","changes":{"description":"Read the proxy","requires":["G1"],"agent":"code-search","expected_output":"x","depends_on":[]},"reason":"instead"}]}`)})
	s := b.must()
	if want := []string{"SG1", "SG3", "SG4"}; !slices.Equal(ids(s.Plan), want) || s.Passes[0].Actions[1].Target != "SG4" {
		t.Errorf("steps %v", ids(s.Plan))
	}
	if slices.Contains(s.Plan.Subgoals[1].DependsOn, "SG2") {
		t.Errorf("SG3 depends on a step that is gone: %+v", s.Plan.Subgoals[1])
	}
}

// TestProfileIsCorrected has a step that is not clear: at the boundary the task is described again.
func TestProfileIsCorrected(t *testing.T) {
	b := newBench(t, Options{})
	broad, _ := json.Marshal(soar.TaskProfile{Depth: 4, Information: 0.3, Tools: "heavy", Breadth: "broad", Confidence: "high"})
	profile, _ := json.Marshal(Default)
	b.script(
		llmtest.Step{Task: "task_profile", JSON: profile, Times: 1}, llmtest.Step{Task: "task_profile", JSON: broad},
		llmtest.Step{Task: "verify_agent_output", Contains: "SG2", Scores: figure(0.6), Issue: "half", Times: 3}, // it is accepted in part
		llmtest.Step{Task: "semantic_validation", Contains: "clarity_state", Issue: "the other half", Times: 1},
		llmtest.Step{Task: "convergence", Scores: figure(0.7), Times: 1},
	)
	s := b.must()
	if len(s.Passes) != 2 || s.Passes[0].TTL != 40 || s.Passes[1].TTL != 120 || s.Passes[0].Steps[1].Clarity != soar.PartiallyClear || s.Passes[1].Steps[1].Clarity != soar.Clear {
		t.Fatalf("%d passes: %+v", len(s.Passes), s.Passes[0].Steps)
	}
	for _, c := range b.server.Calls() {
		if c.Task == "task_profile" && strings.Contains(c.Text(), `"clarity_state":{"SG1":"CLEAR","SG2":"PARTIALLY_CLEAR"`) {
			return
		}
	}
	t.Error("the second description was not told how clear the steps are")
}

// faulty are the tasks of the modules.
var faulty = []string{"task_profile", "semantic_validation", "convergence", "refinement", "subplan"}

// TestModuleFaults has each fault happen at each module, for ever: the answer is not lost.
func TestModuleFaults(t *testing.T) {
	for _, task := range faulty {
		for _, fault := range llmtest.Faults {
			t.Run(task+"/"+string(fault), func(t *testing.T) {
				t.Parallel()
				timeout := 30 * time.Second
				if fault == llmtest.Hang {
					timeout = time.Second // each other call has to end within it
				}
				b := newBenchWith(t, timeout, Options{})
				b.script(llmtest.Step{Task: task, Fault: fault})
				switch task {
				case "refinement":
					b.script(llmtest.Step{Task: "semantic_validation", Issue: "vague", Times: 1})
				case "subplan":
					b.script(llmtest.Step{Task: "semantic_validation", Issue: "vague", Split: true, Times: 1})
				}
				s := b.must()
				if b.tasks()[task] == 0 {
					t.Fatalf("%s was never asked", task)
				}
				if !s.Verified || strings.Contains(s.Answer, "rm -rf") {
					t.Errorf("verified %v: %s", s.Verified, s.Answer)
				}
				if fault != llmtest.Fenced && fault != llmtest.WrongIDs && len(s.Warnings) == 0 {
					t.Error("no warning")
				}
			})
		}
	}
}

// TestLaterPassFails has the endpoint go away after the first answer: that one is shown; and before it: what was found is.
func TestLaterPassFails(t *testing.T) {
	b := newBench(t, Options{})
	b.script(llmtest.Step{Task: "convergence", Scores: figure(0.6), Issue: "more"}, llmtest.Step{Task: "critic", Times: 1}, llmtest.Step{Task: "critic", Fault: llmtest.Unavailable})
	s := b.must()
	if len(s.Passes) != 2 || !s.Passes[0].Best || !strings.Contains(s.Passes[1].Ended, "503") || !s.Verified || !strings.Contains(strings.Join(s.Warnings, " "), "503") {
		t.Errorf("%d passes, warnings %q", len(s.Passes), s.Warnings)
	}
	b = newBench(t, Options{})
	b.script(llmtest.Step{Task: "solve", Fault: llmtest.Unavailable}, llmtest.Step{Task: "synthesize", Fault: llmtest.Unavailable})
	state, err := b.ask(context.Background())
	if err != nil || state.FellBack != soar.ByFindings || state.Answer == "" || len(state.Passes) != 1 || state.Passes[0].Plan == nil || !strings.Contains(state.Passes[0].Ended, "503") {
		t.Errorf("%v, fell back on %q, %+v", err, state.FellBack, state.Passes) // the state is kept
	}
}

// TestCancel ends the query while each module is asked, which would hang without it.
func TestCancel(t *testing.T) {
	for _, task := range faulty {
		t.Run(task, func(t *testing.T) {
			b := newBench(t, Options{})
			b.script(llmtest.Step{Task: task, Fault: llmtest.Hang})
			if task == "refinement" || task == "subplan" {
				b.script(llmtest.Step{Task: "semantic_validation", Issue: "vague", Split: task == "subplan", Times: 1})
			}
			ctx, cancel := context.WithCancel(context.Background())
			var at time.Time
			done := make(chan struct{})
			go func() {
				defer close(done)
				<-b.server.Hanging()
				at = time.Now()
				cancel()
			}()
			_, err := b.ask(ctx)
			<-done
			if took := time.Since(at); !errors.Is(err, context.Canceled) || took > 20*time.Second {
				t.Errorf("%v after %v", err, took)
			}
		})
	}
}
