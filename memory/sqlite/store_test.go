package sqlite

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/internal/atrest"
	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/actr"
)

func TestConformanceFile(t *testing.T) {
	testConformance(t, func() memory.Store { return openAt(t, filepath.Join(t.TempDir(), "memory.db"), Options{}) })
}

func TestConformanceMemory(t *testing.T) {
	testConformance(t, func() memory.Store { return openMemory(t, Options{}) })
}

// openAt opens the store at path. A new one begins as a copy of an empty one: under the race detector, to migrate costs more
// than most tests do.
func openAt(t testing.TB, path string, opts Options) *Store {
	t.Helper()
	if *encrypted && opts.Encryption.Keys == nil {
		opts.Encryption = Encryption{Enabled: true, Keys: flagKeys()}
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) && !exists(replacement(path)) {
		if err := os.WriteFile(path, emptyStore(t, opts.Encryption), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return create(t, path, opts)
}

// create opens the store at path as programs do.
func create(t testing.TB, path string, opts Options) *Store {
	t.Helper()
	opts.synchronous = "OFF" // no test cuts the power, and disks are slow
	s, err := Open(t.Context(), path, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

var empty = struct {
	sync.Mutex
	files map[*atrest.Keys][]byte
}{files: map[*atrest.Keys][]byte{}}

// emptyStore returns the content of an empty store's file.
func emptyStore(t testing.TB, e Encryption) []byte {
	t.Helper()
	if !e.Enabled {
		e.Keys = nil
	}
	empty.Lock()
	defer empty.Unlock()
	if empty.files[e.Keys] == nil {
		path := filepath.Join(t.TempDir(), "empty.db")
		if err := create(t, path, Options{Encryption: e}).Close(); err != nil {
			t.Fatal(err)
		}
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		empty.files[e.Keys] = content
	}
	return empty.files[e.Keys]
}

// openMemory is OpenMemory, but begins with a copy of an empty store as openAt does.
func openMemory(t testing.TB, opts Options) *Store {
	t.Helper()
	content := slices.Clone(emptyStore(t, Encryption{}))
	content[18], content[19] = 1, 1 // the header's versions: a database without a file has no WAL
	db, err := sql.Open("sqlite", ":memory:?_txlock=immediate")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	s := newStore(db, "", opts)
	t.Cleanup(func() { s.Close() })
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	err = conn.Raw(func(driver any) error { return driver.(interface{ Deserialize([]byte) error }).Deserialize(content) })
	if err := errors.Join(err, conn.Close(), prepare(t.Context(), s.database)); err != nil {
		t.Fatal(err)
	}
	return s
}

func mustRemember(t testing.TB, s *Store, content string) memory.Record {
	t.Helper()
	r, _, err := s.Remember(t.Context(), memory.Record{Content: content})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// found returns the contents that a search finds.
func found(t testing.TB, s *Store, text string) []string {
	t.Helper()
	hits, err := s.Search(t.Context(), memory.Query{Text: text, Limit: maxLimit})
	if err != nil {
		t.Fatal(err)
	}
	var contents []string
	for _, hit := range hits {
		contents = append(contents, hit.Content)
	}
	return contents
}

// A clock is set by hand.
type clock struct{ now time.Time }

func newClock() *clock                { return &clock{time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)} }
func (c *clock) Now() time.Time       { return c.now }
func (c *clock) pass(d time.Duration) { c.now = c.now.Add(d) }

func TestOddPaths(t *testing.T) {
	for _, name := range []string{"with space, 100%/what?a#b&c=d größe.db", "a'b\"c %41.db"} {
		path := filepath.Join(t.TempDir(), name)
		mustRemember(t, create(t, path, Options{}), "here")
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
		if got := found(t, openAt(t, path, Options{}), "here"); len(got) != 1 {
			t.Errorf("%s: found %q", name, got)
		}
	}
}

func TestOnlyTheOwnerMayRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "home", ".aurora", "memory.db")
	s := create(t, path, Options{})
	mustRemember(t, s, "private")
	for name, want := range map[string]os.FileMode{filepath.Dir(path): 0o700, path: 0o600, path + "-wal": 0o600, path + ".lock": 0o600} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	s.Close()
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	openAt(t, path, Options{})
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("a file open to all stays %v, %v", info.Mode(), err)
	}
}

func TestForgottenIsPurgedAfter30Days(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	c := newClock()
	s := openAt(t, path, Options{Now: c.Now})
	old := mustRemember(t, s, "forgotten long ago")
	recent := mustRemember(t, s, "forgotten lately")
	forget := func(id string) {
		if gone, err := s.Forget(t.Context(), []string{id}); len(gone) != 1 || err != nil {
			t.Fatalf("forget: %q, %v", gone, err)
		}
	}
	forget(old.ID)
	c.pass(20 * 24 * time.Hour)
	forget(recent.ID)
	c.pass(11 * 24 * time.Hour)
	s.Close()

	s = openAt(t, path, Options{Now: c.Now})
	for table, column := range map[string]string{"records": "id", "access_events": "subject", "activations": "subject"} {
		var ids string
		if err := s.db.QueryRow(`SELECT group_concat(DISTINCT ` + column + `) FROM ` + table).Scan(&ids); err != nil || ids != recent.ID {
			t.Errorf("%s is left with %s, %v", table, ids, err)
		}
	}
	if revived, created, err := s.Remember(t.Context(), memory.Record{Content: "forgotten lately"}); err != nil || !created || !revived.CreatedAt.Equal(c.now) {
		t.Errorf("revived %+v, created %v, %v", revived, created, err)
	}
}

func TestActivationFollowsTheClock(t *testing.T) {
	c := newClock()
	s := openMemory(t, Options{Now: c.Now})
	ids := []string{"code:a.go:F"}
	level := func() float64 {
		t.Helper()
		levels, err := s.Activation(t.Context(), ids)
		if err != nil {
			t.Fatal(err)
		}
		return levels[ids[0]]
	}
	var all []actr.Event
	use := func() {
		t.Helper()
		if err := s.Use(t.Context(), ids, memory.Edited, 0); err != nil {
			t.Fatal(err)
		}
		all = append(all, actr.Event{At: c.now, Weight: 1})
	}
	use()
	c.pass(100 * time.Second)
	if got := level(); math.Abs(got-math.Log(0.1)) > 1e-9 {
		t.Errorf("after 100 s: %v", got)
	}
	for range 99 {
		use()
		c.pass(3 * time.Hour)
	}
	exact := actr.BaseLevel(c.now, actr.History{Recent: all})
	if got := level(); math.Abs(got-exact) > 0.02 {
		t.Errorf("after 100 uses: %v, exactly %v", got, exact)
	}
	c.pass(-365 * 24 * time.Hour) // the clock was wrong until now
	use()
	if got := level(); math.IsInf(got, 0) || math.IsNaN(got) {
		t.Errorf("after the clock was set back: %v", got)
	}
}

func TestTextIndexIsRebuiltForOtherTokens(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	s := openAt(t, path, Options{})
	mustRemember(t, s, "getUserData")
	for _, statement := range []string{
		`UPDATE properties SET value = 'of another tokenizer' WHERE name = 'tokens'`,
		`INSERT INTO records_fts (records_fts) VALUES ('delete-all')`,
	} {
		if _, err := s.db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	s.Close()
	if got := found(t, openAt(t, path, Options{}), "user data"); len(got) != 1 {
		t.Errorf("found %q", got)
	}
}

func FuzzStore(f *testing.F) {
	for _, seed := range []string{"getUserData", "a\x00\xff", `"; DROP TABLE records`, "password = 'hunter2'", "\n", "🙂 数据"} {
		f.Add(seed, seed)
	}
	s := openMemory(f, Options{})
	f.Fuzz(func(t *testing.T, content, query string) {
		r := memory.Record{Content: content, SourceRef: query, Tags: []string{query}, Title: query}
		saved, _, err := s.Remember(t.Context(), r)
		if err != nil {
			if strings.TrimSpace(strings.ReplaceAll(content, "\x00", "")) == "" {
				return
			}
			t.Fatal(err)
		}
		if _, err := s.Get(t.Context(), saved.ID); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Search(t.Context(), memory.Query{Text: query, Refs: []string{query}, Tags: []string{query}}); err != nil {
			t.Fatal(err)
		}
	})
}

// In a large store, words that nearly all records have don't decide, and are found all the same.
func TestCommonWords(t *testing.T) {
	s := openMemory(t, Options{})
	rememberAll(t, s, commonFrom+100, func(i int) string { return fmt.Sprintf("decision about gadget%d", i) })
	if hits := mustSearch(t, s, memory.Query{Text: "decision about gadget17", Limit: 3}); len(hits) == 0 || hits[0].Content != "decision about gadget17" {
		t.Errorf("the telling word: %+v", hits)
	}
	if hits := mustSearch(t, s, memory.Query{Text: "decision about", Limit: 3}); len(hits) != 3 || hits[0].Score <= 0 {
		t.Errorf("common words: %+v", hits)
	}
	if hits := mustSearch(t, s, memory.Query{Text: "decision about zebras", Limit: 3}); len(hits) != 3 {
		t.Errorf("common words beside one that nothing has: %+v", hits)
	}
	if hits := mustSearch(t, s, memory.Query{Text: "decision about", Metadata: memory.Metadata{Domain: "nowhere"}}); len(hits) != 0 {
		t.Errorf("with a filter: %+v", hits)
	}
}

// In a large store, records with one of several frequent words come after those with two, and are found all the same when more are wanted.
func TestFrequentWords(t *testing.T) {
	s := openMemory(t, Options{})
	words := []string{"gateway", "certificate", "timeout"}
	rememberAll(t, s, commonFrom+100, func(i int) string {
		if i%210 == 0 {
			return fmt.Sprintf("note %d about the timeout of a gateway", i)
		}
		return fmt.Sprintf("note %d of a %s", i, words[i%3])
	})
	query := memory.Query{Text: "gateway certificate timeout", Limit: 10}
	hits := mustSearch(t, s, query)
	for _, h := range hits {
		if !slices.Equal(h.Matched, []string{"gateway", "timeout"}) {
			t.Errorf("one of the first %d: %q, matched %q", query.Limit, h.Content, h.Matched)
		}
	}
	query.Limit = 50
	if hits := mustSearch(t, s, query); len(hits) != 50 {
		t.Errorf("%d of 50 hits", len(hits))
	}
	query = memory.Query{Text: "gateway certificate timeout zebras", Limit: 10, Metadata: memory.Metadata{Domain: "nowhere"}}
	if hits := mustSearch(t, s, query); len(hits) != 0 {
		t.Errorf("with a filter: %+v", hits)
	}
}

// rememberAll remembers n records by few statements, for tests of their number.
func rememberAll(t *testing.T, s *Store, n int, content func(int) string) {
	t.Helper()
	type row struct{ ID, Content, Tokens string }
	rows := make([]row, n)
	for i := range rows {
		rows[i] = row{fmt.Sprint("know:", i), content(i), tokens(content(i))}
	}
	list, err := json.Marshal(rows)
	if err != nil {
		t.Fatal(err)
	}
	err = s.write(t.Context(), func(tx tx) error {
		for _, statement := range []string{
			`INSERT INTO records (id, type, title, content, content_hash, created_at_ms, updated_at_ms)
				SELECT value->>'ID', 'knowledge', '', value->>'Content', value->>'ID', ?2, ?2 FROM json_each(?1)`,
			`INSERT INTO records_fts (rowid, title, content, tags, source)
				SELECT r.seq, '', value->>'Tokens', '', '' FROM json_each(?1) JOIN records r ON r.id = value->>'ID' WHERE ?2`,
		} {
			if _, err := tx.ExecContext(t.Context(), statement, string(list), toMs(tx.now)); err != nil {
				return err
			}
		}
		return rebuildUses(t.Context(), tx)
	})
	if err != nil {
		t.Fatal(err)
	}
}
