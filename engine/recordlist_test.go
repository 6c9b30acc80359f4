package engine

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/engine/conversation"
	"github.com/aurora-sidecar/aurora/memory"
)

// titles lists a view as the first lines of its records, in their order.
func (w *testWorkspace) titles(view string) []string {
	w.Helper()
	entries, total, err := w.engine.Memory().ListRecords(context.Background(), view, 100)
	if err != nil || total != len(entries) {
		w.Fatalf("%s: %d of %d, %v", view, len(entries), total, err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.Name)
	}
	return list
}

func (w *testWorkspace) remember(r RememberRequest) string {
	w.Helper()
	id, _, err := w.engine.Memory().Remember(context.Background(), r)
	if err != nil {
		w.Fatal(err)
	}
	return id
}

func TestListRecordsByView(t *testing.T) {
	w := openWorkspace(t, shop)
	ctx := context.Background()
	s := w.selection("cart/cart.go", "sum += price.WithTax(item.Cents)")
	w.remember(RememberRequest{Content: "Zebras are counted twice"})
	w.remember(RememberRequest{Content: "We chose cents over floats", Select: &s})
	w.remember(RememberRequest{Content: "Rounding is half up", Tags: []string{"Decision"}})
	w.remember(RememberRequest{Content: "Split by package, then by file", Type: "reasoning"})
	for view, want := range map[string][]string{
		"":          {"Split by package, then by file", "Rounding is half up", "We chose cents over floats", "Zebras are counted twice"},
		"decisions": {"Rounding is half up", "We chose cents over floats"},
		"Notes":     {"Zebras are counted twice"},
		"patterns":  {"Split by package, then by file"},
		"stale":     nil,
		"pinned":    nil,
	} {
		got := w.titles(view)
		slices.Sort(got) // those of one millisecond are in no order
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", view, got, want)
		}
	}
	cart, err := os.ReadFile(w.path("cart/cart.go"))
	if err != nil {
		t.Fatal(err)
	}
	w.write("cart/cart.go", strings.Replace(string(cart), "sum += price.WithTax(item.Cents)", "sum -= 7 * offset(item)", 1))
	if _, err := w.engine.Indexing().Refresh(ctx, nil, false); err != nil {
		t.Fatal(err)
	}
	w.wait()
	entries, _, err := w.engine.Memory().ListRecords(ctx, ViewStale, 0)
	if err != nil || len(entries) != 1 || entries[0].Name != "We chose cents over floats" || !strings.Contains(entries[0].Stale, "changed since") {
		t.Errorf("stale: %+v, %v", entries, err)
	}
	var invalid *Error
	if _, _, err := w.engine.Memory().ListRecords(ctx, "latest", 0); !errors.As(err, &invalid) || invalid.Kind != Invalid || invalid.Detail != "view" {
		t.Errorf("an unknown view: %v", err)
	}
	if entries, total, err := w.engine.Memory().ListRecords(ctx, "", 1); err != nil || len(entries) != 1 || total != 4 {
		t.Errorf("one of all: %d of %d, %v", len(entries), total, err)
	}
}

func TestReviseARecord(t *testing.T) {
	w := openWorkspace(t, shop)
	ctx := context.Background()
	id := w.remember(RememberRequest{Content: "We chose cents", Tags: []string{"money"}})
	yes, no, text := true, false, "We chose millicents\nbecause of fuel"
	for _, r := range []Revision{{Pinned: &yes}, {Content: &text}} {
		if got, err := w.engine.Memory().Revise(ctx, id, r); err != nil || got != id {
			t.Fatalf("%q, %v", got, err)
		}
	}
	record, err := w.engine.opts.Memory.Get(ctx, id)
	if err != nil || record.Content != text || record.Title != "We chose millicents" || !slices.Equal(record.Tags, []string{"money", "pinned"}) {
		t.Errorf("record %+v, %v", record.Record, err)
	}
	if got := w.titles(ViewPinned); !slices.Equal(got, []string{"We chose millicents"}) {
		t.Errorf("pinned %q", got)
	}
	if found, err := w.engine.Search(ctx, SearchRequest{Query: "millicents"}); err != nil || len(found.Hits) != 1 || found.Hits[0].ID != id {
		t.Errorf("search %+v, %v", found, err)
	}
	other := w.remember(RememberRequest{Content: "Fuel is sold by the litre"})
	same := "Fuel is sold by the litre"
	if got, err := w.engine.Memory().Revise(ctx, id, Revision{Content: &same, Pinned: &no}); err != nil || got != other {
		t.Errorf("the same as another: %q, %v", got, err)
	}
	if _, err := w.engine.opts.Memory.Get(ctx, id); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("the record that became another: %v", err)
	}
}

func TestReviseBadInput(t *testing.T) {
	w := openWorkspace(t, shop)
	ctx := context.Background()
	id := w.remember(RememberRequest{Content: "We chose cents"})
	if err := os.MkdirAll(w.path(".aurora/notes"), 0o755); err != nil {
		t.Fatal(err)
	}
	w.write(".aurora/notes/money.md", "# Money\n\nWe agreed on cents.\n")
	notes, _, err := w.engine.Memory().ListRecords(ctx, ViewNotes, 10)
	i := slices.IndexFunc(notes, func(e RecordEntry) bool { return e.File })
	if err != nil || i < 0 || notes[i].Abs != w.path(".aurora/notes/money.md") {
		t.Fatalf("notes %+v, %v", notes, err)
	}
	blank, much, text := " \n", 2.0, "other"
	for name, tt := range map[string]struct {
		id     string
		r      Revision
		detail string
	}{
		"unknown":    {"know:nothing", Revision{}, "id"},
		"blank":      {id, Revision{Content: &blank}, "content"},
		"importance": {id, Revision{Importance: &much}, "importance"},
		"note file":  {notes[i].ID, Revision{Content: &text}, "id"},
	} {
		_, err := w.engine.Memory().Revise(ctx, tt.id, tt.r)
		var e *Error
		if !errors.As(err, &e) || e.Kind != Invalid || e.Detail != tt.detail {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFeedbackTeachesAboutOneAnswer(t *testing.T) {
	w := openWorkspace(t, shop)
	ctx := context.Background()
	var talks conversation.Talks
	if r, err := talks.Feedback(ctx, w.engine.reasoner, conversation.Feedback{Signal: "positive"}); err != nil || r.Action != "none" {
		t.Errorf("before any answer: %+v, %v", r, err)
	}
	talks.Answered(QueryRequest{}, &QueryResult{QueryID: "q1", Citations: []Hit{{ID: "code:a"}, {ID: "code:b"}}})
	talks.Answered(QueryRequest{ConversationID: "c"}, &QueryResult{QueryID: "q2", Citations: []Hit{{ID: "code:c"}}})
	for _, tt := range []struct {
		f    conversation.Feedback
		want conversation.FeedbackResult
	}{
		{conversation.Feedback{QueryID: "q1", Signal: "Positive"}, conversation.FeedbackResult{Signal: "positive", Action: "accepted", Applied: 2}},
		{conversation.Feedback{Text: "that's wrong"}, conversation.FeedbackResult{Signal: "negative", Action: "rejected", Applied: 1}},
		{conversation.Feedback{Text: "try again"}, conversation.FeedbackResult{Signal: "recourse", Action: "retry", Applied: 0}},
		{conversation.Feedback{Text: "what is a basket?"}, conversation.FeedbackResult{Signal: "", Action: "none", Applied: 0}},
		{conversation.Feedback{QueryID: "q9", Signal: "negative"}, conversation.FeedbackResult{Signal: "negative", Action: "none", Applied: 0}},
	} {
		if r, err := talks.Feedback(ctx, w.engine.reasoner, tt.f); err != nil || *r != tt.want {
			t.Errorf("%+v: %+v, %v", tt.f, r, err)
		}
	}
	levels, err := w.engine.opts.Memory.Activation(ctx, []string{"code:a", "code:c"})
	if err != nil || levels["code:a"] <= levels["code:c"] {
		t.Errorf("activations %v, %v", levels, err)
	}
	for _, f := range []conversation.Feedback{{}, {Signal: "meh"}} {
		if _, err := talks.Feedback(ctx, w.engine.reasoner, f); err == nil {
			t.Errorf("%+v is no error", f)
		}
	}
}
