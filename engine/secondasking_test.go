package engine

import (
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/engine/journal"
	"github.com/aurora-sidecar/aurora/engine/llm/llmtest"
	"github.com/aurora-sidecar/aurora/memory"
)

// TestSecondAskingIsFree asks verified questions again: no model is asked as long as what the answer rests on is as it was,
// and the record is believed.
func TestSecondAskingIsFree(t *testing.T) {
	for _, query := range []string{"Compare the cart and the tax", "Design a cache for WithTax"} {
		w := openWorkspace(t, shop)
		w.keepJournal(journal.Options{})
		server, _ := w.withModel(ample)
		ask := func(r QueryRequest) (*QueryResult, int) {
			server.Reset()
			r.Query = query
			result := w.ask(r)
			w.engine.reasoner.Close()
			return result, len(server.Calls())
		}
		first, calls := ask(QueryRequest{})
		if !first.Verified || first.ChunkID == "" || calls < 2 {
			t.Fatalf("%s: verified %v, remembered as %q, %d calls", query, first.Verified, first.ChunkID, calls)
		}
		same := func(when string, r QueryRequest, free bool) {
			t.Helper()
			again, calls := ask(r)
			if free != (calls == 0) || free != again.Cached || strings.TrimSpace(again.Answer) == "" {
				t.Errorf("%s, %s: %d calls, cached %v: %s", query, when, calls, again.Cached, again.Answer)
			}
			if free && (again.Answer != first.Answer || !again.Verified || again.ChunkID != first.ChunkID || len(again.Citations) != len(first.Citations) || again.QueryID == first.QueryID) {
				t.Errorf("%s, %s: another answer: %+v", query, when, again)
			}
		}
		same("again", QueryRequest{}, true)
		same("once more", QueryRequest{}, true)
		w.engine.wire() // as after a restart
		same("after a restart", QueryRequest{}, true)
		same("another way", QueryRequest{Verification: "debate"}, false)
		same("afresh", QueryRequest{Fresh: true}, false)
		w.write("price/tax.go", strings.ReplaceAll(shop["price/tax.go"], "119", "121"))
		w.wait()
		same("when a source has changed", QueryRequest{}, false)
	}
}

// TestJudgedAnswersAreNotRepeated has a person say that an answer is wrong.
func TestJudgedAnswersAreNotRepeated(t *testing.T) {
	w := openWorkspace(t, shop)
	w.keepJournal(journal.Options{})
	server, _ := w.withModel(ample)
	first := w.ask(QueryRequest{Query: "Compare the cart and the tax"})
	w.engine.reasoner.Close()
	if err := w.engine.opts.Memory.Judge(t.Context(), first.ChunkID, memory.Judgement{Wrong: true}); err != nil {
		t.Fatal(err)
	}
	server.Reset()
	if r := w.ask(QueryRequest{Query: "Compare the cart and the tax"}); r.Cached || len(server.Calls()) == 0 {
		t.Errorf("an answer that is wrong was given again: %+v", r)
	}
}

// TestOwnAnswersAreNoSources asks alike questions until an earlier answer is a template for plans, with the model and when it
// is away: no answer cites one.
func TestOwnAnswersAreNoSources(t *testing.T) {
	w := openWorkspace(t, shop)
	server, _ := w.withModel(ample)
	cites := func(when string, r *QueryResult) {
		t.Helper()
		for _, h := range r.Citations {
			if h.Origin == OriginAnswer {
				t.Errorf("%s: the answer cites %s: %s", when, h.ID, r.Answer)
			}
		}
	}
	for _, query := range []string{"Design a cache for WithTax", "Design another cache for WithTax", "Design a better cache for WithTax", "Compare the cache for WithTax", "What is the cache for WithTax?"} {
		r := w.ask(QueryRequest{Query: query, Fresh: true})
		w.engine.reasoner.Close()
		cites(query, r)
	}
	server.Script(llmtest.Step{Fault: llmtest.Unavailable, After: 0.01})
	cites("the model is away", w.ask(QueryRequest{Query: "Design a cache for WithTax", Fresh: true}))
	for _, call := range server.Calls() {
		if call.Task != "decompose" && strings.Contains(call.Text(), "Question: Design a") {
			t.Errorf("%s reads an earlier answer", call.Task)
		}
	}
}

// TestRefusalsAndFabricationsAreNotRemembered has models refuse, or say what no source bears out, in a direct answer, in a
// reviewed one and in one by a plan.
func TestRefusalsAndFabricationsAreNotRemembered(t *testing.T) {
	for _, reply := range []string{
		"I'm sorry, but I can't help with that.",
		"`WithTax` calls `superCache` [S1].",
		"`WithTax` adds the tax.",
		"It is done by the usual means.",
		"The sources do not show how.",
	} {
		for _, query := range []string{"What is WithTax?", "Compare the cart and the tax", "Design a cache for WithTax"} {
			w := openWorkspace(t, shop)
			server, _ := w.withModel(ample)
			server.Script(llmtest.Step{Task: "direct", Reply: reply}, llmtest.Step{Task: "synthesize", Reply: reply})
			r := w.ask(QueryRequest{Query: query})
			w.engine.reasoner.Close()
			stats, err := w.engine.opts.Memory.Stats(t.Context())
			if err != nil || r.ChunkID != "" || len(stats.Records) != 0 || r.Verified && strings.Contains(reply, "[S1]") {
				t.Errorf("%s, %q: remembered as %q, %+v, %v", query, reply, r.ChunkID, stats.Records, err)
			}
		}
	}
}
