package llm_test

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/engine/llm/llmtest"
)

// TestMain fails when calls leave goroutines behind.
func TestMain(m *testing.M) { os.Exit(llmtest.WithoutLeaks(m.Run)) }

const key = "sk-" + "scripted0123456789abcdef"

// A spendLimit is a Meter that keeps count.
type spendLimit struct {
	mu              sync.Mutex
	limit           float64 // 0 means none
	reserved, spent float64
}

func (p *spendLimit) Reserve(_ context.Context, usd float64, _ bool) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.limit > 0 && p.spent+p.reserved+usd > p.limit {
		return errors.New("the limit is reached")
	}
	p.reserved += usd
	return nil
}

func (p *spendLimit) Settle(_ context.Context, reserved, spent float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.reserved -= reserved
	p.spent += spent
}

// A bench is a scripted model with a generator on it that never really waits.
type bench struct {
	*testing.T
	server     *llmtest.Server
	spendLimit *spendLimit
	waits      []time.Duration
	llm.Generator
}

func newBench(t *testing.T, change func(*llm.Options)) *bench {
	t.Helper()
	server, err := llmtest.Start("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
		server.Close()
	})
	b := &bench{T: t, server: server, spendLimit: &spendLimit{}}
	o := llm.Options{
		Endpoint: llm.Endpoint{BaseURL: server.URL, Model: "scripted", Key: key, Prices: llm.Prices{"scripted": {Prompt: 2, Completion: 10}}},
		Timeout:  10 * time.Second, Meter: b.spendLimit,
		Retry: llm.Retry{Sleep: func(_ context.Context, d time.Duration) error { b.waits = append(b.waits, d); return nil }},
	}
	if change != nil {
		change(&o)
	}
	if b.Generator, err = llm.New(o); err != nil {
		t.Fatal(err)
	}
	return b
}

func schema(t *testing.T) *llm.Schema {
	t.Helper()
	s, err := llm.NewSchema("answer", []byte(`{"type":"object","properties":{"n":{"type":"integer","minimum":1}},"required":["n"],"additionalProperties":false}`))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func request(text string) llm.Request {
	return llm.Request{Purpose: "test", Messages: []llm.Message{{Role: "user", Content: text}}, MaxTokens: 100}
}

type number struct {
	N int `json:"n"`
}

// TestFaults has every fault of an endpoint answered by a reply after a retry or repair, or by an error that says what
// happened; nothing tells the key. So it is over OpenAI's protocol, Ollama's and Anthropic's own.
func TestFaults(t *testing.T) {
	t.Run("openai", func(t *testing.T) { testFaults(t, "") })
	t.Run("ollama", func(t *testing.T) { testFaults(t, "ollama") })
	t.Run("anthropic", func(t *testing.T) { testFaults(t, "anthropic") })
}

func testFaults(t *testing.T, preset string) {
	for _, tt := range []struct {
		fault    llmtest.Fault
		fails    llm.Fault // when it goes on for ever
		status   int
		attempts int
	}{
		{llmtest.Unauthorized, llm.Refused, 401, 1},
		{llmtest.RateLimited, llm.Limited, 429, 3},
		{llmtest.ServerError, llm.Broken, 500, 3},
		{llmtest.Unavailable, llm.Broken, 503, 3},
		{llmtest.Hang, llm.Slow, 0, 3},
		{llmtest.Cut, llm.Cut, 200, 3},
		{llmtest.Garbage, llm.Malformed, 0, 2},
		{llmtest.WrongSchema, llm.Malformed, 0, 2},
		{llmtest.Injection, llm.Malformed, 0, 2},
		{llmtest.Empty, llm.Malformed, 0, 2},
		{llmtest.Fenced, "", 0, 1},
	} {
		t.Run(string(tt.fault), func(t *testing.T) {
			b := newBench(t, func(o *llm.Options) {
				o.Preset = preset
				if tt.fault == llmtest.Hang {
					o.Timeout, o.Deadline = 300*time.Millisecond, time.Minute
				}
			})
			switch preset {
			case "ollama":
				b.server.SpeakOllama(1 << 17)
			case "anthropic":
				b.server.SpeakAnthropic()
			}
			r := request("give me a number")
			r.Schema = schema(t)
			b.server.Script(llmtest.Step{Fault: tt.fault, Reply: `{"n": 7}`})
			var got number
			_, err := llm.JSON(context.Background(), b, r, &got)
			if tt.fails == "" {
				if err != nil || got.N != 7 {
					t.Fatalf("got %+v, %v", got, err)
				}
				return
			}
			var e *llm.Error
			if !errors.As(err, &e) || e.Fault != tt.fails || e.Status != tt.status || e.Attempts != tt.attempts || e.Remedy() == "" {
				t.Fatalf("error %#v", err)
			}
			if n := len(b.server.Calls()); n != tt.attempts {
				t.Errorf("%d calls", n)
			}
			if strings.Contains(err.Error(), key) || strings.Contains(err.Error(), key[3:]) {
				t.Errorf("the error tells the key: %v", err)
			}
			b.server.Reset()
			b.server.Script(llmtest.Step{Fault: tt.fault, Reply: `{"n": 7}`, Times: 1}, llmtest.Step{Reply: `{"n": 7}`})
			_, err = llm.JSON(context.Background(), b, r, &got)
			if recovers := tt.fault != llmtest.Unauthorized; recovers != (err == nil) {
				t.Errorf("once: %+v, %v", got, err)
			}
		})
	}
}

func TestBackoff(t *testing.T) {
	b := newBench(t, nil)
	b.server.Script(llmtest.Step{Fault: llmtest.ServerError})
	if _, err := b.Complete(context.Background(), request("x")); err == nil {
		t.Fatal("no error")
	}
	if len(b.waits) != 2 || b.waits[0] > time.Second || b.waits[0] < 800*time.Millisecond || b.waits[1] > 2*time.Second || b.waits[1] < 1600*time.Millisecond {
		t.Errorf("waits %v", b.waits)
	}
	b.waits = nil
	b.server.Reset()
	b.server.Script(llmtest.Step{Fault: llmtest.RateLimited, After: 7, Times: 1}, llmtest.Step{Reply: "fine"})
	if r, err := b.Complete(context.Background(), request("x")); err != nil || r.Text != "fine" || len(b.waits) != 1 || b.waits[0] != 7*time.Second {
		t.Errorf("%+v, %v, waits %v", r, err, b.waits)
	}
	b.waits = nil
	b.server.Script(llmtest.Step{Fault: llmtest.RateLimited, After: 3600})
	var e *llm.Error
	if _, err := b.Complete(context.Background(), request("x")); !errors.As(err, &e) || e.RetryAfter != time.Hour || len(b.waits) != 0 {
		t.Errorf("an hour: %v, waits %v", err, b.waits)
	}
}

func TestDeadlineOverAllAttempts(t *testing.T) {
	b := newBench(t, func(o *llm.Options) {
		o.Timeout, o.Deadline, o.Retry = 50*time.Millisecond, 80*time.Millisecond, llm.Retry{}
	})
	b.server.Script(llmtest.Step{Fault: llmtest.Hang})
	var e *llm.Error
	if _, err := b.Complete(context.Background(), request("x")); !errors.As(err, &e) || e.Fault != llm.Slow || e.Attempts != 1 {
		t.Errorf("error %v", err)
	}
}

// TestCancel: a call that is cancelled returns, and what it costs is on the account.
func TestCancel(t *testing.T) {
	for _, streamed := range []bool{false, true} {
		b := newBench(t, nil)
		b.server.Script(llmtest.Step{Fault: llmtest.Hang})
		ctx, cancel := context.WithCancel(context.Background())
		cancelled := make(chan time.Time, 1)
		go func() {
			<-b.server.Hanging()
			cancelled <- time.Now()
			cancel()
		}()
		var err error
		if streamed {
			_, err = b.Stream(ctx, request("x"), func(llm.Delta) {})
		} else {
			_, err = b.Complete(ctx, request("x"))
		}
		if took := time.Since(<-cancelled); !errors.Is(err, context.Canceled) || took > 20*time.Second {
			t.Errorf("streamed %v: %v after %v", streamed, err, took)
		}
		if b.spendLimit.reserved > 1e-12 || b.spendLimit.spent == 0 {
			t.Errorf("a cancelled call has cost its prompt: %+v", b.spendLimit)
		}
	}
}

func TestStream(t *testing.T) {
	b := newBench(t, nil)
	const whole = "one two three four"
	b.server.Script(llmtest.Step{Reply: whole, Fault: llmtest.Cut, Times: 1}, llmtest.Step{Reply: whole})
	var pieces []llm.Delta
	r, err := b.Stream(context.Background(), request("x"), func(d llm.Delta) { pieces = append(pieces, d) })
	if err != nil || r.Text != whole || r.Usage.Estimated {
		t.Fatalf("%+v, %v", r, err)
	}
	text, restarts := "", 0
	for _, d := range pieces {
		if d.Restart {
			text, restarts = "", restarts+1
		}
		text += d.Text
	}
	if text != whole || restarts != 1 || len(pieces) < 6 {
		t.Errorf("%d pieces, %d restarts: %q", len(pieces), restarts, text)
	}
}

func TestThoughtsAreLeftOut(t *testing.T) {
	for text, want := range map[string]string{
		"<think>Is it 7? No {\"n\":1}.</think>\n\n{\"n\": 7}": `{"n": 7}`, " <think> </think>x": "x", "a <think> b": "a <think> b",
		"<thin": "<thin", "<think>for ever": "", "": "", "<b>x": "<b>x",
	} {
		b := newBench(t, nil)
		b.server.Script(llmtest.Step{Reply: text})
		if text == "" {
			b.server.Script(llmtest.Step{Fault: llmtest.Empty})
		}
		streamed := ""
		r, err := b.Stream(context.Background(), request("x"), func(d llm.Delta) { streamed += d.Text })
		if err != nil || r.Text != want || streamed != want {
			t.Errorf("%q: streamed %q, %+v, %v", text, streamed, r, err)
		}
		if r, err = b.Complete(context.Background(), request("x")); err != nil || r.Text != want {
			t.Errorf("%q: %+v, %v", text, r, err)
		}
	}
}

func TestAccount(t *testing.T) {
	b := newBench(t, func(o *llm.Options) { o.Cache = 10 })
	account := &llm.Account{}
	ctx := context.Background()
	of := func(text string) llm.Request {
		r := request(text)
		r.Account = account
		return r
	}
	b.server.Script(llmtest.Step{Fault: llmtest.ServerError, Times: 1}, llmtest.Step{Reply: "12345678"})
	for range 2 { // the second is answered from the cache
		if r, err := b.Complete(ctx, of("abcdefgh")); err != nil || r.Text != "12345678" {
			t.Fatalf("%+v, %v", r, err)
		}
	}
	// Two tokens each way, at 2 and 10 dollars a million.
	total := account.Total()
	if want := (2*2 + 2*10) / 1e6; total.Calls != 2 || total.Prompt != 2 || total.Completion != 2 || total.USD != want || b.spendLimit.spent != want || b.spendLimit.reserved > 1e-12 {
		t.Errorf("total %+v, spendLimit %+v", total, b.spendLimit)
	}
	if n := len(b.server.Calls()); n != 2 {
		t.Errorf("%d calls", n)
	}
	again := of("abcdefgh")
	again.Fresh = true
	if r, err := b.Complete(ctx, again); err != nil || r.Cached {
		t.Errorf("a fresh call: %+v, %v", r, err)
	}
	b.spendLimit.limit = b.spendLimit.spent + 1e-9
	var e *llm.Error
	if _, err := b.Complete(ctx, of("another")); !errors.As(err, &e) || e.Fault != llm.OverBudget || len(b.server.Calls()) != 3 {
		t.Errorf("over budget: %v, %d calls", err, len(b.server.Calls()))
	}
}

// TestAccountLimit has a call refused that may cost more than its account allows, although the meter would allow it.
func TestAccountLimit(t *testing.T) {
	b := newBench(t, nil)
	b.server.Script(llmtest.Step{Reply: "12345678"})
	r := request("abcdefgh")
	r.MaxTokens = 100 // a call may cost a little more than a tenth of a cent, and costs much less
	account := &llm.Account{LimitUSD: 0.0011}
	r.Account = account.Sub()
	for range 3 {
		if _, err := b.Complete(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	r.MaxTokens = 200
	var e *llm.Error
	if _, err := b.Complete(t.Context(), r); !errors.As(err, &e) || e.Fault != llm.OverBudget || account.Total().Calls != 3 {
		t.Errorf("%v, %+v", err, account.Total())
	}
}

func TestCacheKeepsOnlyWhatIsSound(t *testing.T) {
	b := newBench(t, func(o *llm.Options) { o.Cache = 1 })
	bad := request("give")
	bad.Schema = schema(t)
	warm := request("warm")
	warm.Temperature = 0.7
	for _, tt := range []struct {
		r      llm.Request
		cached bool
	}{{bad, false}, {bad, false}, {warm, false}, {warm, false}, {request("a"), false}, {request("a"), true}, {request("b"), false}, {request("a"), false}} {
		r, err := b.Complete(context.Background(), tt.r)
		if err != nil || r.Cached != tt.cached {
			t.Errorf("%s: cached %v, want %v, %v", tt.r.Messages[0].Content, r.Cached, tt.cached, err)
		}
	}
}

func TestFormatsFallBack(t *testing.T) {
	b := newBench(t, nil)
	b.server.RefuseFormats()
	b.server.Script(llmtest.Step{Reply: `{"n": 3}`})
	r := request("x")
	r.Schema = schema(t)
	var got number
	for range 2 {
		if _, err := llm.JSON(context.Background(), b, r, &got); err != nil || got.N != 3 {
			t.Fatalf("%+v, %v", got, err)
		}
	}
	var formats []string
	for _, c := range b.server.Calls() {
		formats = append(formats, c.Format)
	}
	if strings.Join(formats, ",") != "json_schema,json_object,," {
		t.Errorf("formats %q", formats)
	}
}

func TestKeyAndHeaders(t *testing.T) {
	b := newBench(t, func(o *llm.Options) { o.Headers = map[string]string{"X-Team": "shop"} })
	b.server.RequireKey(key)
	if _, err := b.Complete(context.Background(), request("x")); err != nil {
		t.Fatal(err)
	}
	if c := b.server.Calls()[0]; c.Key != key || c.Headers["X-Team"][0] != "shop" {
		t.Errorf("key %q, headers %v", c.Key, c.Headers)
	}
}

func TestRecordAndReplay(t *testing.T) {
	file := filepath.Join(t.TempDir(), "exchanges.jsonl")
	b := newBench(t, func(o *llm.Options) { o.Record = file })
	b.server.Script(llmtest.Step{Reply: "the key is " + key})
	ask := func(g llm.Generator) [2]string {
		var texts [2]string
		whole, err := g.Complete(context.Background(), request("tell me, "+key))
		if err != nil {
			t.Fatal(err)
		}
		streamed, err := g.Stream(context.Background(), request("tell me"), func(llm.Delta) {})
		if err != nil {
			t.Fatal(err)
		}
		texts[0], texts[1] = whole.Text, streamed.Text
		return texts
	}
	ask(b)
	recording, err := os.ReadFile(file)
	if err != nil || strings.Contains(string(recording), key) || strings.Count(string(recording), "\n") != 2 {
		t.Fatalf("%v, recording %s", err, recording)
	}
	b.server.Reset()
	replayed := newBench(t, func(o *llm.Options) { o.Replay, o.BaseURL = file, "http://127.0.0.1:1/v1" })
	for i, text := range ask(replayed) {
		if !strings.HasPrefix(text, "the key is [REDACTED") {
			t.Errorf("%d: replayed %q", i, text)
		}
	}
	var e *llm.Error
	if _, err := replayed.Complete(context.Background(), request("unknown")); !errors.As(err, &e) || e.Fault != llm.Offline {
		t.Errorf("an exchange that was not recorded: %v", err)
	}
}

func TestBadSettings(t *testing.T) {
	for name, o := range map[string]llm.Options{
		"no model":      {Endpoint: llm.Endpoint{Preset: "ollama"}},
		"no URL":        {Endpoint: llm.Endpoint{Model: "m"}},
		"file":          {Endpoint: llm.Endpoint{Model: "m", BaseURL: "file:///etc/passwd"}},
		"user":          {Endpoint: llm.Endpoint{Model: "m", BaseURL: "http://me:" + key + "@host/v1"}},
		"unknown":       {Endpoint: llm.Endpoint{Model: "m", Preset: "hal"}},
		"no recording":  {Endpoint: llm.Endpoint{Model: "m", Preset: "ollama"}, Replay: "/no/such/file"},
		"no recordings": {Endpoint: llm.Endpoint{Model: "m", Preset: "ollama"}, Record: "/no/such/folder/file"},
	} {
		var e *llm.Error
		if _, err := llm.New(o); !errors.As(err, &e) || e.Fault != llm.Setup || strings.Contains(err.Error(), key) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for preset := range llm.Presets {
		if _, err := llm.New(llm.Options{Endpoint: llm.Endpoint{Preset: preset, Model: "m"}}); err != nil {
			t.Errorf("%s: %v", preset, err)
		}
	}
	g, err := llm.New(llm.Options{Endpoint: llm.Endpoint{Model: "m", BaseURL: "http://127.0.0.1:1/v1"}, Retry: llm.Retry{Attempts: 1}})
	if err != nil {
		t.Fatal(err)
	}
	var e *llm.Error
	if _, err := g.Complete(context.Background(), request("x")); !errors.As(err, &e) || e.Fault != llm.Offline || !strings.Contains(err.Error(), "127.0.0.1:1") {
		t.Errorf("nobody listens: %v", err)
	}
}

func TestPrices(t *testing.T) {
	prices, err := llm.ParsePrices(map[string]string{"my-model": "1/2", "gpt-4o": "3 / 4", "own": "1/2/0.25"})
	if err != nil {
		t.Fatal(err)
	}
	for model, want := range map[string]llm.Price{
		"my-model": {Prompt: 1, Completion: 2, Cached: 1}, "gpt-4o-2024-08-06": {Prompt: 3, Completion: 4, Cached: 1.5}, "own": {Prompt: 1, Completion: 2, Cached: 0.25},
		"gpt-4o-mini-2024": {Prompt: 0.15, Completion: 0.6, Cached: 0.075}, "claude-opus-4-5-20251101": {Prompt: 5, Completion: 25, Cached: 0.5},
	} {
		if got, known := prices.Of(model); got != want || !known {
			t.Errorf("%s: %+v", model, got)
		}
	}
	if _, known := prices.Of("gpt-4oo"); known {
		t.Error("a name that only begins alike has a price")
	}
	for _, bad := range []string{"", "1", "1/x", "-1/2", "NaN/1", "1/Inf", "1/2/", "1/2/3/4"} {
		if _, err := llm.ParsePrices(map[string]string{"m": bad}); err == nil {
			t.Errorf("%q is no price", bad)
		}
	}
}

func FuzzExtractJSON(f *testing.F) {
	for _, s := range []string{`{"n":1}`, "```json\n{\"n\":1}\n```", `x {y {"n":1}`, `<think>{"n":2}</think>{"n":1}`, "", strings.Repeat("{", 100)} {
		f.Add(s)
	}
	s, err := llm.NewSchema("any", []byte(`{"type":"object"}`))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, reply string) {
		var into map[string]any
		if raw, err := llm.ExtractJSON(reply); err == nil && s.Decode(reply, &into) != nil {
			t.Errorf("%q holds %s, which is no object", reply, raw)
		}
	})
}

// TestSecretsStayHere holds that no secret of a known format reaches a model, in whatever message it stands.
func TestSecretsStayHere(t *testing.T) {
	b := newBench(t, nil)
	token := "ghp_" + "0a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R"
	r := request("const key = \"" + token + "\"")
	r.Messages = append(r.Messages, llm.Message{Role: "assistant", Calls: []llm.ToolCall{{ID: "1", Name: "grep", Arguments: `{"text": "` + token + `"}`}}},
		llm.Message{Role: "tool", CallID: "1", Content: "it is " + token})
	if _, err := b.Complete(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Stream(t.Context(), r, func(llm.Delta) {}); err != nil {
		t.Fatal(err)
	}
	for _, c := range b.server.Calls() {
		if text := c.Text(); strings.Contains(text, token) || !strings.Contains(text, "const key = ") {
			t.Errorf("the model was asked %s", text)
		}
	}
	if n := len(b.server.Calls()); n != 2 || !strings.Contains(r.Messages[0].Content, token) {
		t.Errorf("%d calls, and the caller has %s", n, r.Messages[0].Content)
	}
}
