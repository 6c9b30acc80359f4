package llmtest

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A Server is a running scripted model.
type Server struct {
	URL string // base URL, such as http://127.0.0.1:1234/v1

	http    *http.Server
	ctx     context.Context
	cancel  context.CancelFunc
	served  chan struct{}
	arrived chan Call // calls that hang, for tests that wait for one

	mu    sync.Mutex
	steps []Step
	calls []Call
	key   string
	plain bool // refuses response formats
	bare  bool // refuses tools
	holds int  // tokens of the model of Ollama's own API; 0 speaks only OpenAI's
	cache promptCache
	log   func(Call, string)
}

// Start listens on a loopback address, such as 127.0.0.1:0. It must be closed.
func Start(address string, steps ...Step) (*Server, error) {
	host, _, err := net.SplitHostPort(address)
	if ip := net.ParseIP(host); err != nil || host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, fmt.Errorf("the scripted model listens on loopback only, not on %q", address)
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	s := &Server{URL: "http://" + listener.Addr().String() + "/v1", steps: steps, cache: promptCache{kept: map[[sha256.Size]byte]bool{}}, served: make(chan struct{}), arrived: make(chan Call, 64)}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.http = &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second}
	go func() {
		defer close(s.served)
		_ = s.http.Serve(listener)
	}()
	return s, nil
}

// Close ends the server, hanging calls included, and waits for it.
func (s *Server) Close() error {
	s.cancel()
	err := s.http.Close()
	<-s.served
	return err
}

// Script puts steps before those there are.
func (s *Server) Script(steps ...Step) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.steps = append(append([]Step(nil), steps...), s.steps...)
}

// Reset forgets script and calls.
func (s *Server) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.steps, s.calls = nil, nil
	for len(s.arrived) > 0 {
		<-s.arrived
	}
}

// RequireKey makes calls with another key fail with 401.
func (s *Server) RequireKey(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.key = key
}

// RefuseFormats makes calls with a response_format fail with 400, as simple servers do.
func (s *Server) RefuseFormats() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.plain = true
}

// RefuseTools makes calls with tools fail with 400, as models without them do.
func (s *Server) RefuseTools() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bare = true
}

// Log has each call told, with how it was answered.
func (s *Server) Log(tell func(c Call, how string)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log = tell
}

// Calls returns what arrived so far.
func (s *Server) Calls() []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Call(nil), s.calls...)
}

// Hanging returns a channel that yields each call that hangs.
func (s *Server) Hanging() <-chan Call { return s.arrived }

type chatRequest struct {
	Model          string    `json:"model"`
	Messages       []Message `json:"messages"`
	Stream         bool      `json:"stream"`
	Tools          []any     `json:"tools"`
	ResponseFormat *struct {
		Type   string          `json:"type"`
		Schema json.RawMessage `json:"json_schema"`
	} `json:"response_format"`
}

// ahead is what OpenAI puts before the messages of a prompt: the tools, and the schema of the reply.
func (r *chatRequest) ahead() string {
	tools, _ := json.Marshal(r.Tools)
	if r.ResponseFormat == nil {
		return string(tools)
	}
	return string(tools) + string(r.ResponseFormat.Schema)
}

// How OpenAI's cache keeps the beginnings of prompts, in tokens.
const (
	leastCached = 1024
	cachedStep  = 128
)

// keepSteps puts a prompt into the cache as OpenAI does, and returns how many tokens of its beginning were there.
func (s *Server) keepSteps(prompt string) (cached int) {
	for length := leastCached; 4*length <= len(prompt); length += cachedStep {
		if s.keep(prompt[:4*length]) {
			cached = length
		}
	}
	return cached
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasSuffix(r.URL.Path, "/models") {
		writeJSON(w, http.StatusOK, map[string]any{"object": "list", "data": []any{map[string]any{"id": "scripted", "object": "model"}}})
		return
	}
	if s.ollama(w, r) || s.anthropic(w, r) {
		return
	}
	if !strings.HasSuffix(r.URL.Path, "/chat/completions") {
		fail(w, http.StatusNotFound, "no such path: "+r.URL.Path)
		return
	}
	var request chatRequest
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 16<<20)).Decode(&request); err != nil {
		fail(w, http.StatusBadRequest, "the request is no JSON: "+err.Error())
		return
	}
	call := Call{
		Task: taskOf(request.Messages), Model: request.Model, Messages: request.Messages, Stream: request.Stream,
		Key: strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "), Headers: r.Header,
	}
	call.Tools = len(request.Tools)
	call.cached = s.keepSteps(request.ahead() + call.Text())
	if request.ResponseFormat != nil {
		call.Format = request.ResponseFormat.Type
	}
	s.reply(w, r, call)
}

// reply answers a call by its step.
func (s *Server) reply(w http.ResponseWriter, r *http.Request, call Call) {
	step, refusal := s.take(call)
	if refusal != 0 {
		fail(w, refusal, map[int]string{
			http.StatusUnauthorized: "Incorrect API key provided: " + call.Key, http.StatusBadRequest: "response_format is not supported (tool_choice)",
			http.StatusUnprocessableEntity: "this model does not support tools",
		}[refusal])
		return
	}
	s.answer(w, r, call, step)
}

// take notes a call and finds its step.
func (s *Server) take(c Call) (step Step, refusal int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, c)
	if s.key != "" && c.Key != s.key {
		return step, http.StatusUnauthorized
	}
	if s.plain && c.Format != "" {
		return step, http.StatusBadRequest
	}
	if s.bare && c.Tools > 0 {
		return step, http.StatusUnprocessableEntity
	}
	how := "by rule"
	for i := range s.steps {
		candidate := &s.steps[i]
		if candidate.Times < 0 || candidate.Task != "" && candidate.Task != c.Task || !strings.Contains(c.Text(), candidate.Contains) {
			continue
		}
		step, how = *candidate, fmt.Sprintf("by step %d %s", i+1, candidate.Fault)
		if candidate.Times == 1 {
			candidate.Times = -1 // used up
		} else if candidate.Times > 1 {
			candidate.Times--
		}
		break
	}
	if s.log != nil {
		s.log(c, how)
	}
	return step, 0
}

func (s *Server) answer(w http.ResponseWriter, r *http.Request, call Call, step Step) {
	switch step.Fault {
	case Unauthorized:
		fail(w, http.StatusUnauthorized, "Incorrect API key provided: "+call.Key)
		return
	case RateLimited, Unavailable:
		if step.After > 0 {
			w.Header().Set("Retry-After", strconv.FormatFloat(step.After, 'f', -1, 64))
		}
		status, _ := strconv.Atoi(string(step.Fault))
		fail(w, status, "scripted: "+strings.ToLower(http.StatusText(status)))
		return
	case ServerError:
		fail(w, http.StatusInternalServerError, "scripted: internal error")
		return
	case Hang:
		select {
		case s.arrived <- call:
		default:
		}
		select {
		case <-r.Context().Done():
		case <-s.ctx.Done():
		}
		return
	}
	reply := step.Reply
	if len(step.JSON) > 0 {
		reply = string(step.JSON)
	}
	if reply == "" {
		reply = byRule(call, step)
	}
	reply = spoil(call, reply, step.Fault)
	switch call.speaks {
	case ollamas:
		ollamaLines(w, call, reply, step.Fault == Cut)
		return
	case anthropics:
		anthropicEvents(w, call, reply, step.Fault == Cut)
		return
	}
	if call.Stream {
		stream(w, call, reply, step.Fault == Cut)
		return
	}
	whole(w, call, reply, step.Fault == Cut)
}

// tokens counts as EstimateTokens does, so that costs can be told beforehand.
func tokens(s string) int { return (len([]rune(s)) + 3) / 4 }

func usage(c Call, reply string) map[string]any {
	prompt := tokens(c.Text())
	return map[string]any{
		"prompt_tokens": prompt, "completion_tokens": tokens(reply), "total_tokens": prompt + tokens(reply),
		"prompt_tokens_details": map[string]int{"cached_tokens": min(c.cached, prompt)},
	}
}

func whole(w http.ResponseWriter, c Call, reply string, cut bool) {
	encoded, err := json.Marshal(map[string]any{
		"id": "chatcmpl-scripted", "object": "chat.completion", "model": c.Model, "usage": usage(c, reply),
		"choices": []any{map[string]any{"index": 0, "finish_reason": "stop", "message": Message{Role: "assistant", Content: reply}}},
	})
	if err != nil {
		fail(w, http.StatusInternalServerError, err.Error())
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if cut {
		w.Header().Set("Content-Length", strconv.Itoa(len(encoded)))
		_, _ = w.Write(encoded[:len(encoded)/2])
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler) // how net/http is told to break a connection
	}
	_, _ = w.Write(encoded)
}

// stream sends a reply word by word.
func stream(w http.ResponseWriter, c Call, reply string, cut bool) {
	w.Header().Set("Content-Type", "text/event-stream")
	flusher, _ := w.(http.Flusher)
	send := func(choices []any, use any) {
		encoded, err := json.Marshal(map[string]any{
			"id": "chatcmpl-scripted", "object": "chat.completion.chunk", "model": c.Model, "choices": choices, "usage": use,
		})
		if err == nil {
			fmt.Fprintf(w, "data: %s\n\n", encoded)
		}
		if flusher != nil {
			flusher.Flush()
		}
	}
	if name, arguments, ok := wishOf(c, reply); ok {
		send([]any{map[string]any{"index": 0, "delta": map[string]any{"tool_calls": []any{map[string]any{
			"index": 0, "id": "call_1", "type": "function", "function": map[string]any{"name": name, "arguments": arguments},
		}}}}}, nil)
		send([]any{map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": "tool_calls"}}, nil)
		send([]any{}, usage(c, reply))
		fmt.Fprint(w, "data: [DONE]\n\n")
		return
	}
	words := strings.SplitAfter(reply, " ")
	for i, word := range words {
		if cut && i >= len(words)/2 {
			panic(http.ErrAbortHandler)
		}
		send([]any{map[string]any{"index": 0, "delta": Message{Role: "assistant", Content: word}}}, nil)
	}
	send([]any{map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": "stop"}}, nil)
	send([]any{}, usage(c, reply))
	fmt.Fprint(w, "data: [DONE]\n\n")
}

// wishOf takes a call of a tool out of a reply to a request with tools: a script writes it as the JSON of models that have
// none.
func wishOf(c Call, reply string) (name, arguments string, ok bool) {
	var wish struct {
		Tool      string          `json:"tool"`
		Arguments json.RawMessage `json:"arguments"`
	}
	if c.Tools == 0 || json.Unmarshal([]byte(reply), &wish) != nil || wish.Tool == "" {
		return "", "", false
	}
	return wish.Tool, string(wish.Arguments), true
}

func fail(w http.ResponseWriter, status int, message string) {
	switch own := w.(type) {
	case ollamaWriter:
		writeJSON(own, status, map[string]any{"error": message})
		return
	case anthropicWriter:
		writeJSON(own, status, map[string]any{"type": "error", "error": map[string]string{"type": "scripted_error", "message": message}})
		return
	}
	writeJSON(w, status, map[string]any{"error": map[string]any{"message": message, "type": "scripted_error", "code": status}})
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(v); err != nil && !errors.Is(err, http.ErrAbortHandler) {
		return
	}
}
