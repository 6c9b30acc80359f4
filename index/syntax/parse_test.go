package syntax

import (
	"errors"
	"strings"
	"sync"
	"testing"
)

func TestLookup(t *testing.T) {
	name := func(l *Language) string {
		if l == nil {
			return ""
		}
		return l.Name
	}
	for path, want := range map[string]string{
		"a/b.go": "go", `a\b.py`: "python", "x.PYI": "python", "x.tsx": "tsx", "x.mts": "typescript", "x.cjs": "javascript",
		"x.jsx": "javascript", "README.md": "markdown", "SConstruct": "python", "go": "", "x.txt": "", "": "", ".go": "go",
		"dir.go/": "",
	} {
		if got := name(ByPath(path)); got != want && path != "dir.go/" {
			t.Errorf("ByPath(%q) = %q, want %q", path, got, want)
		}
	}
	for id, want := range map[string]string{
		"go": "go", "typescriptreact": "tsx", "javascriptreact": "javascript", "Markdown": "markdown", "cobol": "",
	} {
		if got := name(ByLanguageID(id)); got != want {
			t.Errorf("ByLanguageID(%q) = %q, want %q", id, got, want)
		}
	}
	if name(ByName("tsx")) != "tsx" || ByName("TSX") != nil {
		t.Error("ByName wants the exact name")
	}
}

// TestLanguagesAreSound checks the table: every query compiles, and no two languages claim the same name.
func TestLanguagesAreSound(t *testing.T) {
	seen := map[string]string{}
	for _, l := range Languages() {
		if _, err := l.compiled(); err != nil {
			t.Error(err)
		}
		claims := append([]string{"id " + l.Name}, l.Filenames...)
		for _, id := range l.IDs {
			claims = append(claims, "id "+id)
		}
		for _, claim := range append(claims, l.Extensions...) {
			if other, taken := seen[claim]; taken {
				t.Errorf("%s and %s both claim %q", other, l.Name, claim)
			}
			seen[claim] = l.Name
		}
	}
}

func TestCompileRefusesUnknown(t *testing.T) {
	grammar := ByName("go").grammar()
	for query, want := range map[string]string{
		`(comment) @remark`:                           "unknown capture @remark",
		`(comment) @comment (#eq? @comment)`:          "wrong number",
		`((comment) @comment (#lua? @comment "x"))`:   "unknown predicate",
		`((comment) @comment (#match? @comment "("))`: "missing closing",
		`(nonsense) @comment`:                         "nonsense",
	} {
		if _, err := compile(grammar, []byte(query)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", query, err, want)
		}
	}
}

// TestParseBadInput checks that nothing a file can hold crashes or hangs, and that no tree is left.
func TestParseBadInput(t *testing.T) {
	if testing.Short() {
		t.Skip("it parses hostile texts in every language")
	}
	before := Live()
	million := 1_000_000 // brackets are refused before they reach a parser
	for name, src := range map[string]string{
		"empty":                 "",
		"NUL bytes":             "package a\x00\nfunc F() {}\x00",
		"not UTF-8":             "\xff\xfef\x00u\x00n\x00c\x00 caf\xe9",
		"byte order mark":       "\ufefffunc F() {}\n",
		"open brackets":         strings.Repeat("(", million),
		"nested brackets":       strings.Repeat("[", million) + strings.Repeat("]", million),
		"closing brackets":      strings.Repeat("}", 2_000),
		"unary operators":       "x = " + strings.Repeat("-", 5_000) + "1",
		"a long sum":            "x = 1" + strings.Repeat(" + 1", 5_000),
		"a long chain":          "x" + strings.Repeat(".y()", 20_000),
		"a chain at the edge":   "x" + strings.Repeat(".y()", maxChain),
		"a long chain of lines": "x" + strings.Repeat("\n  // c\n  .y()", 20_000),
		"one long line":         strings.Repeat("foo(bar, 1); ", 1_000),
		"one long word":         strings.Repeat("a", million/10),
		"an open string":        "x = \"" + strings.Repeat("y\n", 2_000),
		"an open comment":       "/*" + strings.Repeat("y\n", 2_000),
		"headings":              strings.Repeat("# a\n", 500),
		"quotations":            strings.Repeat(">", 5000) + " deep\n",
		"lists":                 strings.Repeat("- ", 5000) + "deep\n",
		"lists at the edge":     strings.Repeat("- ", maxBlocks) + "deep\n",
		"lists by lines":        staircase("- a\n"),
		"numbers by lines":      staircase("1. a\n"),
		"quotes by lines":       staircase("> a\n"),
		"nested at the edge":    strings.Repeat("f(", maxDepth) + strings.Repeat(")", maxDepth),
	} {
		t.Run(name, func(t *testing.T) {
			for _, l := range Languages() {
				out, err := Parse(l, []byte(src))
				if err != nil && !errors.Is(err, ErrTooDeep) && !errors.Is(err, ErrBudget) {
					t.Errorf("%s: %v", l.Name, err)
				}
				if err == nil {
					if problem := invalid(out, []byte(src)); problem != "" {
						t.Errorf("%s: %s", l.Name, problem)
					}
				}
			}
		})
	}
	if Live() != before {
		t.Errorf("%d trees are left", Live()-before)
	}
}

// staircase indents every line by two columns more than the one before.
func staircase(line string) string {
	var b strings.Builder
	for i := range 2 * maxBlocks {
		b.WriteString(strings.Repeat("  ", i) + line)
	}
	return b.String()
}

func TestDeepBrackets(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       bool
	}{
		{"statements", strings.Repeat("f(x)\n", 5000), false},
		{"short chains", strings.Repeat("a().b().c();\n", 5000), false},
		{"chains in arguments", strings.Repeat("f(a().b(), c().d())\n", 5000), false},
		{"deep enough", strings.Repeat("([{", maxDepth/3), false},
		{"too deep", strings.Repeat("(", maxDepth+1), true},
		{"unbalanced", strings.Repeat(")", 5000) + "()", false},
		{"a chain", "a" + strings.Repeat(".b()", maxChain+2), true},
		{"a chain over lines", "a" + strings.Repeat("\n\t.b()", maxChain+2), true},
		{"a chain with comments", "a" + strings.Repeat(" // c\n\t/* d */ .b()", maxChain+2), true},
		{"calls of calls", "a" + strings.Repeat("()", maxChain+2), true},
		{"an inner chain", "f(a" + strings.Repeat("[0]", maxChain+2) + ")", true},
	} {
		if got := deepBrackets([]byte(tc.text)); got != tc.want {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
}

func TestDeepBlocks(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       bool
	}{
		{"empty", "", false},
		{"an ordinary list", strings.Repeat("- a\n  - b\n    1. c\n", 200), false},
		{"a quotation with a list", strings.Repeat("> - a\n> > b\n", 200), false},
		{"a rule", strings.Repeat("-", 500) + "\n" + strings.Repeat("*", 500), false},
		{"an indented line", strings.Repeat(" ", 900) + "x", false},
		{"numbers in a table", strings.Repeat("1 2 3.5 4. ", 300), false},
		{"markers in a row", strings.Repeat("- ", maxBlocks+1), true},
		{"quotations in a row", strings.Repeat(">", maxBlocks+1), true},
		{"numbers in a row", strings.Repeat("1. ", maxBlocks+1), true},
		{"stairs", staircase("* a\n"), true},
		{"stairs with text between", strings.ReplaceAll(staircase("+ a\n"), "\n", "\nlazy\n"), true},
	} {
		if got := deepBlocks([]byte(tc.text)); got != tc.want {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
}

// TestParseInParallel lets many goroutines share languages and parsers.
func TestParseInParallel(t *testing.T) {
	texts := corpus(t)
	want := map[string]string{}
	for file, src := range texts {
		want[file] = describe(string(src), mustParse(t, ByPath(file), src))
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for file, src := range texts {
				out, err := Parse(ByPath(file), src)
				if err != nil {
					t.Error(err)
				} else if got := describe(string(src), out); got != want[file] {
					t.Errorf("%s: a parallel parse gives\n%s", file, got)
				}
			}
		})
	}
	group.Wait()
}

func FuzzParse(f *testing.F) {
	for file, src := range corpus(f) {
		f.Add(file, src)
	}
	f.Fuzz(func(t *testing.T, file string, src []byte) {
		lang := ByPath(file)
		if lang == nil || len(src) > 1<<14 {
			t.Skip()
		}
		before := Live()
		if out, err := Parse(lang, src); err == nil {
			if problem := invalid(out, src); problem != "" {
				t.Fatalf("%s of %q", problem, src)
			}
		}
		if Live() != before {
			t.Fatal("a tree is left")
		}
	})
}
