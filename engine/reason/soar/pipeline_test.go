package soar

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/engine/llm/llmtest"
	"github.com/aurora-sidecar/aurora/prompts"
)

const (
	simpleQuery   = "What is maxBody?"
	mediumQuery   = "Compare maxBody and Handle"
	complexQuery  = "Design a larger limit for uploads"
	criticalQuery = "Is maxBody safe in production?"
)

func score(f float64) *float64 { return &f }

func TestLevels(t *testing.T) {
	for _, tt := range []struct {
		query string
		level Level
		tasks map[string]int
	}{
		{simpleQuery, Simple, map[string]int{"direct": 1}},
		{mediumQuery, Medium, map[string]int{"assess": 1, "direct": 1, "verify_synthesis": 1}},
		{complexQuery, Complex, map[string]int{"assess": 1, "decompose": 1, "critic": 1, "solve": 2, "verify_agent_output": 2, "synthesize": 1, "verify_synthesis": 1}},
		{criticalQuery, Critical, map[string]int{"decompose": 3, "advocate": 3, "judge": 1, "critic": 1, "solve": 2, "verify_agent_output": 3, "synthesize": 1, "verify_synthesis": 1}},
	} {
		t.Run(string(tt.level), func(t *testing.T) {
			b := newBench(t, 10*time.Second)
			o := b.ask(context.Background(), Request{Query: tt.query})
			if o.err != nil {
				t.Fatal(o.err)
			}
			if got := b.tasks(); fmt.Sprint(got) != fmt.Sprint(tt.tasks) {
				t.Errorf("calls %v, want %v", got, tt.tasks)
			}
			if o.Assessment.Level != tt.level || !strings.Contains(o.Answer, "`maxBody` is in upload/handler.go:10 [1].") || len(o.Cited) == 0 || o.Cited[0].Key != "a" {
				t.Errorf("%s: %q citing %+v", o.Assessment.Level, o.Answer, o.Cited)
			}
			if learns := tt.level != Simple; o.Verified != learns || len(b.ledger.results) == 1 != learns {
				t.Errorf("verified %v, recorded %d", o.Verified, len(b.ledger.results))
			}
			if o.Confidence < 0.8 || o.total.USD <= 0 {
				t.Errorf("confidence %v, cost %+v", o.Confidence, o.total)
			}
		})
	}
}

func TestStreamedAnswerIsTheAnswer(t *testing.T) {
	b := newBench(t, 10*time.Second)
	b.server.Script(
		llmtest.Step{Fault: llmtest.Cut, Reply: "`Handle` reads [S2] and", Times: 1},
		llmtest.Step{Reply: "`Handle` reads `maxBody` bytes [S2]. `maxBody` is an `int32` [S1]. Both are in one file [S2, S1]."})
	o := b.ask(context.Background(), Request{Query: simpleQuery})
	streamed := ""
	for _, e := range o.events {
		if e.Void {
			streamed = ""
		}
		streamed += e.Delta
	}
	if want := "`Handle` reads `maxBody` bytes [1]. `maxBody` is an `int32` [2]. Both are in one file [1][2]."; o.Answer != want || streamed != want {
		t.Errorf("answer %q, streamed %q", o.Answer, streamed)
	}
	if len(o.Cited) != 2 || o.Cited[0].ID != "S2" || o.Confidence != 1 || len(o.Warnings) > 0 {
		t.Errorf("cited %+v, confidence %v, warnings %q", o.Cited, o.Confidence, o.Warnings)
	}
}

// TestMediumInOneLoop has the answer to a MEDIUM question fail its review: it is written again with the reason, and after
// the last attempt the question is planned as a COMPLEX one.
func TestMediumInOneLoop(t *testing.T) {
	for _, tt := range []struct {
		fails int
		tasks map[string]int
		level Level
	}{
		{0, map[string]int{"direct": 1, "verify_synthesis": 1}, Medium},
		{1, map[string]int{"direct": 2, "verify_synthesis": 2}, Medium},
		{3, map[string]int{"direct": 3, "verify_synthesis": 4, "decompose": 1, "critic": 1, "synthesize": 1}, Complex},
	} {
		b := newBench(t, 10*time.Second)
		if tt.fails > 0 {
			b.server.Script(llmtest.Step{Task: "verify_synthesis", Scores: score(0.6), Issue: "the proxy is left out", Times: tt.fails})
		}
		o := b.ask(context.Background(), Request{Query: mediumQuery})
		if o.err != nil || !o.Verified || len(b.ledger.results) != 1 || o.Assessment.Level != tt.level {
			t.Errorf("%d fail: %v, %s, verified %v, recorded %d", tt.fails, o.err, o.Assessment.Level, o.Verified, len(b.ledger.results))
		}
		for _, task := range []string{"direct", "verify_synthesis", "decompose", "critic", "synthesize"} {
			if got := b.tasks()[task]; got != tt.tasks[task] {
				t.Errorf("%d fail: %d calls of %s, want %d", tt.fails, got, task, tt.tasks[task])
			}
		}
		told, streamed := 0, ""
		for _, c := range b.server.Calls() {
			if c.Task == "direct" && strings.Contains(c.Text(), "the proxy is left out") {
				told++
			}
		}
		for _, e := range o.events {
			if e.Void {
				streamed = ""
			}
			streamed += e.Delta
		}
		if told != min(tt.fails, maxRetries) || tt.level == Medium && streamed != o.Answer {
			t.Errorf("%d fail: told %d times, streamed %q, answer %q", tt.fails, told, streamed, o.Answer)
		}
	}
}

func TestFabricationIsTold(t *testing.T) {
	b := newBench(t, 10*time.Second)
	b.server.Script(llmtest.Step{Reply: "`maxBody` is an int32 [S1]. `superCache` holds uploads [S2]. See also [S9]."})
	o := b.ask(context.Background(), Request{Query: simpleQuery})
	if len(o.Warnings) != 2 || !strings.Contains(o.Warnings[0], "superCache") || !strings.Contains(o.Warnings[1], "S9") || strings.Contains(o.Answer, "S9") || o.Confidence > 0.4 {
		t.Errorf("confidence %v, warnings %q, answer %q", o.Confidence, o.Warnings, o.Answer)
	}
}

// TestRetry has a plan fail its review once; the next one gets the reason and passes.
func TestRetry(t *testing.T) {
	b := newBench(t, 10*time.Second)
	b.server.Script(llmtest.Step{Task: "critic", Scores: score(0.6), Issue: "the proxy is left out", Times: 1})
	o := b.ask(context.Background(), Request{Query: complexQuery})
	if o.err != nil || !o.Verified {
		t.Fatalf("%v, verified %v", o.err, o.Verified)
	}
	calls := b.server.Calls()
	var second llmtest.Call
	for _, c := range calls {
		if c.Task == "decompose" {
			second = c
		}
	}
	if b.tasks()["decompose"] != 2 || !strings.Contains(second.Text(), "Previous decomposition failed because: the proxy is left out") {
		t.Errorf("calls %v", b.tasks())
	}
	for _, p := range o.phases {
		if retried := p.Name == Decompose || p.Name == Verify; retried != (p.Status == Retried) {
			t.Errorf("%s is %s", p.Name, p.Status)
		}
	}
}

// TestEscalation holds the ladder: each option three times, then the next, then an answer that says why not.
func TestEscalation(t *testing.T) {
	b := newBench(t, 10*time.Second)
	b.server.Script(llmtest.Step{Task: "verify_decomposition", Scores: score(0.6), Issue: "too thin"}, llmtest.Step{Task: "critic", Scores: score(0.6), Issue: "too thin"})
	o := b.ask(context.Background(), planned)
	tasks := b.tasks()
	if o.err != nil || tasks["verify_decomposition"] != 3 || tasks["critic"] != 6 || tasks["decompose"] != 3+3+3+2 || tasks["judge"] != 1 || tasks["solve"] != 0 {
		t.Errorf("%v, calls %v", o.err, tasks)
	}
	if !o.Rejected || !strings.Contains(o.Answer, "too thin") || o.Verified || o.Confidence != 0 || len(b.ledger.results) > 0 {
		t.Errorf("rejected %v: %s", o.Rejected, o.Answer)
	}
}

func TestScoresDecide(t *testing.T) {
	for _, tt := range []struct {
		name     string
		step     llmtest.Step
		tasks    map[string]int // those that matter
		verified bool
		warns    string
		recorded int
	}{
		{"a bad plan is not carried out", llmtest.Step{Task: "verify_decomposition", Scores: score(0.3), Issue: "off the point"}, map[string]int{"decompose": 1, "solve": 0}, false, "", 0},
		{"the model's own sum is not read", llmtest.Step{Task: "verify_synthesis", Scores: score(0.65), Issue: "vague"}, map[string]int{"synthesize": 3}, false, "Low confidence (score 0.65): vague", 1},
		{"partly uncertain", llmtest.Step{Task: "verify_synthesis", Scores: score(0.75), Issue: "dates"}, map[string]int{"synthesize": 1}, true, "Partly uncertain (score 0.75): dates", 1},
		{"no reliable answer", llmtest.Step{Task: "verify_synthesis", Scores: score(0.2), Issue: "wrong"}, map[string]int{"synthesize": 3}, false, "No reliable answer", 0},
		{"an output is accepted in part", llmtest.Step{Task: "verify_agent_output", Scores: score(0.6), Issue: "half"}, map[string]int{"solve": 6}, false, "is uncertain: half", 1},
		{"a subgoal fails", llmtest.Step{Task: "verify_agent_output", Scores: score(0.2), Issue: "beside it"}, map[string]int{"solve": 6}, true, "Subgoal SG2 failed", 1},
		{"a silent review is asked", llmtest.Step{Task: "verify_synthesis", Scores: score(0.6), Times: 1}, map[string]int{"synthesize": 2, "retry_feedback": 1}, true, "", 1},
		{"a fabricated citation is sent back", llmtest.Step{Task: "synthesize", Fault: llmtest.WrongIDs, Times: 1}, map[string]int{"synthesize": 2, "verify_synthesis": 1}, true, "", 1},
		{"an agent that does not exist is sent back", llmtest.Step{Task: "decompose", Fault: llmtest.WrongIDs, Times: 1}, map[string]int{"decompose": 2, "verify_decomposition": 1}, true, "", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, 10*time.Second)
			b.server.Script(tt.step)
			o := b.ask(context.Background(), planned)
			if o.err != nil {
				t.Fatal(o.err)
			}
			for task, want := range tt.tasks {
				if got := b.tasks()[task]; got != want {
					t.Errorf("%d calls of %s, want %d", got, task, want)
				}
			}
			if o.Verified != tt.verified || len(b.ledger.results) != tt.recorded || !strings.Contains(strings.Join(o.Warnings, "\n"), tt.warns) {
				t.Errorf("verified %v, recorded %d, warnings %q", o.Verified, len(b.ledger.results), o.Warnings)
			}
			for _, r := range b.ledger.results { // what passed in part is remembered with its score, and is no pattern
				if r.Pattern != (r.Score >= prompts.PatternScore) || r.Score < keepScore {
					t.Errorf("recorded with %.2f as a pattern: %v", r.Score, r.Pattern)
				}
			}
		})
	}
}

// asking are, for each task that calls a model, a query that makes it do so.
var asking = map[string]Request{
	"assess": {Query: mediumQuery}, "decompose": planned, "verify_decomposition": planned, "solve": planned, "verify_agent_output": planned,
	"retry_feedback": planned, "synthesize": planned, "verify_synthesis": planned, "critic": {Query: complexQuery}, "advocate": {Query: criticalQuery},
	"judge": {Query: criticalQuery}, "direct": {Query: simpleQuery},
}

// planned is a MEDIUM question that is planned because it asks for it.
var planned = Request{Query: mediumQuery, Mode: "soar"}

// needsFeedback makes a question ask what to mend: a review that scores low without saying why.
func (b *bench) needsFeedback(task string) {
	if task == "retry_feedback" {
		b.server.Script(llmtest.Step{Task: "verify_synthesis", Scores: score(0.6), Times: 1})
	}
}

// TestEveryFaultAtEveryPhase has each fault happen at each task, for ever: there is an answer, or an error that says what
// happened; costs are right and nothing is half recorded (see check).
func TestEveryFaultAtEveryPhase(t *testing.T) {
	for task, request := range asking {
		for _, fault := range llmtest.Faults {
			t.Run(task+"/"+string(fault), func(t *testing.T) {
				t.Parallel() // they wait rather than work
				timeout := 30 * time.Second
				if fault == llmtest.Hang {
					timeout = time.Second // each other call has to end within it
				}
				b := newBench(t, timeout)
				b.server.Script(llmtest.Step{Task: task, Fault: fault})
				b.needsFeedback(task)
				o := b.ask(context.Background(), request)
				if b.tasks()[task] == 0 {
					t.Fatalf("%s was never asked", task)
				}
				var e *llm.Error
				transport := fault == llmtest.Unauthorized || fault == llmtest.RateLimited || fault == llmtest.ServerError || fault == llmtest.Unavailable || fault == llmtest.Hang || fault == llmtest.Cut
				kept := slices.Contains([]string{"solve", "verify_agent_output", "synthesize", "verify_synthesis", "retry_feedback"}, task) || task == "direct" && fault == llmtest.Cut
				switch {
				case kept && transport: // what there was until then is an answer
					if o.err != nil || o.Verified || strings.TrimSpace(o.Answer) == "" || len(o.Warnings) == 0 || (o.FellBack != "") != (task != "verify_synthesis" && task != "retry_feedback") {
						t.Errorf("%v, verified %v, fell back on %q, warned %q: %s", o.err, o.Verified, o.FellBack, o.Warnings, o.Answer)
					}
					if o.FellBack != "" && len(b.ledger.results) > 0 {
						t.Error("a part of an answer was remembered")
					}
				case transport && (!errors.As(o.err, &e) || e.Message == "" || e.Remedy() == "" || e.Fault == llm.Malformed):
					t.Errorf("error %v", o.err)
				case !transport && o.err != nil && (!errors.As(o.err, &e) || e.Fault != llm.Malformed && e.Fault != llm.Blank):
					t.Errorf("error %v", o.err)
				case o.err != nil && !strings.Contains(fmt.Sprint(o.phases), Failed):
					t.Error("no phase failed")
				case strings.Contains(o.Answer, "rm -rf") && o.Verified:
					t.Errorf("the injected text got through as verified: %s", o.Answer)
				case o.err == nil && o.Verified && fault != llmtest.Fenced && (task == "synthesize" && fault != llmtest.Garbage || task == "decompose"):
					t.Errorf("verified in spite of it: %s", o.Answer)
				}
			})
		}
	}
}

// TestCancelAtEveryPhase: a query that is cancelled ends and leaves nothing, whatever its model is doing; without the cancel it would hang.
func TestCancelAtEveryPhase(t *testing.T) {
	for task, request := range asking {
		t.Run(task, func(t *testing.T) {
			b := newBench(t, 10*time.Second)
			b.server.Script(llmtest.Step{Task: task, Fault: llmtest.Hang})
			b.needsFeedback(task)
			ctx, cancel := context.WithCancel(context.Background())
			go func() {
				<-b.server.Hanging()
				cancel()
			}()
			if o := b.ask(ctx, request); !errors.Is(o.err, context.Canceled) {
				t.Error(o.err)
			}
			if len(b.ledger.results) > 0 {
				t.Error("a cancelled query left a record")
			}
		})
	}
}

func TestManyAtOnce(t *testing.T) {
	b := newBench(t, 30*time.Second)
	const many = 50
	var wg sync.WaitGroup
	for i := range many {
		wg.Go(func() {
			var ends int
			s, phases, _, err := b.Ask(context.Background(), Request{ID: fmt.Sprint(i), Query: mediumQuery, Mode: "soar"}, func(e Event) {
				if e.Status == Complete {
					ends++
				}
			})
			if err != nil || !s.Verified || len(phases) != len(AllPhases) || ends != len(AllPhases) {
				t.Errorf("%d: %v, %d phases, %d ends", i, err, len(phases), ends)
			}
		})
	}
	wg.Wait()
	if len(b.ledger.results) != many {
		t.Errorf("%d recorded", len(b.ledger.results))
	}
}

// TestManyAtOnceKeepNoMemory holds that 50 questions at a time leave nothing behind: after more of them the heap is as large
// as after the first ones.
func TestManyAtOnceKeepNoMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs 50 queries at once, six times")
	}
	b := newBench(t, 30*time.Second)
	b.opts.Recorder = nil
	round := func() uint64 {
		var wg sync.WaitGroup
		for i := range 50 {
			wg.Go(func() {
				if _, _, _, err := b.Ask(context.Background(), Request{ID: fmt.Sprint(i), Query: mediumQuery, Mode: "soar"}, nil); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		b.server.Reset() // it keeps what it was asked
		runtime.GC()
		runtime.GC() // a second one for what finalizers held
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	round()
	before := round()
	var after uint64
	for range 3 {
		after = round()
	}
	const slack = 4 << 20 // bytes; 50 questions that were kept would take more than that each round
	if after > before+slack {
		t.Errorf("the heap grew from %d to %d bytes", before, after)
	}
	t.Logf("heap %d KiB after 100 questions, %d KiB after 250", before>>10, after>>10)
}

func TestModes(t *testing.T) {
	b := newBench(t, 10*time.Second)
	if o := b.ask(context.Background(), Request{Query: criticalQuery, Mode: "direct"}); !o.Direct || b.tasks()["direct"] != 1 || len(b.server.Calls()) != 1 {
		t.Errorf("direct: %v", b.tasks())
	}
	b.server.Reset()
	if o := b.ask(context.Background(), Request{Query: simpleQuery, Mode: "soar"}); o.Direct || o.Assessment.Level != Medium || b.tasks()["verify_decomposition"] != 1 {
		t.Errorf("soar: %v", b.tasks())
	}
	b.server.Reset()
	if o := b.ask(context.Background(), Request{Query: mediumQuery, Mode: "soar", Option: NoReview}); o.Verified || b.tasks()["verify_decomposition"]+b.tasks()["verify_synthesis"] != 0 || !strings.Contains(strings.Join(o.Warnings, ""), "No model has reviewed") {
		t.Errorf("none: %v, warnings %q", b.tasks(), o.Warnings)
	}
}

// TestPromptsKeepTheirLimit has a model and a library talk without end: no prompt grows beyond its limit.
func TestPromptsKeepTheirLimit(t *testing.T) {
	if testing.Short() {
		t.Skip("it counts the tokens of megabytes")
	}
	for _, request := range []Request{{Query: simpleQuery}, {Query: mediumQuery}, planned, {Query: criticalQuery}} {
		b := newBench(t, 30*time.Second)
		long := strings.Repeat("`maxBody` bounds an upload [S1]. ", 4_000)
		var library shelfLibrary
		for i := range 10 {
			library = append(library, Source{Key: fmt.Sprint(i), Path: "a.go", Line: 1, Last: 1, Name: "maxBody", Text: "maxBody bounds an upload " + strings.Repeat("x y\n", 10_000)})
		}
		b.opts.Library = library
		b.server.Script(
			llmtest.Step{Task: "solve", JSON: json.RawMessage(encode(map[string]any{"status": "success", "handoff_to_next": long, "output": Output{Summary: long, Confidence: 0.9, Data: map[string]any{"x": long}}}))},
			llmtest.Step{Task: "synthesize", Reply: long}, llmtest.Step{Task: "verify_synthesis", Scores: score(0.6), Issue: long},
			llmtest.Step{Task: "advocate", JSON: json.RawMessage(encode(map[string]any{"argument": long, "objections": []any{}, "concessions": []any{}}))},
		)
		o := b.ask(context.Background(), Request{Query: request.Query + strings.Repeat(" and more", 1000), Mode: request.Mode, Window: 24_000})
		if o.err != nil {
			t.Fatal(o.err)
		}
		for _, c := range b.server.Calls() {
			limit := prompts.LimitOf(c.Task)
			most := limit.Frame + limit.Data
			if slices.Contains(answering, c.Task) {
				most = max(most, (&Options{window: 24_000}).room()+frame)
			}
			if used := llm.EstimateTokens(c.Text()); used > most {
				t.Errorf("%s takes %d tokens, its limit is %d", c.Task, used, most)
			}
		}
	}
}

func TestRetriesAreTold(t *testing.T) {
	b := newBench(t, 10*time.Second)
	b.server.Script(llmtest.Step{Task: "decompose", Fault: llmtest.Unavailable, Times: 1})
	o := b.ask(context.Background(), planned)
	for _, e := range o.events {
		if e.Phase == Decompose && e.Status == Again && strings.Contains(e.Detail, "HTTP 503") && strings.Contains(e.Detail, "trying again in ") {
			return
		}
	}
	t.Errorf("%v, events %+v", o.err, o.events)
}

func TestGuardrails(t *testing.T) {
	const mail = "What's the authentication bug? My email is john@example.com"
	for text, want := range map[string]string{
		mail:                                    "What's the authentication bug? My email is [REDACTED]",
		"card 4111 1111 1111 1111 fails":        "card [REDACTED] fails",
		"card 4111 1111 1111 1112 is no card":   "card 4111 1111 1111 1112 is no card",
		"at 1763731234560 or 1763731234568":     "at 1763731234560 or 1763731234568", // milliseconds, one of which has a valid check digit
		"ssn 123-45-6789":                       "ssn [REDACTED]",
		"range 000-45-6789":                     "range 000-45-6789",
		"call (555) 123-4567 or +49 30 1234567": "call [REDACTED] or [REDACTED]",
		"key " + "AKIA" + "IOSFODNN7EXAMPLQ":    "key [REDACTED]",
		"v1.2.3 at 2026-11-21 port 8080, 10.0.0.1:443, 1_000_000, line 1234": "v1.2.3 at 2026-11-21 port 8080, 10.0.0.1:443, 1_000_000, line 1234",
	} {
		if got, _ := Redact(text); got != want {
			t.Errorf("%q became %q", text, got)
		}
	}
	b := newBench(t, 10*time.Second)
	o := b.ask(context.Background(), Request{Query: mail})
	if strings.Contains(fmt.Sprint(b.server.Calls()), "john@") || len(o.Redactions) != 1 || o.Redactions[0].Start != 43 {
		t.Errorf("redactions %+v", o.Redactions)
	}
	b.opts.Guards.PII = "reject"
	var blocked *Blocked
	if o := b.ask(context.Background(), Request{Query: mail}); !errors.As(o.err, &blocked) || strings.Contains(o.err.Error(), "john") {
		t.Errorf("reject: %v", o.err)
	}
	b.opts.Guards.Budget = func(string) (string, error) { return "", errors.New("spent") }
	if o := b.ask(context.Background(), Request{Query: simpleQuery}); !errors.As(o.err, &blocked) || !strings.Contains(o.err.Error(), "spent") {
		t.Errorf("budget: %v", o.err)
	}
}

// BenchmarkGuardAndClassify measures what happens to a question before any model is thought of.
func BenchmarkGuardAndClassify(b *testing.B) {
	for b.Loop() {
		text, _ := Redact(complexQuery)
		Classify(text)
	}
}
