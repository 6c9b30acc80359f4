package sqlite

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/memory"
)

// anyTime begins with the first charge.
func anyTime(time.Time) time.Time { return time.Time{} }

// storeAt makes a store of an earlier schema, with a record and, as soon as there is a place for them, figures.
func storeAt(t *testing.T, path string, schema int) {
	t.Helper()
	all, err := readMigrations(migrations)
	if err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	script := `CREATE TABLE migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at_ms INTEGER NOT NULL, applied_by TEXT NOT NULL);`
	for _, m := range all[:schema] {
		script += m.script + fmt.Sprintf(";\nINSERT INTO migrations VALUES (%d, '%s', 0, '0.1');\n", m.version, m.name)
	}
	script += `INSERT INTO records (id, type, title, content, tags, content_hash, created_at_ms, updated_at_ms)
		VALUES ('know:old', 'knowledge', 'Old', 'Old wisdom', '["db"]', 'hash', 1772000000000, 1772000000000);`
	if schema >= 2 {
		table := "usage_metrics"
		if schema >= 6 {
			table = "journal"
		}
		script += `INSERT INTO ` + table + ` (at_ms, op, agent, task_id, tokens_input, tokens_output) VALUES (1772000000000, 'query', 'cli', 'T', 10, 2);`
	}
	_, err = db.Exec(script)
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}

// TestJournalOfEarlierSchemas migrates a store of each earlier schema: what it held is there, a backup lies beside it, and
// the journal is kept.
func TestJournalOfEarlierSchemas(t *testing.T) {
	all, err := fs.Glob(migrations, "migration/*.sql")
	if err != nil || len(all) < 6 {
		t.Fatalf("%d migrations, %v", len(all), err)
	}
	for schema := 1; schema < len(all); schema++ {
		t.Run(fmt.Sprintf("schema %d", schema), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "memory.db")
			storeAt(t, path, schema)
			s := openAt(t, path, Options{})
			if hit, err := s.Get(t.Context(), "know:old"); err != nil || hit.Content != "Old wisdom" {
				t.Errorf("%+v, %v", hit, err)
			}
			if _, err := os.Stat(fmt.Sprintf("%s.bak-v%d", path, schema)); err != nil {
				t.Errorf("no backup: %v", err)
			}
			if got := metricsOf(t, s, memory.Span{}); schema >= 2 && (len(got) != 1 || got[0].TaskID != "T" || got[0].TokensIn != 10) {
				t.Errorf("figures %+v", got)
			}
			if _, err := s.Append(t.Context(), []memory.JournalEntry{askedEntry(1)}, 0); err != nil {
				t.Fatal(err)
			}
			if ids, err := s.QuestionIDs(t.Context()); err != nil || len(ids) != 1 {
				t.Errorf("%q, %v", ids, err)
			}
		})
	}
}

func askedEntry(n int) memory.JournalEntry {
	id := fmt.Sprintf("aurora-20261121-101500-%06d", n)
	return memory.JournalEntry{
		Metric: memory.Metric{At: time.Now(), Op: memory.OpQuery, QueryID: id, ModelUse: memory.ModelUse{Calls: 1}}, Once: "question:" + id, Detail: []byte(id),
		Charge: memory.Charge{At: time.Now()},
	}
}

// TestDamagedFormerStoreKeepsItsFigures salvages a store from before there was a journal.
func TestDamagedFormerStoreKeepsItsFigures(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	storeAt(t, path, 5)
	s, err := OpenMemory(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if n, err := copyReadable(t.Context(), s.database, path); err != nil || n != 1 {
		t.Fatalf("%d records, %v", n, err)
	}
	if got := metricsOf(t, s, memory.Span{}); len(got) != 1 || got[0].TokensIn != 10 {
		t.Errorf("figures %+v", got)
	}
}

func TestSalvageKeepsTheJournal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	from := openAt(t, path, Options{})
	mustRemember(t, from, "one record")
	number, err := from.Reserve(t.Context(), memory.Charge{At: time.Now(), USD: 2}, anyTime, func(memory.Spent) error { return nil })
	_, appendErr := from.Append(t.Context(), []memory.JournalEntry{askedEntry(1)}, 0)
	if err := errors.Join(err, appendErr, from.Settle(t.Context(), number, memory.Charge{USD: -1.5}), from.Close()); err != nil {
		t.Fatal(err)
	}
	s, err := OpenMemory(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := copyReadable(t.Context(), s.database, path); err != nil {
		t.Fatal(err)
	}
	spent, err := s.Spent(t.Context(), anyTime)
	if err != nil || spent.USD != 0.5 || spent.Queries != 1 {
		t.Errorf("%+v, %v", spent, err)
	}
	if got := metricsOf(t, s, memory.Span{}); len(got) != 1 {
		t.Errorf("the figures came twice: %+v", got)
	}
}

func TestJournalIsAppendedTo(t *testing.T) {
	s := openAt(t, filepath.Join(t.TempDir(), "memory.db"), Options{})
	for n := range 3 {
		if _, err := s.Append(t.Context(), []memory.JournalEntry{askedEntry(n), askedEntry(n)}, 2); err != nil {
			t.Fatal(err)
		}
	}
	if ids, err := s.QuestionIDs(t.Context()); err != nil || len(ids) != 2 || !strings.HasSuffix(ids[0], "2") {
		t.Errorf("details of %q, %v", ids, err)
	}
	if got := metricsOf(t, s, memory.Span{}); len(got) != 3 {
		t.Errorf("%d lines", len(got))
	}
	for _, change := range []string{`charge_usd = 7`, `at_ms = 1`, `op = 'reset'`, `detail = x'00'`, `query_id = 'other'`} {
		if _, err := s.db.ExecContext(t.Context(), `UPDATE journal SET `+change); err == nil || !strings.Contains(err.Error(), "only appended to") {
			t.Errorf("%s: %v", change, err)
		}
	}
	if _, err := s.Question(t.Context(), "aurora-20261121-101500-000000"); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("a dropped detail: %v", err)
	}
}

// TestJournalIsWrittenWholly has an entry that can't be written: neither it nor what came before it is there, and nothing
// was learned.
func TestJournalIsWrittenWholly(t *testing.T) {
	s := openAt(t, filepath.Join(t.TempDir(), "memory.db"), Options{})
	good := askedEntry(1)
	good.Learned = &memory.Outcome{Query: "how does backoff work", Score: 0.1}
	good.Remember = &memory.Record{Content: "It doubles the delay."}
	bad := memory.JournalEntry{Metric: memory.Metric{At: time.Now()}}
	if _, err := s.Append(t.Context(), []memory.JournalEntry{good, bad}, 0); !errors.Is(err, memory.ErrInvalid) {
		t.Fatalf("%v", err)
	}
	difficult, err := s.Difficult(t.Context())
	hits, err2 := s.Search(t.Context(), memory.Query{})
	if got := metricsOf(t, s, memory.Span{}); errors.Join(err, err2) != nil || len(difficult) != 0 || len(hits) != 0 || len(got) != 0 {
		t.Errorf("%+v was learned, %+v remembered, %d lines are there, %v", difficult, hits, len(got), errors.Join(err, err2))
	}
	for try := range 2 { // the second one is known
		learned, err := s.Append(t.Context(), []memory.JournalEntry{good}, 0)
		if err != nil || (learned.Record != "") != (try == 0) {
			t.Fatalf("%+v, %v", learned, err)
		}
	}
	hits, err = s.Search(t.Context(), memory.Query{})
	if got := metricsOf(t, s, memory.Span{}); err != nil || len(hits) != 1 || hits[0].AccessCount != 1 || len(got) != 1 || got[0].Record != hits[0].ID {
		t.Errorf("remembered %+v, noted %+v, %v", hits, got, err)
	}
	if difficult, err := s.Difficult(t.Context()); err != nil || len(difficult) != 1 || difficult[0].Failures != 1 {
		t.Errorf("learned %+v, %v", difficult, err)
	}
}

// randomJournal writes months of spending: calls that were settled, at once or later, or never, questions, resets, accounts
// that were taken over, figures. Amounts are sums of binary fractions, so that no order of adding them matters.
func randomJournal(t *testing.T, s *Store, random *rand.Rand, from time.Time) {
	t.Helper()
	ctx, at := t.Context(), from
	amount := func() float64 { return float64(random.IntN(256)) / 64 }
	var open []int64
	do := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	add := func(e memory.JournalEntry) {
		_, err := s.Append(ctx, []memory.JournalEntry{e}, 0)
		do(err)
	}
	for n := range 150 {
		at = at.Add(time.Duration(random.IntN(40)) * time.Hour)
		c := memory.Charge{At: at, USD: amount(), LimitUSD: float64(10 * random.IntN(3))}
		switch random.IntN(12) {
		case 0:
			add(memory.JournalEntry{Metric: memory.Metric{At: at, Op: memory.OpReset}})
		case 1:
			c.At = at.AddDate(0, 0, -random.IntN(60))
			op := []string{memory.OpCarried, memory.OpClosed}[random.IntN(2)]
			add(memory.JournalEntry{Metric: memory.Metric{At: at, Op: op, ModelUse: memory.ModelUse{Calls: random.IntN(5)}}, Charge: c})
		case 2, 3:
			e := askedEntry(n)
			e.At, e.Charge.At = at, at
			add(e)
		case 4, 5, 6:
			if len(open) > 0 {
				i := random.IntN(len(open))
				do(s.Settle(ctx, open[i], memory.Charge{At: at, USD: -amount()}))
				open = slices.Delete(open, i, i+1)
			}
		case 7:
			do(s.Settle(ctx, 0, c))
		default:
			number, err := s.Reserve(ctx, c, anyTime, func(memory.Spent) error { return nil })
			do(err)
			open = append(open, number)
		}
	}
}

// views is all that others see of a journal.
func views(t *testing.T, s *Store, from time.Time) string {
	t.Helper()
	days, err := s.Spending(t.Context())
	ids, err2 := s.QuestionIDs(t.Context())
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	seen := fmt.Sprintln(days, ids, metricsOf(t, s, memory.Span{}))
	for n := range 12 {
		since := from.AddDate(0, 0, 30*n).Truncate(24 * time.Hour)
		spent, err := s.Spent(t.Context(), func(time.Time) time.Time { return since })
		if err != nil {
			t.Fatal(err)
		}
		seen += fmt.Sprintln(since, spent)
	}
	return seen
}

func TestFoldingChangesNoView(t *testing.T) {
	from := time.Date(2026, 1, 31, 22, 15, 0, 0, time.UTC)
	seeds := uint64(20)
	if testing.Short() {
		seeds = 5
	}
	for seed := range seeds {
		random := rand.New(rand.NewPCG(seed, 7))
		s := openMemory(t, Options{})
		randomJournal(t, s, random, from)
		lines := func() (n int) {
			if err := s.db.QueryRowContext(t.Context(), `SELECT count(*) FROM journal`).Scan(&n); err != nil {
				t.Fatal(err)
			}
			return n
		}
		before, all := views(t, s, from), lines()
		for _, days := range []int{0, random.IntN(100), random.IntN(100), 1000, 1000} {
			if err := s.write(t.Context(), func(tx tx) error { return foldSpending(t.Context(), tx, from.AddDate(0, 0, days)) }); err != nil {
				t.Fatal(err)
			}
			if after := views(t, s, from); after != before {
				t.Fatalf("seed %d, %d days: the views are\n%s\nwant\n%s", seed, days, after, before)
			}
		}
		var left int
		if err := s.db.QueryRowContext(t.Context(), `SELECT count(*) FROM journal WHERE op = 'settle'`).Scan(&left); err != nil || left > 0 || lines() >= all {
			t.Errorf("seed %d: %d settlements are left, %d of %d lines, %v", seed, left, lines(), all, err)
		}
		if _, err := s.Reserve(t.Context(), memory.Charge{At: from, USD: 1}, anyTime, func(memory.Spent) error { return nil }); err != nil {
			t.Error(err)
		}
	}
}

// TestOpeningFolds opens a store a year after it was written.
func TestOpeningFolds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	from := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	s := openMetrics(t, path, from)
	for n := range 40 {
		at := from.Add(time.Duration(n%20) * time.Minute)
		number, err := s.Reserve(t.Context(), memory.Charge{At: at, USD: 1}, anyTime, func(memory.Spent) error { return nil })
		if err := errors.Join(err, s.Settle(t.Context(), number, memory.Charge{At: at, USD: -0.5})); err != nil {
			t.Fatal(err)
		}
	}
	s.Close()
	for _, later := range []struct{ days, lines int }{{30, 80}, {365, 1}} {
		s := openMetrics(t, path, from.AddDate(0, 0, later.days))
		var lines int
		err := s.db.QueryRowContext(t.Context(), `SELECT count(*) FROM journal`).Scan(&lines)
		spent, err2 := s.Spent(t.Context(), anyTime)
		if err := errors.Join(err, err2, s.Close()); err != nil || lines != later.lines || spent.USD != 20 {
			t.Errorf("after %d days: %d lines, %+v, %v", later.days, lines, spent, err)
		}
	}
}
