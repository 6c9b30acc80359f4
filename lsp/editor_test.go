package lsp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/text"
	"github.com/aurora-sidecar/aurora/lsp/rpc"
	"go.lsp.dev/jsonrpc2"
)

// An Editor is a fake editor: a client that speaks real JSON-RPC to a real server over pipes or sockets, with a folder of files.
// Waiting follows what the server reports and never sleeps. Its methods fail the test when the server answers with an error,
// unless they return one.
type Editor struct {
	Dir string // the workspace folder

	t       testing.TB
	conn    jsonrpc2.Conn
	watch   *watch
	enc     text.Encoding
	buffers map[string]*buffer

	dismisses bool
	approves  func(message string, actions []map[string]any) any
	complete  func(api.CompleteParams) (*api.CompleteResult, error)
	ask       func(api.AskParams) api.AskResult
}

// A buffer is an open document.
type buffer struct {
	content string
	version int32
}

// Config says what an Editor announces.
type Config struct {
	Name         string                                                // of the editor
	Dir          string                                                // workspace folder; "" announces none
	Capabilities any                                                   // of the client; nil means Everything
	Options      any                                                   // initializationOptions; nil announces all of aurora.client
	Raw          bool                                                  // connect only: the test sends initialize itself
	Complete     func(api.CompleteParams) (*api.CompleteResult, error) // the editor's model; nil lends none
	Ask          func(api.AskParams) api.AskResult                     // the person's answers to agents; nil declines all
	Dismisses    bool                                                  // the person closes questions, but those about trust, instead of agreeing
	// Approves is what the editor answers when the server asks whether to trust a folder; nil takes the last action, which agrees.
	Approves func(message string, actions []map[string]any) any
}

// Everything are the capabilities of an editor that can do all that AURORA uses.
func Everything() map[string]any {
	return map[string]any{
		"general":   map[string]any{"positionEncodings": []string{"utf-8", "utf-16"}},
		"window":    map[string]any{"workDoneProgress": true, "showDocument": map[string]any{"support": true}},
		"workspace": map[string]any{"configuration": true},
		"textDocument": map[string]any{"codeAction": map[string]any{
			"codeActionLiteralSupport": map[string]any{"codeActionKind": map[string]any{"valueSet": []string{}}},
			"dataSupport":              true, "disabledSupport": true,
			"resolveSupport": map[string]any{"properties": []string{"edit", "command"}},
		}},
	}
}

// Announced are initializationOptions that announce all that a server may send, but for a model of the editor's.
func Announced() map[string]any {
	return map[string]any{"aurora": map[string]any{"client": api.ClientFeatures{Ask: true, Progress: true, Status: true}}}
}

// Connect starts an editor on its end of a connection and, unless config.Raw, a session. The connection is closed
// when the test ends.
func Connect(t testing.TB, conn io.ReadWriteCloser, config Config) *Editor {
	t.Helper()
	e := &Editor{Dir: config.Dir, t: t, watch: newWatch(), buffers: map[string]*buffer{}, dismisses: config.Dismisses, approves: config.Approves, complete: config.Complete, ask: config.Ask}
	if e.approves == nil {
		e.approves = func(_ string, actions []map[string]any) any { return actions[len(actions)-1] }
	}
	e.conn = jsonrpc2.NewConn(rpc.NewStream(conn, slog.New(slog.DiscardHandler)))
	e.conn.Go(context.Background(), e.handle)
	t.Cleanup(func() { _ = e.Hangup() })
	if !config.Raw {
		e.initialize(config)
	}
	return e
}

func (e *Editor) initialize(config Config) {
	e.t.Helper()
	if config.Capabilities == nil {
		config.Capabilities = Everything()
	}
	if config.Options == nil {
		config.Options = Announced()
	}
	params := map[string]any{
		"processId": os.Getpid(), "capabilities": config.Capabilities, "initializationOptions": config.Options,
		"clientInfo": map[string]any{"name": cmp.Or(config.Name, "test")}, "rootUri": nil,
	}
	if config.Dir != "" {
		params["workspaceFolders"] = []any{map[string]any{"uri": api.FileURI(config.Dir), "name": "w"}}
	}
	var result struct {
		Capabilities struct {
			PositionEncoding string `json:"positionEncoding"`
		} `json:"capabilities"`
	}
	e.Call("initialize", params, &result)
	if result.Capabilities.PositionEncoding == "utf-8" {
		e.enc = text.UTF8
	}
	e.Notify("initialized", map[string]any{})
}

// handle answers the server as an editor with one person, who agrees to everything or, as Config says, to nothing.
func (e *Editor) handle(_ context.Context, req *jsonrpc2.Request) (any, error) {
	var p struct {
		Token   json.RawMessage  `json:"token"`
		Value   json.RawMessage  `json:"value"`
		Message string           `json:"message"`
		URI     string           `json:"uri"`
		Items   []any            `json:"items"`
		Actions []map[string]any `json:"actions"`
	}
	if err := json.Unmarshal(req.Params(), &p); err != nil && len(req.Params()) > 0 {
		e.t.Errorf("params of %s: %v", req.Method(), err)
		return nil, nil
	}
	method := req.Method()
	if method == api.MethodComplete && e.complete != nil {
		var params api.CompleteParams
		if err := json.Unmarshal(req.Params(), &params); err != nil {
			return nil, err
		}
		return e.complete(params)
	}
	if method == api.MethodAsk {
		return e.answer(json.RawMessage(req.Params()))
	}
	var result any
	e.watch.update(func(s *State) {
		switch method {
		case api.MethodDidChangeStatus:
			s.Statuses++
			if err := json.Unmarshal(req.Params(), &s.Status); err != nil {
				e.t.Error(err)
			}
		case api.MethodProgress:
			s.Aurora = append(s.Aurora, string(req.Params()))
		case "$/progress":
			s.addProgress(tokenName(p.Token), p.Value)
		case "window/showMessage":
			s.Messages = append(s.Messages, p.Message)
		case "window/showMessageRequest":
			s.Asked = append(s.Asked, p.Message)
			switch {
			case strings.HasPrefix(p.Message, "Trust "):
				result = e.approves(p.Message, p.Actions)
			case !e.dismisses && len(p.Actions) > 0:
				result = p.Actions[0]
			}
		case "textDocument/publishDiagnostics":
			var hints struct{ Diagnostics []Hint }
			if err := json.Unmarshal(req.Params(), &hints); err != nil {
				e.t.Error(err)
			}
			s.Hints = maps.Clone(s.Hints)
			if s.Hints == nil {
				s.Hints = map[string][]Hint{}
			}
			s.Hints[p.URI] = hints.Diagnostics
		case "window/showDocument":
			s.Shown = append(s.Shown, p.URI)
			result = map[string]bool{"success": true}
		case "workspace/configuration":
			result = make([]any, len(p.Items))
		case "window/workDoneProgress/create":
		default:
			s.Unknown = append(s.Unknown, method)
		}
	})
	return result, nil
}

// answer answers an agent's question.
func (e *Editor) answer(raw json.RawMessage) (any, error) {
	var params api.AskParams
	if err := json.Unmarshal(raw, &params); err != nil {
		return nil, err
	}
	e.watch.update(func(s *State) { s.Asked = append(s.Asked, params.Question) })
	if e.ask == nil {
		return api.AskResult{Cancelled: true}, nil
	}
	return e.ask(params), nil
}

func tokenName(raw json.RawMessage) string {
	var name string
	if json.Unmarshal(raw, &name) == nil {
		return name
	}
	return string(raw)
}

func (s *State) addProgress(token string, value json.RawMessage) {
	var event struct {
		Kind string `json:"kind"`
	}
	if json.Unmarshal(value, &event) == nil && event.Kind != "" {
		s.Progress[token] = append(s.Progress[token], event.Kind)
		return
	}
	s.Partial[token] = append(s.Partial[token], string(value))
}

// Await waits until what the server told is as wanted.
func (e *Editor) Await(what string, ok func(*State) bool) State {
	e.t.Helper()
	return e.watch.await(e.t, what, ok)
}

// AwaitReady waits until the server says that the workspace is indexed.
func (e *Editor) AwaitReady() {
	e.t.Helper()
	e.Await("a ready index", (*State).Ready)
}

// State returns what the server told so far.
func (e *Editor) State() State {
	s, _ := e.watch.snapshot()
	return s
}

// Try sends a request and returns the server's error.
func (e *Editor) Try(method string, params, result any) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	raw, err := json.Marshal(params)
	if err != nil {
		return err
	}
	var answer jsonrpc2.RawMessage
	if _, err := e.conn.Call(ctx, method, jsonrpc2.RawMessage(raw), &answer); err != nil {
		return err
	}
	if result == nil || len(answer) == 0 {
		return nil
	}
	return json.Unmarshal(answer, result)
}

// Call sends a request.
func (e *Editor) Call(method string, params, result any) {
	e.t.Helper()
	if err := e.Try(method, params, result); err != nil {
		e.t.Fatalf("%s: %v", method, err)
	}
}

// Code returns the JSON-RPC code of an error, 0 for none.
func Code(err error) int {
	var wire *jsonrpc2.Error
	if errors.As(err, &wire) {
		return int(wire.Code)
	}
	return 0
}

// Notify sends a notification.
func (e *Editor) Notify(method string, params any) {
	e.t.Helper()
	raw, err := json.Marshal(params)
	if err == nil {
		err = e.conn.Notify(context.Background(), method, jsonrpc2.RawMessage(raw))
	}
	if err != nil {
		e.t.Fatalf("%s: %v", method, err)
	}
}

// Hangup closes the connection without a word.
func (e *Editor) Hangup() error { return e.conn.Close() }

// Quit ends the session in an orderly way.
func (e *Editor) Quit() {
	e.t.Helper()
	e.Call("shutdown", nil, nil)
	e.Notify("exit", nil)
}

// Path is the absolute path of a file of the workspace.
func (e *Editor) Path(name string) string { return filepath.Join(e.Dir, filepath.FromSlash(name)) }

// URI is the URI of a file of the workspace.
func (e *Editor) URI(name string) string { return api.FileURI(e.Path(name)) }

// Encoding is the position encoding that was negotiated.
func (e *Editor) Encoding() text.Encoding { return e.enc }

// Content is the text of a file as the editor sees it.
func (e *Editor) Content(name string) string {
	e.t.Helper()
	if b := e.buffers[name]; b != nil {
		return b.content
	}
	content, err := os.ReadFile(e.Path(name))
	if err != nil {
		e.t.Fatal(err)
	}
	return string(content)
}

// OpenFile opens a file of the workspace.
func (e *Editor) OpenFile(name string) {
	e.t.Helper()
	b := &buffer{content: e.Content(name), version: 1}
	e.buffers[name] = b
	e.Notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
		"uri": e.URI(name), "languageId": "", "version": b.version, "text": b.content,
	}})
}

// Edit replaces the bytes [start, end) of an open buffer.
func (e *Editor) Edit(name string, start, end int, content string) {
	e.t.Helper()
	b := e.buffers[name]
	b.version++
	e.Notify("textDocument/didChange", map[string]any{
		"textDocument":   map[string]any{"uri": e.URI(name), "version": b.version},
		"contentChanges": []any{map[string]any{"range": e.rangeOf(b.content, start, end), "text": content}},
	})
	b.content = b.content[:start] + content + b.content[end:]
}

// CloseFile closes a buffer and forgets what was not saved.
func (e *Editor) CloseFile(name string) {
	e.t.Helper()
	delete(e.buffers, name)
	e.Notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": e.URI(name)}})
}

// Position converts a byte offset of a file.
func (e *Editor) Position(name string, offset int) api.Position {
	e.t.Helper()
	return api.FromPosition(text.NewLines([]byte(e.Content(name))).Position(offset), e.enc)
}

func (e *Editor) rangeOf(content string, start, end int) api.Range {
	return api.FromOffsets(text.NewLines([]byte(content)), start, end, e.enc)
}

// At is the part of params that names a place.
func (e *Editor) At(name string, offset int) map[string]any {
	e.t.Helper()
	return map[string]any{"textDocument": map[string]any{"uri": e.URI(name)}, "position": e.Position(name, offset)}
}

// Hover returns the card at a byte offset, "" for none.
func (e *Editor) Hover(name string, offset int) string {
	e.t.Helper()
	var hover *struct {
		Contents struct{ Value string }
	}
	e.Call("textDocument/hover", e.At(name, offset), &hover)
	if hover == nil {
		return ""
	}
	return hover.Contents.Value
}

// An Action is a code action, or a plain command.
type Action struct {
	Title     string            `json:"title"`
	Kind      string            `json:"kind,omitempty"`
	Command   json.RawMessage   `json:"command,omitempty"` // an object in a code action, a name in a command
	Arguments []json.RawMessage `json:"arguments,omitempty"`
	Disabled  *struct {
		Reason string `json:"reason"`
	} `json:"disabled,omitempty"`
	Data        json.RawMessage `json:"data,omitempty"`
	IsPreferred *bool           `json:"isPreferred,omitempty"`
}

// Actions lists the code actions for the bytes [start, end).
func (e *Editor) Actions(name string, start, end int, only ...string) []Action {
	e.t.Helper()
	context := map[string]any{"diagnostics": []any{}}
	if len(only) > 0 {
		context["only"] = only
	}
	var actions []Action
	e.Call("textDocument/codeAction", map[string]any{
		"textDocument": map[string]any{"uri": e.URI(name)}, "context": context, "range": e.rangeOf(e.Content(name), start, end),
	}, &actions)
	return actions
}

// Run resolves an action if need be and has the server execute its command; it returns the result.
func (e *Editor) Run(a Action) json.RawMessage {
	e.t.Helper()
	if a.Command == nil {
		e.Call("codeAction/resolve", a, &a)
	}
	params := json.RawMessage(fmt.Sprintf(`{"command":%s,"arguments":%s}`, a.Command, encode(a.Arguments)))
	if len(a.Command) > 0 && a.Command[0] == '{' {
		params = a.Command
	}
	var result json.RawMessage
	e.Call("workspace/executeCommand", params, &result)
	return result
}

func encode(v any) []byte {
	raw, err := json.Marshal(v)
	if err != nil {
		return []byte("null")
	}
	return raw
}

// Search asks aurora/search.
func (e *Editor) Search(query string) *api.SearchResult {
	e.t.Helper()
	var result api.SearchResult
	e.Call(api.Search.Method(), api.SearchParams{Query: query}, &result)
	return &result
}

// A Symbol is a result of workspace/symbol.
type Symbol struct {
	Name          string `json:"name"`
	Kind          int    `json:"kind"`
	ContainerName string `json:"containerName"`
	Location      struct {
		URI   string    `json:"uri"`
		Range api.Range `json:"range"`
	} `json:"location"`
	Data json.RawMessage `json:"data,omitempty"`
}

// Symbols asks workspace/symbol.
func (e *Editor) Symbols(query string) []Symbol {
	e.t.Helper()
	var symbols []Symbol
	e.Call("workspace/symbol", map[string]any{"query": query}, &symbols)
	return symbols
}
