package soar

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/prompts"
)

// TestWhoAssesses holds that a model is asked when that is asked for, and only then.
func TestWhoAssesses(t *testing.T) {
	for _, tt := range []struct {
		query, assess string
		asked         int
		method        string
	}{
		{simpleQuery, "", 0, "keyword"}, {simpleQuery, "llm", 1, "llm"}, {mediumQuery, "", 1, "llm"}, {mediumQuery, "keyword", 0, "keyword"},
	} {
		b := newBench(t, 10*time.Second)
		if o := b.ask(context.Background(), Request{Query: tt.query, Assess: tt.assess}); o.err != nil || b.tasks()["assess"] != tt.asked || o.Method != tt.method {
			t.Errorf("%+v: asked %d times, by %s, %v", tt, b.tasks()["assess"], o.Method, o.err)
		}
	}
}

// TestFailuresRaise holds that a question whose like failed twice is worked on as one of the next level.
func TestFailuresRaise(t *testing.T) {
	for _, tt := range []struct {
		query    string
		failures int
		level    Level
		option   Option
	}{
		{simpleQuery, 1, Simple, NoReview}, {simpleQuery, 2, Medium, Self}, {mediumQuery, 2, Complex, Adversarial}, {complexQuery, 5, Critical, Debate}, {criticalQuery, 5, Critical, Debate},
	} {
		b := newBench(t, 10*time.Second)
		o := b.ask(context.Background(), Request{Query: tt.query, Failures: tt.failures})
		if o.err != nil || o.Assessment.Level != tt.level || o.Option != tt.option {
			t.Errorf("%+v: %s, %s, %v", tt, o.Assessment.Level, o.Option, o.err)
		}
		if told := strings.Contains(strings.Join(o.Warnings, " "), "have failed"); told != (tt.failures > 1 && tt.query != criticalQuery) {
			t.Errorf("%+v: warnings %q", tt, o.Warnings)
		}
	}
	b := newBench(t, 10*time.Second)
	if o := b.ask(context.Background(), Request{Query: simpleQuery, Mode: "direct", Failures: 3}); !o.Direct {
		t.Error("mode direct was overruled")
	}
}

func TestSignature(t *testing.T) {
	a, b := Signature("How does the Cache expire, and the cache of Checkout?"), Signature("how does Checkout expire the cache")
	if a != b || a != "cache checkout expire / MEDIUM" {
		t.Errorf("%q and %q", a, b)
	}
	if Signature("design the cache") == Signature("what is the cache") {
		t.Error("the level does not count")
	}
}

// TestExamplesByLevel: the harder the question, the more examples a prompt shows.
func TestExamplesByLevel(t *testing.T) {
	b := newBench(t, 10*time.Second)
	for level, want := range map[Level]int{Simple: 0, Medium: 2, Complex: 4, Critical: 6} {
		q := b.newQuery(planned, nil)
		q.state.Assessment.Level = level
		for _, set := range []string{prompts.DecomposeSet, prompts.DecompositionSet, prompts.AgentOutputSet, prompts.SynthesisSet} {
			if got := len(q.examples(set)); got != want {
				t.Errorf("%s of a %s question: %d examples, want %d", set, level, got, want)
			}
		}
	}
}

// TestPatternIsATemplate has an earlier answer that passed well: its plan is an example for the next one.
func TestPatternIsATemplate(t *testing.T) {
	b := newBench(t, 10*time.Second)
	pattern := Source{Key: "r", Name: "earlier", Text: "Question: a larger limit\n\nPlan (score 0.90):\n- SG1: Find the limit (code-search)", Pattern: true}
	b.opts.Library = shelfLibrary(append([]Source{pattern}, snippets...))
	if o := b.ask(context.Background(), planned); o.err != nil {
		t.Fatal(o.err)
	}
	for _, c := range b.server.Calls() {
		text := c.Text()
		if c.Task == "decompose" && strings.Contains(text[strings.Index(text, "Examples of good plans"):], "- SG1: Find the limit (code-search)") {
			return
		}
	}
	t.Error("the plan of then is no example")
}
