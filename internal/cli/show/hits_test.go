package show

import (
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/text"
)

func lines(first, last int) *text.Range {
	return &text.Range{Start: text.Position{Line: first - 1}, End: text.Position{Line: last - 1, Byte: 1, UTF16: 1}}
}

func ptr(v float64) *float64 { return &v }

func tracked(commits, days int) *engine.GitInfo {
	return &engine.GitInfo{State: "tracked", Commits: commits, LastModified: testNow.AddDate(0, 0, -days)}
}

// exampleHits are one hit of every sort that a row can show.
func exampleHits() []api.Hit {
	return full([]engine.Hit{
		{ID: "code:auth_manager.py:authenticate_user", Type: "function",
			Symbol:    snippet.Symbol{Name: "authenticate_user", Signature: "def authenticate_user(token: str) -> bool", Doc: "Checks a token."},
			Location:  snippet.Location{Path: "auth_manager.py", Range: lines(45, 67)},
			Content:   snippet.Content{Text: "def authenticate_user(token: str): ..."},
			Relevance: snippet.Relevance{Score: 0.856, Scores: engine.Scores{BM25: ptr(19), Normalised: ptr(1), Semantic: ptr(0.82), Activation: ptr(0.65), Final: 0.856}},
			Git:       tracked(23, 2), Remembered: snippet.Remembered{Uses: 3, LastUsed: testNow.AddDate(0, 0, -2)}},
		{ID: "code:new.go:Draft", Type: "class",
			Symbol:    snippet.Symbol{Name: "Draft", Signature: "type Draft struct"},
			Location:  snippet.Location{Path: "new.go", Range: lines(3, 3)},
			Relevance: snippet.Relevance{Score: 0.7, Scores: engine.Scores{BM25: ptr(9.5), Normalised: ptr(0.5)}}, Git: &engine.GitInfo{State: "untracked"}},
		{ID: "code:broken.go:remainder", Type: "code",
			Location:  snippet.Location{Path: "broken.go", Range: &text.Range{End: text.Position{Line: 4}}},
			Content:   snippet.Content{Snippet: "package broken"},
			Relevance: snippet.Relevance{Score: 0.68}, Git: &engine.GitInfo{State: "unavailable"}},
		{ID: "know:oauth-impl-1a2b3c4d", Type: "knowledge", Source: "memory",
			Symbol:     snippet.Symbol{Name: "OAuth Setup"},
			Content:    snippet.Content{Text: "OAuth Setup\nuses PKCE"},
			Relevance:  snippet.Relevance{Score: 0.654},
			Remembered: snippet.Remembered{CreatedAt: time.Date(2025, 12, 15, 9, 0, 0, 0, time.UTC)}},
		{ID: "reas:auth-pattern", Type: "reasoning", Source: "memory",
			Symbol:     snippet.Symbol{Name: "Auth Flow"},
			Content:    snippet.Content{Text: "first the token"},
			Relevance:  snippet.Relevance{Score: 0.621, Scores: engine.Scores{Activation: ptr(-1.2)}},
			Remembered: snippet.Remembered{CreatedAt: time.Date(2025, 12, 20, 9, 0, 0, 0, time.UTC), LastUsed: testNow.AddDate(0, 0, -21)}},
	})
}

// full is hits as a command gets them.
func full(hits []engine.Hit) []api.Hit { return api.FullHits(hits, WireEncoding) }

func TestSearchTable(t *testing.T) {
	for _, tt := range []struct {
		name string
		view HitView
		want string
	}{
		{"git", HitView{Git: true, Now: testNow}, `
File                | Type     | Name              | Lines | Score | Commits         | Last Modified
auth_manager.py     | function | authenticate_user | 45-67 | 0.856 | 23              | 2 days ago
new.go              | class    | Draft             | 3     | 0.700 | - (untracked)   | - (untracked)
broken.go           | code     |                   | 1-4   | 0.680 | - (unavailable) | - (unavailable)
oauth-impl-1a2b3c4d | know     | OAuth Setup       | -     | 0.654 | -               | 2025-12-15
auth-pattern        | reas     | Auth Flow         | -     | 0.621 | -               | 2025-12-20
`},
		{"legacy", HitView{Git: true, Legacy: true, Now: testNow}, `
File                | Type     | Name              | Lines | Score
auth_manager.py     | function | authenticate_user | 45-67 | 0.856
new.go              | class    | Draft             | 3     | 0.700
broken.go           | code     |                   | 1-4   | 0.680
oauth-impl-1a2b3c4d | know     | OAuth Setup       | -     | 0.654
auth-pattern        | reas     | Auth Flow         | -     | 0.621
`},
	} {
		table := tt.view.Table(exampleHits())
		got, _ := table.Lines(0)
		if got := "\n" + strings.Join(got, "\n") + "\n"; got != tt.want {
			t.Errorf("%s: got%s\nwant%s", tt.name, got, tt.want)
		}
	}
}

func TestScoreBoxes(t *testing.T) {
	view := HitView{Git: true, Now: testNow}
	got := "\n" + strings.Join(view.Boxes("authenticate token", exampleHits()[:2], 0), "\n") + "\n"
	want := `
┌─ auth_manager.py | function | authenticate_user (Lines 45-67) ───────────────┐
│ Final Score: 0.856                                                           │
│   ├─ BM25:       1.000 ⭐ (exact keyword match on "authenticate")            │
│   ├─ Semantic:   0.820    (high conceptual relevance)                        │
│   └─ Activation: 0.650    (accessed 3x, 23 commits, last used 2 days ago)    │
│ Git: 23 commits, last modified 2 days ago                                    │
└──────────────────────────────────────────────────────────────────────────────┘
┌─ new.go | class | Draft (Lines 3) ───────────────────────────────────────────┐
│ Final Score: 0.700                                                           │
│   ├─ BM25:       0.500    (partial match)                                    │
│   ├─ Semantic:   No semantic score available (not computed)                  │
│   └─ Activation: -        (never used)                                       │
│ Git: untracked                                                               │
└──────────────────────────────────────────────────────────────────────────────┘
`
	if got != want {
		t.Errorf("got%s\nwant%s", got, want)
	}
	legacy := strings.Join(HitView{Legacy: true, Git: true, Now: testNow}.Boxes("authenticate", exampleHits()[:1], 0), "\n")
	if strings.Contains(legacy, "Git:") || strings.Contains(legacy, "commits") {
		t.Errorf("--legacy --show-scores shows git:\n%s", legacy)
	}
}

func TestSemanticLevels(t *testing.T) {
	for score, want := range map[float64]string{
		0.9: "very high conceptual relevance", 0.89: "high conceptual relevance", 0.8: "high conceptual relevance",
		0.79: "moderate conceptual relevance", 0.7: "moderate conceptual relevance", 0.69: "low conceptual relevance",
	} {
		if got := semanticText(&api.Scores{Semantic: &score}); !strings.Contains(got, "("+want+")") {
			t.Errorf("%v: %q, want %q", score, got, want)
		}
	}
}

func TestOverlap(t *testing.T) {
	h := full([]engine.Hit{{Symbol: snippet.Symbol{Name: "parseConfig"}, Location: snippet.Location{Path: "config/parse.go"}, Content: snippet.Content{Text: "func parseConfig(path string) error { return readFile(path) }"}}})[0]
	for query, want := range map[string]string{
		"parseConfig":               `exact keyword match on "parseConfig"`,
		"config please":             `exact keyword match on "config"`,
		"string error":              "strong term overlap",
		"string banana apple grape": "partial match",
		"":                          "partial match",
	} {
		if got, _ := overlap(query, &h); got != want {
			t.Errorf("overlap(%q) = %q, want %q", query, got, want)
		}
	}
}

func TestRecallList(t *testing.T) {
	view := HitView{Git: true, Now: testNow}
	got := "\n" + strings.Join(view.List("authentication bugs", exampleHits()), "\n") + "\n"
	want := `
Memory Search Results for: "authentication bugs"

Found 5 relevant patterns (sorted by activation):

1. [Code Chunk] ID: code:auth_manager.py:authenticate_user
   Activation: 0.65 | Last modified: 2 days ago
   Function: def authenticate_user(token: str) -> bool
   Context: Checks a token.
   Source: auth_manager.py:45

2. [Reasoning Pattern] ID: reas:auth-pattern
   Activation: 0.23 | Last used: 3 weeks ago
   Context: "first the token"

3. [Code Chunk] ID: code:new.go:Draft
   Activation: -
   Class: type Draft struct
   Source: new.go:3

4. [Code Chunk] ID: code:broken.go:remainder
   Activation: -
   Text: package broken
   Source: broken.go:1

5. [Knowledge] ID: know:oauth-impl-1a2b3c4d
   Activation: - | Last modified: 3 months ago
   Context: "OAuth Setup uses PKCE"
`
	if got != want {
		t.Errorf("got%s\nwant%s", got, want)
	}
}

// Names that come from files must not reach the terminal as they are.
func TestNothingFromFilesMovesTheCursor(t *testing.T) {
	evil := "\x1b[2J\u202eevil\r\n"
	hits := full([]engine.Hit{{ID: "code:" + evil, Type: evil, Symbol: snippet.Symbol{Name: evil, Signature: evil, Doc: evil}, Location: snippet.Location{Path: evil, Range: lines(1, 2)}, Content: snippet.Content{Text: evil},
		Git: &engine.GitInfo{State: evil}}})
	view := HitView{Git: true, Now: testNow}
	table := view.Table(hits)
	out, _ := table.Lines(80)
	out = append(out, view.Boxes(evil, hits, 80)...)
	out = append(out, view.List(evil, hits)...)
	for _, line := range out {
		if strings.ContainsAny(line, "\x1b\r\n\u202e") {
			t.Errorf("unsafe line %q", line)
		}
	}
}

var testNow = time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)
