package display

import (
	"strings"
	"testing"
	"time"
)

func hitTable() Table {
	return Table{
		Columns: []Column{
			{Title: "File", Min: 8, Left: true, Keep: 9}, {Title: "Type", Keep: 5}, {Title: "Name", Min: 6, Keep: 8},
			{Title: "Lines", Keep: 7}, {Title: "Score", Keep: 4}, {Title: "Commits", Keep: 1}, {Title: "Last Modified", Keep: 2},
		},
		Rows: [][]string{
			{"auth_manager.py", "function", "authenticate_user", "45-67", "0.856", "23", "2 days ago"},
			{"oauth-impl.md", "know", "OAuth Setup", "-", "0.654", "-", "2025-12-15"},
			{"auth-pattern", "reas", "Auth Flow", "-", "0.621", "-", "2025-12-20"},
		},
	}
}

func TestTable(t *testing.T) {
	for _, tt := range []struct {
		width  int
		want   string
		hidden string
	}{
		{width: 0, want: `
File            | Type     | Name              | Lines | Score | Commits | Last Modified
auth_manager.py | function | authenticate_user | 45-67 | 0.856 | 23      | 2 days ago
oauth-impl.md   | know     | OAuth Setup       | -     | 0.654 | -       | 2025-12-15
auth-pattern    | reas     | Auth Flow         | -     | 0.621 | -       | 2025-12-20
`},
		{width: 80, want: `
File         | Type     | Name         | Lines | Score | Commits | Last Modified
…_manager.py | function | authenticat… | 45-67 | 0.856 | 23      | 2 days ago
…uth-impl.md | know     | OAuth Setup  | -     | 0.654 | -       | 2025-12-15
auth-pattern | reas     | Auth Flow    | -     | 0.621 | -       | 2025-12-20
`},
		{width: 50, hidden: "Commits, Last Modified", want: `
File       | Type     | Name       | Lines | Score
…anager.py | function | authentic… | 45-67 | 0.856
…h-impl.md | know     | OAuth Set… | -     | 0.654
…h-pattern | reas     | Auth Flow  | -     | 0.621
`},
		{width: 20, hidden: "Commits, Last Modified, Score, Type, Lines", want: `
File     | Name
…ager.py | authenti…
…impl.md | OAuth Se…
…pattern | Auth Flow
`},
	} {
		table := hitTable()
		lines, hidden := table.Lines(tt.width)
		if got := "\n" + strings.Join(lines, "\n") + "\n"; got != tt.want {
			t.Errorf("width %d: got%s\nwant%s", tt.width, got, tt.want)
		}
		if got := strings.Join(hidden, ", "); got != tt.hidden {
			t.Errorf("width %d: hidden %q, want %q", tt.width, got, tt.hidden)
		}
	}
}

func TestBox(t *testing.T) {
	got := Box(`auth_manager.py | function | authenticate_user (Lines 45-67)`, []BoxLine{
		{Text: "Final Score: 0.856"},
		{Text: `  ├─ BM25:       0.950 ⭐ (exact keyword match on "authenticate")`, Hang: 26},
		{Text: "  ├─ Semantic:   0.820    (high conceptual relevance)", Hang: 26},
		{Text: "  └─ Activation: 0.650    (accessed 3x, 23 commits, last used 2 days ago)", Hang: 26},
		{Text: "Git: 23 commits, last modified 2 days ago"},
	}, 0)
	want := `
┌─ auth_manager.py | function | authenticate_user (Lines 45-67) ───────────────┐
│ Final Score: 0.856                                                           │
│   ├─ BM25:       0.950 ⭐ (exact keyword match on "authenticate")            │
│   ├─ Semantic:   0.820    (high conceptual relevance)                        │
│   └─ Activation: 0.650    (accessed 3x, 23 commits, last used 2 days ago)    │
│ Git: 23 commits, last modified 2 days ago                                    │
└──────────────────────────────────────────────────────────────────────────────┘
`
	if got := "\n" + strings.Join(got, "\n") + "\n"; got != want {
		t.Errorf("got%s\nwant%s", got, want)
	}
}

func TestBoxWraps(t *testing.T) {
	got := strings.Join(Box("a_very_long_name.go", []BoxLine{{Text: "  ├─ BM25: 0.9 (partial match)", Hang: 5}}, 24), "\n")
	want := strings.TrimSpace(`
┌─ a_very_long_name.go ┐
│   ├─ BM25: 0.9       │
│      (partial match) │
└──────────────────────┘`)
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestAgo(t *testing.T) {
	now := time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		age  time.Duration
		want string
	}{
		{0, "just now"}, {59 * time.Second, "just now"}, {-time.Hour, "just now"}, {-3 * day, "2026-03-18"},
		{time.Minute, "1 minute ago"}, {59 * time.Minute, "59 minutes ago"}, {time.Hour, "1 hour ago"},
		{47 * time.Hour, "1 day ago"}, {2 * day, "2 days ago"}, {13 * day, "13 days ago"}, {14 * day, "2 weeks ago"},
		{21 * day, "3 weeks ago"}, {60 * day, "2 months ago"}, {729 * day, "24 months ago"}, {730 * day, "2 years ago"},
	} {
		if got := Ago(now.Add(-tt.age), now); got != tt.want {
			t.Errorf("Ago(%v) = %q, want %q", tt.age, got, tt.want)
		}
	}
	if got := Ago(time.Time{}, now); got != "-" {
		t.Errorf("Ago(zero) = %q", got)
	}
}

func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1.0 kB", 1_440_000: "1.4 MB", 3_000_000_000: "3.0 GB"} {
		if got := Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %q, want %q", n, got, want)
		}
	}
}
