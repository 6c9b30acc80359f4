package llm

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
)

// anthropic speaks Anthropic's Messages API below a client of OpenAI's: it takes completions, asks /v1/messages, and gives
// what comes as the events of a stream. The compatible endpoint neither caches prompts nor keeps to a schema. Anthropic's
// own SDK speaks the same, but adds 8.2 MB to the program, for which there is no room.
type anthropic struct {
	next http.RoundTripper
	key  string

	absent atomic.Bool // the server has no such API: a gateway that speaks OpenAI's only
}

const (
	messagesPath     = "/messages"
	anthropicHost    = "api.anthropic.com"
	anthropicVersion = "2023-06-01"
	// usualMaxTokens is the longest reply when a request does not say: the API wants a number.
	usualMaxTokens = 4096
)

func newAnthropic(next http.RoundTripper, e Endpoint) *anthropic {
	return &anthropic{next: next, key: e.Key}
}

// isAnthropics reports whether an endpoint speaks the Messages API.
func (e Endpoint) isAnthropics() bool {
	u, err := url.Parse(e.BaseURL)
	return e.Preset == "anthropic" || e.Preset == "" && err == nil && u.Hostname() == anthropicHost
}

// authorize sends a key as Anthropic wants it. A header of the settings stays.
func (a *anthropic) authorize(request *http.Request) {
	if a.key != "" && request.Header.Get("Authorization") == "Bearer "+a.key {
		request.Header.Del("Authorization")
		request.Header.Set("X-Api-Key", a.key)
	}
	if request.Header.Get("Anthropic-Version") == "" {
		request.Header.Set("Anthropic-Version", anthropicVersion)
	}
}

// RoundTrip implements http.RoundTripper.
func (a *anthropic) RoundTrip(request *http.Request) (*http.Response, error) {
	root, isChat := strings.CutSuffix(request.URL.Path, "/chat/completions")
	if a.absent.Load() || !isChat {
		return a.next.RoundTrip(request)
	}
	body, asked, err := takeNative(request)
	if err != nil {
		return nil, err
	}
	sent := toMessages(asked)
	encoded, err := json.Marshal(sent)
	if err != nil {
		return nil, fmt.Errorf("write the request: %w", err)
	}
	own := request.Clone(request.Context())
	own.URL.Path = root + messagesPath
	putBody(own, encoded)
	a.authorize(own)
	response, err := a.next.RoundTrip(own)
	if err != nil {
		return nil, err
	}
	switch status := response.StatusCode; {
	case (status == http.StatusNotFound || status == http.StatusMethodNotAllowed) && !isError(response):
		response.Body.Close()
		a.absent.Store(true)
		putBody(request, body)
		return a.next.RoundTrip(request)
	case status == http.StatusBadRequest && sent.Choice != nil:
		refuseFormat(response)
	case status == http.StatusOK:
		events := &messageEvents{asJSON: sent.Choice != nil, seen: seenBy(request)}
		take := events.take
		if kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type")); kind == "application/json" {
			take = events.takeWhole
		}
		becomeEvents(response, take)
	}
	return response, nil
}

// isError reports whether an answer has the shape of the API's errors, which say that a model is missing. The body can be
// read again.
func isError(response *http.Response) bool {
	var body struct {
		Type string `json:"type"`
	}
	return json.Unmarshal(peek(response), &body) == nil && body.Type == "error"
}

// peek reads an error's body, which can be read again.
func peek(response *http.Response) []byte {
	text, _ := io.ReadAll(io.LimitReader(response.Body, 1<<16)) // what could be read tells
	response.Body.Close()
	response.Body, response.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
	return text
}

// refuseFormat names the parameter by which JSON was asked for in an error about the tool that stands for it, so that it is
// left out from then on.
func refuseFormat(response *http.Response) {
	text := peek(response)
	if !bytes.Contains(text, []byte("tool_choice")) && !bytes.Contains(text, []byte("input_schema")) {
		return
	}
	text, _ = json.Marshal(map[string]any{"error": map[string]string{"message": paramFormat + ": " + string(text)}})
	response.Body, response.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
}

// A messagesRequest is a request of the Messages API, as far as it is sent here.
type messagesRequest struct {
	Model       string         `json:"model"`
	System      []block        `json:"system,omitempty"`
	Messages    []blocks       `json:"messages"`
	Tools       []messagesTool `json:"tools,omitempty"`
	Choice      *toolChoice    `json:"tool_choice,omitempty"`
	MaxTokens   int            `json:"max_tokens"`
	Temperature *float32       `json:"temperature,omitempty"`
	Stream      bool           `json:"stream"`
}

type blocks struct {
	Role    string  `json:"role"`
	Content []block `json:"content"`
}

// A block is a part of a message: text, a call of a tool, or its result.
type block struct {
	Type    string          `json:"type"`
	Text    string          `json:"text,omitempty"`
	ID      string          `json:"id,omitempty"`
	Name    string          `json:"name,omitempty"`
	Input   json.RawMessage `json:"input,omitempty"`
	CallID  string          `json:"tool_use_id,omitempty"`
	Content string          `json:"content,omitempty"`
	Cache   *cacheControl   `json:"cache_control,omitempty"`
}

type messagesTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Schema      json.RawMessage `json:"input_schema"`
}

type toolChoice struct {
	Type string `json:"type"`
	Name string `json:"name"`
}

type cacheControl struct {
	Type string `json:"type"`
}

// toMessages writes a completion as a request of the Messages API. What comes first and stays the same, the tools and the
// system message, is marked for the cache of prompts; in a loop of tools so is all that was said, as the next call
// repeats it. JSON of a schema is asked for as the arguments of a tool that must be called: every model knows that.
func toMessages(asked *nativeRequest) *messagesRequest {
	sent := &messagesRequest{Model: asked.Model, MaxTokens: cmp.Or(asked.MaxTokens, asked.MaxReply, usualMaxTokens), Stream: true}
	if asked.Heat != nil {
		heat := min(*asked.Heat, 1)
		if heat < 1e-6 {
			heat = 0
		}
		sent.Temperature = &heat
	}
	for i := range asked.Messages {
		m := &asked.Messages[i]
		if m.Role == "system" && len(sent.Messages) == 0 {
			sent.System = append(sent.System, textBlocks(m.Content)...)
			continue
		}
		sent.add(m)
	}
	var tools []struct {
		Function struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			Parameters  json.RawMessage `json:"parameters"`
		} `json:"function"`
	}
	_ = json.Unmarshal(asked.Tools, &tools) // made by the client above; without them there are none
	for _, t := range tools {
		sent.Tools = append(sent.Tools, messagesTool{t.Function.Name, t.Function.Description, objectOr(t.Function.Parameters, `{"type":"object"}`)})
	}
	mark(sent.System)
	switch {
	case len(tools) > 0 && len(sent.Messages) > 0:
		mark(sent.Messages[len(sent.Messages)-1].Content)
	case len(tools) == 0 && asked.Format != nil && asked.Format.Schema != nil:
		name := cmp.Or(asked.Format.Schema.Name, "reply")
		sent.Tools = []messagesTool{{name, "Takes the reply.", asked.Format.Schema.Schema}}
		sent.Choice = &toolChoice{"tool", name}
	}
	return sent
}

// add appends a message; those of one side that follow each other are one.
func (s *messagesRequest) add(m *nativeMessage) {
	role, content := m.Role, textBlocks(m.Content)
	switch role {
	case RoleTool:
		role, content = "user", []block{{Type: "tool_result", CallID: cmp.Or(m.CallID, "call"), Content: m.Content}}
	case "assistant":
		for _, c := range m.Calls {
			arguments := c.Function.Arguments
			var written string
			if json.Unmarshal(arguments, &written) == nil { // they are a text there and an object here
				arguments = json.RawMessage(written)
			}
			content = append(content, block{Type: "tool_use", ID: cmp.Or(c.ID, "call"), Name: c.Function.Name, Input: objectOr(arguments, "{}")})
		}
	default:
		role = "user"
	}
	if len(content) == 0 {
		content = textBlocks("(nothing)") // a message must say something
	}
	if last := len(s.Messages) - 1; last >= 0 && s.Messages[last].Role == role {
		s.Messages[last].Content = append(s.Messages[last].Content, content...)
		return
	}
	s.Messages = append(s.Messages, blocks{role, content})
}

func textBlocks(text string) []block {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	return []block{{Type: "text", Text: text}}
}

// mark ends a part of a prompt that is kept in the cache.
func mark(list []block) {
	if len(list) > 0 {
		list[len(list)-1].Cache = &cacheControl{"ephemeral"}
	}
}

// objectOr is JSON when it is an object, else other.
func objectOr(raw json.RawMessage, other string) json.RawMessage {
	if trimmed := bytes.TrimSpace(raw); len(trimmed) > 0 && trimmed[0] == '{' && json.Valid(trimmed) {
		return trimmed
	}
	return json.RawMessage(other)
}

// messageEvents reads the events of a message.
type messageEvents struct {
	asJSON bool      // the arguments of the one tool are the reply
	seen   *exchange // is told what came from the cache; may be nil
	model  string
	calls  int
	prompt int // tokens
}

// A messageEvent is an event of a stream.
type messageEvent struct {
	Type    string  `json:"type"`
	Message message `json:"message"`
	Block   block   `json:"content_block"`
	Delta   struct {
		Text   string `json:"text"`
		JSON   string `json:"partial_json"`
		Reason string `json:"stop_reason"`
	} `json:"delta"`
	Usage messageUsage `json:"usage"`
	Error *struct {
		Message string `json:"message"`
	} `json:"error"`
}

// A message is a whole reply, or the beginning of one.
type message struct {
	Model   string       `json:"model"`
	Content []block      `json:"content"`
	Reason  string       `json:"stop_reason"`
	Usage   messageUsage `json:"usage"`
}

type messageUsage struct {
	Input  int `json:"input_tokens"`
	Write  int `json:"cache_creation_input_tokens"`
	Read   int `json:"cache_read_input_tokens"`
	Output int `json:"output_tokens"`
}

// take reads a line of a stream.
func (m *messageEvents) take(e *nativeEvents, line []byte) {
	data, isData := bytes.CutPrefix(line, []byte("data:"))
	if !isData {
		return // the name of an event stands in its data, too
	}
	var event messageEvent
	if err := json.Unmarshal(data, &event); err != nil {
		e.fail("an event of the reply is no JSON")
		return
	}
	m.event(e, &event)
}

func (m *messageEvents) event(e *nativeEvents, event *messageEvent) {
	switch event.Type {
	case "error":
		message := "the endpoint broke off with an error"
		if event.Error != nil {
			message = cmp.Or(event.Error.Message, message)
		}
		e.fail(message)
	case "message_start":
		m.begin(&event.Message)
		m.send(e, nil, "")
	case "content_block_start":
		m.block(e, &event.Block)
	case "content_block_delta":
		m.part(e, event.Delta.Text, event.Delta.JSON)
	case "message_delta":
		m.end(e, event.Delta.Reason, event.Usage.Output)
	case "message_stop":
		e.ready.WriteString("data: [DONE]\n\n")
		e.err = io.EOF
	default: // a ping says that the model is still there
		m.send(e, nil, "")
	}
}

// takeWhole reads the lines of a message that came in one piece.
func (m *messageEvents) takeWhole(e *nativeEvents, line []byte) {
	e.whole = append(append(e.whole, line...), '\n')
	if e.err == nil {
		return // there are more lines
	}
	var whole message
	if err := json.Unmarshal(e.whole, &whole); err != nil || whole.Reason == "" {
		e.fail("the reply is no message")
		return
	}
	m.begin(&whole)
	for i := range whole.Content {
		b := &whole.Content[i]
		text := b.Text
		b.Text = ""
		m.block(e, b)
		m.part(e, text, string(b.Input))
	}
	m.end(e, whole.Reason, whole.Usage.Output)
	e.ready.WriteString("data: [DONE]\n\n")
}

func (m *messageEvents) begin(start *message) {
	u := start.Usage
	m.model, m.prompt = start.Model, u.Input+u.Read+u.Write
	if m.seen != nil {
		m.seen.cacheRead, m.seen.cacheWrite = u.Read, u.Write
	}
}

// block begins a part of the reply.
func (m *messageEvents) block(e *nativeEvents, b *block) {
	if b.Type == "tool_use" {
		m.calls++
		if !m.asJSON {
			m.send(e, m.call(map[string]any{"name": b.Name, "arguments": ""}, b.ID), "")
			return
		}
	}
	m.part(e, b.Text, "")
}

// part sends more of a text, or of the arguments of the last call.
func (m *messageEvents) part(e *nativeEvents, text, arguments string) {
	switch {
	case arguments == "" || m.calls == 0:
		m.send(e, map[string]any{"content": text}, "")
	case m.asJSON && m.calls == 1:
		m.send(e, map[string]any{"content": arguments}, "")
	case !m.asJSON:
		m.send(e, m.call(map[string]any{"arguments": arguments}, ""), "")
	}
}

func (m *messageEvents) call(function map[string]any, id string) map[string]any {
	c := map[string]any{"index": m.calls - 1, "type": "function", "function": function}
	if id != "" {
		c["id"] = id
	}
	return map[string]any{"tool_calls": []any{c}}
}

// reasons are why a reply ends, in OpenAI's words.
var reasons = map[string]string{"max_tokens": "length", "model_context_window_exceeded": "length", "tool_use": "tool_calls", "refusal": "content_filter"}

func (m *messageEvents) end(e *nativeEvents, reason string, reply int) {
	if reason != "" {
		m.send(e, map[string]any{}, cmp.Or(reasons[reason], "stop"))
	}
	if m.prompt+reply > 0 {
		e.send(map[string]any{"model": m.model, "choices": []any{}, "usage": map[string]int{"prompt_tokens": m.prompt, "completion_tokens": reply}})
	}
}

func (m *messageEvents) send(e *nativeEvents, delta map[string]any, reason string) {
	choices := []any{}
	if delta != nil {
		choice := map[string]any{"index": 0, "delta": delta}
		if reason != "" {
			choice["finish_reason"] = reason
		}
		choices = append(choices, choice)
	}
	e.send(map[string]any{"model": m.model, "choices": choices})
}
