package sqlite

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/memory"
)

// rowsOf counts rows.
func rowsOf(t *testing.T, s *Store, from string, args ...any) (n int) {
	t.Helper()
	if err := s.db.QueryRow(`SELECT count(*) FROM `+from, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestPurgeOfATextTakesItFromEveryTable plants a text in each table that may hold one. Purged by it, none does; what holds other texts stays, as
// it does where a record is purged by its id.
func TestPurgeOfATextTakesItFromEveryTable(t *testing.T) {
	s := openMemory(t, Options{})
	const secret = "xyzzy"
	records := map[string]memory.Record{}
	for _, word := range []string{secret, "other"} {
		r := mustRemember(t, s, "kept "+word)
		records[word] = r
		for _, statement := range []string{
			`INSERT INTO record_versions (record, title, content, until_at_ms) VALUES ('know:elsewhere', '', 'former ' || ?1, 0)`,
			`INSERT INTO goals (id, title, status, created_at_ms, updated_at_ms) VALUES ('goal-' || ?1, 'a goal of ' || ?1, 'active', 0, 0)`,
			`INSERT INTO difficult_queries (signature, query, failures, last_score, last_at_ms) VALUES (?1, 'what is ' || ?1, 1, 0, 0)`,
			`INSERT INTO log_files (file, stamp, query) VALUES (?1 || '.md', '', 'what is ' || ?1)`,
			`INSERT INTO access_events (subject, action, weight, at_ms) VALUES ('code:' || ?1 || '.go:F', 'opened', 1, 0)`,
		} {
			if _, err := s.db.Exec(statement, word); err != nil {
				t.Fatalf("%s: %v", statement, err)
			}
		}
	}
	holding := map[string]string{
		"records": `content LIKE ?`, "record_versions": `content LIKE ?`, "goals": `title LIKE ?`, "access_events": `subject LIKE 'code:%' AND subject LIKE ?`,
		"difficult_queries": `query LIKE ?`, "log_files": `query LIKE ?`,
	}
	purged, err := s.Purge(t.Context(), memory.Purge{Text: secret})
	if err != nil || len(purged.IDs) != 1 || purged.IDs[0] != records[secret].ID {
		t.Fatalf("%+v, %v", purged, err)
	}
	for table, where := range holding {
		if n := rowsOf(t, s, table+" WHERE "+where, "%"+secret+"%"); n != 0 {
			t.Errorf("%s: %d rows hold the text", table, n)
		}
		if n := rowsOf(t, s, table+" WHERE "+where, "%other%"); n != 1 {
			t.Errorf("%s: %d rows hold another text", table, n)
		}
	}
	third := mustRemember(t, s, "a third one")
	if _, err := s.Purge(t.Context(), memory.Purge{IDs: []string{third.ID}}); err != nil {
		t.Fatal(err)
	}
	for table, where := range holding {
		if n := rowsOf(t, s, table+" WHERE "+where, "%other%"); n != 1 {
			t.Errorf("%s: %d rows are left when another record is purged by its id", table, n)
		}
	}
}

func TestForgottenIsNotJudged(t *testing.T) {
	s := openMemory(t, Options{})
	r := mustRemember(t, s, "forgotten soon")
	if err := s.Judge(t.Context(), r.ID, memory.Judgement{Confidence: -0.1}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Forget(t.Context(), []string{r.ID}); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{r.ID, "know:never"} {
		if err := s.Judge(t.Context(), id, memory.Judgement{Confidence: -0.1}); !errors.Is(err, memory.ErrNotFound) {
			t.Errorf("%s: %v", id, err)
		}
	}
}

func TestGrowthCountsByDayAndKind(t *testing.T) {
	c := newClock()
	s := openMemory(t, Options{Now: c.Now})
	mustRemember(t, s, "first")
	for i, pattern := range []bool{true, false, true} {
		r := mustRemember(t, s, "second "+string(rune('a'+i)))
		if _, err := s.db.Exec(`UPDATE records SET type = 'reasoning', is_pattern = ? WHERE id = ?`, pattern, r.ID); err != nil {
			t.Fatal(err)
		}
	}
	c.pass(day)
	mustRemember(t, s, "third")
	got, err := s.Growth(t.Context(), time.UTC)
	if err != nil || len(got) != 2 || got[0].Knowledge != 1 || got[0].Reasoning != 3 || got[0].Patterns != 2 || got[1].Knowledge != 1 || got[1].Patterns != 0 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestAssignTellsHowMany(t *testing.T) {
	s := openMemory(t, Options{})
	for i := range 3 {
		r := mustRemember(t, s, "note "+string(rune('a'+i)))
		if _, err := s.db.Exec(`UPDATE records SET workspace = 'one' WHERE id = ?`, r.ID); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := s.Assign(t.Context(), "one", "two"); n != 3 || err != nil {
		t.Errorf("%d records, %v", n, err)
	}
	if n := rowsOf(t, s, `records WHERE workspace = 'two'`); n != 3 {
		t.Errorf("%d records belong to it", n)
	}
	if n, err := s.Assign(t.Context(), "two", "two"); n != 0 || !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("to itself: %d, %v", n, err)
	}
}

func TestExportTellsHowMany(t *testing.T) {
	s := openMemory(t, Options{})
	for i := range 4 {
		mustRemember(t, s, "note "+string(rune('a'+i)))
	}
	var out bytes.Buffer
	counts, err := s.Export(t.Context(), &out)
	if err != nil || counts["records"] != 4 {
		t.Errorf("%v, %v", counts, err)
	}
	for table, n := range counts {
		if n != rowsOf(t, s, table) {
			t.Errorf("%s: %d of %d rows", table, n, rowsOf(t, s, table))
		}
	}
}
