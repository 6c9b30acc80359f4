package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/memory"
)

// furnished is a store with something in every table.
func furnished(t *testing.T, c *clock) *Store {
	t.Helper()
	s := openAt(t, filepath.Join(t.TempDir(), "memory.db"), Options{Now: c.Now})
	ctx := t.Context()
	score := 0.92
	first, _, err := s.Remember(ctx, memory.Record{Content: "Retries use jitter\nbecause \"<b>\" \u2028", Tags: []string{"a", "b"}, Importance: 0.3,
		Type: memory.Reasoning, Quality: memory.Quality{SuccessScore: &score, Pattern: true}, Chunk: []byte(`{"a":[1,2.5,null]}`), Workspace: "/w", Author: memory.Author{GoalID: "g"},
		Citations: []memory.Citation{{Folder: "/w", Path: "a.go", StartLine: 1, EndLine: 2, ChunkID: "code:a.go:F", TextHash: "ff", Excerpt: "x"}}})
	if err != nil {
		t.Fatal(err)
	}
	c.pass(time.Hour)
	second := mustRemember(t, s, "An older thought")
	gone := mustRemember(t, s, "To be forgotten")
	for range 20 { // more than count one by one, some in one millisecond
		if err := s.Use(ctx, []string{first.ID, "code:a.go:F"}, memory.Opened, 0); err != nil {
			t.Fatal(err)
		}
	}
	_, err = s.Forget(ctx, []string{gone.ID})
	_, learnErr := s.Learn(ctx, memory.Outcome{Query: "how", Score: 0.1, Helpful: []string{first.ID}})
	goalErr := s.SetGoal(ctx, memory.Goal{ID: "g", Title: "Goal", Status: memory.GoalDone})
	metricErr := s.AddMetrics(ctx, []memory.Metric{{At: c.now, Op: "before", ModelUse: memory.ModelUse{TokensIn: 5000}}})
	logErr := s.IndexLog(ctx, memory.LoggedFile{File: "x.md", Sections: []memory.LoggedSection{{Section: "x", Keywords: []string{"oauth"}}}})
	relateErr := s.Relate(ctx, []memory.Link{{From: first.ID, To: second.ID, Type: "follows", Weight: 0.25}})
	if err := errors.Join(err, learnErr, goalErr, metricErr, logErr, relateErr); err != nil {
		t.Fatal(err)
	}
	return s
}

func exported(t *testing.T, s *Store) string {
	t.Helper()
	var b bytes.Buffer
	if _, err := s.Export(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestExportRoundTrip(t *testing.T) {
	c := newClock()
	s := furnished(t, c)
	text := exported(t, s)
	for _, table := range exportedTables {
		if !strings.Contains(text, `"table":"`+table+`"`) {
			t.Errorf("nothing of %s was exported", table)
		}
	}
	other := openAt(t, filepath.Join(t.TempDir(), "memory.db"), Options{Now: c.Now})
	counts, err := other.Import(t.Context(), strings.NewReader(text))
	if err != nil || counts["records"] != 3 || counts["access_events"] == 0 {
		t.Fatalf("%v, %v", counts, err)
	}
	if again := exported(t, other); again != text {
		t.Errorf("exported again:\n%s\nbefore:\n%s", again, text)
	}
	// What follows from the lines is there, too.
	levels := func(s *Store) string {
		ids := []string{"code:a.go:F"}
		for _, hit := range mustSearch(t, s, memory.Query{}) {
			ids = append(ids, hit.ID)
		}
		slices.Sort(ids)
		all, err := s.Activation(t.Context(), ids)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(all)
	}
	if a, b := levels(s), levels(other); a != b {
		t.Errorf("activations %s, were %s", b, a)
	}
	if got := found(t, other, "jitter"); len(got) != 1 {
		t.Errorf("found %q", got)
	}
	// The second time there is nothing to add.
	counts, err = other.Import(t.Context(), strings.NewReader(text))
	if err != nil || counts["records"]+counts["access_events"] != 0 {
		t.Errorf("imported twice: %v, %v", counts, err)
	}
	if again := exported(t, other); again != text {
		t.Error("importing twice changed something")
	}
}

func mustSearch(t testing.TB, s *Store, q memory.Query) []memory.Hit {
	t.Helper()
	hits, err := s.Search(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return hits
}

// A record that the store has under another id keeps that; uses and links follow.
func TestImportIntoAnotherStore(t *testing.T) {
	s := openMemory(t, Options{})
	mine, _, err := s.Remember(t.Context(), memory.Record{ID: "know:mine", Content: "shared"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Import(t.Context(), strings.NewReader(`
		{"table":"records","row":{"id":"know:theirs","type":"knowledge","content":"shared","created_at_ms":1,"updated_at_ms":-5}}
		{"table":"records","row":{"id":"know:mine","type":"knowledge","content":"another text of that name","created_at_ms":1,"updated_at_ms":1,"of_the_future":[1]}}
		{"table":"access_events","row":{"subject":"know:theirs","action":"opened","weight":0.5,"at_ms":-62135596800000}}`))
	if err != nil {
		t.Fatal(err)
	}
	if hit, err := s.Get(t.Context(), mine.ID); err != nil || hit.AccessCount != 2 {
		t.Errorf("%d uses, %v", hit.AccessCount, err)
	}
	if got := found(t, s, "another"); len(got) != 1 {
		t.Errorf("found %q", got)
	}
}

func TestImportRefusesBadLines(t *testing.T) {
	const good = `{"table":"records","row":{"id":"know:a","type":"knowledge","content":"good","created_at_ms":1,"updated_at_ms":1}}` + "\n"
	s := openMemory(t, Options{})
	for name, test := range map[string]struct{ text, want string }{
		"cut":            {`{"table":"records","row":{"id`, "line 2: invalid memory request: no JSON object"},
		"unknown table":  {`{"table":"users","row":{}}`, `no table "users"`},
		"empty content":  {`{"table":"records","row":{"id":"x","type":"knowledge","content":" ","created_at_ms":1,"updated_at_ms":1}}`, "content is empty"},
		"bad type":       {`{"table":"records","row":{"id":"x","type":"gossip","content":"x","created_at_ms":1,"updated_at_ms":1}}`, `type "gossip"`},
		"bad date":       {`{"table":"records","row":{"id":"x","type":"knowledge","content":"x","created_at_ms":"yesterday","updated_at_ms":1}}`, "created_at_ms"},
		"no date":        {`{"table":"records","row":{"id":"x","type":"knowledge","content":"x"}}`, "created_at_ms"},
		"bad tags":       {`{"table":"records","row":{"id":"x","type":"knowledge","content":"x","tags":"{","created_at_ms":1,"updated_at_ms":1}}`, "tags"},
		"too large":      {`{"table":"records","row":{"id":"x","type":"knowledge","content":"` + strings.Repeat("x", memory.MaxContent+1) + `","created_at_ms":1,"updated_at_ms":1}}`, "bytes"},
		"ten megabytes":  {strings.Repeat("x", 10<<20), "line 2"},
		"wrong column":   {`{"table":"goals","row":{"name":"x"}}`, "none of the columns"},
		"missing column": {`{"table":"goals","row":{"id":"x"}}`, "incomplete"},
		"wrong value":    {`{"table":"access_events","row":{"subject":"x","action":"opened","weight":"much","at_ms":1}}`, "cannot store TEXT"},
		"the future":     {`{"aurora":"memory","format":99}`, "newer AURORA"},
		"bad chunk":      {`{"type":"knowledge","id":"know:x","content":{"topic":"x"}}`, "summary"},
		"a list":         {`[1]`, "no JSON object"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := s.Import(t.Context(), strings.NewReader(good+test.text+"\n"))
			if !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
			if got := found(t, s, "good"); len(got) != 0 {
				t.Errorf("of a bad import %q was kept", got)
			}
		})
	}
}

func TestImportChunks(t *testing.T) {
	s := openMemory(t, Options{})
	const reasoning = `{"id":"reas:auth-flow-123","type":"reasoning","content":{"pattern":"authentication-setup",
		"original_query":"Build OAuth2 authentication","tools_used":[{"subgoal":"SG1","tools":["websearch"]}],"success_score":SCORE},
		"metadata":{"timestamp":"2025-12-12T14:20:00Z","domain":"security"},"of_the_future":{"x":1}}`
	text := strings.ReplaceAll(reasoning, "\n", " ")
	counts, err := s.Import(t.Context(), strings.NewReader(strings.Replace(text, "SCORE", "0.92", 1)+"\n"+
		strings.Replace(strings.Replace(text, "123", "456", 1), "SCORE", "0.3", 1)))
	if err != nil || counts["records"] != 1 || counts["scored too low"] != 1 {
		t.Fatalf("%v, %v", counts, err)
	}
	hits := mustSearch(t, s, memory.Query{Metadata: memory.Metadata{Field: "websearch"}})
	if len(hits) != 1 || !hits[0].Pattern || *hits[0].SuccessScore != 0.92 || hits[0].Domain != "security" ||
		hits[0].CreatedAt.Year() != 2025 || !strings.Contains(string(hits[0].Chunk), "of_the_future") {
		t.Errorf("%+v", hits)
	}
}

// An old flat store becomes a store of today; nobody wrote its columns down.
func TestOldFlatStores(t *testing.T) {
	for name, script := range map[string]string{
		"columns": `CREATE TABLE vector_store_data (id TEXT, content TEXT, embedding BLOB, source TEXT, tags TEXT, created_at REAL);
			INSERT INTO vector_store_data VALUES ('m1', 'Retry with jitter', x'0000803f', 'a.py:3', '["net", "db"]', 1700000000.5),
				('m2', '', x'00', '', '', NULL), ('m3', 'Second thought', NULL, NULL, 'net,db', '2024-01-02 03:04:05')`,
		"metadata": `CREATE TABLE vector_store_data (rowkey INTEGER, Text BLOB, Metadata TEXT);
			INSERT INTO vector_store_data VALUES (1, 'Retry with jitter', '{"source_ref": "a.py:3", "tags": ["net", "db"], "timestamp": 1700000000500}'),
				(2, NULL, 'no json'), (3, 'Second thought', '{"tags":"net,db","created":"2024-01-02T03:04:05Z"}')`,
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "memory.db")
			db, err := sql.Open("sqlite", path)
			if err != nil {
				t.Fatal(err)
			}
			_, err = db.Exec(script)
			if err := errors.Join(err, db.Close()); err != nil {
				t.Fatal(err)
			}
			s := openAt(t, path, Options{})
			hits := mustSearch(t, s, memory.Query{Tags: []string{"net", "db"}, Text: "jitter thought"})
			if len(hits) != 2 {
				t.Fatalf("found %+v", hits)
			}
			first := hits[slices.IndexFunc(hits, func(h memory.Hit) bool { return h.Content == "Retry with jitter" })]
			if first.SourceRef != "a.py:3" || first.CreatedAt.UnixMilli() != 1700000000500 {
				t.Errorf("%+v", first)
			}
			second := hits[slices.IndexFunc(hits, func(h memory.Hit) bool { return h.Content == "Second thought" })]
			if !second.CreatedAt.Equal(time.Date(2024, 1, 2, 3, 4, 5, 0, time.UTC)) {
				t.Errorf("%+v", second)
			}
			if kept, err := filepath.Glob(path + ".old-*"); err != nil || len(kept) != 1 {
				t.Errorf("the old file is kept as %q, %v", kept, err)
			}
			s.Close()
			if got := found(t, openAt(t, path, Options{}), "jitter"); len(got) != 1 {
				t.Errorf("opened again: %q", got)
			}
		})
	}
}

func TestExportToABrokenPipe(t *testing.T) {
	s := furnished(t, newClock())
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	reader.Close()
	defer writer.Close()
	if _, err := s.Export(context.Background(), writer); err == nil {
		t.Error("no error")
	}
	mustRemember(t, s, "still usable")
}

func TestCompactGivesSpaceBack(t *testing.T) {
	c := newClock()
	path := filepath.Join(t.TempDir(), "memory.db")
	s := openAt(t, path, Options{Now: c.Now})
	var ids []string
	for i := range 50 {
		ids = append(ids, mustRemember(t, s, fmt.Sprintf("%d %s", i, strings.Repeat("words that take space ", 500))).ID)
	}
	if _, err := s.Forget(t.Context(), ids[1:]); err != nil {
		t.Fatal(err)
	}
	s.Close()
	c.pass(31 * 24 * time.Hour)
	s = openAt(t, path, Options{Now: c.Now}) // purges
	before, err := s.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	after, err := s.Stats(t.Context())
	if err != nil || after.SizeBytes > before.SizeBytes/2 || len(found(t, s, "space")) != 1 {
		t.Errorf("%d bytes became %d, %v", before.SizeBytes, after.SizeBytes, err)
	}
}
