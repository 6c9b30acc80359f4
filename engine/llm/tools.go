package llm

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// A Tool is something that a model may call before it replies.
type Tool struct {
	Name        string
	Description string          // one sentence for the model
	Parameters  json.RawMessage // JSON Schema of the arguments
	Example     string          // arguments as JSON
}

// A ToolCall is a model's wish.
type ToolCall struct {
	ID        string `json:"id,omitempty"` // of the endpoint
	Name      string `json:"name"`
	Arguments string `json:"arguments"` // JSON, as the model wrote it
}

// RoleTool is the role of a message that holds the result of a call.
const RoleTool = "tool"

// actions lets a model that knows nothing of tools call them by JSON in its replies.
type actions struct{ next Generator }

// Complete implements Generator.
func (a actions) Complete(ctx context.Context, r Request) (*Response, error) {
	response, err := a.next.Complete(ctx, asActions(r))
	return readAction(r, response), err
}

// Stream implements Generator. What may be a call is held back until its end.
func (a actions) Stream(ctx context.Context, r Request, sink func(Delta)) (*Response, error) {
	if len(r.Tools) == 0 {
		return a.next.Stream(ctx, asActions(r), sink)
	}
	h := &heldBack{sink: sink}
	response, err := a.next.Stream(ctx, asActions(r), h.take)
	if response = readAction(r, response); err == nil && len(response.Calls) == 0 {
		h.release()
	}
	return response, err
}

// heldBack keeps the beginning of a reply as long as it may be a call.
type heldBack struct {
	sink func(Delta)
	text string
	open bool // the reply is prose
}

func (h *heldBack) take(d Delta) {
	if d.Restart {
		h.text, h.open = "", false
		h.sink(d)
		return
	}
	h.text += d.Text
	if begin := strings.TrimLeft(h.text, " \t\r\n"); h.open || begin != "" && begin[0] != '{' && begin[0] != '`' {
		h.release()
	}
}

func (h *heldBack) release() {
	if h.open = true; h.text != "" {
		h.sink(Delta{Text: h.text})
		h.text = ""
	}
}

// asActions is a request without tools: the system message explains them, calls and results are messages of text.
func asActions(r Request) Request {
	var messages []Message
	for i, m := range r.Messages {
		switch {
		case i == 0 && len(r.Tools) > 0:
			m.Content += "\n" + explain(r.Tools)
		case len(m.Calls) > 0:
			c := m.Calls[0]
			m = Message{Role: m.Role, Content: encodeAction(c.Name, c.Arguments)}
		case m.Role == RoleTool:
			m = Message{Role: "user", Content: "Result:\n" + m.Content}
		}
		messages = append(messages, m)
	}
	r.Messages = messages
	if len(r.Tools) > 0 {
		r.Schema = nil // a call is of another shape
	}
	r.Tools = nil
	return r
}

// explain tells a model how to call tools, with one complete example.
func explain(tools []Tool) string {
	var b strings.Builder
	b.WriteString("Before you answer you may look things up. To do so, reply with one JSON object that names a tool and its arguments, and with nothing else:\n")
	fmt.Fprintf(&b, "%s\nThe next message brings the result. When you know enough, give the answer itself. The tools:\n", encodeAction(tools[0].Name, tools[0].Example))
	for _, t := range tools {
		fmt.Fprintf(&b, "- %s: %s Arguments such as %s\n", t.Name, t.Description, t.Example)
	}
	return b.String()
}

// An action is a call as JSON.
type action struct {
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
}

func encodeAction(name, arguments string) string {
	if !json.Valid([]byte(arguments)) {
		arguments = "{}"
	}
	encoded, _ := json.Marshal(action{name, json.RawMessage(arguments)}) // valid parts always encode
	return string(encoded)
}

// readAction takes a call out of a reply, of a tool that there is or not: the model is told.
func readAction(r Request, response *Response) *Response {
	if response == nil || len(r.Tools) == 0 || len(response.Calls) > 0 {
		return response
	}
	call, ok := callInText(response.Text)
	if !ok {
		return response
	}
	called := *response
	called.Text, called.Calls = "", []ToolCall{call}
	return &called
}

// IsCall reports whether a reply is nothing but a call of a tool, written as text: as it was asked for, or as models write it whose
// server does not know their form.
func IsCall(reply string) bool {
	_, ok := callInText(reply)
	return ok
}

// callMarks stand around calls that models write as text.
var callMarks = strings.NewReplacer("<tool_call>", "", "</tool_call>", "", "<function_call>", "", "</function_call>", "", "[TOOL_CALLS]", "", "<|tool_call|>", "", "<|python_tag|>", "")

func callInText(reply string) (ToolCall, bool) {
	if end := strings.LastIndex(reply, "</think>"); end >= 0 {
		reply = reply[end+len("</think>"):]
	}
	reply = strings.TrimSpace(callMarks.Replace(reply))
	if fenced, found := strings.CutPrefix(reply, "```"); found {
		_, reply, _ = strings.Cut(fenced, "\n") // the name of the language
		reply = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(reply), "```"))
	}
	if !strings.HasPrefix(reply, "{") {
		return ToolCall{}, false
	}
	var c struct {
		action
		Name       string          `json:"name"`
		Parameters json.RawMessage `json:"parameters"`
		ID, Type   json.RawMessage
	}
	decoder := json.NewDecoder(strings.NewReader(reply))
	decoder.DisallowUnknownFields()
	if decoder.Decode(&c) != nil || decoder.More() {
		return ToolCall{}, false
	}
	name, arguments := cmp.Or(c.Tool, c.Name), c.Arguments
	if arguments == nil {
		arguments = c.Parameters
	}
	if name == "" || arguments == nil && c.Tool == "" {
		return ToolCall{}, false
	}
	return ToolCall{Name: name, Arguments: string(arguments)}, true
}
