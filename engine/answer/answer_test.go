package answer

import (
	"testing"

	"github.com/aurora-sidecar/aurora/engine/answer/evidence"
)

func TestIntroduction(t *testing.T) {
	tests := []struct{ readme, want string }{
		{"# Shop\n\nShop sells apples to people who pay.\n\nMore.\n", "Shop sells apples to people who pay."},
		{
			"<h3>Every site on HTTPS</h3>\n<p align=\"center\">Plum is an extensible server platform.</p>\n<p>\n\t<a href=\"https://a\">Releases</a> ·\n" +
				"\t<a href=\"https://b\">Documentation</a>\n</p>\n", "Plum is an extensible server platform.",
		},
		{"```sh\n</p> make all of it and more things\n```\n\nShop sells apples to people\r\nwho pay.\r\n", "Shop sells apples to people who pay."},
	}
	for _, test := range tests {
		if got, _ := introduction(test.readme, "plum"); got != test.want {
			t.Errorf("%q: %q, want %q", test.readme, got, test.want)
		}
	}
}

func TestLineWith(t *testing.T) {
	tests := []struct {
		name, caller, text string
		line               int
		want               string
	}{
		{"Start", "App.Start", "// Start starts it.\nfunc (a *App) Start(x int) error {\n\treturn a.inner.Start(x)\n}\n", 2, "return a.inner.Start(x)"},
		{"Start", "run", "func run() {\n\t// Start it\n\tStart()\n}\n", 1, "Start()"},
		{"Start", "run", "func run() {\n\tlater(Start)\n}\n", 1, "later(Start)"},
		{"Start", "Restart", "func Restart() {\n\tRestart()\n}\n", 1, ""},
	}
	for _, test := range tests {
		caller := evidence.Citation{Name: test.caller, Text: test.text, First: 10, Line: 10 + test.line - 1}
		if _, got := lineWith(caller, test.name); got != test.want {
			t.Errorf("%s in %q: %q, want %q", test.name, test.text, got, test.want)
		}
	}
}

func TestQuote(t *testing.T) {
	for words, want := range map[string]string{
		"Verifies that the ``_xsrf`` cookie\n matches": "\"Verifies that the `_xsrf` cookie matches\"",
		"See :py:class:`~a.B` and `c[0]` of [d](e)":    "\"See `a.B` and `c[0]` of \\[d\\](e)\"",
		"An open ` stays one":                          "\"An open \\` stays one\"",
		"A `` ` `` and *more* <b>":                     "\"A \\`\\` \\` \\`\\` and \\*more\\* \\<b>\"",
	} {
		if got := quote(words); got != want {
			t.Errorf("%q: %s, want %s", words, got, want)
		}
	}
}
