package cli

import (
	"os"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
)

// Several keys are set together, all of them or none.
func TestConfigSetsPairs(t *testing.T) {
	p := newProject(t)
	got := p.run("aurora", "config", "set", "llm.provider", "ollama", "llm.model", "m", "search.min_score", "0.1", "--json")
	if got.code != app.ExitOK || strings.Count(got.out, `"key"`) != 3 {
		t.Errorf("both: %s", got)
	}
	if got := p.run("aurora", "config", "validate"); got.code != app.ExitOK || !strings.Contains(got.out, "3 of ") {
		t.Errorf("after it: %s", got)
	}
	for _, args := range [][]string{{"search.limit", "5", "search.semantic"}, {}, {"search.limit", "5", "serach.semantic", "true"}, {"search.limit", "5", "search.min_score", "-1.5"}} {
		if got := p.run(append([]string{"aurora", "config", "set"}, args...)...); got.code != app.ExitUsage {
			t.Errorf("%v: %s", args, got)
		}
	}
	if got := p.run("aurora", "config", "get", "search.limit", "--value"); got.out != "10\n" {
		t.Errorf("a part of a bad command was written: %s", got)
	}
	// What is wrong already does not keep anybody from repairing something else.
	p.writeHome(".aurora/config.json", `{"scoring": {"retry_threshold": 0.9}, "index": {"workers": -1}, "search": {"limit": 0}}`)
	if got := p.run("aurora", "config", "set", "search.limit", "7"); got.code != app.ExitOK {
		t.Errorf("beside a fault: %s", got)
	}
}

// TestNoSettingStopsACommand: bad values and files are reported, and everything else goes on. Removed keys are told once.
func TestNoSettingStopsACommand(t *testing.T) {
	p := newProject(t)
	for content, says := range map[string]string{
		`{"search": {"limit": "ten"}}`: `search.limit: Must be a whole number in [1, 1000] (got "ten"); using 10`,
		`{"search": {"limit": 5}`:      "Must be a JSON object: line 1, column",
		`[]`:                           "it is of type array",
		"\x00\xff":                     "Must be a JSON object",
		`{"a": "` + strings.Repeat("x", 300<<10) + `"}`: "larger than 256 KiB",
	} {
		p.writeHome(".aurora/config.json", content)
		for _, command := range []string{"status", "config get search.limit --value", "mem search parse"} {
			got := p.run(append([]string{"aurora"}, strings.Fields(command)...)...)
			if got.code == app.ExitFailed || got.code == app.ExitUsage || got.out == "" || !strings.Contains(got.err, says) {
				t.Errorf("%.40q, %s: %s, want %q", content, command, got, says)
			}
		}
	}
	p.writeHome(".aurora/config.json", `{"search": {"bm25": {"k1": 1}}}`)
	const says = "no longer settings, ignored: search.bm25"
	if got := p.run("aurora", "config", "list", "--files"); got.code != app.ExitOK || strings.Contains(got.err, says) {
		t.Errorf("list --files: %s", got)
	}
	first, second := p.run("aurora", "config", "list"), p.run("aurora", "config", "list")
	if !strings.Contains(first.err, says) || strings.Contains(second.err, says) {
		t.Errorf("first %s\nsecond %s", first.err, second.err)
	}
	for range 2 {
		if got := p.run("aurora", "config", "validate"); !strings.Contains(got.err, "search.bm25: no longer a setting") || got.code != app.ExitOK {
			t.Errorf("validate: %s", got)
		}
	}
}

// Settings that are wrong are shown all the same, with what is wrong and what is misspelt.
func TestConfigShowsBesideFaults(t *testing.T) {
	p := newProject(t)
	p.writeHome(".aurora/config.json", `{"serach": {}, "search": {"limt": 5, "limit": "ten", "semantic": false}, "lsp": 3}`)
	for args, want := range map[string]string{"get search": "search.semantic", "list --changed": "search.semantic", "get search.limit --value": "10\n"} {
		got := p.run(append([]string{"aurora", "config"}, strings.Fields(args)...)...)
		if got.code != app.ExitOK || !strings.Contains(got.out, want) || !strings.Contains(got.err, `search.limit: Must be a whole number in [1, 1000] (got "ten")`) {
			t.Errorf("%s: %s", args, got)
		}
	}
	got := p.run("aurora", "config", "validate")
	for _, want := range []string{"serach: unknown key, ignored; did you mean search?", "search.limt: unknown key, ignored; did you mean search.limit?", "  - lsp: Must be an object", "  - search.limit: Must be"} {
		if !strings.Contains(got.err, want) {
			t.Errorf("validate does not say %q: %s", want, got)
		}
	}
}

// The lines of a file end as they did.
func TestConfigSetKeepsLineEnds(t *testing.T) {
	p := newProject(t)
	path := p.writeHome(".aurora/config.yml", "search:\r\n  limit: 5 # mine\r\n")
	p.mustRun("aurora", "config", "set", "search.limit", "6")
	if text, err := os.ReadFile(path); err != nil || string(text) != "search:\r\n  limit: 6 # mine\r\n" {
		t.Errorf("%q, %v", text, err)
	}
}

func TestEditorWords(t *testing.T) {
	for command, want := range map[string]string{
		"code --wait": "code|--wait", `"/opt/My Editor/edit" -w`: "/opt/My Editor/edit|-w", "  vi ": "vi", "": "", `emacs -nw 'a b' ""`: "emacs|-nw|a b|",
	} {
		if got, err := app.WordsOf(command); err != nil || strings.Join(got, "|") != want {
			t.Errorf("%s: %q, %v", command, got, err)
		}
	}
	if _, err := app.WordsOf("vi 'x"); err == nil {
		t.Error("an open quote is no error")
	}
}
