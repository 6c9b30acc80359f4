package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/engine/llm/llmtest"
)

func ollamaBench(t *testing.T, holds int) *bench {
	b := newBench(t, func(o *llm.Options) { o.Preset = "ollama" })
	b.server.SpeakOllama(holds)
	return b
}

// TestOllamaHoldsThePrompt: num_ctx has room for prompt and reply, never shrinks, and a prompt that the model can't hold is
// refused rather than cut.
func TestOllamaHoldsThePrompt(t *testing.T) {
	b := ollamaBench(t, 1<<16)
	b.server.Script(llmtest.Step{Reply: "fine"})
	ask := func(tokens int) error {
		_, err := b.Complete(context.Background(), request(strings.Repeat("abc ", tokens)))
		return err
	}
	for _, tokens := range []int{10, 20000, 100, 60000} {
		if err := ask(tokens); err != nil {
			t.Fatal(err)
		}
	}
	var windows []int
	for _, c := range b.server.Calls() {
		windows = append(windows, c.Window)
	}
	if got, want := fmt.Sprint(windows), "[8192 32768 32768 65536]"; got != want {
		t.Errorf("num_ctx %s, want %s", got, want)
	}
	var e *llm.Error
	if err := ask(70000); !errors.As(err, &e) || !strings.Contains(e.Error(), "holds 65536") || len(b.server.Calls()) != 4 {
		t.Errorf("a prompt of 70000 tokens: %v, %d calls", err, len(b.server.Calls()))
	}
	windows = []int{llm.NewWindows(llm.Endpoint{Preset: "ollama", BaseURL: b.server.URL, Model: "scripted"}).Of(t.Context(), "")}
	if windows[0] != 32768 {
		t.Errorf("the model's room is that of %d tokens", windows[0])
	}
}

// TestOllamaCallsTools sends calls and results in Ollama's shape, and reads calls.
func TestOllamaCallsTools(t *testing.T) {
	var sent map[string]any
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/api/chat" {
			http.NotFound(w, r)
			return
		}
		sent = nil
		if err := json.NewDecoder(r.Body).Decode(&sent); err != nil {
			t.Error(err)
		}
		fmt.Fprintln(w, `{"model":"m","message":{"role":"assistant","content":"","thinking":"Let me look."},"done":false}`)
		fmt.Fprintln(w, `{"model":"m","message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"search","arguments":{"query":"retry"}}},{"function":{"name":"read","arguments":{"path":"a.go"}}}]},"done":false}`)
		fmt.Fprintln(w, `{"model":"m","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","prompt_eval_count":7,"eval_count":5}`)
	}))
	defer server.Close()
	defer http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	g := ollamaAt(t, server.URL)
	r := llm.Request{
		MaxTokens: 50, Tools: []llm.Tool{{Name: "search", Parameters: json.RawMessage(`{"type":"object"}`)}},
		Messages: []llm.Message{
			{Role: "user", Content: "who retries?"}, {Role: "assistant", Calls: []llm.ToolCall{{ID: "x", Name: "search", Arguments: `{"query": "a"}`}}},
			{Role: llm.RoleTool, CallID: "x", Content: "nothing"},
		},
	}
	got, err := g.Complete(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Calls) != 2 || got.Calls[0].Name != "search" || got.Calls[0].Arguments != `{"query":"retry"}` || got.Calls[1].Name != "read" || got.Usage != (llm.Usage{Prompt: 7, Completion: 5}) {
		t.Errorf("got %+v", got)
	}
	encoded, _ := json.Marshal(sent["messages"])
	want := `[{"content":"who retries?","role":"user"},{"content":"","role":"assistant","tool_calls":[{"function":{"arguments":{"query":"a"},"name":"search"}}]},{"content":"nothing","role":"tool","tool_name":"search"}]`
	if string(encoded) != want {
		t.Errorf("sent %s", encoded)
	}
	if options := fmt.Sprint(sent["options"]); !strings.Contains(options, "num_predict:50") || sent["tools"] == nil {
		t.Errorf("sent %v with tools %v", options, sent["tools"])
	}
}

func ollamaAt(t *testing.T, url string) llm.Generator {
	t.Helper()
	g, err := llm.New(llm.Options{
		Endpoint: llm.Endpoint{Preset: "ollama", BaseURL: url + "/v1", Model: "m"},
		Retry:    llm.Retry{Sleep: func(context.Context, time.Duration) error { return nil }},
	})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestOllamaFaults are faults of the protocol itself.
func TestOllamaFaults(t *testing.T) {
	piece := `{"message":{"role":"assistant","content":"word "},"done":false}` + "\n"
	for name, c := range map[string]struct {
		status int
		body   string
		fault  llm.Fault
		says   string
	}{
		"no such model":       {404, `{"error":"model 'm' not found"}`, "", "model 'm' not found"},
		"an error in between": {200, piece + `{"error":"the runner has ended"}` + "\n", llm.Broken, "the runner has ended"},
		"no last line":        {200, piece, llm.Cut, "broke off"},
		"a cut line":          {200, piece + `{"message":{"ro`, llm.Broken, "no JSON"},
		"not its API":         {200, "<html>hello</html>\n", llm.Broken, "no JSON"},
		"wrong types":         {200, `{"message":[1],"done":"yes"}` + "\n", llm.Broken, "no JSON"},
		"20 MB":               {200, strings.Repeat(strings.Replace(piece, "word", strings.Repeat("word", 1<<16), 1), 80), "", ""},
		"20 MB in one line":   {200, strings.Repeat("x", 20<<20), "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/api/chat" {
					http.NotFound(w, r)
					return
				}
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.body)
			}))
			defer server.Close()
			defer http.DefaultTransport.(*http.Transport).CloseIdleConnections()
			_, err := ollamaAt(t, server.URL).Complete(context.Background(), request("x"))
			var e *llm.Error
			if !errors.As(err, &e) || c.fault != "" && e.Fault != c.fault || !strings.Contains(e.Error(), c.says) {
				t.Errorf("error %v", err)
			}
		})
	}
}

// TestOllamaElsewhere: what calls itself Ollama and speaks only OpenAI's protocol is asked by it.
func TestOllamaElsewhere(t *testing.T) {
	b := newBench(t, func(o *llm.Options) { o.Preset = "ollama" })
	b.server.Script(llmtest.Step{Reply: "fine"})
	for range 2 {
		if r, err := b.Complete(context.Background(), request("x")); err != nil || r.Text != "fine" {
			t.Fatalf("%+v, %v", r, err)
		}
	}
	if calls := b.server.Calls(); len(calls) != 2 || calls[0].Window != 0 {
		t.Errorf("calls %+v", calls)
	}
}
