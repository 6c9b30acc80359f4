package lsp_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/lsp"
)

const shop = `-- go.mod --
module example.com/shop
-- cart.go --
package shop

// A Cart holds what somebody wants to buy.
type Cart struct{ items []string }

// AddItem puts an item into the cart.
func (c *Cart) AddItem(name string) { c.items = append(c.items, name) }

// NewCart returns an empty cart.
func NewCart() *Cart { return &Cart{} }
-- checkout.go --
package shop

// CheckoutCart sells what is in a new cart.
func CheckoutCart() {
	c := NewCart()
	c.AddItem("größe 𐐀") // NewCart was called before
}
`

func object(t *testing.T, raw json.RawMessage, path ...string) json.RawMessage {
	t.Helper()
	for _, key := range path {
		var m map[string]json.RawMessage
		if err := json.Unmarshal(raw, &m); err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		raw = m[key]
	}
	return raw
}

func TestInitialize(t *testing.T) {
	utf8 := map[string]any{"general": map[string]any{"positionEncodings": []string{"utf-32", "utf-16", "utf-8"}}}
	tests := []struct {
		name     string
		params   map[string]any
		encoding string
	}{
		{"offers utf-8", map[string]any{"capabilities": utf8}, `"utf-8"`},
		{"offers nothing", map[string]any{"capabilities": map[string]any{}}, `"utf-16"`},
		{"offers utf-16", map[string]any{"capabilities": map[string]any{"general": map[string]any{"positionEncodings": []string{"utf-16"}}}}, `"utf-16"`},
		{"Lua's empty tables", map[string]any{"capabilities": []any{}, "initializationOptions": []any{}, "workspaceFolders": []any{}}, `"utf-16"`},
		{"nulls", map[string]any{"processId": nil, "capabilities": nil, "initializationOptions": nil, "workspaceFolders": nil, "rootUri": nil, "rootPath": nil, "clientInfo": nil}, `"utf-16"`},
		{"nothing", map[string]any{}, `"utf-16"`},
		{"odd shapes", map[string]any{"capabilities": map[string]any{"window": 5, "general": []int{1}}, "initializationOptions": "x"}, `"utf-16"`},
	}
	w := newWorld(t)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e, _ := w.connect(lsp.Config{Raw: true})
			var result json.RawMessage
			e.Call("initialize", test.params, &result)
			if got := string(object(t, result, "capabilities", "positionEncoding")); got != test.encoding {
				t.Errorf("encoding %s, want %s", got, test.encoding)
			}
			var announced api.Announcement
			if err := json.Unmarshal(object(t, result, "capabilities", "experimental", "aurora"), &announced); err != nil {
				t.Fatal(err)
			}
			want := []string{"aurora/agents", "aurora/assess", "aurora/budget", "aurora/cancelRebuild", "aurora/context", "aurora/decisions", "aurora/decompose", "aurora/dismiss", "aurora/feedback", "aurora/forget", "aurora/history", "aurora/job", "aurora/learn", "aurora/purge", "aurora/query", "aurora/rebuild", "aurora/records", "aurora/refresh", "aurora/related", "aurora/remember", "aurora/restore", "aurora/review", "aurora/revise", "aurora/search", "aurora/status", "aurora/trust", "aurora/verify", "aurora/why"}
			if announced.Protocol != 1 || !slices.Equal(announced.Methods, want) {
				t.Errorf("announced %+v", announced)
			}
			if got := string(object(t, result, "serverInfo")); got != `{"name":"AURORA","version":"test"}` {
				t.Errorf("serverInfo %s", got)
			}
		})
	}
}

func TestBadInitializeNamesTheField(t *testing.T) {
	w := newWorld(t)
	e, _ := w.connect(lsp.Config{Raw: true})
	for field, params := range map[string]any{
		"processId":            map[string]any{"processId": "one"},
		"rootUri":              map[string]any{"rootUri": 5},
		"workspaceFolders":     map[string]any{"workspaceFolders": "x"},
		"workspaceFolders.uri": map[string]any{"workspaceFolders": []any{map[string]any{"uri": 5}}},
		"params":               []any{},
	} {
		err := e.Try("initialize", params, nil)
		if lsp.Code(err) != -32602 || !strings.HasPrefix(err.Error(), field+":") {
			t.Errorf("%s: %v", field, err)
		}
	}
	e.Call("initialize", map[string]any{}, nil) // may be tried again
}

func TestFoldersFromEveryClient(t *testing.T) {
	for name, params := range map[string]func(dir string) map[string]any{
		"workspaceFolders": func(dir string) map[string]any {
			return map[string]any{"workspaceFolders": []any{map[string]any{"uri": api.FileURI(dir), "name": "x"}}, "rootUri": "file:///nowhere"}
		},
		"rootUri": func(dir string) map[string]any {
			return map[string]any{"rootUri": api.FileURI(dir), "rootPath": "/nowhere"}
		},
		"rootPath": func(dir string) map[string]any { return map[string]any{"rootPath": dir} },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			dir := workspace(t, shop)
			e, _ := w.connect(lsp.Config{Raw: true})
			p := params(dir)
			p["initializationOptions"] = lsp.Announced()
			e.Call("initialize", p, nil)
			if got := w.engine.Index().Folders(); len(got) != 0 {
				t.Errorf("indexing %v before initialized", got)
			}
			e.Notify("initialized", map[string]any{})
			e.AwaitReady()
			if got := w.engine.Index().Folders(); !slices.Equal(got, []string{dir}) {
				t.Errorf("indexing %v, want %s", got, dir)
			}
		})
	}
}

// TestHowAProcessEnds pins the exit codes.
func TestHowAProcessEnds(t *testing.T) {
	w := newWorld(t)
	t.Run("shutdown and exit", func(t *testing.T) {
		e, code := w.connect(lsp.Config{})
		e.Quit()
		if c := <-code; c != 0 {
			t.Errorf("code %d", c)
		}
	})
	t.Run("exit alone", func(t *testing.T) {
		e, code := w.connect(lsp.Config{})
		e.Notify("exit", nil)
		if c := <-code; c != 1 {
			t.Errorf("code %d", c)
		}
	})
	t.Run("end of input", func(t *testing.T) {
		e, code := w.connect(lsp.Config{})
		_ = e.Hangup()
		if c := <-code; c != 1 {
			t.Errorf("code %d", c)
		}
	})
	t.Run("end of input after shutdown", func(t *testing.T) {
		e, code := w.connect(lsp.Config{})
		e.Call("shutdown", nil, nil)
		_ = e.Hangup()
		if c := <-code; c != 0 {
			t.Errorf("code %d", c)
		}
	})
	t.Run("the client's process dies", func(t *testing.T) {
		cmd := exec.Command("cat")
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Skip("no cat here:", err)
		}
		e, code := w.connect(lsp.Config{Raw: true})
		e.Call("initialize", map[string]any{"processId": cmd.Process.Pid}, nil)
		_ = in.Close()
		if c := <-code; c != 1 {
			t.Errorf("code %d", c)
		}
		_ = cmd.Wait()
	})
}

func TestRequestsOutOfTurn(t *testing.T) {
	w := newWorld(t)
	e, _ := w.connect(lsp.Config{Raw: true})
	if err := e.Try("textDocument/hover", map[string]any{}, nil); lsp.Code(err) != -32002 {
		t.Errorf("before initialize: %v", err)
	}
	e.Call("initialize", map[string]any{}, nil)
	if err := e.Try("textDocument/rename", map[string]any{}, nil); lsp.Code(err) != -32601 {
		t.Errorf("unknown method: %v", err)
	}
	if err := e.Try("aurora/foresee", map[string]any{}, nil); lsp.Code(err) != -32601 {
		t.Errorf("method of a later version: %v", err)
	}
	e.Notify("textDocument/willSave", map[string]any{}) // unknown: ignored
	e.Call("shutdown", nil, nil)
	if err := e.Try("aurora/status", nil, nil); lsp.Code(err) != -32600 {
		t.Errorf("after shutdown: %v", err)
	}
}

func TestBadParamsNameTheField(t *testing.T) {
	w := newWorld(t)
	e := w.open(shop)
	doc := map[string]any{"uri": e.URI("cart.go")}
	zero := map[string]any{"line": 0, "character": 0}
	tests := []struct {
		method string
		params any
		field  string
	}{
		{"textDocument/hover", map[string]any{}, "textDocument.uri"},
		{"textDocument/hover", map[string]any{"textDocument": doc, "position": map[string]any{"line": -1, "character": 0}}, "position.line"},
		{"textDocument/hover", []any{1}, "params"},
		{"textDocument/codeAction", map[string]any{"textDocument": doc, "range": map[string]any{
			"start": map[string]any{"line": 3, "character": 0}, "end": zero}, "context": map[string]any{"diagnostics": []any{}}}, "range"},
		{"workspace/symbol", map[string]any{"query": 5}, "query"},
		{"workspace/executeCommand", map[string]any{"command": "aurora.nonsense"}, "command"},
		{"workspace/executeCommand", map[string]any{"command": "aurora.search", "arguments": []any{map[string]any{"limit": "x"}}}, "limit"},
		{"codeAction/resolve", map[string]any{"title": "x", "data": map[string]any{"a": 1}}, "data"},
		{"aurora/search", map[string]any{"query": 5}, "query"},
		{"aurora/search", map[string]any{"query": "x", "scope": map[string]any{"paths": "a"}}, "scope.paths"},
		{"aurora/related", map[string]any{}, "textDocument"},
		{"aurora/related", map[string]any{"textDocument": doc}, "position"},
		{"aurora/related", map[string]any{"textDocument": doc, "position": map[string]any{"line": -1}}, "position"},
		{"aurora/context", map[string]any{"textDocument": map[string]any{"uri": "http://x"}}, "textDocument.uri"},
		{"aurora/forget", map[string]any{"ids": "x"}, "ids"},
		{"aurora/restore", map[string]any{"ids": "x"}, "ids"},
		{"aurora/refresh", map[string]any{"paths": "x"}, "paths"},
		{"aurora/rebuild", map[string]any{"confirm": 1}, "confirm"},
	}
	for _, test := range tests {
		err := e.Try(test.method, test.params, nil)
		if lsp.Code(err) != -32602 || !strings.HasPrefix(err.Error(), test.field+":") {
			t.Errorf("%s %v: %v (code %d), want -32602 naming %s", test.method, test.params, err, lsp.Code(err), test.field)
		}
	}
	for method, params := range map[string]any{ // the engine's own checks name the field in error.data
		"aurora/search":  map[string]any{"query": "x", "limit": -5},
		"aurora/query":   map[string]any{},
		"aurora/restore": map[string]any{"ids": []string{}},
	} {
		if err := e.Try(method, params, nil); lsp.Code(err) != -32602 {
			t.Errorf("%s %v: %v", method, params, err)
		}
	}
}

func TestHoverFollowsTheBuffer(t *testing.T) {
	w := newWorld(t)
	e := w.open(shop)
	use := strings.Index(e.Content("checkout.go"), "NewCart()")
	if card := e.Hover("checkout.go", use); !strings.Contains(card, "NewCart returns an empty cart") {
		t.Errorf("card %q", card)
	}
	e.OpenFile("cart.go")
	at := strings.Index(e.Content("cart.go"), "an empty cart")
	e.Edit("cart.go", at, at+len("an empty cart"), "a cart with nothing 𐐀 in it")
	w.settle()
	if card := e.Hover("checkout.go", use); !strings.Contains(card, "a cart with nothing 𐐀 in it") {
		t.Errorf("card after the edit %q", card)
	}
	e.CloseFile("cart.go")
	w.settle()
	if card := e.Hover("checkout.go", use); !strings.Contains(card, "NewCart returns an empty cart") {
		t.Errorf("card after closing without a save %q", card)
	}
	for _, offset := range []int{0, len(e.Content("checkout.go"))} {
		e.Hover("checkout.go", offset) // nothing to show must not fail
	}
	var hover json.RawMessage
	e.Call("textDocument/hover", map[string]any{"textDocument": map[string]any{"uri": e.URI("no/such/file.go")}}, &hover)
	if string(hover) != "null" {
		t.Errorf("hover in a file that is not there: %s", hover)
	}
}

func TestUTF16Positions(t *testing.T) {
	w := newWorld(t)
	dir := workspace(t, shop)
	e, _ := w.connect(lsp.Config{Dir: dir, Capabilities: map[string]any{}})
	e.AwaitReady()
	e.OpenFile("checkout.go")
	at := strings.LastIndex(e.Content("checkout.go"), "NewCart") // behind characters of two and four bytes
	if card := e.Hover("checkout.go", at); !strings.Contains(card, "NewCart") {
		t.Skip("the engine shows no card in comments")
	}
}

// TestEditsOfEveryKind compares the server's text with the editor's after many edits, in both encodings.
func TestEditsOfEveryKind(t *testing.T) {
	for _, capabilities := range []map[string]any{lsp.Everything(), {}} {
		w := newWorld(t)
		e, _ := w.connect(lsp.Config{Dir: workspace(t, "-- a.txt --\none\r\ntwo 𐐀 größe\n\nlast"), Capabilities: capabilities})
		e.AwaitReady()
		e.OpenFile("a.txt")
		edit := func(old, content string) {
			at := strings.Index(e.Content("a.txt"), old)
			e.Edit("a.txt", at, at+len(old), content)
		}
		edit("two", "2\n2")
		edit("größe", "ß𐐀")
		edit("one\r\n", "")
		edit("last", "x\n\n")
		edit("𐐀 ", "")
		edit("\n\n", "\n")
		e.Call("aurora/status", nil, nil) // edits are applied before a later request is answered
		got, err := w.engine.Index().Text(e.Path("a.txt"))
		if err != nil || string(got) != e.Content("a.txt") {
			t.Errorf("the server has %q (%v), the editor %q", got, err, e.Content("a.txt"))
		}
	}
}

func TestMixedChangesInOneNotification(t *testing.T) {
	w := newWorld(t)
	e := w.open("-- a.txt --\nabc\n")
	e.OpenFile("a.txt")
	change := func(version int, changes ...any) {
		e.Notify("textDocument/didChange", map[string]any{
			"textDocument": map[string]any{"uri": e.URI("a.txt"), "version": version}, "contentChanges": changes,
		})
	}
	span := func(l1, c1, l2, c2 int, content string) map[string]any {
		return map[string]any{"text": content, "range": map[string]any{
			"start": map[string]any{"line": l1, "character": c1}, "end": map[string]any{"line": l2, "character": c2},
		}}
	}
	text := func() string {
		e.Call("aurora/status", nil, nil)
		got, err := w.engine.Index().Text(e.Path("a.txt"))
		if err != nil {
			t.Fatal(err)
		}
		return string(got)
	}
	steps := []struct {
		what    string
		version int
		changes []any
		want    string
	}{
		{"two edits, the second after the first", 2, []any{span(0, 0, 0, 0, "x\n"), span(1, 0, 1, 1, "A")}, "x\nAbc\n"},
		{"edit, whole text, edit", 3, []any{span(0, 0, 0, 1, "gone"), map[string]any{"text": "new\ntext"}, span(1, 4, 1, 4, "!")}, "new\ntext!"},
		{"past the line's end", 4, []any{span(0, 99, 0, 99, ".")}, "new.\ntext!"},
		{"past the text's end", 5, []any{span(77, 0, 99, 5, "?")}, "new.\ntext!?"},
		{"range null is the whole text", 6, []any{map[string]any{"range": nil, "text": "abc"}}, "abc"},
		{"no changes", 7, []any{}, "abc"},
		{"no changes, and the version before", 6, []any{}, "abc"},
		{"an edit after it counts", 7, []any{span(0, 3, 0, 3, "d"), span(0, 3, 0, 4, "")}, "abc"},
		{"backwards", 8, []any{span(0, 2, 0, 1, "never")}, "abc"},
		{"after a bad edit nothing fits", 9, []any{span(0, 0, 0, 0, "never")}, "abc"},
		{"a whole text resynchronises", 10, []any{map[string]any{"text": "good"}}, "good"},
		{"old version", 9, []any{span(0, 0, 0, 0, "never")}, "good"},
		{"whole text of an old version counts", 9, []any{map[string]any{"text": "again"}}, "again"},
		{"negative", 11, []any{span(-1, 0, 0, 0, "never")}, "again"},
		{"bad then whole in one", 12, []any{span(0, 1, 0, 0, "never"), map[string]any{"text": "fine"}}, "fine"},
		{"no range at all", 13, []any{map[string]any{"text": 5}}, "fine"},
	}
	for _, step := range steps {
		change(step.version, step.changes...)
		if got := text(); got != step.want {
			t.Fatalf("%s: %q, want %q", step.what, got, step.want)
		}
	}
	if err := os.WriteFile(e.Path("a.txt"), []byte("saved"), 0o644); err != nil {
		t.Fatal(err)
	}
	e.Notify("textDocument/didSave", map[string]any{"textDocument": map[string]any{"uri": e.URI("a.txt")}})
	if got := text(); got != "saved" {
		t.Errorf("a save did not resynchronise: %q", got)
	}
}

// TestOrderOfEditsAndSearches sends 2000 edits with requests between them; every answer shows the text that was
// sent before its request.
func TestOrderOfEditsAndSearches(t *testing.T) {
	w := newWorld(t)
	e := w.open("-- a.go --\npackage a\n\nfunc Name0() {}\n")
	e.OpenFile("a.go")
	path := e.Path("a.go")
	name := "Name0"
	for i := 1; i <= 2000; i++ {
		at := strings.Index(e.Content("a.go"), name)
		next := fmt.Sprintf("Name%d", i)
		e.Edit("a.go", at, at+len(name), next)
		name = next
		if i%100 == 0 {
			e.Hover("a.go", strings.Index(e.Content("a.go"), name)+1)
			got, err := w.engine.Index().Text(path)
			if err != nil || string(got) != e.Content("a.go") {
				t.Fatalf("after edit %d the server has %q (%v)", i, got, err)
			}
		}
	}
	w.settle()
	if hits := e.Search(name).Hits; len(hits) == 0 || hits[0].Name != name || hits[0].Source != "overlay" {
		t.Errorf("search for the last name found %+v", hits)
	}
}

func TestCodeActions(t *testing.T) {
	w := newWorld(t)
	e := w.open(shop)
	at := strings.Index(e.Content("checkout.go"), "NewCart()")
	actions := e.Actions("checkout.go", at, at)
	kinds := map[string]bool{}
	for _, a := range actions {
		kinds[a.Kind] = true
		if a.IsPreferred != nil || strings.HasPrefix(a.Kind, "quickfix") || !strings.HasPrefix(a.Kind, "source.aurora.") {
			t.Errorf("action %+v disturbs others", a)
		}
		if a.Command != nil || a.Data == nil {
			t.Errorf("action %q is not lazy", a.Title)
		}
	}
	for _, kind := range []string{"source.aurora.related", "source.aurora.context", "source.aurora.remember"} {
		if !kinds[kind] {
			t.Errorf("no %s among %v", kind, kinds)
		}
	}
	for only, want := range map[string]int{
		"": len(actions), "source": len(actions), "source.aurora": len(actions), "source.aurora.context": 1,
		"quickfix": 0, "source.aurora.con": 0, "refactor": 0, "source.fixAll": 0,
	} {
		if got := len(e.Actions("checkout.go", at, at, only)); got != want {
			t.Errorf("only %q: %d actions, want %d", only, got, want)
		}
	}
	e.Notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{"aurora": map[string]any{"lsp": map[string]any{"codeActions": map[string]any{"enabled": false}}}}})
	if got := e.Actions("checkout.go", at, at); len(got) != 0 {
		t.Errorf("switched off, there are %+v", got)
	}
	e.Notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{"lsp.codeActions.enabled": "yes"}})
	if got := e.Actions("checkout.go", at, at); len(got) != 0 {
		t.Error("a bad value changed the setting")
	}
	e.Notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{"lsp.codeActions.enabled": true}})
	if got := e.Actions("checkout.go", at, at); len(got) != len(actions) {
		t.Error("switching on had no effect")
	}
}

// choose returns the action of a kind.
func choose(t *testing.T, actions []lsp.Action, kind string) lsp.Action {
	t.Helper()
	for _, a := range actions {
		if a.Kind == kind {
			return a
		}
	}
	t.Fatalf("no %s in %+v", kind, actions)
	return lsp.Action{}
}

func TestActionsDoWork(t *testing.T) {
	w := newWorld(t)
	e := w.open(shop)
	at := strings.Index(e.Content("checkout.go"), "NewCart()")
	actions := e.Actions("checkout.go", at, at+len("NewCart"))

	opened := e.Run(choose(t, actions, "source.aurora.context"))
	state := e.Await("the context to be shown", func(s *lsp.State) bool { return len(s.Shown) == 1 })
	if got := string(object(t, opened, "uri")); got != fmt.Sprintf("%q", state.Shown[0]) {
		t.Errorf("result names %s, shown was %s", got, state.Shown[0])
	}
	files, err := os.ReadDir(filepath.Join(w.stateDir, "context"))
	if err != nil || len(files) != 1 {
		t.Fatalf("files %v, %v", files, err)
	}
	info, err := files[0].Info()
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	content, err := os.ReadFile(filepath.Join(w.stateDir, "context", files[0].Name()))
	if err != nil || !strings.Contains(string(content), "NewCart") {
		t.Errorf("the context is %q, %v", content, err)
	}

	e.Run(choose(t, actions, "source.aurora.related"))
	state = e.Await("related code to be shown", func(s *lsp.State) bool { return len(s.Shown) == 2 })
	if !strings.Contains(state.Shown[1], "related") {
		t.Errorf("shown %v", state.Shown)
	}

	remembered := e.Run(choose(t, actions, "source.aurora.remember"))
	e.Await("a word about what was remembered", func(s *lsp.State) bool { return len(s.Messages) == 1 })
	if string(object(t, remembered, "created")) != "true" {
		t.Errorf("remember returned %s", remembered)
	}
	e.Run(choose(t, actions, "source.aurora.ask"))
	e.Await("an answer to be shown", func(s *lsp.State) bool { return len(s.Shown) == 3 })
}

func TestClientsThatCanDoLess(t *testing.T) {
	w := newWorld(t)
	dir := workspace(t, shop)
	plain, _ := w.connect(lsp.Config{Dir: dir, Capabilities: map[string]any{}, Options: map[string]any{}})
	w.settle()
	at := strings.Index(plain.Content("checkout.go"), "NewCart()")
	commands := plain.Actions("checkout.go", at, at)
	if len(commands) == 0 {
		t.Fatal("no commands")
	}
	for _, c := range commands {
		if c.Kind != "" || !strings.HasPrefix(string(c.Command), `"aurora.`) {
			t.Errorf("not a plain command: %+v", c)
		}
	}
	for _, c := range commands {
		if string(c.Command) == `"aurora.openContext"` {
			plain.Run(c)
		}
	}
	state := plain.Await("the path of the context", func(s *lsp.State) bool { return len(s.Messages) == 1 })
	if !strings.Contains(state.Messages[0], w.stateDir) {
		t.Errorf("message %q", state.Messages[0])
	}
	var answer api.QueryResult
	plain.Call("aurora/query", api.QueryParams{Query: "where is NewCart defined?"}, &answer)
	state = plain.State()
	if len(state.Aurora) > 0 || state.Statuses > 0 || len(state.Progress) > 0 || len(state.Unknown) > 0 || len(state.Shown) > 0 {
		t.Errorf("a client that announced nothing was told %+v", state)
	}

	literal, _ := w.connect(lsp.Config{Dir: dir, Options: map[string]any{}, Capabilities: map[string]any{
		"textDocument": map[string]any{"codeAction": map[string]any{"codeActionLiteralSupport": map[string]any{},
			"dataSupport": true, "resolveSupport": map[string]any{"properties": []string{"edit"}}}}}})
	for _, a := range literal.Actions("checkout.go", at, at) {
		if a.Command == nil || a.Disabled != nil {
			t.Errorf("a client that resolves only edits got %+v", a)
		}
	}
}

func TestWorkspaceSymbol(t *testing.T) {
	w := newWorld(t)
	e := w.open(shop)
	symbols := e.Symbols("NewCart")
	if len(symbols) == 0 || symbols[0].Name != "NewCart" || symbols[0].Kind != 12 || symbols[0].Location.URI != e.URI("cart.go") {
		t.Fatalf("symbols %+v", symbols)
	}
	start := strings.Index(e.Content("cart.go"), "NewCart() *Cart")
	if got := symbols[0].Location.Range.Start; got != e.Position("cart.go", start) {
		t.Errorf("symbol at %+v, want %+v", got, e.Position("cart.go", start))
	}
	for _, s := range e.Symbols("type:method cart") {
		if s.Kind != 6 {
			t.Errorf("type:method found %+v", s)
		}
	}
	if got := e.Symbols("lang:python cart"); len(got) != 0 {
		t.Errorf("lang:python found %+v", got)
	}

	var final []lsp.Symbol
	e.Call("workspace/symbol", map[string]any{"query": "NewCart", "partialResultToken": "p1"}, &final)
	if parts := e.State().Partial["p1"]; len(final) != 0 || len(parts) == 0 || !strings.Contains(parts[0], `"NewCart"`) {
		t.Errorf("partial results %v, final %v", parts, final)
	}

	e.OpenFile("cart.go")
	e.Edit("cart.go", 0, 0, "// one more line\n")
	w.settle()
	var resolved lsp.Symbol
	e.Call("workspaceSymbol/resolve", symbols[0], &resolved)
	if resolved.Location.Range.Start.Line != symbols[0].Location.Range.Start.Line+1 {
		t.Errorf("resolved to %+v after a line was added above %+v", resolved.Location, symbols[0].Location)
	}
}

func TestRememberSearchForget(t *testing.T) {
	w := newWorld(t)
	e := w.open(shop)
	var saved api.RememberResult
	e.Call("aurora/remember", api.RememberParams{Content: "Carts expire after thirty zebras", Tags: []string{"decision"}}, &saved)
	if !saved.Created || saved.ID == "" {
		t.Fatalf("saved %+v", saved)
	}
	found := func() bool {
		return slices.ContainsFunc(e.Search("zebras").Hits, func(h api.Hit) bool { return h.ID == saved.ID && h.Source == "memory" })
	}
	if !found() {
		t.Error("search does not find what was remembered")
	}
	e.Notify("aurora/didUse", api.DidUseParams{Hits: []api.Use{{ID: saved.ID, Action: "opened"}}})
	var forgotten api.ForgetResult
	e.Call("aurora/forget", api.ForgetParams{IDs: []string{saved.ID}}, &forgotten)
	if forgotten.Deleted != 1 || !slices.Equal(forgotten.IDs, []string{saved.ID}) || forgotten.Until == "" || found() {
		t.Errorf("forgotten %+v, still found: %v", forgotten, found())
	}
	var list api.RestoreResult
	e.Call("aurora/restore", nil, &list)
	if list.Total != 1 || len(list.Forgotten) != 1 || list.Restored != 0 || list.Forgotten[0].ID != saved.ID || list.Forgotten[0].Until != forgotten.Until {
		t.Errorf("can be restored: %+v", list)
	}
	for _, want := range []int{1, 0} { // the second time there is nothing left to undo
		var back api.RestoreResult
		e.Call("aurora/restore", api.RestoreParams{IDs: []string{saved.ID}}, &back)
		if back.Restored != want || len(back.IDs) != want || back.Forgotten != nil || !found() {
			t.Errorf("restored %+v, want %d; found: %v", back, want, found())
		}
	}
}

func TestCommandsForClientsThatKnowOnlyLSP(t *testing.T) {
	w := newWorld(t)
	e := w.open(shop)
	run := func(command string, arguments ...any) json.RawMessage {
		var result json.RawMessage
		e.Call("workspace/executeCommand", map[string]any{"command": command, "arguments": arguments}, &result)
		return result
	}
	for _, arguments := range [][]any{{"NewCart"}, {map[string]any{"query": "NewCart"}}} {
		var result api.SearchResult
		if err := json.Unmarshal(run("aurora.search", arguments...), &result); err != nil || len(result.Hits) == 0 {
			t.Errorf("aurora.search %v: %+v, %v", arguments, result, err)
		}
	}
	var status api.Status
	if err := json.Unmarshal(run("aurora.status"), &status); err != nil || status.State != "ready" || len(status.Folders) != 1 {
		t.Errorf("aurora.status: %+v, %v", status, err)
	}
	at := e.At("checkout.go", strings.Index(e.Content("checkout.go"), "NewCart()"))
	var related api.RelatedResult
	if err := json.Unmarshal(run("aurora.related", at), &related); err != nil || len(related.Edges) == 0 {
		t.Errorf("aurora.related: %+v, %v", related, err)
	}
	if shown := e.State().Shown; len(shown) != 0 {
		t.Errorf("commands whose results are read showed %v", shown)
	}
	if err := os.WriteFile(e.Path("fresh.go"), []byte("package shop\n\nfunc FreshlyWritten() {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var refreshed api.RefreshResult
	if err := json.Unmarshal(run("aurora.refresh", map[string]any{"paths": []string{"fresh.go"}}), &refreshed); err != nil {
		t.Error(err)
	}
	w.settle()
	if hits := e.Search("FreshlyWritten").Hits; len(hits) == 0 {
		t.Error("a refreshed file is not found")
	}
}

func TestQueryTellsItsProgress(t *testing.T) {
	w := newWorld(t)
	e := w.open(shop)
	var answer api.QueryResult
	e.Call("aurora/query", map[string]any{"query": "where is NewCart defined?", "workDoneToken": 7}, &answer)
	if answer.Answer == "" || answer.Verified || len(answer.Phases) != 9 || len(answer.Citations) == 0 {
		t.Errorf("answer %+v", answer)
	}
	state := e.State()
	if kinds := state.Progress["7"]; len(kinds) < 2 || kinds[0] != "begin" || kinds[len(kinds)-1] != "end" || strings.Count(strings.Join(kinds, " "), "end") != 1 {
		t.Errorf("work-done progress %v", kinds)
	}
	if len(state.Aurora) == 0 || !strings.Contains(state.Aurora[0], answer.QueryID) {
		t.Errorf("aurora/progress %v, query %s", state.Aurora, answer.QueryID)
	}
	e.Notify("window/workDoneProgress/cancel", map[string]any{"token": 7}) // late: tolerated
	e.Notify("window/workDoneProgress/cancel", map[string]any{"token": "never heard of"})
	e.Call("aurora/status", nil, nil)
}

func TestIndexingProgressEndsOnce(t *testing.T) {
	w := newWorld(t)
	e := w.open(shop)
	for token, kinds := range e.State().Progress {
		if kinds[0] != "begin" || strings.Count(strings.Join(kinds, " "), "end") > 1 {
			t.Errorf("%s: %v", token, kinds)
		}
	}
}

func TestFoldersComeAndGo(t *testing.T) {
	w := newWorld(t)
	e := w.open(shop)
	other := workspace(t, "-- zebra.go --\npackage zebra\n\nfunc CountZebras() {}\n")
	folders := func(added, removed []any) {
		e.Notify("workspace/didChangeWorkspaceFolders", map[string]any{"event": map[string]any{"added": added, "removed": removed}})
		e.Call("aurora/status", nil, nil)
		w.settle()
	}
	folder := []any{map[string]any{"uri": api.FileURI(other), "name": "other"}}
	found := func() bool { return len(e.Symbols("CountZebras")) > 0 }
	if found() {
		t.Error("found before the folder was added")
	}
	folders(folder, nil)
	if !found() {
		t.Error("not found after the folder was added")
	}

	// a second client keeps the folder alive
	second, _ := w.connect(lsp.Config{Dir: other})
	second.AwaitReady()
	folders(nil, folder)
	if !found() {
		t.Error("a folder that another client has open was dropped")
	}
	second.Notify("workspace/didChangeWorkspaceFolders", map[string]any{"event": map[string]any{"added": []any{}, "removed": folder}})
	second.Call("aurora/status", nil, nil)
	if got := w.engine.Index().Folders(); slices.Contains(got, other) {
		t.Errorf("folders %v after the last client dropped one", got)
	}
}

func TestTwoClientsWithOneDocument(t *testing.T) {
	w := newWorld(t)
	first := w.open(shop)
	second, _ := w.connect(lsp.Config{Dir: first.Dir})
	first.OpenFile("cart.go")
	first.Call("aurora/status", nil, nil) // now it is open: nothing else puts two connections in order
	second.OpenFile("cart.go")
	second.Edit("cart.go", 0, 0, "// second was here\n")
	second.Call("aurora/status", nil, nil)
	text := func() string {
		got, err := w.engine.Index().Text(first.Path("cart.go"))
		if err != nil {
			t.Fatal(err)
		}
		return string(got)
	}
	if got := text(); got != second.Content("cart.go") {
		t.Errorf("after the edit: %q", got)
	}
	first.CloseFile("cart.go")
	first.Call("aurora/status", nil, nil)
	if got := text(); got != second.Content("cart.go") {
		t.Errorf("one client's close dropped the other's buffer: %q", got)
	}
}

func TestFilesRenamedAndDeletedByTheEditor(t *testing.T) {
	w := newWorld(t)
	e := w.open(shop)
	if err := os.Rename(e.Path("cart.go"), e.Path("wagon.go")); err != nil {
		t.Fatal(err)
	}
	e.Notify("workspace/didRenameFiles", map[string]any{"files": []any{map[string]any{"oldUri": e.URI("cart.go"), "newUri": e.URI("wagon.go")}}})
	place := func(want string) func() bool {
		return func() bool {
			w.settle()
			symbols := e.Symbols("NewCart")
			if len(symbols) == 0 || symbols[0].Name != "NewCart" { // only relatives are left
				return want == ""
			}
			return symbols[0].Location.URI == e.URI(want)
		}
	}
	eventually(t, "the new place", place("wagon.go"))
	if err := os.Remove(e.Path("wagon.go")); err != nil {
		t.Fatal(err)
	}
	e.Notify("workspace/didDeleteFiles", map[string]any{"files": []any{map[string]any{"uri": e.URI("wagon.go")}}})
	e.Notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": e.URI("wagon.go"), "type": 3}}})
	eventually(t, "no place", place(""))
}

// eventually asks the server until it says what is wanted; every question is a round trip, so this is no busy loop.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for range 10_000 {
		if ok() {
			return
		}
	}
	t.Errorf("never saw %s", what)
}

func TestRebuildFromAnEditor(t *testing.T) {
	w := newWorld(t)
	e := w.open(shop)
	if err := e.Try("aurora/rebuild", map[string]any{}, nil); lsp.Code(err) != 1010 {
		t.Errorf("without confirm: %v", err)
	}
	var dry, full api.RebuildResult
	e.Call("aurora/rebuild", map[string]any{"options": map[string]any{"validateOnly": true}}, &dry)
	if dry.Status != "completed" || dry.JobID != "" || dry.Details == nil || dry.Details.ByLanguage["go"] == 0 {
		t.Errorf("dry run %+v", dry)
	}
	e.Call("aurora/rebuild", map[string]any{"confirm": true}, &full)
	if full.Status != "queued" || full.Scope != "full" || full.JobID == "" || full.EstimatedFiles != dry.EstimatedFiles {
		t.Errorf("rebuild %+v", full)
	}
	w.settle()
	var job api.Job
	e.Call("aurora/job", map[string]any{"jobId": full.JobID}, &job)
	if job.JobID != full.JobID || job.Status != "completed" && job.Status != "in_progress" {
		t.Errorf("job %+v", job)
	}
	var cancelled api.Job
	e.Call("aurora/cancelRebuild", map[string]any{"jobId": full.JobID}, &cancelled)
	if cancelled.JobID != full.JobID {
		t.Errorf("cancelled %+v", cancelled)
	}
	if err := e.Try("aurora/job", map[string]any{"jobId": "x"}, nil); lsp.Code(err) != 1011 {
		t.Errorf("an unknown job: %v", err)
	}
	if hits := e.Search("NewCart").Hits; len(hits) == 0 {
		t.Error("nothing is found after a rebuild")
	}
}
