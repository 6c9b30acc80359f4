package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/engine/llm/llmtest"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/aurora-sidecar/aurora/internal/setup"
)

// TestDoctorCallsTheModel has the one real call succeed, and fail in ways that a person meets.
func TestDoctorCallsTheModel(t *testing.T) {
	const key = "sk-" + "doctor0123456789abcdef"
	for _, tt := range []struct {
		name, script string
		want         string
		code         int
	}{
		{"good", `[]`, "ok    model call: scripted at $MODEL/v1 answered in # ms", 0},
		{"key", `[{"fault": "401"}]`, "HTTP 401", 1},
		{"limit", `[{"fault": "429"}]`, "HTTP 429", 1},
		{"babble", `[{"reply": "Hello!"}]`, "not of the form that was asked for", 1},
		{"cut", `[{"fault": "cut"}]`, "the reply broke off", 1},
		{"trouble", `[{"fault": "500"}]`, "HTTP 500", 1},
		{"away", `[{"fault": "503"}]`, "HTTP 503", 1},
		{"hang", `[{"fault": "hang"}]`, "no answer within 1s", 1},
		{"empty", `[{"fault": "empty"}]`, "not of the form that was asked for", 1},
		{"malformed", `[{"reply": "{\"ready\": tr"}]`, "not of the form that was asked for", 1},
		{"wrong schema", `[{"fault": "wrong-schema"}]`, "not of the form that was asked for", 1},
		{"injection", `[{"fault": "injection"}]`, "not of the form that was asked for", 1},
		{"fenced", `[{"fault": "fenced"}]`, "ok model call: scripted at $MODEL/v1 answered in # ms", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newProject(t)
			p.write("go.mod", "module example.com/x\n")
			p.startModel([]byte(tt.script))
			t.Setenv("AURORA_LLM_TIMEOUT_SECONDS", "1")
			t.Setenv("AURORA_LLM_API_KEY_ENV", "SHOP_KEY")
			t.Setenv("SHOP_KEY", key)
			o := p.run("aurora", "doctor", "--llm")
			if text := p.normalise(o.String()); o.code != tt.code || !strings.Contains(strings.Join(strings.Fields(text), " "), strings.Join(strings.Fields(tt.want), " ")) || strings.Contains(text, key) {
				t.Errorf("exit %d:\n%s", o.code, text)
			}
			if tt.code != 0 && !strings.Contains(o.out, "      -> ") {
				t.Errorf("no remedy:\n%s", o.out)
			}
		})
	}
	p := newProject(t)
	for address, want := range map[string]string{"http://127.0.0.1:1/v1": "connection refused", "http://no-such-host.invalid/v1": "no-such-host.invalid", "ftp://x": "llm.base_url"} {
		t.Setenv("AURORA_LLM_MODEL", "m")
		t.Setenv("AURORA_LLM_BASE_URL", address)
		if o := p.run("aurora", "doctor", "--llm"); o.code != 1 || !strings.Contains(o.out, want) || !strings.Contains(o.out, "      -> ") {
			t.Errorf("%s: %s", address, o)
		}
	}
	os.Unsetenv("AURORA_LLM_MODEL")
	os.Unsetenv("AURORA_LLM_BASE_URL")
	if o := p.run("aurora", "doctor", "--llm"); o.code != 1 || !strings.Contains(o.out, "none is configured") {
		t.Errorf("without a model: %s", o)
	}
}

// TestStreamOnATerminal has a terminal see the answer while it comes, once.
func TestStreamOnATerminal(t *testing.T) {
	p := newProject(t)
	p.write("go.mod", "module example.com/x\n")
	p.write("a.go", "package x\n\nfunc Alpha() {}\n")
	p.startModel([]byte(`[{"fault": "cut", "reply": "` + "`Alpha` does this and that" + `", "times": 1}, {"reply": "` + "`Alpha` does nothing [S1]." + `"}]`))
	p.width = 80
	o := p.run("aurora", "query", "what is Alpha?")
	if o.code != 0 || !strings.HasSuffix(o.out, "`Alpha` does nothing [1].\n\nSources:\n  [1] a.go:3 Alpha\n") || strings.Count(o.out, "does nothing") != 1 || !strings.Contains(o.err, "does not count") {
		t.Errorf("%s", o)
	}
}

func TestCancelQuery(t *testing.T) {
	p := newProject(t)
	p.write("go.mod", "module example.com/x\n")
	p.startModel([]byte(`[{"fault": "hang"}]`))
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		<-p.model.Hanging()
		cancel()
	}()
	if o := p.runContext(ctx, "aurora", "query", "what is Alpha?"); o.code != app.ExitInterrupted {
		t.Errorf("%s", o)
	}
}

func TestBadModelSettings(t *testing.T) {
	p := newProject(t)
	p.write("go.mod", "module example.com/x\n")
	p.write("a.go", "package x\n\nfunc Alpha() {}\n")
	t.Setenv("AURORA_LLM_MODEL", "m")
	t.Setenv("AURORA_LLM_BASE_URL", "ftp://host")
	if o := p.run("aurora", "query", "what is Alpha?"); o.code != 0 || !strings.Contains(o.err, "The model can't be used: open model: llm.base_url must be an http or https URL") || !strings.Contains(o.out, "`Alpha` is a function") {
		t.Errorf("%s", o)
	}
	if o := p.run("aurora", "query", "what is Alpha?", "--mode", "soar"); o.code != 1 {
		t.Errorf("%s", o)
	}
}

// TestDaemonHasTheSameKey holds that a daemon with another key is never asked.
func TestDaemonHasTheSameKey(t *testing.T) {
	s := config.Defaults(t.TempDir())
	s.LLM.APIKeyEnv = "SHOP_KEY"
	t.Setenv("SHOP_KEY", "one")
	one := setup.KeyIdentity(s)
	t.Setenv("SHOP_KEY", "two")
	if two := setup.KeyIdentity(s); one == two || strings.Contains(one+two, "SHOP") {
		t.Errorf("%s, %s", one, two)
	}
}

func TestDevLLM(t *testing.T) {
	p := newProject(t)
	for _, tt := range []struct {
		args string
		want string
	}{
		{"--listen 0.0.0.0:0", "loopback only"},
		{"--fault magic", `unknown fault "magic"`},
		{"--script no-such-file", "no-such-file"},
	} {
		if o := p.run(append([]string{"aurora", "dev", "llm"}, strings.Fields(tt.args)...)...); o.code == 0 || !strings.Contains(o.err, tt.want) {
			t.Errorf("%s: %s", tt.args, o)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if o := p.runContext(ctx, "aurora", "dev", "llm", "--listen", "127.0.0.1:0", "--fault", "solve=500"); o.code != app.ExitInterrupted || !strings.Contains(o.out, "AURORA_LLM_BASE_URL=http://127.0.0.1:") {
		t.Errorf("%s", o)
	}
}

// TestKeysStayWhereTheyBelong holds that a key is sent to its own endpoint only, and written nowhere.
func TestKeysStayWhereTheyBelong(t *testing.T) {
	const key = "sk-" + "belongs0123456789abcdef"
	p := newProject(t)
	p.write("go.mod", "module example.com/x\n")
	p.write("a.go", "package x\n\nfunc Alpha() {}\n")
	p.startModel([]byte(`[{"fault": "401"}]`))
	other, err := llmtest.Start("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	recording := filepath.Join(p.home, "exchanges.jsonl")
	for name, value := range map[string]string{
		"AURORA_LLM_API_KEY_ENV": "SHOP_KEY", "SHOP_KEY": key, "AURORA_LLM_RECORD_FILE": recording, "AURORA_LOGGING_LEVEL": "debug",
		"AURORA_LLM_SOLVING_LLM_BASE_URL": other.URL,
	} {
		t.Setenv(name, value)
	}
	o := p.run("aurora", "query", "what is Alpha?", "-vv")
	if o.code != app.ExitFailed || len(p.model.Calls()) != 1 || p.model.Calls()[0].Key != key {
		t.Fatalf("%s, calls %+v", o, p.model.Calls())
	}
	p.model.Script(llmtest.Step{Task: "assess"}, llmtest.Step{Task: "decompose"}, llmtest.Step{Task: "verify_decomposition"})
	o2 := p.run("aurora", "query", "compare Alpha with nothing", "--mode", "soar", "-vv")
	if calls := other.Calls(); len(calls) == 0 || calls[0].Key != "" || calls[0].Task != "solve" {
		t.Errorf("the other endpoint got %+v:\n%s", calls, o2)
	}
	seen := o.String() + o2.String()
	for _, file := range []string{recording, filepath.Join(p.home, ".aurora", "logs", "aurora.log")} {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		seen += string(content)
	}
	if strings.Contains(seen, key) || !strings.Contains(seen, "model called") {
		t.Errorf("told: %s", seen)
	}
}

// TestProtocolOfTheProvider: the provider of the settings decides in which protocol a model is asked. Over Anthropic's, a plan is
// made and worked on, and the account knows what came from the cache.
func TestProtocolOfTheProvider(t *testing.T) {
	const key = "sk-" + "provider0123456789abcdef"
	p := newProject(t)
	p.write("go.mod", "module example.com/x\n")
	p.write("a.go", "package x\n\n// Alpha begins.\nfunc Alpha() {}\n")
	p.startModel([]byte(`[]`))
	p.model.SpeakAnthropic()
	for name, value := range map[string]string{"AURORA_LLM_PROVIDER": "anthropic", "ANTHROPIC_API_KEY": key} {
		t.Setenv(name, value)
	}
	for _, args := range [][]string{{"what is Alpha?"}, {"design a cache for Alpha"}} {
		o := p.run(append([]string{"aurora", "ask", "--json"}, args...)...)
		if o.code != app.ExitOK || !strings.Contains(o.out, "Alpha") || strings.Contains(o.out, `"fellBack"`) {
			t.Fatalf("%s", o)
		}
	}
	for _, c := range p.model.Calls() {
		if c.Headers["Anthropic-Version"] == nil || c.Key != key || c.CacheMarks == 0 {
			t.Fatalf("%s was asked with %v, %d marks", c.Task, c.Headers, c.CacheMarks)
		}
	}
}

// Every model that a provider has by default has a price, so that limits hold without any setting.
func TestDefaultModelsHavePrices(t *testing.T) {
	prices := llm.DefaultPrices()
	for provider := range llm.Presets {
		tiers, ok := config.ProviderTiers(provider)
		if !ok {
			continue
		}
		cost := func(tier config.LLMTier) float64 {
			price, known := prices.Of(tier.Model)
			if !known || price.Prompt <= 0 {
				t.Errorf("%s: no price of %s", provider, tier.Model)
			}
			return price.Completion
		}
		if f, r, b := cost(tiers.Fast), cost(tiers.Reasoning), cost(tiers.Best); f > r || r > b {
			t.Errorf("%s: the tiers cost %v, %v, %v", provider, f, r, b)
		}
	}
}
