package show

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/text"
)

func page(query string, width int, color bool) *Page {
	return NewPage(&app.App{Out: &bytes.Buffer{}, Width: width, Color: color}, HitView{Git: true, Now: testNow}, query, 8)
}

// method is a hit as the engine makes it: the text begins behind the blanks of its first line.
func method() api.Hit {
	body := "// total adds up\r\n\tfloat total(List l) {\r\n\t\tif (l == null) {\r\n\t\t\treturn 0;\r\n\t\t}\r\n\r\n\t\tvar a = 1;\r\n\t\tvar b = 2;\r\n\t\tvar c = 3;\r\n\t\tvar d = 4;\r\n\t\treturn sum(l, \"a\tb\");\r\n\t}"
	hit := full([]engine.Hit{{
		ID: "code:Shop.java:Shop.total", Type: "method",
		Symbol:    snippet.Symbol{Name: "total", Container: "Shop", Language: "java"},
		Location:  snippet.Location{Path: "src/Shop.java", Range: &text.Range{Start: text.Position{Line: 8, Byte: 1, UTF16: 1}, End: text.Position{Line: 18, Byte: 2, UTF16: 2}}, Above: 1, NameRange: lines(9, 9)},
		Content:   snippet.Content{Text: body},
		Relevance: snippet.Relevance{Score: 0.5},
		Git:       tracked(2, 3),
	}})[0]
	hit.Notes = []api.Note{{ID: "know:a-1", Text: "Never\nnegative", Warning: "stale: changed"}}
	return hit
}

func TestPage(t *testing.T) {
	record := exampleHits()[4]
	record.Citations = []api.Citation{{State: "valid", Path: "a.go", Line: 3, Name: "A"}}
	record.Tags = []string{"x", "y"}
	record.Name = "first the…" // as a name is that was cut out of a long text
	got := "\n" + strings.Join(page("sum of totals", 0, false).Hits([]api.Hit{method(), record}), "\n") + "\n"
	want := `
src/Shop.java:9  Shop.total  method  0.500  2 commits, 3 days ago
   8  // total adds up
   9  float total(List l) {
  10      if (l == null) {
  11          return 0;
  12      }
  14      var a = 1;
  15      var b = 2;
   …
  18      return sum(l, "a    b");
  19  }
    note Never negative (know:a-1); stale: changed

reas:auth-pattern  reas  0.621  2 months ago
    first the token
    about a.go:3 A (valid)
    tags x, y
`
	if got != want {
		t.Errorf("got%s\nwant%s", got, want)
	}
}

func TestPageInColour(t *testing.T) {
	got := strings.Join(page("sum", 80, true).Hits([]api.Hit{method()}), "\n")
	for _, want := range []string{
		"\x1b[1msrc/Shop.java:9\x1b[0m  Shop.total  \x1b[2mmethod\x1b[0m", "\x1b[2m   8\x1b[0m  \x1b[2m// total adds up\x1b[0m",
		"\x1b[35mreturn\x1b[0m \x1b[1;31msum\x1b[0m(l, \x1b[32m\"a    b\"\x1b[0m)", "    \x1b[1mnote \x1b[0mNever negative",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%q", want, got)
		}
	}
	uncoloured := strings.Join(page("sum", 80, false).Hits([]api.Hit{method()}), "\n")
	if seen := sequences.ReplaceAllString(got, ""); seen != uncoloured {
		t.Errorf("colours change the text:\n%s\n%s", seen, uncoloured)
	}
}

var sequences = regexp.MustCompile("\x1b\\[[0-9;]*m")

// TestMarks marks what search would find: forms of words, parts of names, and nothing for words that say nothing.
func TestMarks(t *testing.T) {
	for _, tt := range []struct{ query, line, want string }{
		{"retry the request", "the retryRequest(retries) of a", "the [retryRequest]([retries]) of a"},
		{"parseConfig", "parseConfig parse_config ParseConfigs", "[parseConfig] [parse]_[config] [Parse]Configs"},
		{"再試行", "func 再試行() 試行", "func [再試行]() 試行"},
		{"-type type:function İstanbul", "İstanbul x", "İstanbul x"},
		{"", "anything", "anything"},
	} {
		p := page(tt.query, 0, true)
		styles := make([]style, len(tt.line))
		p.mark(tt.line, styles)
		if got := strings.NewReplacer("\x1b["+string(found)+"m", "[", "\x1b[0m", "]").Replace(p.draw(tt.line, styles)); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.query, got, tt.want)
		}
	}
}

// TestPageFits shows what is hard to draw in terminals of all widths.
func TestPageFits(t *testing.T) {
	long := method()
	long.Text = "var x = " + strings.Repeat("日本語🚀 ", 300) + "needle" + strings.Repeat("\ty", 300)
	evil := "\x1b[2J\u202eevil\u2066\x9b31m\r\n\t\x00\xff needle"
	hits := full([]engine.Hit{
		{ID: "code:" + evil, Type: "code",
			Symbol:   snippet.Symbol{Name: evil},
			Location: snippet.Location{Path: evil, Range: lines(1, 2)},
			Content:  snippet.Content{Text: evil}, Git: &engine.GitInfo{State: evil}},
		{ID: "know:" + evil, Type: "knowledge", Source: "memory",
			Symbol:     snippet.Symbol{Name: evil},
			Content:    snippet.Content{Text: evil, Snippet: strings.Repeat(evil, 40)},
			Remembered: snippet.Remembered{Tags: []string{evil}}},
		{ID: "log:x", Type: "knowledge", Origin: engine.OriginLog, Location: snippet.Location{Path: strings.Repeat("長い", 30) + ".md", Range: lines(3, 4)},
			Content: snippet.Content{Snippet: evil}},
		{ID: "code:empty.go:x", Type: "function", Symbol: snippet.Symbol{Name: "x"}, Location: snippet.Location{Path: "empty.go"}},
	})
	hits = append(hits, method(), long)
	for _, color := range []bool{false, true} {
		for _, width := range []int{0, 1, 5, 12, 20, 39, 40, 80, 300} {
			for _, line := range page("needle", width, color).Hits(hits) {
				seen := line
				if color {
					seen = sequences.ReplaceAllString(line, "")
				}
				if strings.ContainsAny(seen, "\x1b\r\n\t\x00\u202e\u2066\u009b") {
					t.Errorf("width %d: unsafe line %q", width, line)
				}
				if width >= 12 && display.Cells(seen) > width {
					t.Errorf("width %d: %d cells: %q", width, display.Cells(seen), seen)
				}
			}
		}
	}
	if shown := strings.Join(page("needle", 60, false).Hits([]api.Hit{long}), "\n"); !strings.Contains(shown, "needle") {
		t.Errorf("the word that was found is cut off:\n%s", shown)
	}
}

func TestBlocks(t *testing.T) {
	for _, frame := range []string{"<snippet path=\"a.go\" language=\"go\" score=\"1\">\n[Source: a.go:1]\n%s\n</snippet>\nfunc", "# A\n```go\n%s\n```\nfunc"} {
		plainText := fmt.Sprintf(frame, "func A() {}\n\treturn")
		got := page("a", 80, true).Blocks(plainText)
		if !strings.Contains(got, "\x1b[35mfunc\x1b[0m") || !strings.Contains(got, "\n\t\x1b[35mreturn\x1b[0m\n") || !strings.HasSuffix(got, "\nfunc") {
			t.Errorf("got %q", got)
		}
		if sequences.ReplaceAllString(got, "") != plainText {
			t.Errorf("the text has changed: %q", got)
		}
		if page("a", 0, false).Blocks(plainText) != plainText {
			t.Error("colours where none are wanted")
		}
	}
}
