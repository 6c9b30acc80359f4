package llm_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/aurora-sidecar/aurora/engine/llm"
)

// TestWindows asks servers of several kinds how much their models read, and knows hosted ones.
func TestWindows(t *testing.T) {
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		switch r.URL.Path {
		case "/v1/models":
			fmt.Fprint(w, `{"data": [{"id": "big", "max_model_len": 65536}, {"id": "routed", "context_length": 12000}, {"id": "mute"}]}`)
		case "/api/ps":
			fmt.Fprint(w, `{"models": [{"name": "loaded:latest", "context_length": 16384}]}`)
		case "/props":
			fmt.Fprint(w, `{"default_generation_settings": {"n_ctx": 8192}}`)
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	defer http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	for _, c := range []struct {
		preset, model string
		want          int
	}{
		{"vllm", "big", 65536}, {"", "routed", 12000}, {"", "mute", 0}, {"ollama", "loaded", 16384}, {"ollama", "asleep", 4096},
		{"llamacpp", "any", 8192}, {"", "claude-sonnet-4-5", 200000}, {"", "openai/gpt-4o-mini", 128000}, {"", "gpt-4-0613", 8192},
	} {
		windows := llm.NewWindows(llm.Endpoint{Preset: c.preset, BaseURL: server.URL + "/v1", Model: c.model})
		if got := windows.Of(t.Context(), ""); got != c.want {
			t.Errorf("%s %s reads %d tokens, want %d", c.preset, c.model, got, c.want)
		}
		before := asked
		if windows.Of(t.Context(), c.model); asked != before && c.model != "asleep" {
			t.Errorf("%s %s was asked about twice", c.preset, c.model)
		}
	}
}
