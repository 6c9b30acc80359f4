package llmtest

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// An anthropicWriter writes errors in the shape of Anthropic's API.
type anthropicWriter struct{ http.ResponseWriter }

// Unwrap implements what http.ResponseController asks for.
func (w anthropicWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

type anthropicBlock struct {
	Type    string `json:"type"`
	Text    string `json:"text"`
	ID      string `json:"id"`
	CallID  string `json:"tool_use_id"`
	Content string `json:"content"`
	Cache   *struct {
		Type string `json:"type"`
	} `json:"cache_control"`
}

type anthropicRequest struct {
	Model     string           `json:"model"`
	MaxTokens int              `json:"max_tokens"`
	System    []anthropicBlock `json:"system"`
	Messages  []struct {
		Role    string           `json:"role"`
		Content []anthropicBlock `json:"content"`
	} `json:"messages"`
	Tools  []any `json:"tools"`
	Choice *struct {
		Name string `json:"name"`
	} `json:"tool_choice"`
	Stream bool `json:"stream"`
}

// wrong is what the API would refuse, "" for nothing.
func (r *anthropicRequest) wrong() string {
	if r.MaxTokens <= 0 {
		return "max_tokens: Field required"
	}
	asked := map[string]bool{}
	for i, m := range r.Messages {
		if want := []string{"user", "assistant"}[i%2]; m.Role != want {
			return fmt.Sprintf("messages.%d: the role must be %s", i, want)
		}
		answered := map[string]bool{}
		for _, b := range m.Content {
			switch {
			case b.Type == "text" && strings.TrimSpace(b.Text) == "":
				return "messages: text content blocks must be non-empty"
			case b.Type == "tool_result" && !asked[b.CallID]:
				return fmt.Sprintf("messages.%d: unexpected `tool_use_id`: %s", i, b.CallID)
			}
			answered[b.CallID] = true
		}
		for id := range asked {
			if !answered[id] {
				return fmt.Sprintf("messages.%d: `tool_use` ids were found without `tool_result` blocks: %s", i, id)
			}
		}
		asked = map[string]bool{}
		for _, b := range m.Content {
			if b.Type == "tool_use" {
				asked[b.ID] = true
			}
		}
	}
	return ""
}

// SpeakAnthropic has the server answer /messages as Anthropic does: what is marked for its cache is there from the second
// call on.
func (s *Server) SpeakAnthropic() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cache.anthropic = true
}

// anthropic answers the path of Anthropic's own API; done is false for others, and when the server does not speak it.
func (s *Server) anthropic(w http.ResponseWriter, r *http.Request) (done bool) {
	s.mu.Lock()
	speaks := s.cache.anthropic
	s.mu.Unlock()
	if !speaks || !strings.HasSuffix(r.URL.Path, "/messages") {
		return false
	}
	out := anthropicWriter{w}
	var request anthropicRequest
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 16<<20)).Decode(&request); err != nil {
		fail(out, http.StatusBadRequest, "the request is no JSON: "+err.Error())
		return true
	}
	if why := request.wrong(); why != "" || r.Header.Get("Anthropic-Version") == "" {
		fail(out, http.StatusBadRequest, why)
		return true
	}
	call := Call{Model: request.Model, Stream: request.Stream, Key: r.Header.Get("X-Api-Key"), Headers: r.Header, Tools: len(request.Tools), speaks: anthropics}
	if request.Choice != nil {
		call.Tools, call.Format = 0, "json_schema"
	}
	prefix := ""
	add := func(role string, content []anthropicBlock) {
		var parts []string
		for _, b := range content {
			prefix += b.Text + b.Content
			parts = append(parts, b.Text+b.Content)
			if b.Cache != nil {
				call.CacheMarks++
				if s.keep(prefix) {
					call.cached = max(call.cached, tokens(prefix))
				}
			}
		}
		call.Messages = append(call.Messages, Message{Role: role, Content: strings.Join(parts, "\n")})
	}
	add("system", request.System)
	for _, m := range request.Messages {
		add(m.Role, m.Content)
	}
	call.Task = taskOf(call.Messages)
	s.reply(out, r, call)
	return true
}

// A promptCache knows beginnings of prompts by their sums.
type promptCache struct {
	kept      map[[sha256.Size]byte]bool
	anthropic bool // the server speaks Anthropic's API
}

// mostKept is how many beginnings are known before all are forgotten.
const mostKept = 10_000

// keep puts a beginning of prompts into the cache, and reports whether it was there.
func (s *Server) keep(prefix string) (known bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sum := sha256.Sum256([]byte(prefix))
	if known = s.cache.kept[sum]; !known && len(s.cache.kept) == mostKept {
		clear(s.cache.kept)
	}
	s.cache.kept[sum] = true
	return known
}

// anthropicEvents sends a reply word by word.
func anthropicEvents(w http.ResponseWriter, c Call, reply string, cut bool) {
	w.Header().Set("Content-Type", "text/event-stream")
	send := func(kind string, event map[string]any) {
		event["type"] = kind
		if encoded, err := json.Marshal(event); err == nil {
			fmt.Fprintf(w, "event: %s\ndata: %s\n\n", kind, encoded)
		}
		_ = http.NewResponseController(w).Flush()
	}
	prompt := tokens(c.Text())
	cached := min(c.cached, prompt)
	send("message_start", map[string]any{"message": map[string]any{"model": c.Model, "content": []any{},
		"usage": map[string]int{"input_tokens": prompt - cached, "cache_read_input_tokens": cached, "output_tokens": 1}}})
	send("ping", map[string]any{})
	begin, kind, field, why := map[string]any{"type": "text", "text": ""}, "text_delta", "text", "end_turn"
	content := reply
	if name, arguments, ok := wishOf(c, reply); ok || c.Format != "" {
		if !ok {
			name, arguments = "reply", reply
		}
		begin = map[string]any{"type": "tool_use", "id": "toolu_1", "name": name, "input": map[string]any{}}
		kind, field, why, content = "input_json_delta", "partial_json", "tool_use", arguments
	}
	send("content_block_start", map[string]any{"index": 0, "content_block": begin})
	words := strings.SplitAfter(content, " ")
	for i, word := range words {
		if cut && i >= len(words)/2 {
			panic(http.ErrAbortHandler) // how net/http is told to break a connection
		}
		send("content_block_delta", map[string]any{"index": 0, "delta": map[string]any{"type": kind, field: word}})
	}
	send("content_block_stop", map[string]any{"index": 0})
	send("message_delta", map[string]any{"delta": map[string]any{"stop_reason": why}, "usage": map[string]int{"output_tokens": tokens(reply)}})
	send("message_stop", map[string]any{})
}
