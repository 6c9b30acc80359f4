package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/cli/admin"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/config"
)

func (p *project) writeHome(name, content string) string {
	p.t.Helper()
	path := filepath.Join(p.home, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o700); err != nil {
		p.t.Fatal(err)
	}
	return path
}

// The error says where each bad value is, what is allowed and what is used instead.
func TestConfigErrorBlock(t *testing.T) {
	p := newProject(t)
	p.writeHome(".aurora/config.json", `{"search": {"min_score": 1.5, "limit": 0}}`)
	got := p.run("aurora", "config", "validate")
	want := "Error: Invalid config in ~/.aurora/config.json:\n  - search.limit: Must be a whole number in [1, 1000] (got 0); using 10\n" +
		"  - search.min_score: Must be in [0.0, 1.0] (got 1.5); using 0\n"
	if got.code != app.ExitFailed || !strings.HasPrefix(got.err, want) || got.out != "" {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// Every key wrong at once: each one is named, and set repairs them, one or all at once.
func TestEveryKeyWrong(t *testing.T) {
	p := newProject(t)
	wrong := map[string]any{}
	for _, info := range config.Keys() {
		at := wrong
		names := strings.Split(info.Name, ".")
		for _, group := range names[:len(names)-1] {
			if at[group] == nil {
				at[group] = map[string]any{}
			}
			at = at[group].(map[string]any)
		}
		at[names[len(names)-1]] = map[string]any{"not": 1}
	}
	text, err := json.Marshal(wrong)
	if err != nil {
		t.Fatal(err)
	}
	p.writeHome(".aurora/config.json", string(text))
	got := p.run("aurora", "config", "validate")
	for _, info := range config.Keys() {
		if !strings.Contains(got.err, "  - "+info.Name+": ") {
			t.Errorf("%s is not named", info.Name)
		}
	}
	if got := p.run("aurora", "config", "validate", "--json"); got.code != app.ExitFailed || !strings.Contains(got.out, `"valid": false`) {
		t.Errorf("as JSON: %.200s", got)
	}
	repair := []string{"aurora", "config", "set"}
	for i, info := range config.Keys() {
		value := admin.ValueText(info.Default)
		if info.Default == "" {
			value = ""
		}
		if i == 0 {
			p.mustRun(append(repair, info.Name, value)...)
			continue
		}
		repair = append(repair, info.Name, value)
	}
	p.mustRun(repair...)
	if got := p.run("aurora", "config", "validate"); got.code != app.ExitOK {
		t.Errorf("after the repair: %s", got)
	}
}

// Processes that set different keys at the same moment lose nothing.
func TestConfigIsSetByManyProcesses(t *testing.T) {
	p := newProject(t)
	p.command("aurora", "version") // builds the binary
	keys := map[string]string{
		"search.limit": "20", "search.min_score": "0.25", "search.context_tokens": "500", "index.workers": "2", "index.cache_max_mb": "50",
		"logging.level": "debug", "lsp.document_symbol": "true", "lsp.daemon.idle_seconds": "5",
	}
	var processes sync.WaitGroup
	for key, value := range keys {
		cmd := p.command("aurora", "config", "set", key, value)
		processes.Go(func() {
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("set %s: %v: %s", key, err, out)
			}
		})
	}
	processes.Wait()
	for key, value := range keys {
		if got := p.run("aurora", "config", "get", key, "--value"); got.out != value+"\n" {
			t.Errorf("%s: %s, want %s", key, got, value)
		}
	}
}

// TestFormerPaths has settings of an earlier version name other places than its own: what can be read there is taken over,
// and of what can't be read the first command says so.
func TestFormerPaths(t *testing.T) {
	p := newProject(t)
	spent := p.writeHome("old/spent.json", `{"period_start": "2026-03-01T00:00:00Z", "limit_usd": 100, "consumed_usd": 7.5, "query_count": 3}`)
	p.writeHome("old/history", "a file, not a folder")
	p.writeHome(".aurora/config.json", `{"history": {"dir": "~/old/history"}, "cost_budgets": {"tracking_file": "~/old/spent.json"}}`)
	const warning = "What an earlier version kept is not all in the journal: "
	got := p.run("aurora", "budget")
	if !strings.Contains(got.out, "($7.50 / ") || !strings.Contains(got.out, "3 queries") || !strings.Contains(got.err, warning) || !strings.Contains(got.err, "old/history") {
		t.Error(got)
	}
	if _, err := os.Stat(spent + ".taken-over"); err != nil {
		t.Error(err)
	}
	if got := p.run("aurora", "budget"); !strings.Contains(got.out, "($7.50 / ") || strings.Contains(got.err, warning) {
		t.Errorf("the second time: %s", got)
	}
}

func TestConfigSetKeepsTheFile(t *testing.T) {
	p := newProject(t)
	path := p.writeHome(".aurora/config.json", "{\n\t// \"limit\" is below\n\t\"mine\": {\"x\": [1, 2]}, // kept\n\t\"search\": {\n\t\t\"limit\": 5\n\t}\n}\n")
	if got := p.run("aurora", "config", "set", "search.limit", "6"); got.code != app.ExitOK {
		t.Fatal(got)
	}
	text, err := os.ReadFile(path)
	if want := "{\n\t// \"limit\" is below\n\t\"mine\": {\"x\": [1, 2]}, // kept\n\t\"search\": {\n\t\t\"limit\": 6\n\t}\n}\n"; err != nil || string(text) != want {
		t.Errorf("%v\n%s", err, text)
	}
	p.writeHome(".aurora/config.json", "{ broken")
	if got := p.run("aurora", "config", "set", "search.limit", "7"); got.code != app.ExitFailed || !strings.Contains(got.err, "Nothing was written") || !strings.Contains(got.err, "line 1, column 3") {
		t.Errorf("a broken file: %s", got)
	}
	if text, _ := os.ReadFile(path); string(text) != "{ broken" {
		t.Errorf("a broken file became %s", text)
	}
}

func TestConfigEdit(t *testing.T) {
	p := newProject(t)
	editor := p.writeHome("bin/editor", "#!/bin/sh\nprintf '%s' \"$CONTENT\" > \"$2\"\n")
	t.Setenv("EDITOR", editor+" --wait")
	t.Setenv("CONTENT", `{"search": {"limit": 12}}`)
	if got := p.run("aurora", "config", "edit"); got.code != app.ExitOK || !strings.Contains(got.out, "1 of") {
		t.Errorf("edit: %s", got)
	}
	t.Setenv("CONTENT", `{"search": {"limit": 0}}`)
	if got := p.run("aurora", "config", "edit"); got.code != app.ExitFailed || !strings.Contains(got.err, "search.limit: Must be a whole number in [1, 1000] (got 0)") {
		t.Errorf("a bad value: %s", got)
	}
	t.Setenv("EDITOR", "/no/such/editor")
	if got := p.run("aurora", "config", "edit"); got.code != app.ExitFailed || !strings.Contains(got.err, "Set EDITOR") {
		t.Errorf("no editor: %s", got)
	}
	t.Setenv("EDITOR", "")
	if got := p.run("aurora", "config", "edit"); got.code != app.ExitFailed || !strings.Contains(got.err, "neither VISUAL nor EDITOR") {
		t.Errorf("no EDITOR: %s", got)
	}
}

// Every origin is told: the variable wins over the files, the project's over the user's.
func TestConfigOrigins(t *testing.T) {
	p := newProject(t)
	p.writeHome(".aurora/config.json", `{"search": {"limit": 5}, "index": {"workers": 1}}`)
	p.write(".aurora/config.json", `{"index": {"workers": 2}}`)
	t.Setenv("AURORA_LOGGING_LEVEL", "debug")
	for key, want := range map[string]string{
		"search.limit": "5 user ", "index.workers": "2 project ", "logging.level": "debug environment AURORA_LOGGING_LEVEL", "search.min_score": "0 default ",
	} {
		var s admin.Setting
		if got := p.run("aurora", "config", "get", key, "--json"); json.Unmarshal([]byte(got.out), &s) != nil || !strings.HasPrefix(fmt.Sprintf("%v %s %s", s.Value, s.Layer, s.From), want) {
			t.Errorf("%s: %s, want %s", key, got, want)
		}
	}
	if got := p.run("aurora", "dev", "schema", "settings"); !json.Valid([]byte(got.out)) || !strings.Contains(got.out, `"minimum": 0`) {
		t.Errorf("schema: %.300s", got)
	}
}

// TestConfigModels: the models of the settings come first, and one without a price is named.
func TestConfigModels(t *testing.T) {
	p := newProject(t)
	if o := p.run("aurora", "config", "models"); o.code != 0 || !strings.Contains(o.out, "gpt-4o-mini") || !strings.Contains(o.out, "as listed on 20") {
		t.Errorf("%s", o)
	}
	t.Setenv("AURORA_LLM_BASE_URL", "https://models.example.com/v1")
	t.Setenv("AURORA_LLM_MODEL", "unheard-of")
	t.Setenv("AURORA_LLM_SOLVING_LLM_MODEL", "gpt-4o-mini-2024-07-18")
	o := p.run("aurora", "config", "models")
	lines := strings.Split(o.out, "\n")
	if o.code != 0 || !strings.Contains(o.err, "no price of unheard-of is known") || !strings.HasPrefix(lines[1], "unheard-of ") || !strings.Contains(lines[1], "unknown") ||
		!strings.Contains(lines[2], "128000") || !strings.Contains(lines[2], "0.60") || !strings.Contains(lines[2], "llm.solving_llm.model") {
		t.Errorf("%s", o)
	}
	t.Setenv("AURORA_LLM_BASE_URL", "")
	t.Setenv("AURORA_LLM_PROVIDER", "ollama")
	if o := p.run("aurora", "config", "models", "--json"); o.code != 0 || !strings.Contains(o.out, `"unheard-of"`) || !strings.Contains(o.out, `"local": true`) {
		t.Errorf("%s", o)
	}
	t.Setenv("AURORA_LLM_PRICES", `{"x": "y"}`)
	if o := p.run("aurora", "config", "models"); o.code == 0 || !strings.Contains(o.err, "two amounts in US dollars") {
		t.Errorf("%s", o)
	}
}
