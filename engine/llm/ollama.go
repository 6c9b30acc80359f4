package llm

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
)

// ollama speaks Ollama's own API below a client of OpenAI's: it takes completions, asks /api/chat, and gives what comes as
// the events of a stream. Through /v1 nothing sets num_ctx, and Ollama silently cuts the beginning off longer prompts.
type ollama struct {
	next    http.RoundTripper
	windows *Windows

	absent atomic.Bool // the server has no such API

	mu    sync.Mutex
	sizes map[string]int // num_ctx by model: another size loads the model again, so it only grows
}

const (
	leastContext = 8192
	// usualContext is as much as a model is given room for before a prompt asks for more: each token takes memory.
	usualContext = 32768
	nativePath   = "/api/chat"
)

func newOllama(next http.RoundTripper, e Endpoint) *ollama {
	return &ollama{next: next, windows: NewWindows(e), sizes: map[string]int{}}
}

// A nativeRequest is a completion as OpenAI's protocol has it, as far as it is sent here.
type nativeRequest struct {
	Model     string          `json:"model"`
	Messages  []nativeMessage `json:"messages"`
	Tools     json.RawMessage `json:"tools"`
	MaxTokens int             `json:"max_tokens"`
	MaxReply  int             `json:"max_completion_tokens"`
	Heat      *float32        `json:"temperature"`
	Format    *struct {
		Type   string `json:"type"`
		Schema *struct {
			Name   string          `json:"name"`
			Schema json.RawMessage `json:"schema"`
		} `json:"json_schema"`
	} `json:"response_format"`
}

type nativeMessage struct {
	Role    string       `json:"role"`
	Content string       `json:"content"`
	Calls   []nativeCall `json:"tool_calls,omitempty"`
	CallID  string       `json:"tool_call_id,omitempty"`
	Tool    string       `json:"tool_name,omitempty"`
}

type nativeCall struct {
	ID       string `json:"id,omitempty"`
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
}

// takeNative reads a request that a server is asked in words of its own; body is what was read.
func takeNative(request *http.Request) (body []byte, asked *nativeRequest, err error) {
	if body, err = takeBody(request); err != nil {
		return nil, nil, err
	}
	asked = &nativeRequest{}
	if err := json.Unmarshal(body, asked); err != nil {
		return nil, nil, fmt.Errorf("read the request: %w", err)
	}
	return body, asked, nil
}

// putBody gives a request a body in place of what it had.
func putBody(request *http.Request, body []byte) {
	request.Body, request.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
}

// RoundTrip implements http.RoundTripper.
func (o *ollama) RoundTrip(request *http.Request) (*http.Response, error) {
	root, isChat := strings.CutSuffix(request.URL.Path, "/chat/completions")
	if o.absent.Load() || !isChat {
		return o.next.RoundTrip(request)
	}
	body, asked, err := takeNative(request)
	if err != nil {
		return nil, err
	}
	sent, tooLong := o.translate(request.Context(), asked)
	if tooLong != "" {
		return tooLongReply(request, tooLong), nil
	}
	own := request.Clone(request.Context())
	own.URL.Path = strings.TrimSuffix(root, "/v1") + nativePath
	putBody(own, sent)
	response, err := o.next.RoundTrip(own)
	if err != nil {
		return nil, err
	}
	switch {
	case response.StatusCode == http.StatusNotFound && !isOllamas(response):
		response.Body.Close()
		o.absent.Store(true)
		putBody(request, body)
		return o.next.RoundTrip(request)
	case response.StatusCode == http.StatusOK:
		becomeEvents(response, (&ollamaLines{}).take)
	}
	return response, nil
}

// becomeEvents has the body of a reply read by lines, and given as the events of a stream.
func becomeEvents(response *http.Response, take func(e *nativeEvents, line []byte)) {
	response.Header.Set("Content-Type", "text/event-stream")
	response.Header.Del("Content-Length")
	response.ContentLength = -1
	limited := &bounded{ReadCloser: response.Body, left: maxReply}
	response.Body = &nativeEvents{Closer: response.Body, lines: bufio.NewReader(limited), take: take}
}

// isOllamas reports whether an error has the shape of Ollama's, which says that a model is missing. The body can be read again.
func isOllamas(response *http.Response) bool {
	text, err := io.ReadAll(io.LimitReader(response.Body, 1<<16))
	response.Body.Close()
	response.Body = io.NopCloser(bytes.NewReader(text))
	var body struct {
		Error any `json:"error"`
	}
	if err != nil || json.Unmarshal(text, &body) != nil {
		return false
	}
	_, ok := body.Error.(string)
	return ok
}

// tooLongReply is what an endpoint would answer that looks at the length of prompts.
func tooLongReply(request *http.Request, why string) *http.Response {
	encoded, _ := json.Marshal(map[string]string{"error": why}) // a text always encodes
	return &http.Response{
		Status: "400 Bad Request", StatusCode: http.StatusBadRequest, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: request,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader(encoded)), ContentLength: int64(len(encoded)),
	}
}

// translate writes a completion as a chat of Ollama's, with room for prompt and reply. tooLong says why a model can't hold it.
func (o *ollama) translate(ctx context.Context, asked *nativeRequest) (body []byte, tooLong string) {
	names := map[string]string{} // of tools, by the id of the call
	prompt := EstimateTokens(string(asked.Tools))
	for i := range asked.Messages {
		m := &asked.Messages[i]
		prompt += EstimateTokens(m.Content) + 4
		for j := range m.Calls {
			f := &m.Calls[j].Function
			names[m.Calls[j].ID] = f.Name
			var written string
			if json.Unmarshal(f.Arguments, &written) == nil && json.Valid([]byte(written)) { // they are a text there and an object here
				f.Arguments = json.RawMessage(written)
			} else {
				f.Arguments = json.RawMessage("{}")
			}
			prompt += EstimateTokens(f.Name + string(f.Arguments))
			m.Calls[j].ID = ""
		}
		m.Tool, m.CallID = names[m.CallID], ""
	}
	reply := cmp.Or(asked.MaxTokens, asked.MaxReply)
	size, tooLong := o.size(ctx, asked.Model, prompt, reply)
	options := map[string]any{"num_ctx": size}
	if reply > 0 {
		options["num_predict"] = reply
	}
	if asked.Heat != nil {
		options["temperature"] = *asked.Heat
	}
	chat := map[string]any{"model": asked.Model, "messages": asked.Messages, "stream": true, "options": options}
	if len(asked.Tools) > 0 {
		chat["tools"] = asked.Tools
	}
	if asked.Format != nil {
		chat["format"] = "json"
		if asked.Format.Schema != nil {
			chat["format"] = asked.Format.Schema.Schema
		}
	}
	body, _ = json.Marshal(chat) // texts and JSON that was read always encode
	return body, tooLong
}

// size is the num_ctx for a prompt and its reply, in tokens: a power of two, at most what the model can hold.
func (o *ollama) size(ctx context.Context, model string, prompt, reply int) (n int, tooLong string) {
	loaded, most := o.windows.ofOllama(ctx, model)
	if most > 0 && prompt > most {
		return 0, fmt.Sprintf("the prompt has about %d tokens, and %s holds %d", prompt, model, most)
	}
	need := prompt + prompt/4 + reply // code has more tokens than its letters tell
	o.mu.Lock()
	defer o.mu.Unlock()
	n = max(leastContext, loaded, o.sizes[model])
	for n < need {
		n *= 2
	}
	if most > 0 {
		n = min(n, most)
	}
	o.sizes[model] = n
	return n, ""
}

// nativeEvents are the lines of a reply as the events of a stream of OpenAI's.
type nativeEvents struct {
	io.Closer
	lines *bufio.Reader
	take  func(e *nativeEvents, line []byte)
	ready bytes.Buffer
	whole []byte // of a reply that is read to its end first
	err   error
}

// Read implements io.Reader.
func (e *nativeEvents) Read(p []byte) (int, error) {
	for e.ready.Len() == 0 {
		if e.err != nil {
			return 0, e.err
		}
		line, err := e.lines.ReadBytes('\n')
		e.err = err
		if line = bytes.TrimSpace(line); len(line) > 0 && (err == nil || errors.Is(err, io.EOF)) {
			e.take(e, line)
		}
	}
	return e.ready.Read(p)
}

// A nativeLine is a piece of a reply.
type nativeLine struct {
	Model   string        `json:"model"`
	Message nativeMessage `json:"message"`
	Done    bool          `json:"done"`
	Reason  string        `json:"done_reason"`
	Prompt  int           `json:"prompt_eval_count"`
	Reply   int           `json:"eval_count"`
	Error   string        `json:"error"`
}

// ollamaLines reads the lines of a chat.
type ollamaLines struct{ calls int }

func (o *ollamaLines) take(e *nativeEvents, line []byte) {
	var l nativeLine
	if err := json.Unmarshal(line, &l); err != nil {
		l = nativeLine{Error: "a line of the reply is no JSON"}
	}
	if l.Error != "" {
		e.fail(l.Error)
		return
	}
	delta := map[string]any{"role": "assistant", "content": l.Message.Content}
	if len(l.Message.Calls) > 0 {
		var calls []any
		for _, c := range l.Message.Calls {
			calls = append(calls, map[string]any{"index": o.calls, "id": fmt.Sprintf("call_%d", o.calls+1), "type": "function",
				"function": map[string]string{"name": c.Function.Name, "arguments": string(c.Function.Arguments)}})
			o.calls++
		}
		delta["tool_calls"] = calls
	}
	choice := map[string]any{"index": 0, "delta": delta}
	if l.Done {
		choice["finish_reason"] = cmp.Or(l.Reason, "stop")
	}
	e.send(map[string]any{"model": l.Model, "choices": []any{choice}})
	if l.Done {
		if l.Prompt+l.Reply > 0 {
			e.send(map[string]any{"model": l.Model, "choices": []any{}, "usage": map[string]int{"prompt_tokens": l.Prompt, "completion_tokens": l.Reply}})
		}
		e.ready.WriteString("data: [DONE]\n\n")
		e.err = io.EOF
	}
}

func (e *nativeEvents) send(event map[string]any) {
	encoded, _ := json.Marshal(event) // made of texts and numbers
	fmt.Fprintf(&e.ready, "data: %s\n\n", encoded)
}

// fail ends a stream with an error.
func (e *nativeEvents) fail(why string) {
	e.send(map[string]any{"error": map[string]string{"message": why}})
	e.err = io.EOF
}
