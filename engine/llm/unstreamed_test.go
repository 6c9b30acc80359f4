package llm

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestRepliesInOnePiece asks a server that takes no notice of "stream".
func TestRepliesInOnePiece(t *testing.T) {
	reply := ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		_, _ = w.Write([]byte(reply))
	}))
	t.Cleanup(server.Close)
	g, err := New(Options{Endpoint: Endpoint{BaseURL: server.URL, Model: "m"}, Retry: Retry{Attempts: 1}})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(body string) (*Response, string, error) {
		reply = body
		seen := ""
		r, err := g.Stream(t.Context(), Request{Purpose: "direct", MaxTokens: 10, Messages: []Message{{Role: "user", Content: body}}}, func(d Delta) { seen += d.Text })
		return r, seen, err
	}
	r, seen, err := ask(`{"model":"m2","choices":[{"index":0,"message":{"role":"assistant","content":"It is there."},"finish_reason":"length"}],"usage":{"prompt_tokens":5,"completion_tokens":3}}`)
	if err != nil || r.Text != "It is there." || seen != r.Text || !r.Truncated || r.Usage.Prompt != 5 || r.Model != "m2" {
		t.Errorf("%+v, streamed %q, %v", r, seen, err)
	}
	r, _, err = ask(`{"choices":[{"message":{"content":null,"tool_calls":[{"id":"a","function":{"name":"read","arguments":"{}"}},{"id":"b","function":{"name":"grep","arguments":"{}"}}]},"finish_reason":null}]}`)
	if err != nil || len(r.Calls) != 2 || r.Calls[1].Name != "grep" || r.Calls[1].ID != "b" {
		t.Errorf("%+v, %v", r, err)
	}
	for _, body := range []string{`{"error":{"message":"no model is loaded"}}`, `{"choices":[]}`, `[]`, `{"choices":[{"text":"x"}]}`, `{"choi`} {
		if r, _, err := ask(body); err == nil {
			t.Errorf("%s: %+v", body, r)
		}
	}
}
