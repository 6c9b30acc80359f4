package llmtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// An ollamaWriter writes errors in the shape of Ollama's own API.
type ollamaWriter struct{ http.ResponseWriter }

// Unwrap implements what http.ResponseController asks for.
func (w ollamaWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

type ollamaRequest struct {
	Model    string          `json:"model"`
	Messages []Message       `json:"messages"`
	Tools    []any           `json:"tools"`
	Format   json.RawMessage `json:"format"`
	Options  struct {
		Window int `json:"num_ctx"`
	} `json:"options"`
}

// SpeakOllama has the server answer /api/chat and /api/show as Ollama does, with a model that holds as many tokens.
func (s *Server) SpeakOllama(holds int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.holds = holds
}

// ollama answers a path of Ollama's own API; done is false for others, and when the server does not speak it.
func (s *Server) ollama(w http.ResponseWriter, r *http.Request) (done bool) {
	s.mu.Lock()
	holds := s.holds
	s.mu.Unlock()
	if holds == 0 {
		return false
	}
	switch {
	case strings.HasSuffix(r.URL.Path, "/api/show"):
		writeJSON(w, http.StatusOK, map[string]any{"model_info": map[string]any{"scripted.context_length": holds}})
	case strings.HasSuffix(r.URL.Path, "/api/chat"):
		var request ollamaRequest
		out := ollamaWriter{w}
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 16<<20)).Decode(&request); err != nil {
			fail(out, http.StatusBadRequest, "the request is no JSON: "+err.Error())
			return true
		}
		call := Call{
			Task: taskOf(request.Messages), Model: request.Model, Messages: request.Messages, Stream: true, Window: request.Options.Window, speaks: ollamas,
			Key: strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "), Headers: r.Header, Tools: len(request.Tools),
		}
		if len(request.Format) > 0 {
			call.Format = "json_schema"
		}
		s.reply(out, r, call)
	default:
		return false
	}
	return true
}

// ollamaLines sends a reply word by word.
func ollamaLines(w http.ResponseWriter, c Call, reply string, cut bool) {
	w.Header().Set("Content-Type", "application/x-ndjson")
	send := func(line map[string]any) {
		line["model"] = c.Model
		if encoded, err := json.Marshal(line); err == nil {
			fmt.Fprintf(w, "%s\n", encoded)
		}
		_ = http.NewResponseController(w).Flush()
	}
	if name, arguments, ok := wishOf(c, reply); ok {
		send(map[string]any{"message": map[string]any{"role": "assistant", "tool_calls": []any{map[string]any{
			"function": map[string]any{"name": name, "arguments": json.RawMessage(arguments)},
		}}}, "done": false})
	} else {
		words := strings.SplitAfter(reply, " ")
		for i, word := range words {
			if cut && i >= len(words)/2 {
				panic(http.ErrAbortHandler) // how net/http is told to break a connection
			}
			send(map[string]any{"message": Message{Role: "assistant", Content: word}, "done": false})
		}
	}
	send(map[string]any{"message": Message{Role: "assistant"}, "done": true, "done_reason": "stop", "prompt_eval_count": tokens(c.Text()), "eval_count": tokens(reply)})
}
