package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/convlog"
	"github.com/aurora-sidecar/aurora/memory/sqlite"
)

// replayed stands for what a replay needs.
type replayed struct {
	Entry
	Reply string `json:"reply"`
}

func idOf(n int) string { return fmt.Sprintf("aurora-20261121-1015%02d-abc%03d", n%60, n) }

func question(n int, text string) Question {
	e := &Entry{ID: idOf(n), Question: text, Asked: time.Unix(int64(n), 0).UTC()}
	return Question{
		Figures: memory.Metric{At: time.Unix(int64(n), 0), QueryID: e.ID, Outcome: memory.Succeeded, ModelUse: memory.ModelUse{Calls: 1, USD: 0.5}},
		Entry:   e, Record: replayed{*e, "It is so."}, Paid: true,
	}
}

func openStore(t *testing.T, path string) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func write(t *testing.T, j *Journal, questions ...Question) {
	t.Helper()
	for _, q := range questions {
		if _, err := j.Write(t.Context(), q); err != nil {
			t.Fatal(err)
		}
	}
}

func TestHistoryIsAView(t *testing.T) {
	store := openStore(t, filepath.Join(t.TempDir(), "memory.db"))
	j := Open(store, Options{Keep: 3})
	ctx := t.Context()
	if list, damaged, err := j.List(ctx, Filter{}); err != nil || len(list) != 0 || damaged != 0 {
		t.Fatalf("an empty history: %v, %d, %v", list, damaged, err)
	}
	for n := range 5 {
		write(t, j, question(n, fmt.Sprintf("Question %d about Caches", n)))
	}
	list, _, err := j.List(ctx, Filter{})
	if err != nil || len(list) != 3 || list[0].Question != "Question 4 about Caches" || list[2].Question != "Question 2 about Caches" {
		t.Fatalf("%+v, %v", list, err)
	}
	if list, _, _ := j.List(ctx, Filter{Search: "caches 3"}); len(list) != 1 || list[0].ID != idOf(3) {
		t.Errorf("searched: %+v", list)
	}
	for _, id := range []string{idOf(4), "abc004", "last"} {
		var r replayed
		if e, err := j.Load(ctx, id, &r); err != nil || e.Question != "Question 4 about Caches" || r.Reply != "It is so." || r.ID != e.ID {
			t.Errorf("%s: %+v, %+v, %v", id, e, r, err)
		}
	}
	for _, id := range []string{"", "004", "../../etc/passwd", idOf(0), "aurora-1-2-3/../x"} {
		if _, err := j.Load(ctx, id, nil); !errors.Is(err, ErrNotFound) {
			t.Errorf("%q: %v", id, err)
		}
	}
	if _, err := j.Write(ctx, Question{Figures: memory.Metric{At: time.Now(), QueryID: "../x"}}); err == nil {
		t.Error("written under a path")
	}
	figures := 0
	if err := store.Metrics(ctx, memory.Span{}, func(memory.Metric) error { figures++; return nil }); err != nil || figures != 5 {
		t.Errorf("the figures of %d questions are there, %v", figures, err)
	}
	write(t, j, question(4, "the same again"))
	if e, err := j.Load(ctx, "last", nil); err != nil || e.Question != "Question 4 about Caches" {
		t.Errorf("a question was written twice: %+v, %v", e, err)
	}
}

func TestWhatIsNotKept(t *testing.T) {
	for name, o := range map[string]Options{"history": {NoHistory: true}, "figures": {NoFigures: true}, "both": {NoHistory: true, NoFigures: true}} {
		store := openStore(t, filepath.Join(t.TempDir(), "memory.db"))
		j := Open(store, o)
		write(t, j, question(1, "x"))
		left := question(2, "y")
		left.Left = true
		write(t, j, left)
		list, _, err := j.List(t.Context(), Filter{})
		figures := 0
		err = errors.Join(err, store.Metrics(t.Context(), memory.Span{}, func(memory.Metric) error { figures++; return nil }))
		if err != nil || (len(list) == 0) != o.NoHistory || (figures == 0) != o.NoFigures || len(list) > 1 || figures > 1 {
			t.Errorf("without %s: %d in the history, %d figures, %v", name, len(list), figures, err)
		}
		spent, err := store.Spent(t.Context(), func(time.Time) time.Time { return time.Time{} })
		if err != nil || spent.Queries != 2 {
			t.Errorf("without %s: %+v, %v", name, spent, err)
		}
	}
}

// TestSameSecond has questions of one second in the order they were asked, whatever their ids and whichever ended first.
func TestSameSecond(t *testing.T) {
	j := Open(openStore(t, filepath.Join(t.TempDir(), "memory.db")), Options{Keep: 3, Logs: convlog.New(convlog.Options{Dir: t.TempDir()})})
	for _, n := range []int{2, 0, 3, 1} {
		q := question(n, fmt.Sprint(n))
		q.Entry.ID = "aurora-20261121-101500-" + []string{"zz", "mm", "aa", "kk"}[n]
		q.Figures.QueryID, q.Figures.At = q.Entry.ID, time.Unix(1000, int64(n)*1e6)
		q.Log = logEntry(n)
		q.Log.ID = q.Entry.ID
		write(t, j, q)
	}
	list, _, err := j.List(t.Context(), Filter{})
	if err != nil || len(list) != 3 || list[0].Question != "3" || list[1].Question != "2" || list[2].Question != "1" {
		t.Errorf("%+v, %v", list, err)
	}
	if e, err := j.Load(t.Context(), "last", nil); err != nil || e.Question != "3" {
		t.Errorf("the last one: %+v, %v", e, err)
	}
	var logged []string
	if err := j.WriteLogs(t.Context(), func(id string, _ *convlog.Conversation) { logged = append(logged, id[23:]) }); err != nil || strings.Join(logged, " ") != "mm aa kk" {
		t.Errorf("written in the order %q, %v", logged, err)
	}
}

// TestOneLogFails has no place for the file of one conversation: the others are written, and it is when there is.
func TestOneLogFails(t *testing.T) {
	dir := t.TempDir()
	j := Open(openStore(t, filepath.Join(t.TempDir(), "memory.db")), Options{Logs: convlog.New(convlog.Options{Dir: dir})})
	for n := 1; n <= 3; n++ {
		q := question(n, "x")
		q.Log = logEntry(n)
		q.Log.At = time.Date(2026, time.Month(n), 1, 0, 0, 0, 0, time.UTC)
		write(t, j, q)
	}
	taken := filepath.Join(dir, "2026", "02")
	if err := errors.Join(os.MkdirAll(filepath.Dir(taken), 0o700), os.WriteFile(taken, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	written := 0
	count := func(string, *convlog.Conversation) { written++ }
	if err := j.WriteLogs(t.Context(), count); err == nil || !strings.Contains(err.Error(), idOf(2)) || strings.Contains(err.Error(), idOf(3)) || written != 2 {
		t.Errorf("%d files, %v", written, err)
	}
	if err := os.Remove(taken); err != nil {
		t.Fatal(err)
	}
	if err := j.WriteLogs(t.Context(), count); err != nil || written != 3 {
		t.Errorf("%d files, %v", written, err)
	}
}

func TestDamagedDetailIsCounted(t *testing.T) {
	store := openStore(t, filepath.Join(t.TempDir(), "memory.db"))
	j := Open(store, Options{})
	write(t, j, question(2, "x"))
	for n, detail := range []string{"nothing", "\x1f\x8bnothing"} {
		e := memory.JournalEntry{Metric: memory.Metric{At: time.Now(), Op: memory.OpQuery, QueryID: idOf(n)}, Detail: []byte(detail)}
		if _, err := store.Append(t.Context(), []memory.JournalEntry{e}, 0); err != nil {
			t.Fatal(err)
		}
	}
	list, damaged, err := j.List(t.Context(), Filter{})
	if err != nil || len(list) != 1 || damaged != 2 {
		t.Errorf("%d entries, %d damaged, %v", len(list), damaged, err)
	}
	if _, err := j.Load(t.Context(), idOf(1), nil); !errors.Is(err, ErrDamaged) {
		t.Errorf("%v", err)
	}
}

func TestSecretsAreNotKept(t *testing.T) {
	const key = "AKIA" + "IOSFODNN7EXAMPLQ"
	store := openStore(t, filepath.Join(t.TempDir(), "memory.db"))
	j := Open(store, Options{})
	q := question(1, "what is "+key)
	q.Record = map[string]any{"reply": "it is \"" + key + "\"", "prompt": "0f0f", key: []string{"key = " + key}}
	write(t, j, q)
	var got map[string]any
	e, err := j.Load(t.Context(), "last", &got)
	if err != nil || strings.Contains(fmt.Sprint(e, got["reply"], got[key]), key) || got["prompt"] != "0f0f" || !strings.HasPrefix(fmt.Sprint(got["reply"]), `it is "`) {
		t.Errorf("%+v, %v, %v", e, got, err)
	}
}

func TestSeveralWriters(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	openStore(t, path)
	var wg sync.WaitGroup
	for w := range 4 {
		j := Open(openStore(t, path), Options{Keep: 10})
		wg.Go(func() {
			for n := range 5 {
				if _, err := j.Write(context.Background(), question(w*5+n, "x")); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	j := Open(openStore(t, path), Options{})
	if list, damaged, err := j.List(t.Context(), Filter{Limit: 50}); err != nil || len(list) != 10 || damaged != 0 || list[0].ID != idOf(19) {
		t.Errorf("%d entries, %d damaged, %v", len(list), damaged, err)
	}
}

func logEntry(n int) *convlog.Entry {
	return &convlog.Entry{
		ID: idOf(n), At: time.Date(2026, 11, 21, 10, 15, 0, 0, time.UTC), Query: fmt.Sprintf("How does backoff%c work?", 'a'+n),
		Phases: []convlog.Phase{{Name: "assess", Title: "Phase 1: ASSESS", Blocks: []convlog.Block{{Label: "L", Value: map[string]any{"zeta": 1, "alpha": "b"}}}}},
	}
}

// TestLogsAreAView has the file written from the journal, and written later when a process ended before it could be.
func TestLogsAreAView(t *testing.T) {
	store := openStore(t, filepath.Join(t.TempDir(), "memory.db"))
	direct, kept := convlog.New(convlog.Options{Dir: t.TempDir()}), convlog.New(convlog.Options{Dir: t.TempDir()})
	want, err := direct.Write(*logEntry(1))
	if err != nil {
		t.Fatal(err)
	}
	j := Open(store, Options{Logs: kept})
	for n := 1; n <= 3; n++ {
		q := question(n, "x")
		q.Log = logEntry(n)
		write(t, j, q)
	}
	// A process that ended between the second file and its note.
	if _, err := kept.Write(*logEntry(2)); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := j.WriteLogs(t.Context(), func(string, *convlog.Conversation) {}); err != nil {
			t.Fatal(err)
		}
	}
	files, err := kept.Files(t.Context(), convlog.Span{})
	if err != nil || len(files) != 3 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	text, err := os.ReadFile(filepath.Join(kept.Dir(), want.File.Name))
	expected, err2 := os.ReadFile(want.File.Path)
	if err := errors.Join(err, err2); err != nil || string(text) != string(expected) {
		t.Errorf("%v\n%s\nwant\n%s", err, text, expected)
	}
	if err := os.Remove(filepath.Join(kept.Dir(), want.File.Name)); err != nil {
		t.Fatal(err)
	}
	if err := j.WriteLogs(t.Context(), func(id string, _ *convlog.Conversation) { t.Errorf("a file that a person deleted came back: %s", id) }); err != nil {
		t.Fatal(err)
	}
}

// TestTextIsKeptInItsPlaceAlone has no history: when the file of the conversation is there, the journal holds no text of it,
// and never that of the question which memory learned from.
func TestTextIsKeptInItsPlaceAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	store := openStore(t, path)
	j := Open(store, Options{NoHistory: true, Logs: convlog.New(convlog.Options{Dir: t.TempDir()})})
	q := question(1, "of Jane")
	q.Log = logEntry(1)
	q.Learned = &memory.Outcome{Query: "How does Jane's backoff work?", Score: 0.7}
	write(t, j, q)
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	count := func(condition string) (n int) {
		if err := db.QueryRow(`SELECT count(*) FROM journal WHERE ` + condition).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if n := count(`learned IS NOT NULL`); n != 1 {
		t.Errorf("%d lines say what was learned", n)
	}
	if n := count(`learned LIKE '%backoff%'`); n != 0 {
		t.Error("the question stays with what was learned")
	}
	if n := count(`detail IS NOT NULL`); n != 1 {
		t.Errorf("%d details before the file is written", n)
	}
	written := 0
	if err := j.WriteLogs(t.Context(), func(string, *convlog.Conversation) { written++ }); err != nil || written != 1 {
		t.Fatalf("%d files, %v", written, err)
	}
	if n := count(`detail IS NOT NULL`); n != 0 {
		t.Errorf("%d details stay behind the file", n)
	}
}
