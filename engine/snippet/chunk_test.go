package snippet

import (
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/engine/wording"
)

func TestDocParagraph(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"go", "// Open opens\n// the store.\n//\n// More.\n", "Open opens the store."},
		{"jsdoc", "/**\n * Adds two\n * numbers.\n * @param a first\n */", "Adds two numbers."},
		{"docstring", "\"\"\"Return the user.\n\n    More.\n    \"\"\"", "Return the user."},
		{"hash", "# loads it\n# twice\n", "loads it twice"},
		{"paragraphs after a hash", "##\n# Loads it.\n#\n# More.\n", "Loads it."},
		{"block", "/* one line */", "one line"},
		{"crlf", "// A\r\n// B\r\n", "A B"},
		{"rust", "/// Adds.\n", "Adds."},
		{"only tags", "/**\n * @author Somebody\n */", ""},
		{"one line of jsdoc", "/** Opens it. */", "Opens it."},
		{"sql", "-- Counts\n-- the words.", "Counts the words."},
		{"lua", "--- Draws a box.", "Draws a box."},
		{"ocaml", "(** Greets. *)", "Greets."},
		{"none", "", ""},
	}
	for _, tt := range tests {
		if got := docParagraph(tt.in); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestHeadLines(t *testing.T) {
	if got := wording.HeadLines("a\r\nb\r\nc\r\n", 2); got != "a\nb" {
		t.Errorf("got %q", got)
	}
	long := wording.HeadLines(strings.Repeat("é", 5000), 3)
	if len(long) > wording.MaxLine+len("…") || strings.ContainsRune(long, '\uFFFD') {
		t.Errorf("cut to %d bytes: %q", len(long), long[len(long)-8:])
	}
}

func TestSplitRef(t *testing.T) {
	tests := []struct {
		ref  string
		path string
		line int
	}{
		{"a/b.go:12", "a/b.go", 12},
		{"a/b.go", "a/b.go", 0},
		{"code:a/b.go:T.M~1", "a/b.go", 0},
		{"a:b", "a:b", 0},
		{"a:-3", "a:-3", 0},
		{"", "", 0},
		{":5", ":5", 0},
	}
	for _, tt := range tests {
		if path, line := SplitRef(tt.ref); path != tt.path || line != tt.line {
			t.Errorf("splitRef(%q) = %q, %d", tt.ref, path, line)
		}
	}
}

// TestWithoutLinks shows headings without their badges and addresses.
func TestWithoutLinks(t *testing.T) {
	for in, want := range map[string]string{
		"Vegeta [![Build](https://x/a.svg)](https://x/actions) [![Go](https://y/b)](https://y)": "Vegeta",
		"[Limiter](https://x/limit) and more":                                                   "Limiter and more",
		"![logo](logo.png)":                                                                     "",
		"plain [text]":                                                                          "plain [text]",
	} {
		if got := withoutLinks(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
