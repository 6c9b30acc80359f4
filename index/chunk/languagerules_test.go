package chunk

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/index/syntax"
)

// TestRulesOfLanguages cuts one text under several rules.
func TestRulesOfLanguages(t *testing.T) {
	const python = "\"\"\"Doc of the file.\"\"\"\nimport os\n\ndef alpha():\n    \"\"\"Says hello.\"\"\"\n    return os\n\nclass Box:\n    def open(self):\n        return 1\n"
	const kotlin = "package a\n\n/** Doc of Box, which is a long one. */\nclass Box {\n    fun open() = 1\n}\n\n/** Doc of alpha, which is a long one. */\nfun alpha() = 2\n"
	fence := "# One\n\ntext\n\n```go\n" + strings.Repeat("line := 1\n", 60) + "```\n\n## Two\n\nmore\n"
	for _, tt := range []struct {
		name, language, src string
		rule                Rule
		want                string // kind:name of the chunks
	}{
		{"default", "python", python, Rule{}, "DOCSTRING: CODE_BLOCK: CODE_FUNCTION:alpha CODE_CLASS:Box CODE_FUNCTION:open"},
		{"functions merged", "python", python, Rule{Merged: []syntax.Kind{syntax.Function, syntax.Method}}, "DOCSTRING: CODE_BLOCK: CODE_CLASS:Box"},
		{"default", "kotlin", kotlin, Rule{}, "CODE_BLOCK: CODE_CLASS:Box CODE_FUNCTION:open CODE_FUNCTION:alpha"},
		{"classes merged", "kotlin", kotlin, Rule{Merged: []syntax.Kind{syntax.Class}}, "CODE_BLOCK: CODE_FUNCTION:open CODE_FUNCTION:alpha"},
		{"loose docs", "kotlin", kotlin, Rule{LooseDocs: true}, "CODE_BLOCK: CODE_CLASS:Box CODE_FUNCTION:open COMMENT: CODE_FUNCTION:alpha"},
		{"default", "markdown", fence, Rule{}, "MARKDOWN_SECTION:One CODE_BLOCK:go MARKDOWN_SECTION:Two"},
		{"headings merged", "markdown", "# One\n\na\n\n# Two\n\nb\n", Rule{Merged: []syntax.Kind{syntax.Section}}, "CODE_BLOCK:"},
	} {
		f, err := Rules{tt.language: tt.rule}.Analyze(syntax.ByName(tt.language), []byte(tt.src))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range f.Chunks {
			got = append(got, fmt.Sprintf("%s:%s", c.Kind, c.Name))
			if tt.rule.LooseDocs && (!c.Doc.Empty() || strings.Contains(string(c.Span.In([]byte(tt.src))), "/** Doc") && c.Name != "") {
				t.Errorf("%s, %s: %s has a doc", tt.language, tt.name, c.Name)
			}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s, %s: %s\nwant %s", tt.language, tt.name, strings.Join(got, " "), tt.want)
		}
	}
}

// TestSizesByRule counts pieces and what they repeat.
func TestSizesByRule(t *testing.T) {
	long := []byte("def f():\n" + strings.Repeat("    call(1)\n", 400))
	parts := func(rule Rule) (n, overlap, largest int) {
		f, err := Rules{"python": rule}.Analyze(syntax.ByName("python"), long)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range f.Chunks[0].Parts {
			overlap += p.Overlap.End - p.Overlap.Start
			largest = max(largest, p.Tokens)
		}
		return len(f.Chunks[0].Parts), overlap, largest
	}
	usual, repeated, _ := parts(Rule{})
	small, _, largest := parts(Rule{MaxTokens: 100})
	if small < 4*usual || largest > 100 {
		t.Errorf("%d parts of at most %d tokens, %d by default", small, largest, usual)
	}
	if n, none, _ := parts(Rule{OverlapPercent: -1}); n != usual || none != 0 || repeated == 0 {
		t.Errorf("%d parts repeat %d bytes; by default %d", n, none, repeated)
	}
	if _, more, _ := parts(Rule{OverlapPercent: 40}); more < 2*repeated {
		t.Errorf("40 percent repeat %d bytes, 15 percent %d", more, repeated)
	}
	fence := []byte("# One\n\n```go\n" + strings.Repeat("line := 1\n", 400) + "```\n")
	sections := func(rule Rule) int {
		f, err := Rules{"markdown": rule}.Analyze(syntax.ByName("markdown"), fence)
		if err != nil {
			t.Fatal(err)
		}
		return len(f.Chunks)
	}
	if whole, cut := sections(Rule{}), sections(Rule{CutBlocks: true}); whole > 2 || cut <= whole {
		t.Errorf("a fence has %d pieces, and %d where it may be cut", whole, cut)
	}
}

func TestTags(t *testing.T) {
	r := Rules{"python": {MaxTokens: 100}, "go": {}}
	if r.Tag("python") == "" || r.Tag("go") != "" || r.Tag("rust") != "" || Rules(nil).Tag("go") != "" {
		t.Errorf("tags %q %q %q", r.Tag("python"), r.Tag("go"), r.Tag("rust"))
	}
	if r.Tag("python") == (Rules{"python": {MaxTokens: 101}}).Tag("python") {
		t.Error("two rules have one tag")
	}
}
