package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/engine/conversation"
	"github.com/aurora-sidecar/aurora/engine/llm/llmtest"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/memory"
)

// A chat is a conversation with an engine, as a door has it.
type chat struct {
	*testWorkspace
	talks conversation.Talks
}

// say sends a message and returns what comes back, with the request that was asked; its query is "" when none was.
func (c *chat) say(conversation, message string) (*QueryResult, QueryRequest) {
	c.Helper()
	ctx := context.Background()
	reply, r := c.talks.Receive(ctx, c.engine.reasoner, QueryRequest{Query: message, ConversationID: conversation})
	if reply != nil {
		return reply, QueryRequest{}
	}
	result, err := c.engine.Query(ctx, r, nil)
	if err != nil {
		c.Fatal(err)
	}
	c.talks.Answered(r, result)
	return result, r
}

func TestSignalsTeachAboutTheirAnswer(t *testing.T) {
	w := openWorkspace(t, shop)
	ctx := context.Background()
	c := &chat{testWorkspace: w}
	if reply, _ := c.talks.Receive(ctx, w.engine.reasoner, QueryRequest{Query: "thanks", ConversationID: "one"}); reply != nil {
		t.Errorf("a first message got %+v", reply)
	}
	answered := func(conversation, id, record string) {
		c.talks.Answered(QueryRequest{ConversationID: conversation, Query: "what is Cart?"}, &QueryResult{Citations: []Hit{{ID: id}}, ChunkID: record})
	}
	level := func(id string) (float64, bool) {
		t.Helper()
		levels, err := w.engine.opts.Memory.Activation(ctx, []string{id})
		if err != nil {
			t.Fatal(err)
		}
		l, used := levels[id]
		return l, used
	}
	score := 0.85
	for _, test := range []struct {
		message, reply, asked string
		used, rejected        bool
		confidence            float64
		pattern               bool
	}{
		{"Thanks!", "Ask on when there is more.", "", true, false, 0.95, true},
		{"Great. And who calls it?", "", "who calls Cart?", true, false, 0.95, true},
		{"no", "What did I misunderstand? Can you clarify?", "", true, true, 0, false},
		{"No, who calls TotalPrice?", "", "who calls TotalPrice?", true, true, 0, false},
		{"never mind", "nothing was learned", "", false, false, 0.85, true},
		{"stop. Who calls it?", "", "Who calls it?", false, false, 0.85, true},
		{"also its tests", "", "the tests of Cart", false, false, 0.85, true},
		{"try again", "", "what is Cart?", false, false, 0.85, false},
		{"where is no used", "", "where is no used", false, false, 0.85, true},
	} {
		t.Run(test.message, func(t *testing.T) {
			saved, _, err := w.engine.opts.Memory.Remember(ctx, memory.Record{
				Type: memory.Reasoning, Content: "an answer " + test.message, Quality: memory.Quality{SuccessScore: &score, Pattern: true}, Tags: []string{"pattern"},
			})
			if err != nil {
				t.Fatal(err)
			}
			id := "code:x:" + test.message
			answered("one", id, saved.ID)
			answered("two", "code:of another conversation", "")
			reply, next := c.talks.Receive(ctx, w.engine.reasoner, QueryRequest{Query: test.message, ConversationID: "one"})
			if (reply == nil) != (test.reply == "") || reply != nil && !strings.Contains(reply.Answer, test.reply) || reply == nil && next.Query != test.asked {
				t.Errorf("reply %+v, asked %q, want %q", reply, next.Query, test.asked)
			}
			l, used := level(id)
			if used != test.used || used && (l == -20) != test.rejected {
				t.Errorf("used %v, level %v", used, l)
			}
			record, err := w.engine.opts.Memory.Get(ctx, saved.ID)
			confidence := score
			if record.Confidence != nil {
				confidence = *record.Confidence
			}
			if err != nil || fmt.Sprintf("%.2f", confidence) != fmt.Sprintf("%.2f", test.confidence) || record.Pattern != test.pattern ||
				slices.Contains(record.Tags, memory.Incorrect) != test.rejected || slices.Contains(record.Tags, "pattern") != test.pattern {
				t.Errorf("%v, confidence %v, pattern %v, tags %q", err, confidence, record.Pattern, record.Tags)
			}
		})
	}
	if _, used := level("code:of another conversation"); used {
		t.Error("another conversation was learned from")
	}
}

// TestIncorrectAnswersComeLast holds that what a person called wrong is marked wherever it is shown.
func TestIncorrectAnswersComeLast(t *testing.T) {
	w := openWorkspace(t, shop)
	ctx := context.Background()
	wrong, _, err := w.engine.Memory().Remember(ctx, RememberRequest{Content: "Zebras pay no tax at the till", Type: "reasoning"})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := w.engine.Memory().Remember(ctx, RememberRequest{Content: "Zebras pay tax, says the tax office at the till"}); err != nil {
		t.Fatal(err)
	}
	if err := w.engine.opts.Memory.Judge(ctx, wrong, memory.Judgement{Wrong: true}); err != nil {
		t.Fatal(err)
	}
	hits := w.search(SearchRequest{Query: "zebras tax till"}).Hits
	if len(hits) < 2 || hits[0].ID == wrong {
		t.Fatalf("hits %q", names(hits))
	}
	at := slices.IndexFunc(hits, func(h Hit) bool { return h.ID == wrong })
	if at < 0 || !strings.Contains(hits[at].Text, "said that this is wrong") {
		t.Errorf("the wrong one is at %d of %q", at, names(hits))
	}
}

func TestClarification(t *testing.T) {
	c := &chat{testWorkspace: openWorkspace(t, shop)}
	c.say("one", "what is Cart?")
	if r, _ := c.say("one", "That's wrong"); !strings.Contains(r.Answer, "Can you clarify?") {
		t.Fatalf("reply %+v", r)
	}
	if r, _ := c.say("one", "no"); !strings.Contains(r.Answer, "Can you clarify?") {
		t.Errorf("a second no gets %+v", r)
	}
	if _, asked := c.say("one", "the price with tax"); asked.Query != "the price with tax Cart" || !asked.Fresh || asked.Before != nil {
		t.Errorf("asked %+v", asked)
	}
	if _, asked := c.say("one", "who calls TotalPrice?"); asked.Query != "who calls TotalPrice?" { // the clarification has been answered
		t.Errorf("asked %q", asked.Query)
	}
	c.withModel(ample)
	c.say("one", "no")
	if _, asked := c.say("one", "the other one"); asked.Query != "who calls TotalPrice?\n\nWhat was meant: the other one" || !asked.Fresh {
		t.Errorf("asked %+v", asked)
	}
	if reply, _ := c.talks.Receive(context.Background(), c.engine.reasoner, QueryRequest{Query: "never mind", ConversationID: "two"}); reply != nil {
		t.Errorf("a first message got %+v", reply)
	}
}

func TestTryAgainVerifiesMoreStrictly(t *testing.T) {
	w := openWorkspace(t, shop)
	for _, test := range []struct{ level, model, mode, verification string }{
		{"SIMPLE", "m", "soar", "self"}, {"MEDIUM", "m", "soar", "adversarial"}, {"COMPLEX", "m", "soar", "debate"},
		{"CRITICAL", "m", "soar", "debate"}, {"SIMPLE", "", "", ""},
	} {
		var talks conversation.Talks
		talks.Answered(QueryRequest{Query: "why is it slow?", Consent: Consent{BudgetAccepted: true}, ConversationID: "one"}, &QueryResult{Complexity: test.level, Model: test.model})
		_, r := talks.Receive(context.Background(), w.engine.reasoner, QueryRequest{Query: "Try again!", ConversationID: "one"})
		if r.Query != "why is it slow?" || !r.Fresh || r.Force || r.BudgetAccepted || r.Mode != test.mode || r.Verification != test.verification {
			t.Errorf("%+v: %+v", test, r)
		}
	}
}

// TestFollowUpKeepsWhatWasFound asks two questions of a scripted model, and changes what the first one found.
func TestFollowUpKeepsWhatWasFound(t *testing.T) {
	w := openWorkspace(t, shop)
	server, _ := w.withModel(ample)
	c := &chat{testWorkspace: w}
	first, _ := c.say("one", "Design the cart and the tax")
	if first.Complexity != "COMPLEX" {
		t.Fatalf("%+v", first)
	}
	server.Reset()
	second, asked := c.say("one", "and what of its rounding")
	tasks := tasksOf(server)
	if second.Complexity != "COMPLEX" || len(second.Subgoals) != 6 || tasks["solve"] != 2 || tasks["assess"] != 0 || asked.Query != "and what of its rounding" {
		t.Errorf("%s, %d subgoals, calls %v", second.Complexity, len(second.Subgoals), tasks)
	}
	for i := range second.Citations {
		if h := &second.Citations[i]; h.Path == "" && h.Source != "memory" {
			t.Errorf("citation %d leads nowhere: %+v", i+1, second.Citations[i])
		}
	}

	w.write("price/tax.go", strings.ReplaceAll(shop["price/tax.go"], "119", "121"))
	w.wait()
	server.Reset()
	third, _ := c.say("one", "also who wrote it")
	if tasks := tasksOf(server); len(third.Subgoals) != 9 || tasks["solve"] != 5 { // two are new, three of four rest on what changed
		t.Errorf("findings on changed code were kept: %d subgoals, calls %v", len(third.Subgoals), tasks)
	}
}

func tasksOf(server *llmtest.Server) map[string]int {
	tasks := map[string]int{}
	for _, call := range server.Calls() {
		tasks[call.Task]++
	}
	return tasks
}

// TestLeftQuestionGoesOn leaves a question while its answer is written.
func TestLeftQuestionGoesOn(t *testing.T) {
	w := openWorkspace(t, shop)
	server, _ := w.withModel(ample)
	ctx := context.Background()
	var talks conversation.Talks
	_, r := talks.Receive(ctx, w.engine.reasoner, QueryRequest{Query: "Compare the cart and the tax", Mode: "soar", ConversationID: "one"})
	running, ended := talks.Begin(ctx, "one")
	var said *QueryResult
	_, err := w.engine.Query(running, r, func(p Progress) {
		if p.Stage == soar.Synthesize && said == nil {
			said, _ = talks.Receive(ctx, w.engine.reasoner, QueryRequest{Query: "stop", ConversationID: "one"})
		}
	})
	if left := ended(); !left || !errors.Is(err, context.Canceled) || said == nil || !strings.Contains(said.Answer, "resume") {
		t.Fatalf("left %v, %v, said %+v", left, err, said)
	}
	talks.Left(r)
	if difficult, err := w.engine.opts.Memory.Difficult(ctx); len(difficult) > 0 || err != nil {
		t.Errorf("the question is marked as difficult: %+v, %v", difficult, err)
	}
	server.Reset()
	_, again := talks.Receive(ctx, w.engine.reasoner, QueryRequest{Query: "Resume.", ConversationID: "one"})
	result, err := w.engine.Query(ctx, again, nil)
	if tasks := tasksOf(server); err != nil || !result.Verified || tasks["decompose"]+tasks["solve"] != 0 || tasks["synthesize"] != 1 {
		t.Errorf("%v, calls %v, result %+v", err, tasks, result)
	}
	talks.Answered(again, result)
	if _, r := talks.Receive(ctx, w.engine.reasoner, QueryRequest{Query: "resume", ConversationID: "one"}); r.Query != "resume" {
		t.Errorf("an answered question is resumed: %q", r.Query)
	}
}

func TestSignalsAreSwitchedOff(t *testing.T) {
	w := openWorkspace(t, shop)
	w.rewire(func(o *Options) { o.NoSignals = true })
	var talks conversation.Talks
	talks.Answered(QueryRequest{Query: "what is Cart?", ConversationID: "one"}, &QueryResult{Complexity: "SIMPLE", Model: "m"})
	if reply, r := talks.Receive(t.Context(), w.engine.reasoner, QueryRequest{Query: "no", ConversationID: "one"}); reply != nil || r.Query != "no" {
		t.Errorf("%+v, %q", reply, r.Query)
	}
}
