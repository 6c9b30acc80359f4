package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/engine/llm/llmtest"
)

func anthropicBench(t *testing.T) *bench {
	b := newBench(t, func(o *llm.Options) { o.Preset = "anthropic" })
	b.server.SpeakAnthropic()
	b.server.RequireKey(key)
	return b
}

// messagesServer answers each request for a message by the function.
func messagesServer(t *testing.T, answer http.HandlerFunc) llm.Generator {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(func() {
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
		server.Close()
	})
	g, err := llm.New(llm.Options{
		Endpoint: llm.Endpoint{Preset: "anthropic", BaseURL: server.URL + "/v1", Model: "m", Key: key},
		Retry:    llm.Retry{Attempts: 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func events(lines ...string) string {
	var b strings.Builder
	for _, l := range lines {
		var event struct{ Type string }
		_ = json.Unmarshal([]byte(l), &event)
		fmt.Fprintf(&b, "event: %s\ndata: %s\n\n", event.Type, l)
	}
	return b.String()
}

// TestAnthropicCallsTools sends calls and results in Anthropic's shape, with the stable part marked for its cache, and reads
// what comes back: calls in parts, thoughts left out, tokens of the cache counted.
func TestAnthropicCallsTools(t *testing.T) {
	var sent map[string]any
	var headers http.Header
	g := messagesServer(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/messages" {
			http.NotFound(w, r)
			return
		}
		headers = r.Header
		if err := json.NewDecoder(r.Body).Decode(&sent); err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, events(
			`{"type":"message_start","message":{"model":"m-1","usage":{"input_tokens":3,"cache_creation_input_tokens":20,"cache_read_input_tokens":100,"output_tokens":1}}}`,
			`{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}}`,
			`{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hidden"}}`,
			`{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}`,
			`{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"I look."}}`,
			`{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"t1","name":"search","input":{}}}`,
			`{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"query\":"}}`,
			`{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"\"retry\"}"}}`,
			`{"type":"content_block_start","index":3,"content_block":{"type":"tool_use","id":"t2","name":"read","input":{}}}`,
			`{"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":"{}"}}`,
			`{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":9}}`, `{"type":"message_stop"}`))
	})
	got, err := g.Complete(context.Background(), llm.Request{
		MaxTokens: 50, Temperature: 0.5, Tools: []llm.Tool{{Name: "search", Description: "Finds.", Parameters: json.RawMessage(`{"type":"object"}`)}},
		Messages: []llm.Message{
			{Role: "system", Content: "Be brief."}, {Role: "user", Content: "who retries?"},
			{Role: "assistant", Calls: []llm.ToolCall{{ID: "x", Name: "search", Arguments: `{"query": "a"}`}, {ID: "y", Name: "search", Arguments: `no JSON`}}},
			{Role: llm.RoleTool, CallID: "x", Content: "nothing"}, {Role: llm.RoleTool, CallID: "y"},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := &llm.Response{
		Text: "I look.", Model: "m-1", Usage: llm.Usage{Prompt: 123, Completion: 9, CacheRead: 100, CacheWrite: 20},
		Calls: []llm.ToolCall{{ID: "t1", Name: "search", Arguments: `{"query":"retry"}`}, {ID: "t2", Name: "read", Arguments: "{}"}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	for field, want := range map[string]string{
		"system":      `[{"cache_control":{"type":"ephemeral"},"text":"Be brief.","type":"text"}]`,
		"tools":       `[{"description":"Finds.","input_schema":{"type":"object"},"name":"search"}]`,
		"max_tokens":  `50`,
		"temperature": `0.5`,
		"messages": `[{"content":[{"text":"who retries?","type":"text"}],"role":"user"},` +
			`{"content":[{"id":"x","input":{"query":"a"},"name":"search","type":"tool_use"},{"id":"y","input":{},"name":"search","type":"tool_use"}],"role":"assistant"},` +
			`{"content":[{"content":"nothing","tool_use_id":"x","type":"tool_result"},{"cache_control":{"type":"ephemeral"},"tool_use_id":"y","type":"tool_result"}],"role":"user"}]`,
	} {
		if encoded, _ := json.Marshal(sent[field]); string(encoded) != want {
			t.Errorf("%s: sent %s, want %s", field, encoded, want)
		}
	}
	if sent["tool_choice"] != nil || headers.Get("X-Api-Key") != key || headers.Get("Authorization") != "" || headers.Get("Anthropic-Version") == "" {
		t.Errorf("sent choice %v, headers %v", sent["tool_choice"], headers)
	}
}

// TestOpenAICache reads what came from the cache of the endpoint, in streams, and charges less for it.
func TestOpenAICache(t *testing.T) {
	b := newBench(t, func(o *llm.Options) { o.Prices = llm.Prices{"scripted": {Prompt: 2, Completion: 10, Cached: 0.5}} })
	b.server.Script(llmtest.Step{Reply: "fine"})
	account := &llm.Account{}
	r := request(strings.Repeat("source ", 1000))
	r.Account = account
	for range 2 {
		if _, err := b.Complete(context.Background(), r); err != nil {
			t.Fatal(err)
		}
	}
	calls := account.Calls()
	first, second := calls[0].Usage, calls[1].Usage
	if first.CacheRead != 0 || second.CacheRead < 1024 || second.CacheRead%128 != 0 || second.CacheRead > second.Prompt || second.Prompt != first.Prompt {
		t.Errorf("usage %+v, then %+v", first, second)
	}
	want := (2*float64(second.Prompt-second.CacheRead) + 0.5*float64(second.CacheRead) + 10*float64(second.Completion)) / 1e6
	if total := account.Total(); math.Abs(calls[1].USD-want) > 1e-12 || total.Cached != second.CacheRead {
		t.Errorf("$%g, want $%g; total %+v", calls[1].USD, want, total)
	}
}

// TestAnthropicCache: the second call of a loop reads its beginning from the cache, which is cheaper.
func TestAnthropicCache(t *testing.T) {
	b := anthropicBench(t)
	b.server.Script(llmtest.Step{Reply: "fine"})
	account := &llm.Account{}
	r := request(strings.Repeat("source ", 400))
	r.Account, r.MaxTokens = account, 10
	r.Messages = append([]llm.Message{{Role: "system", Content: strings.Repeat("rules ", 100)}}, r.Messages...)
	r.Tools = []llm.Tool{{Name: "search", Parameters: json.RawMessage(`{"type":"object"}`), Example: "{}"}}
	for range 2 {
		if _, err := b.Complete(context.Background(), r); err != nil {
			t.Fatal(err)
		}
	}
	calls := account.Calls()
	if len(calls) != 2 || calls[0].Usage.CacheRead != 0 || calls[1].Usage.CacheRead < 800 || calls[1].USD > calls[0].USD/5 {
		t.Errorf("calls %+v", calls)
	}
	if got := b.server.Calls()[0].CacheMarks; got != 2 {
		t.Errorf("%d marks", got)
	}
}

// TestAnthropicSchema asks for JSON by a tool that must be called, and in words where the model refuses that.
func TestAnthropicSchema(t *testing.T) {
	for _, refuses := range []bool{false, true} {
		b := anthropicBench(t)
		if refuses {
			b.server.RefuseFormats()
		}
		b.server.Script(llmtest.Step{Reply: `{"n": 7}`})
		r := request("a number")
		r.Schema = schema(t)
		var got number
		if _, err := llm.JSON(context.Background(), b, r, &got); err != nil || got.N != 7 {
			t.Errorf("refuses %v: %+v, %v", refuses, got, err)
		}
		var formats []string
		for _, c := range b.server.Calls() {
			formats = append(formats, c.Format)
		}
		if want := map[bool]string{false: "[json_schema]", true: "[json_schema ]"}[refuses]; fmt.Sprint(formats) != want {
			t.Errorf("asked by %q, want %s", formats, want)
		}
	}
}

// TestAnthropicFaults are faults of the protocol itself.
func TestAnthropicFaults(t *testing.T) {
	start := `{"type":"message_start","message":{"model":"m","usage":{"input_tokens":4}}}`
	piece := `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"word "}}`
	whole := `{"type":"message","model":"m","content":[{"type":"text","text":"all "},{"type":"text","text":"of it"}],"stop_reason":"max_tokens","usage":{"input_tokens":4,"output_tokens":2}}`
	for name, c := range map[string]struct {
		status int
		kind   string
		body   string
		fault  llm.Fault
		says   string
	}{
		"no such model":     {404, "application/json", `{"type":"error","error":{"type":"not_found_error","message":"model: m"}}`, llm.NotFound, "model: m"},
		"key refused":       {401, "application/json", `{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}`, llm.Refused, "invalid x-api-key"},
		"overloaded":        {529, "application/json", `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, llm.Broken, "Overloaded"},
		"error in stream":   {200, "text/event-stream", events(start, piece, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`), llm.Broken, "Overloaded"},
		"no JSON":           {200, "text/event-stream", "data: {nonsense\n\n", llm.Broken, "no JSON"},
		"ends early":        {200, "text/event-stream", events(start, piece), llm.Cut, "broke off"},
		"HTML":              {200, "text/html", "<html>login</html>", llm.Cut, "broke off"},
		"calls before tool": {200, "text/event-stream", events(start, `{"type":"content_block_delta","delta":{"partial_json":"{}"}}`, piece, `{"type":"message_delta","delta":{"stop_reason":"end_turn"}}`, `{"type":"message_stop"}`), "", "word "},
		"refusal":           {200, "text/event-stream", events(start, piece, `{"type":"message_delta","delta":{"stop_reason":"refusal"},"usage":{"output_tokens":1}}`, `{"type":"message_stop"}`), "", "word "},
		"not streamed":      {200, "application/json", whole, "", "all of it"},
		"over lines":        {200, "application/json", strings.ReplaceAll(whole, ",", ",\n"), "", "all of it"},
		"no message":        {200, "application/json", `{"ok":true}`, llm.Broken, "no message"},
		"20 MB":             {200, "text/event-stream", events(start) + strings.Repeat(events(piece), 200000), llm.Broken, "longer than 16 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			g := messagesServer(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", c.kind)
				w.WriteHeader(c.status)
				io.WriteString(w, c.body)
			})
			got, err := g.Complete(context.Background(), request("x"))
			if c.fault == "" {
				if err != nil || got.Text != c.says {
					t.Errorf("got %+v, %v", got, err)
				}
				return
			}
			var e *llm.Error
			if !errors.As(err, &e) || e.Fault != c.fault || !strings.Contains(e.Message, c.says) {
				t.Errorf("got %#v", err)
			}
		})
	}
}

// TestAnthropicBehindGateway: a gateway that speaks OpenAI's protocol only is spoken to in that, with its key as a bearer.
func TestAnthropicBehindGateway(t *testing.T) {
	b := newBench(t, func(o *llm.Options) { o.Preset = "anthropic" })
	b.server.RequireKey(key)
	b.server.Script(llmtest.Step{Reply: "fine"})
	for range 2 {
		if r, err := b.Complete(context.Background(), request("x")); err != nil || r.Text != "fine" {
			t.Fatalf("%+v, %v", r, err)
		}
	}
	if n := len(b.server.Calls()); n != 2 {
		t.Errorf("%d calls", n)
	}
}
