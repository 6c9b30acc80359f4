package soar

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine/reason/claims"
)

var testCards = []Card{
	{ID: "code-search", Capabilities: []string{"code_search"}}, {ID: "llm-executor", Capabilities: []string{"all"}},
}

// goodPlan has n subgoals: those that depend on nothing first, then a chain.
func goodPlan(n, independent int) *Plan {
	p := &Plan{
		Given: []Given{{ID: "G1", Fact: "uploads fail", Source: "query"}, {ID: "G2", Fact: "maxBody is an int32", Source: "context", Ref: "S1"}},
		Goal:  Goal{Description: "know why", Criteria: []string{"a cause with a source"}},
	}
	var side []string
	for i := range n {
		s := Subgoal{ID: fmt.Sprintf("SG%d", i+1), Description: fmt.Sprintf("look at part %d", i+1), Agent: testCards[i%2].ID, DependsOn: []string{}}
		if i < independent {
			s.Requires = []string{[]string{"G1", "G2"}[i%2]}
			side = append(side, s.ID)
		} else {
			s.DependsOn = []string{fmt.Sprintf("SG%d", i)}
		}
		p.Subgoals = append(p.Subgoals, s)
		p.ExecutionOrder = append(p.ExecutionOrder, s.ID)
	}
	if len(side) > 1 {
		p.Parallelizable = [][]string{side}
	}
	return p
}

// spoilers each make a good plan bad.
var spoilers = map[string]func(*Plan){
	"circle of two":     func(p *Plan) { p.Subgoals[0].DependsOn = []string{"SG2"}; p.Subgoals[1].DependsOn = []string{"SG1"} },
	"circle of one":     func(p *Plan) { p.Subgoals[0].DependsOn = []string{"SG1"} },
	"missing given":     func(p *Plan) { p.Subgoals[0].Requires = []string{"G7"} },
	"nothing given":     func(p *Plan) { p.Given = nil },
	"empty fact":        func(p *Plan) { p.Given[0].Fact = " " },
	"fabricated source": func(p *Plan) { p.Given[1].Ref = "S40" },
	"unknown agent":     func(p *Plan) { p.Subgoals[1].Agent = "web-wizard" },
	"unable agent":      func(p *Plan) { p.Subgoals[0].Agent, p.Subgoals[0].Capability = "code-search", "deploy" },
	"fifty subgoals":    func(p *Plan) { *p = *goodPlan(50, 2) },
	"one subgoal":       func(p *Plan) { *p = *goodPlan(1, 1) },
	"same id":           func(p *Plan) { p.Subgoals[1].ID = "SG1" },
	"repetition":        func(p *Plan) { p.Subgoals[1].Description = strings.ToUpper(p.Subgoals[0].Description) },
	"order left out":    func(p *Plan) { p.ExecutionOrder = p.ExecutionOrder[1:] },
	"order twice":       func(p *Plan) { p.ExecutionOrder = append(p.ExecutionOrder, "SG1") },
	"order against need": func(p *Plan) {
		p.Subgoals[0].DependsOn = []string{"SG2"}
		p.Subgoals[1].DependsOn = nil
		p.Subgoals[1].Requires = []string{"G1"}
	},
	"side by side": func(p *Plan) {
		p.Subgoals[1].DependsOn = []string{"SG1"}
		p.Parallelizable = [][]string{{"SG1", "SG2"}}
	},
	"unknown dependency": func(p *Plan) { p.Subgoals[1].DependsOn = []string{"SG9"} },
	"contradiction": func(p *Plan) {
		p.Given = append(p.Given, Given{ID: "G3", Fact: "uploads do not fail", Source: "query"})
	},
	"no goal":    func(p *Plan) { p.Goal = Goal{} },
	"ungrounded": func(p *Plan) { p.Subgoals[0].Requires, p.Subgoals[0].DependsOn = nil, nil },
}

// goodAnswers are borne out by snippets; facts and denials, lists, code, places, proposals.
var goodAnswers = []string{
	"`maxBody` is an `int32` [S1].",
	"`Handle` reads at most `maxBody` bytes [S2].",
	"The limit is 2147483647 bytes [S1].",
	"It is in upload/handler.go:10 [S1].",
	"See upload/handler.go:25 [S2].",
	"Uploads go through the proxy. [S3]",
	"`Handle` takes an `http.ResponseWriter` [S2].",
	"Nothing in the sources shows `Retry`.",
	"You could add `chunkedUpload` to raise the limit.",
	"- `maxBody` bounds an upload [S1]\n- `Handle` uses it [S2]",
	"## The limit\n\n`maxBody` is a constant [S1].",
	"```go\nfunc unknownThing() {}\n```\nThe limit is `maxBody` [S1].",
	"`maxBody` [S1] is read by `Handle` [S2].",
	"Both are in one file [S1][S2].",
	"Both are in one file [S1, S2].",
	"The handler is `Handle(w, r)` [S2].",
	"The sources do not show why.",
	"`r.Body` is read [S2]. The proxy stands before it [S3].",
	"Uploads larger than 2147483647 bytes fail, as `maxBody` is an int32 [S1].",
	"1. `Handle` is called [S2].\n2. It reads `r.Body` [S2].",
	"It returns `nil` [S2]. GitHub and JavaScript are not concerned.",
	"`upload/handler.go` defines both [S1].",
	"The function read() gets the body [S2].",
	"In short: a constant bounds uploads [S1].",
	"Version 2 needs an `int64`; consider `maxBody64`.",
	"`Uploads` are noted in a decision [S3].",
	"The comment says that `maxBody` bounds an upload [S1]!",
	"Is it safe? The limit is fixed [S1].",
	"`Handle` is a `func` of `upload/handler.go` [S2].",
	"`const maxBody int32 = 2147483647` is the limit [S1].",
}

// badAnswers each hold a fabrication.
var badAnswers = []string{
	"`maxBody` is an int32 [S9].",
	"`superCache` holds uploads [S1].",
	"`Handle` calls `retryUpload` [S2].",
	"It is in upload/handler.go:99 [S1].",
	"It is in server/main.go:10 [S1].",
	"The limit is 4096 bytes [S1].",
	"`Handle` is in upload/handler.go:20 [S1].",
	"`maxBody` bounds an upload.",
	"`UploadManager` coordinates everything.",
	"The limit was raised in 2019 [S1].",
	"`maxBody` is an `int64` [S1].",
	"`Handle` returns `ErrTooLarge` [S2].",
	"The proxy is `nginx` [S3].",
	"- `maxBody` bounds an upload [S1]\n- `flushAll` writes it [S2]",
	"uploadWorker() takes over [S2].",
	"The queue_length is bounded [S2].",
	"`maxBody` is set by `loadConfig` [S1].",
	"`Handle` is a method of `Server` [S2].",
	"Uploads go through `proxyPool` [S3].",
	"`maxBody` is 1073741824 [S1].",
	"See handler.go:15 [S1].",
	"It is noted in [S4].",
	"`Handle` is tested by `TestHandle` [S2].",
	"`Handle` and `maxBody` are in `limits.go` [S1].",
	"The limit is `maxBytes` [S1].",
	"`http.MaxBytesReader` guards it [S2].",
	"`Handle` logs to `slog` [S2]. Fine [S2].",
	"`Handle` reads the body.",
	"readBody() is called by `Handle` [S2].",
	"The limit is shared by `Download` [S1][S2].",
}

// agentFaults each spoil a good envelope.
var agentFaults = []func(*Envelope){
	func(e *Envelope) { e.SubgoalID = "SG2" },
	func(e *Envelope) { e.Status = "done" },
	func(e *Envelope) { e.Output.Summary = " " },
	func(e *Envelope) { e.Output.Confidence = 7 },
	func(e *Envelope) { e.Output.Confidence = -0.1 },
	func(e *Envelope) { e.Status, e.Output.Confidence = "error", 0.9 },
	func(e *Envelope) { e.Output.Summary = "`ghost` does it [S1]." },
	func(e *Envelope) { e.Output.Summary = "It is so [S77]." },
	func(e *Envelope) { e.SubgoalID = "" },
	func(e *Envelope) { e.Output.Summary = "`maxBody` is 42000 [S1]." },
}

// TestCatchesSpoiled has the checks that need no model judge 60 bad and 60 good plans, outputs and answers, and prints how
// many they caught.
func TestCatchesSpoiled(t *testing.T) {
	sources := testSources()
	type count struct{ caught, bad, alarms, good int }
	counts := map[string]*count{"plans": {}, "outputs": {}, "answers": {}}
	judge := func(kind, name string, bad bool, problems []claims.Problem) {
		c := counts[kind]
		switch found := len(problems) > 0; {
		case bad:
			c.bad++
			if found {
				c.caught++
			} else {
				t.Logf("%s: not caught: %s", kind, name)
			}
		default:
			c.good++
			if found {
				c.alarms++
				t.Errorf("%s: false alarm: %s: %v", kind, name, problems)
			}
		}
	}
	for name, spoil := range spoilers {
		p := goodPlan(3, 2)
		spoil(p)
		judge("plans", name, true, checkPlan(p, testCards, sources, "why do uploads fail?"))
	}
	for n := 2; n <= 5; n++ {
		for independent := 1; independent <= n; independent++ {
			judge("plans", fmt.Sprintf("%d of %d", independent, n), false, checkPlan(goodPlan(n, independent), testCards, sources, "why do uploads fail?"))
		}
	}
	for i := range 6 {
		p := goodPlan(3, 3)
		p.Subgoals[2].Description = fmt.Sprintf("compare with case %d", i)
		p.Subgoals[2].Requires, p.Subgoals[2].DependsOn, p.Parallelizable = []string{"SG1", "SG2"}, []string{"SG2", "SG1"}, nil
		judge("plans", fmt.Sprintf("join %d", i), false, checkPlan(p, testCards, sources, "why do uploads fail?"))
	}
	task := Task{Subgoal: Subgoal{ID: "SG1", Description: "find the limit"}, Query: "why", Sources: sources}
	envelope := func(summary string) *Envelope {
		return &Envelope{SubgoalID: "SG1", Status: "success", Output: Output{Summary: summary, Confidence: 0.9}}
	}
	for i, spoil := range agentFaults {
		e := envelope("`maxBody` is an int32 [S1].")
		spoil(e)
		judge("outputs", fmt.Sprint(i), true, checkedEnvelope(e, task))
		judge("outputs", goodAnswers[i], false, checkedEnvelope(envelope(goodAnswers[i]), task))
	}
	for i := range badAnswers {
		judge("answers", badAnswers[i], true, claims.Check(badAnswers[i], "why", sources).Problems)
		judge("answers", goodAnswers[i], false, claims.Check(goodAnswers[i], "why", sources).Problems)
	}
	var caught, bad, alarms, good int
	for _, kind := range []string{"plans", "outputs", "answers"} {
		c := counts[kind]
		t.Logf("%-8s %d of %d bad ones caught, %d false alarms on %d good ones", kind, c.caught, c.bad, c.alarms, c.good)
		caught, bad, alarms, good = caught+c.caught, bad+c.bad, alarms+c.alarms, good+c.good
	}
	t.Logf("together %d of %d caught (%.0f %%), %d false alarms on %d", caught, bad, 100*float64(caught)/float64(bad), alarms, good)
	if bad != 60 || good != 60 || float64(caught) < 0.9*float64(bad) {
		t.Errorf("%d of %d caught, %d good ones", caught, bad, good)
	}
}

func testSources() []Source {
	var shelf shelf
	return shelf.put(snippets)
}

func TestFailedCheckCapsTheScore(t *testing.T) {
	for name, spoil := range spoilers {
		p := goodPlan(3, 2)
		spoil(p)
		r := byCode(Self, planWeights, checkPlan(p, testCards, testSources(), ""))
		if r.Overall > cappedScore || r.Verdict != Retry || len(r.issues()) == 0 {
			t.Errorf("%s: %+v", name, r)
		}
	}
	r := &Review{Checks: map[string]Check{"completeness": {Score: 1}, "consistency": {Score: 1}, "groundedness": {Score: 1}, "routability": {Score: 0.9}}}
	r.settle(planWeights, []claims.Problem{{Check: "routability", Message: "no such agent"}})
	if r.Overall != cappedScore || r.Verdict != Retry || r.Checks["routability"].Score != 0 {
		t.Errorf("%+v", r)
	}
}

// TestWeights: the shares of a review add up to one; completeness is two fifths of a plan.
func TestWeights(t *testing.T) {
	for what, weights := range map[string]map[string]float64{"a plan": planWeights, "an output": outputWeights, "an answer": answerWeights} {
		sum := 0.0
		for _, weight := range weights {
			sum += weight
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Errorf("the weights of %s add up to %v", what, sum)
		}
	}
	if planWeights["completeness"] != 0.4 {
		t.Errorf("completeness of a plan counts %v", planWeights["completeness"])
	}
}

func TestScores(t *testing.T) {
	for score, want := range map[float64]Verdict{1: Pass, 0.7: Pass, 0.69: Retry, 0.5: Retry, 0.49: Fail, 0: Fail} {
		r := &Review{Checks: map[string]Check{"relevance": {Score: score}, "completeness": {Score: score}, "groundedness": {Score: score}}}
		r.settle(outputWeights, nil)
		if r.Verdict != want || r.Overall != score {
			t.Errorf("%v: %v %s", score, r.Overall, r.Verdict)
		}
	}
}

// TestHugePlans judges plans of 50 subgoals, in a row and in a circle: each is sent back in a moment.
func TestHugePlans(t *testing.T) {
	cards := []Card{{ID: "llm-executor", Capabilities: []string{"all"}}}
	for _, circle := range []bool{false, true} {
		p := &Plan{Given: []Given{{ID: "G1", Fact: "uploads", Source: "query"}}, Goal: Goal{Description: "uploads", Criteria: []string{"a limit"}}}
		for i := range 50 {
			s := Subgoal{ID: fmt.Sprintf("SG%d", i+1), Description: fmt.Sprintf("Find upload limit number %d", i+1), Requires: []string{"G1"}, Agent: "llm-executor", Expected: "facts"}
			if i > 0 {
				s.DependsOn = []string{fmt.Sprintf("SG%d", i)}
			} else if circle {
				s.DependsOn = []string{"SG50"}
			}
			p.Subgoals, p.ExecutionOrder = append(p.Subgoals, s), append(p.ExecutionOrder, s.ID)
		}
		start := time.Now()
		found := fmt.Sprint(checkPlan(p, cards, nil, "uploads"))
		if took := time.Since(start); !strings.Contains(found, "50 subgoals") || circle && !strings.Contains(found, "circle") || took > 20*time.Second {
			t.Errorf("circle %v: %s after %v", circle, found, took)
		}
	}
}

func TestWaves(t *testing.T) {
	p := goodPlan(5, 2)
	p.Subgoals[4].DependsOn = []string{"SG1"}
	var got []string
	for _, wave := range p.waves() {
		var ids []string
		for _, s := range wave {
			ids = append(ids, s.ID)
		}
		got = append(got, strings.Join(ids, "+"))
	}
	if want := []string{"SG1+SG2", "SG3+SG5", "SG4"}; !slices.Equal(got, want) {
		t.Errorf("waves %q", got)
	}
}

// checkedEnvelope is checkEnvelope with the claims of the summary held against the task's sources.
func checkedEnvelope(e *Envelope, t Task) []claims.Problem {
	return checkEnvelope(e, t, claims.Check(e.Output.Summary, t.question(), t.Sources))
}
