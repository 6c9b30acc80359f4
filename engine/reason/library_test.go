package reason

import (
	"errors"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine/answer/evidence"
	"github.com/aurora-sidecar/aurora/engine/codeintel"
	"github.com/aurora-sidecar/aurora/engine/enginetest"
	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/engine/journal"
	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/engine/recall"
	"github.com/aurora-sidecar/aurora/engine/search"
	"github.com/aurora-sidecar/aurora/engine/semantic"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/engine/usage"
	"github.com/aurora-sidecar/aurora/memory/convlog"
	"github.com/aurora-sidecar/aurora/memory/lifespan"
	"github.com/aurora-sidecar/aurora/memory/sqlite"
	"github.com/aurora-sidecar/aurora/memory/sqlite/sqlitetest"
	"github.com/aurora-sidecar/aurora/prompts"
)

// openReasoner opens the shop, with its parts wired as the engine wires them.
func openReasoner(t *testing.T, policies *lifespan.Policies, now func() time.Time) *Reasoner {
	t.Helper()
	ix, store, log := enginetest.Open(t, enginetest.Shop).Index, sqlitetest.Open(t, sqlite.Options{}), slog.New(slog.DiscardHandler)
	records := recall.New(recall.Options{Index: ix, Store: store, Log: log, Now: now, Lifespan: policies})
	intel := codeintel.New(codeintel.Options{Index: ix, Log: log, Now: now, Records: records, Store: store})
	vectors := semantic.New(semantic.Options{Index: ix, Memory: store, Log: log, Now: now})
	t.Cleanup(func() {
		records.Close()
		if err := errors.Join(intel.Close(), vectors.Close(), store.Close()); err != nil {
			t.Error(err)
		}
	})
	searcher := search.New(search.Options{Index: ix, Vectors: vectors, Log: log, Now: now, Git: intel, Memory: records})
	return New(Options{
		Facts: &evidence.Parts{Index: ix, Searcher: searcher, Intel: intel, Records: records, Log: log},
		Past:  &recall.Conversations{Store: store, Folders: ix.Folders, Log: log}, Memory: store, Log: log, Now: now,
		Usage: usage.New(usage.Options{Log: log, Now: now}),
	})
}

// TestFadingRecordsComeLast holds that records which a lifespan policy lets fade stand behind all else that is read for an
// answer.
func TestFadingRecordsComeLast(t *testing.T) {
	policies, err := lifespan.New(nil, "")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	e := openReasoner(t, policies, func() time.Time { return now })
	faded, _, err := e.opts.Facts.Records.Remember(t.Context(), recall.RememberRequest{Content: "The invoicing kangaroo adds tax to every invoice of the kangaroo."})
	if err != nil {
		t.Fatal(err)
	}
	place := func() (at, of int) {
		found, err := e.newReasoning(&Models{}, QueryRequest{}).Retrieve(t.Context(), "invoicing kangaroo tax", soar.Size{Hits: 10, Tokens: 8000})
		if err != nil {
			t.Fatal(err)
		}
		return slices.IndexFunc(found, func(s soar.Source) bool { return s.Key == faded }), len(found)
	}
	if at, of := place(); at != 0 || of < 3 {
		t.Fatalf("a fresh record is at %d of %d", at, of)
	}
	now = now.AddDate(0, 0, 120)
	if at, of := place(); at != of-1 {
		t.Errorf("a record that nobody used for 120 days is at %d of %d", at, of)
	}
}

// TestSynthesisIsAccountedFor holds what a conversation tells of the agents' work: files they changed, questions they put,
// tokens they took.
func TestSynthesisIsAccountedFor(t *testing.T) {
	done := func(id string, files ...any) *soar.Outcome {
		return &soar.Outcome{Subgoal: soar.Subgoal{ID: id}, Envelope: &soar.Envelope{
			Output: soar.Output{Data: map[string]any{"files_modified": files}}, Interactions: []soar.Interaction{{Turn: 1}}, Metadata: soar.Metadata{TokensUsed: 100},
		}}
	}
	s := &soar.State{Work: soar.Work{Outcomes: []*soar.Outcome{done("SG1", "a.go", "b.go", 7), done("SG2", "a.go"), {Subgoal: soar.Subgoal{ID: "SG3"}}}}}
	x := &exchange{state: s, transcript: make([]convlog.Interaction, 2), result: &QueryResult{Course: Course{Phases: []Phase{{Name: soar.Synthesize, Status: soar.OK}}}}}
	told := x.synthesized(s).Output.(object)["synthesis_metadata"].(object)
	if told["subgoals_completed"] != 2 || told["total_files_modified"] != 2 || told["user_interactions_count"] != 2 {
		t.Errorf("%v", told)
	}
	calls := []llm.Call{{Purpose: prompts.Solve, Usage: llm.Usage{Prompt: 5, Completion: 5}}, {Purpose: prompts.Decompose, Usage: llm.Usage{Prompt: 7}}}
	if got := tokensOf(calls, s.Outcomes); got != (Tokens{Reasoning: 7, Agents: 210}) {
		t.Errorf("%+v", got)
	}
}

// TestOwnAnswersAreNoSources holds that an answer does not rest on earlier ones.
func TestOwnAnswersAreNoSources(t *testing.T) {
	e := openReasoner(t, nil, time.Now)
	q := e.newReasoning(&Models{}, QueryRequest{})
	for _, word := range []string{"alpha", "beta", "gamma", "delta"} {
		kept := soar.Result{Query: "Compare the cart and the tax " + word, Answer: "The cart sums what the tax adds to.", Level: soar.Medium, Plan: &soar.Plan{}, Score: 0.9}
		if _, err := q.Record(t.Context(), kept); err != nil {
			t.Fatal(err)
		}
		if _, _, err := e.opts.Memory.Remember(t.Context(), *q.answer); err != nil {
			t.Fatal(err)
		}
	}
	found, err := q.Retrieve(t.Context(), "Compare the cart and the tax", soar.Size{Hits: 10, Tokens: 8000})
	if err != nil {
		t.Fatal(err)
	}
	answers, code := 0, 0
	for _, s := range found {
		if s.Path != "" {
			code++
		} else if q.library.Hits[s.Key].Origin == snippet.OriginAnswer {
			answers++
		}
	}
	if answers != 0 || code < 4 {
		t.Errorf("%d earlier answers and %d passages of code", answers, code)
	}
}

// TestRejectedQuestionsTeach has memory count a question as difficult whose plan no review passed.
func TestRejectedQuestionsTeach(t *testing.T) {
	store := sqlitetest.Open(t, sqlite.Options{})
	e := New(Options{Memory: store, Log: slog.New(slog.DiscardHandler), Now: time.Now})
	var s soar.State
	s.Query, s.Rejected, s.Option = "Design the impossible", true, soar.Self
	lesson := e.lesson(&exchange{state: &s, asked: &QueryResult{}})
	if _, err := e.writeJournal(t.Context(), journal.Question{Learned: lesson}); err != nil {
		t.Fatal(err)
	}
	if difficult, err := store.Difficult(t.Context()); err != nil || len(difficult) != 1 || difficult[0].Failures != 1 {
		t.Errorf("known are %+v, %v", difficult, err)
	}
}

func TestVerificationsAreNamed(t *testing.T) {
	var e *fault.Error
	if _, err := optionOf("maybe"); !errors.As(err, &e) || e.Detail != "verification" {
		t.Errorf("%v", err)
	}
	if o, err := optionOf("Debate"); o != soar.Debate || err != nil {
		t.Errorf("%v, %v", o, err)
	}
}

func TestNoFailuresOfAnUnknownSignature(t *testing.T) {
	var d difficulty
	if n := d.failures(nil, "no such signature"); n != 0 {
		t.Errorf("%d failures of nothing", n)
	}
}
