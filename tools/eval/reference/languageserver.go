package reference

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"

	"github.com/aurora-sidecar/aurora/internal/text"
	"github.com/aurora-sidecar/aurora/tools/lspclient"
)

// languageServer asks a server that speaks LSP over its standard streams.
type languageServer struct {
	command  []string
	language string
	options  any  // initializationOptions
	unopened bool // it answers for files that are not open, too, and reads those with more care than is needed
	// isReady recognises the notification by which the server says that it knows the whole project; nil when it answers only
	// once it does.
	isReady func(method string, params json.RawMessage) bool
}

// Ask implements Tool.
func (l languageServer) Ask(ctx context.Context, c *Checkout, q Question, names []Place) ([][]Use, error) {
	cmd := exec.CommandContext(ctx, l.command[0], l.command[1:]...)
	cmd.Dir = c.Root
	ready := make(chan struct{})
	client, err := lspclient.Start(cmd, l.listen(ready))
	if err != nil {
		return nil, err
	}
	s := session{client: client, texts: &texts{root: c.Root}}
	defer s.stop()
	if err := s.initialize(l.options); err != nil {
		return nil, err
	}
	if !l.unopened {
		if err := s.open(l.language, names); err != nil {
			return nil, err
		}
	}
	select {
	case <-ready:
	case <-ctx.Done():
		return nil, fmt.Errorf("%s is not ready: %w", l.command[0], ctx.Err())
	}
	var all [][]Use
	for _, name := range names {
		uses, err := s.uses(q, name)
		if err != nil {
			return nil, err
		}
		all = append(all, uses)
	}
	return all, nil
}

// listen closes ready when the server is.
func (l languageServer) listen(ready chan struct{}) lspclient.Listener {
	if l.isReady == nil {
		close(ready)
		return nil
	}
	var once sync.Once
	return func(method string, params json.RawMessage) {
		if l.isReady(method, params) {
			once.Do(func() { close(ready) })
		}
	}
}

// session is one conversation with a server about one checkout.
type session struct {
	client *lspclient.Client
	texts  *texts
}

func (s session) initialize(options any) error {
	uri := uriOf(s.texts.root)
	params := map[string]any{
		"processId": nil, "rootUri": uri, "workspaceFolders": []any{map[string]any{"uri": uri, "name": "checkout"}},
		"capabilities": map[string]any{
			"workspace": map[string]any{"configuration": true, "workspaceFolders": true}, "window": map[string]any{"workDoneProgress": true},
			"experimental": map[string]any{"serverStatusNotification": true},
		},
		"initializationOptions": options,
	}
	if err := s.client.Call("initialize", params, nil); err != nil {
		return err
	}
	return s.client.Notify("initialized", map[string]any{})
}

// stop ends the server, which does so as it likes.
func (s session) stop() {
	_ = s.client.Call("shutdown", nil, nil)
	_ = s.client.Notify("exit", nil)
	_ = s.client.Cmd.Wait()
}

// open shows the server every file that is asked about: some answer for open files only.
func (s session) open(language string, names []Place) error {
	seen := map[string]bool{}
	for _, n := range names {
		if seen[n.Path] {
			continue
		}
		seen[n.Path] = true
		item := map[string]any{"uri": s.uri(n.Path), "languageId": language, "version": 1, "text": string(s.texts.text(n.Path))}
		if err := s.client.Notify("textDocument/didOpen", map[string]any{"textDocument": item}); err != nil {
			return err
		}
	}
	return nil
}

func (s session) uri(path string) string { return uriOf(filepath.Join(s.texts.root, path)) }

// uses asks about one name. One that the server can't find has none.
func (s session) uses(q Question, name Place) ([]Use, error) {
	at := text.NewLines(s.texts.text(name.Path)).Position(name.Offset)
	params := map[string]any{
		"textDocument": map[string]any{"uri": s.uri(name.Path)},
		"position":     point{at.Line, at.UTF16}, "context": map[string]any{"includeDeclaration": false},
	}
	var found []location
	err := s.client.Call("textDocument/"+string(q), params, &found)
	var refused *lspclient.Error
	if err != nil && !errors.As(err, &refused) {
		return nil, err
	}
	var uses []Use
	for _, f := range found {
		u, err := url.Parse(f.URI)
		if err != nil {
			return nil, err
		}
		path, err := filepath.Rel(s.texts.root, u.Path)
		if err != nil || u.Scheme != "file" || !filepath.IsLocal(path) { // a library
			uses = append(uses, Use{Place: Place{Path: u.Path}})
			continue
		}
		uses = append(uses, useAt(s.texts, filepath.ToSlash(path), f.Range.Start, f.Range.End))
	}
	return uses, nil
}

// location is LSP's Location.
type location struct {
	URI   string                     `json:"uri"`
	Range struct{ Start, End point } `json:"range"`
}

// point is LSP's position.
type point struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

func useAt(t *texts, path string, start, end point) Use {
	src := t.text(path)
	lines := text.NewLines(src)
	from, _ := lines.Offset(start.Line, start.Character, text.UTF16)
	to, _ := lines.Offset(end.Line, end.Character, text.UTF16)
	use := Use{Place: Place{path, from}}
	if called.Match(src[min(to, len(src)):]) {
		use.Kind = Call
	}
	return use
}

// called is what follows a name that is called: "(", after type arguments if there are any.
var called = regexp.MustCompile(`^(?:\[[^\]]*\]|(?:::)?<[^;(){}]*>)? *\(`)

func uriOf(path string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String()
}
