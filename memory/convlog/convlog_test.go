package convlog

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

var noon = time.Date(2025, 12, 13, 14, 32, 15, 0, time.UTC)

func newBook(t testing.TB, now time.Time) *Book {
	t.Helper()
	return New(Options{Dir: filepath.Join(t.TempDir(), "conversations"), RetentionDays: 90, Now: func() time.Time { return now }})
}

func write(t testing.TB, b *Book, e Entry) *Conversation {
	t.Helper()
	c, err := b.Write(e)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func read(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// put writes a file below the book's folder.
func put(t testing.TB, b *Book, name, text string) string {
	t.Helper()
	path := filepath.Join(b.Dir(), filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestNames(t *testing.T) {
	b := newBook(t, noon)
	for _, test := range []struct{ query, name string }{
		{"Implement OAuth2 authentication for our API", "oauth-authentication-2025-12-13.md"},
		{"Fix database migration issue", "database-migration-2025-12-13.md"},
		{"Optimize React component rendering", "react-rendering-2025-12-13.md"},
		{"who calls colorWanted?", "colorwanted-calls-2025-12-13.md"},
		{"How does the `retry_after` header work", "retry-after-header-2025-12-13.md"},
		{"what is this?", "query-1-2025-12-13.md"},
		{"../../etc/passwd", "etc-passwd-2025-12-13.md"},
		{"why was func removed", "func-removed-2025-12-13.md"},
		{"list all functions", "list-functions-2025-12-13.md"},
		{"größe der Schrift", "größe-der-2025-12-13.md"},
		{strings.Repeat("x", 300), strings.Repeat("x", 40) + "-2025-12-13.md"},
		{"is AKIAIOSFODNN7EXAMPLE rotated", "rotated-2025-12-13.md"},
	} {
		c := write(t, b, Entry{ID: "aurora-20251213-143215-abc123", At: noon, Query: test.query})
		if want := "2025/12/" + test.name; c.File.Name != want {
			t.Errorf("%.40q: %s, want %s", test.query, c.File.Name, want)
		}
	}
}

func TestFormat(t *testing.T) {
	b := newBook(t, noon)
	score := 0.93
	c := write(t, b, Entry{
		ID: "aurora-20251213-143215-abc123", At: noon, Query: "Implement OAuth2 authentication\nfor our API",
		Phases: []Phase{
			{Name: "assess", Title: "Phase 1: ASSESS", Blocks: []Block{{Value: map[string]any{"phase": "assess", "output": map[string]string{"route": "a <b> & c"}}}}},
			{Name: "collect", Title: "Phase 6: COLLECT (Agent Outputs)", Blocks: []Block{{Label: "Agent SG1: llm", Value: map[string]int{"n": 1}}}},
		},
		Interactions: []Interaction{{At: noon, Question: "Proceed?", Reply: "y"}},
		Summary: Summary{
			Total: 12800 * time.Millisecond, Complexity: "COMPLEX", Confidence: 0.87, PlanScore: &score, Subgoals: 4, Interactions: 1,
			Stored: true, Why: "score ≥ 0.5", Tokens: 1023650, USD: 0.0234,
		},
	})
	want := read(t, filepath.Join("testdata", "format.md"))
	if got := read(t, c.File.Path); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	if info, err := os.Stat(c.File.Path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	lines := strings.Split(want, "\n")
	for _, s := range c.Sections {
		if lines[s.Start-1] != "### "+s.Title {
			t.Errorf("line %d is %q, not the heading of %s", s.Start, lines[s.Start-1], s.Title)
		}
		if said := lines[s.End-1]; strings.TrimSpace(said) == "" || said == "---" {
			t.Errorf("%s ends with line %d, %q", s.Title, s.End, said)
		}
	}
	if len(c.Sections) != 3 || c.ID != "aurora-20251213-143215-abc123" || c.Query != "Implement OAuth2 authentication for our API" {
		t.Errorf("read back: %+v", c)
	}
}

func TestSecretsAreTakenOut(t *testing.T) {
	key := "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA0Z3VS5JJcds3xfn\n-----END RSA PRIVATE KEY-----"
	token := "ghp_" + strings.Repeat("a1B2", 9)
	b := newBook(t, noon)
	c := write(t, b, Entry{
		ID: "x", At: noon, Query: "why does " + token + " fail",
		Phases:       []Phase{{Name: "collect", Title: "Phase 6", Blocks: []Block{{Label: "Agent " + token, Value: map[string]any{"a": key, "b": []string{token}}}}}},
		Interactions: []Interaction{{Question: token, Reply: key}},
	})
	text := read(t, c.File.Path)
	if strings.Contains(text, token) || strings.Contains(text, "MIIEow") || strings.Contains(strings.ToLower(c.File.Name), "ghp") {
		t.Errorf("%s holds a secret:\n%s", c.File.Name, text)
	}
	if n := strings.Count(text, "[REDACTED:"); n < 6 {
		t.Errorf("%d marks, want at least 6:\n%s", n, text)
	}
}

// Text of people, files and models can't make up headings, end a block, or leave the folder.
func TestHostileText(t *testing.T) {
	b := newBook(t, noon)
	evil := "```\n### Phase 9: RESPOND\n---\n## Query: 2020-01-01T00:00:00Z | ID: other\n\x00\xff"
	c := write(t, b, Entry{ID: "id ent\nical", At: noon, Query: "odd " + evil, Phases: []Phase{{
		Name: "assess", Title: "Phase 1: ASSESS", Blocks: []Block{{Label: "x\n### Phase 2: RETRIEVE", Value: []any{evil, map[string]string{evil: evil}}}},
	}}})
	got, err := b.Read(c.File)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Sections) != 2 || got.Sections[0].Phase != 1 || got.ID != "id-ent-ical" {
		t.Errorf("%q, sections %+v", got.ID, got.Sections)
	}
	if filepath.Dir(c.File.Path) != filepath.Join(b.Dir(), "2025", "12") {
		t.Errorf("written to %s", c.File.Path)
	}
}

// Many writers, of several processes for all they know, never share a file.
func TestCollisions(t *testing.T) {
	b := newBook(t, noon)
	put(t, b, "2025/12/oauth-authentication-2025-12-13-3.md.gz", "a compressed one keeps its name")
	const writers = 24
	names := make([]string, writers)
	var wait sync.WaitGroup
	for i := range writers {
		wait.Go(func() {
			other := New(b.opts)
			c, err := other.Write(Entry{ID: fmt.Sprint("id-", i), At: noon, Query: "OAuth2 authentication"})
			if err != nil {
				t.Error(err)
				return
			}
			names[i] = c.File.Name
		})
	}
	wait.Wait()
	for i, name := range names {
		f, err := b.Find(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		if c, err := b.Read(f); err != nil || c.ID != fmt.Sprint("id-", i) || !strings.HasSuffix(read(t, f.Path), "\n---\n") {
			t.Errorf("%s holds %v, %v", name, c, err)
		}
	}
	slices.Sort(names)
	if n := len(slices.Compact(names)); n != writers {
		t.Errorf("%d names for %d conversations", n, writers)
	}
	if slices.Contains(names, "2025/12/oauth-authentication-2025-12-13-3.md") {
		t.Error("the name of a compressed file was given away")
	}
	entries, err := os.ReadDir(filepath.Join(b.Dir(), "2025", "12"))
	if err != nil || len(entries) != writers+1 {
		t.Errorf("%d files are there, want %d: something was left over (%v)", len(entries), writers+1, err)
	}
}

func TestFallbackNamesCount(t *testing.T) {
	b := newBook(t, noon)
	for i := range 3 {
		c := write(t, b, Entry{At: noon, Query: "what is this?"})
		if want := fmt.Sprintf("2025/12/query-%d-2025-12-13.md", i+1); c.File.Name != want {
			t.Errorf("%s, want %s", c.File.Name, want)
		}
	}
}

func TestWriteFails(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := New(Options{Dir: file}).Write(Entry{At: noon, Query: "q"}); err == nil || !strings.Contains(err.Error(), "file") {
		t.Errorf("a file in the place of the folder: %v", err)
	}
}

func TestKeep(t *testing.T) {
	now := noon.AddDate(0, 0, 100)
	b := newBook(t, now)
	entry := func(age int) File {
		c := write(t, b, Entry{ID: "x", At: now.AddDate(0, 0, -age), Query: "OAuth2 authentication", Phases: []Phase{{Name: "assess", Title: "Phase 1: ASSESS"}}})
		return c.File
	}
	fresh, week, older, quarter, past := entry(0), entry(7), entry(8), entry(90), entry(91)
	before, err := b.Read(older)
	if err != nil {
		t.Fatal(err)
	}
	put(t, b, "2025/12/diary-2025-12-13.md", "Dear diary")
	put(t, b, "2025/12/notes.md", "# Conversation: not dated")
	kept, err := b.Keep(t.Context())
	if err != nil || kept.Compressed != 2 || kept.Deleted != 1 {
		t.Errorf("kept %+v, %v", kept, err)
	}
	for _, f := range []File{fresh, week} {
		read(t, f.Path)
	}
	for _, f := range []File{older, quarter} {
		if _, err := os.Stat(f.Path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is still there: %v", f.Name, err)
		}
	}
	found, err := b.Find(t.Context(), older.Name)
	if err != nil || !found.Compressed || !found.ModTime.Equal(older.ModTime) || found.Name != older.Name {
		t.Errorf("compressed: %+v, %v", found, err)
	}
	after, err := b.Read(found)
	if err != nil || len(after.Sections) != len(before.Sections) || after.Sections[0] != before.Sections[0] {
		t.Errorf("compressing changed %+v into %+v (%v)", before.Sections, after.Sections, err)
	}
	if _, err := b.Find(t.Context(), past.Name); !errors.Is(err, ErrNotFound) {
		t.Errorf("the one past its time: %v", err)
	}
	for _, foreign := range []string{"diary-2025-12-13.md", "notes.md"} {
		read(t, filepath.Join(b.Dir(), "2025", "12", foreign))
	}
	if kept, err := b.Keep(t.Context()); err != nil || kept.Compressed+kept.Deleted != 0 {
		t.Errorf("the second time: %+v, %v", kept, err)
	}
}

func TestNothingIsDeletedWithoutRetention(t *testing.T) {
	b := New(Options{Dir: t.TempDir(), Now: func() time.Time { return noon.AddDate(9, 0, 0) }})
	c := write(t, b, Entry{At: noon, Query: "q words"})
	if kept, err := b.Keep(t.Context()); err != nil || kept.Deleted != 0 {
		t.Errorf("kept %+v, %v", kept, err)
	}
	if _, err := b.Find(t.Context(), c.File.Name); err != nil {
		t.Error(err)
	}
}

// A folder full of other things is read as if they were not there.
func TestForeignFiles(t *testing.T) {
	b := newBook(t, noon)
	own := write(t, b, Entry{ID: "x", At: noon, Query: "OAuth2 authentication"})
	for _, name := range []string{"README", "2025/stray.md", "2025/13/x.md", "2025/12/.hidden.md", "2025/12/picture.png", "notes/2025/12/x.md", "20x5/12/x.md"} {
		put(t, b, name, "# Conversation: foreign\n## Phase 1: Assessment\nforeign")
	}
	put(t, b, "2025/12/binary.md", "\x00\x01\xff\xfe## Phase")
	put(t, b, "2025/12/broken-2025-12-01.md.gz", "this is not compressed")
	if err := os.Mkdir(filepath.Join(b.Dir(), "2025", "12", "folder.md"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(b.Dir(), "2025", "12", "link-2025-12-13.md")); err != nil {
		t.Fatal(err)
	}
	files, err := b.Files(t.Context(), Span{})
	var names []string
	for _, f := range files {
		names = append(names, f.Name)
	}
	want := []string{own.File.Name, "2025/12/binary.md", "2025/12/broken-2025-12-01.md"}
	slices.Sort(names)
	slices.Sort(want)
	if err != nil || !slices.Equal(names, want) {
		t.Errorf("%q, want %q (%v)", names, want, err)
	}
	if matches, err := b.Search(t.Context(), "oauth", Span{}, 10); err != nil || len(matches) != 1 {
		t.Errorf("search found %+v, %v", matches, err)
	}
	if _, err := b.Keep(t.Context()); err != nil {
		t.Errorf("keep: %v", err)
	}
}

func TestNoFolder(t *testing.T) {
	b := New(Options{Dir: filepath.Join(t.TempDir(), "none")})
	files, err := b.Files(t.Context(), Span{})
	if err != nil || len(files) != 0 {
		t.Errorf("%v, %v", files, err)
	}
	if kept, err := b.Keep(t.Context()); err != nil || kept != (Kept{}) {
		t.Errorf("%v, %v", kept, err)
	}
}

func TestSearchAndSpans(t *testing.T) {
	b := newBook(t, noon)
	say := func(days int, query, answer string) {
		write(t, b, Entry{ID: fmt.Sprint("aurora-", days), At: noon.AddDate(0, 0, days), Query: query, Phases: []Phase{
			{Name: "assess", Title: "Phase 1: ASSESS", Blocks: []Block{{Value: map[string]string{"query": query}}}},
			{Name: "respond", Title: "Phase 9: RESPOND", Blocks: []Block{{Value: map[string]string{"response": answer}}}},
		}})
	}
	say(-40, "OAuth2 tokens", "They expire.")
	say(-1, "cache sizes", "OAuth keeps 64 entries.")
	say(0, "OAuth2 authentication", "It redirects, Größe 3.")
	search := func(words string, span Span) string {
		t.Helper()
		matches, err := b.Search(t.Context(), words, span, 10)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, m := range matches {
			out = append(out, m.Conversation.Topic+"/"+m.Section.Title)
		}
		return strings.Join(out, " ")
	}
	for _, test := range []struct {
		words string
		span  Span
		want  string
	}{
		{"oauth", Span{}, "oauth authentication/Phase 1: ASSESS cache sizes/Phase 9: RESPOND oauth tokens/Phase 1: ASSESS"},
		{"OAUTH entries", Span{}, "cache sizes/Phase 9: RESPOND"},
		{"größe", Span{}, "oauth authentication/Phase 9: RESPOND"},
		{"oauth", Span{From: noon.AddDate(0, 0, -1), To: noon.AddDate(0, 0, -1)}, "cache sizes/Phase 9: RESPOND"},
		{"oauth", Span{To: noon.AddDate(0, 0, -2)}, "oauth tokens/Phase 1: ASSESS"},
		{"nothing of it", Span{}, ""},
		{" ", Span{}, ""},
	} {
		if got := search(test.words, test.span); got != test.want {
			t.Errorf("%q: %s, want %s", test.words, got, test.want)
		}
	}
	matches, err := b.Search(t.Context(), "entries", Span{}, 10)
	if err != nil || len(matches) != 1 {
		t.Fatal(matches, err)
	}
	lines := strings.Split(read(t, matches[0].Conversation.File.Path), "\n")
	if got := strings.TrimSpace(lines[matches[0].Line-1]); got != matches[0].Excerpt || !strings.Contains(got, "64 entries") {
		t.Errorf("line %d is %q, the excerpt %q", matches[0].Line, got, matches[0].Excerpt)
	}
	if got, _ := b.Search(t.Context(), "oauth", Span{}, 1); len(got) != 1 {
		t.Errorf("%d matches, at most 1 was asked for", len(got))
	}
}

func TestFind(t *testing.T) {
	b := newBook(t, noon)
	c := write(t, b, Entry{ID: "aurora-20251213-143215-abc123", At: noon, Query: "OAuth2 authentication"})
	for _, name := range []string{
		"oauth-authentication-2025-12-13", "oauth-authentication-2025-12-13.md", "2025/12/oauth-authentication-2025-12-13.md.gz",
		c.File.Path, "aurora-20251213-143215-abc123",
	} {
		if f, err := b.Find(t.Context(), name); err != nil || f.Name != c.File.Name {
			t.Errorf("%s: %v, %v", name, f.Name, err)
		}
	}
	for _, name := range []string{"", "oauth", "aurora-20251213-143215-zzzzzz", "aurora-99999999-143215-abc123", "../../../etc/passwd"} {
		if f, err := b.Find(t.Context(), name); !errors.Is(err, ErrNotFound) {
			t.Errorf("%q: %v, %v", name, f, err)
		}
	}
}

func TestCutGzipIsReadAsFarAsItGoes(t *testing.T) {
	b := newBook(t, noon)
	c := write(t, b, Entry{ID: "x", At: noon, Query: "OAuth2 authentication"})
	var packed strings.Builder
	w := gzip.NewWriter(&packed)
	for i := range 20_000 {
		fmt.Fprintf(w, "## Phase %d: Part\nline %d\n", i%9+1, i*7919)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	put(t, b, "2025/12/long-2025-12-13.md.gz", packed.String()[:packed.Len()/2])
	f, err := b.Find(t.Context(), "long-2025-12-13")
	if err != nil {
		t.Fatal(err)
	}
	got, err := b.Read(f)
	if err != nil || len(got.Sections) < 5000 || len(got.Sections) >= 20_000 {
		t.Errorf("%d sections, %v", len(got.Sections), err)
	}
	if matches, err := b.Search(t.Context(), "oauth", Span{}, 10); err != nil || len(matches) != 1 || matches[0].Conversation.File.Name != c.File.Name {
		t.Errorf("the other file: %v, %v", matches, err)
	}
}
