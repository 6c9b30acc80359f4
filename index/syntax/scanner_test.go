package syntax

import (
	"errors"
	"strings"
	"testing"
)

// stairs nests a line n times, one step of indentation deeper each time.
func stairs(line, step string, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(step, i) + line + "\n")
	}
	return b.String()
}

func TestLongHeredocs(t *testing.T) {
	word := strings.Repeat("W", 100)
	for _, tc := range []struct {
		name, text string
		want       bool
	}{
		{"ordinary ones", strings.Repeat("cat <<-EOF > a\nx\nEOF\n", 500), false},
		{"two on a line", "f(<<~A, <<'B')\nA\nB\n", false},
		{"shifts", strings.Repeat("x << 1\n", 500), false},
		{"a string that is appended", "list << \"" + word + "\"\n", false},
		{"here-strings", strings.Repeat("f <<< \""+word+"\"; ", 10), false},
		{"long marks on lines of their own", strings.Repeat("<<"+word+"\n", 10), false},
		{"a mark that is too long", "x = <<" + word + word + word, true},
		{"a quoted mark that is too long", "x = <<~'" + word + " " + word + word + "'", true},
		{"many on a line", strings.Repeat("<<A, ", 100), true},
		{"an open quote", "<<\"" + word, false},
	} {
		if got := longHeredocs([]byte(tc.text)); got != tc.want {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
}

// TestScannersSurvive feeds the hand-written scanners of grammars what makes them keep much state. Tree-sitter gives
// them 1,024 bytes to save it in, and not all of them look whether it fits.
func TestScannersSurvive(t *testing.T) {
	if testing.Short() {
		t.Skip("it parses hostile texts in every language")
	}
	before := Live()
	for _, tc := range []struct{ name, languages, src string }{
		{"open tags", "html svelte php", strings.Repeat("<a>", 5000)},
		{"open tags with long names", "html svelte", strings.Repeat("<"+strings.Repeat("x", 200)+">", 300)},
		{"a tag with a very long name", "html svelte", "<" + strings.Repeat("x", 5000) + ">"},
		{"nested mappings", "yaml", stairs("a:", " ", 600)},
		{"nested sequences", "yaml", strings.Repeat("- ", 3000) + "a"},
		{"nested flow", "yaml json cue toml hcl", strings.Repeat("[", 900) + strings.Repeat("{a: ", 90)},
		{"indented blocks", "python", stairs("if x:", " ", 600)},
		{"indented classes", "scala", stairs("class A:", " ", 600)},
		{"indented lets", "elm haskell", "f =\n" + stairs("let a =", " ", 600)},
		{"indented modules", "ocaml ruby elixir lua", stairs("module A", " ", 600)},
		{"many heredocs", "ruby bash php", "<?php f(" + strings.Repeat("<<A, ", 2000) + "\n"},
		{"heredocs with long names", "ruby bash php hcl", "x = " + strings.Repeat("<<"+strings.Repeat("B", 300)+" ", 50) + "\ny\n"},
		{"a raw string with a long mark", "cpp", `auto s = R"` + strings.Repeat("x", 3000) + "(a"},
		{"a raw string with many hashes", "rust swift", "let s = r" + strings.Repeat("#", 3000) + "\"a"},
		{"a long bracket", "lua", "s = [" + strings.Repeat("=", 3000) + "[a"},
		{"nested comments", "ocaml ocaml_interface powershell rust scala kotlin swift elm haskell dart", strings.Repeat("(* /* {- ", 3000)},
		{"a quoted string with a long mark", "ocaml", "let s = {" + strings.Repeat("x", 3000) + "|a"},
		{"a dollar quote with a long mark", "sql", "SELECT $" + strings.Repeat("x", 3000) + "$ a"},
		{"nested templates", "javascript kotlin swift csharp hcl ruby dockerfile bash elixir php scala groovy dart r powershell",
			"x = " + strings.Repeat("\"${ #{ `${ ", 150)},
		{"many quotes", "powershell go python ruby php swift scala elixir bash kotlin csharp toml yaml lua haskell zig dart r", strings.Repeat("\"'`", 1500)},
		{"percent literals", "ruby", "x = " + strings.Repeat("%w(", 400) + strings.Repeat("%q{", 400)},
		{"sigils", "elixir", strings.Repeat("~s(", 600)},
		{"blocks without end", "svelte", strings.Repeat("{#if a}{#each b as c}", 400)},
		{"an open class and method", "powershell groovy java kotlin scala swift csharp php", "class A {\n void run() {\n  f(\"g\")\n"},
		{"selectors", "css", strings.Repeat("a > b, ", 2000)},
		{"carriage returns", "python yaml ruby scala elm bash", strings.Repeat("if x:\r  y\r\r\n", 500)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for _, name := range strings.Fields(tc.languages) {
				out, err := Parse(ByName(name), []byte(tc.src))
				if err != nil && !errors.Is(err, ErrTooDeep) && !errors.Is(err, ErrBudget) {
					t.Errorf("%s: %v", name, err)
				}
				if err == nil {
					if problem := invalid(out, []byte(tc.src)); problem != "" {
						t.Errorf("%s: %s", name, problem)
					}
				}
			}
		})
	}
	if Live() != before {
		t.Errorf("%d trees are left", Live()-before)
	}
}
