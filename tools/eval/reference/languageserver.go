package reference

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"net/url"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/text"
)

// languageServer asks a server that speaks LSP over its standard streams.
type languageServer struct {
	command  []string
	language string
}

// Ask implements Tool.
func (l languageServer) Ask(ctx context.Context, c *Checkout, q Question, names []Place) (all [][]Use, err error) {
	cmd := exec.CommandContext(ctx, l.command[0], l.command[1:]...)
	cmd.Dir = c.Root
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s := &session{in: in, out: bufio.NewReader(out)}
	defer func() {
		err = errors.Join(err, s.send(map[string]any{"method": "exit"}), in.Close())
		_ = cmd.Wait() // servers end as they like
	}()
	if err := s.initialize(c.Root); err != nil {
		return nil, err
	}
	t := &texts{root: c.Root}
	if err := s.open(t, l.language, names); err != nil {
		return nil, err
	}
	for _, name := range names {
		uses, err := s.uses(t, q, name)
		if err != nil {
			return nil, err
		}
		all = append(all, uses)
	}
	return all, nil
}

// session is one conversation with a server.
type session struct {
	in   io.Writer
	out  *bufio.Reader
	next int
}

func (s *session) initialize(root string) error {
	uri := uriOf(root)
	params := map[string]any{
		"processId": nil, "rootUri": uri, "workspaceFolders": []any{map[string]any{"uri": uri, "name": "checkout"}},
		"capabilities": map[string]any{"workspace": map[string]any{"configuration": true, "workspaceFolders": true}},
	}
	if err := s.call("initialize", params, nil); err != nil {
		return err
	}
	return s.send(map[string]any{"method": "initialized", "params": map[string]any{}})
}

// open shows the server every file that is asked about: some answer for open files only.
func (s *session) open(t *texts, language string, names []Place) error {
	seen := map[string]bool{}
	for _, n := range names {
		if seen[n.Path] {
			continue
		}
		seen[n.Path] = true
		item := map[string]any{"uri": uriOf(filepath.Join(t.root, n.Path)), "languageId": language, "version": 1, "text": string(t.text(n.Path))}
		if err := s.send(map[string]any{"method": "textDocument/didOpen", "params": map[string]any{"textDocument": item}}); err != nil {
			return err
		}
	}
	return nil
}

func (s *session) uses(t *texts, q Question, name Place) ([]Use, error) {
	at := text.NewLines(t.text(name.Path)).Position(name.Offset)
	params := map[string]any{
		"textDocument": map[string]any{"uri": uriOf(filepath.Join(t.root, name.Path))},
		"position":     point{at.Line, at.UTF16}, "context": map[string]any{"includeDeclaration": false},
	}
	var found []struct {
		URI   string                     `json:"uri"`
		Range struct{ Start, End point } `json:"range"`
	}
	if err := s.call("textDocument/"+string(q), params, &found); err != nil {
		return nil, err
	}
	var uses []Use
	for _, f := range found {
		u, err := url.Parse(f.URI)
		if err != nil {
			return nil, err
		}
		path, err := filepath.Rel(t.root, u.Path)
		if err != nil {
			return nil, err
		}
		if !filepath.IsLocal(path) { // a library
			uses = append(uses, Use{Place: Place{Path: filepath.ToSlash(path)}})
			continue
		}
		uses = append(uses, useAt(t, filepath.ToSlash(path), f.Range.Start, f.Range.End))
	}
	return uses, nil
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
	if isCalled(src[min(to, len(src)):]) {
		use.Kind = Call
	}
	return use
}

// isCalled reports whether what follows a name calls it: "(", or type arguments in brackets and then "(".
func isCalled(rest []byte) bool {
	if len(rest) > 0 && rest[0] == '[' {
		if end := bytes.IndexByte(rest, ']'); end > 0 {
			rest = rest[end+1:]
		}
	}
	return bytes.HasPrefix(bytes.TrimLeft(rest, " "), []byte("("))
}

// call sends a request and waits for its answer; what the server asks in between is answered with nothing.
func (s *session) call(method string, params, result any) error {
	s.next++
	if err := s.send(map[string]any{"id": s.next, "method": method, "params": params}); err != nil {
		return err
	}
	for {
		m, err := s.receive()
		if err != nil {
			return fmt.Errorf("%s: %w", method, err)
		}
		switch {
		case m.Method != "" && m.ID != nil:
			if err := s.send(map[string]any{"id": m.ID, "result": m.reply()}); err != nil {
				return err
			}
		case m.Method == "" && string(m.ID) == strconv.Itoa(s.next):
			if m.Error != nil || result == nil {
				return nil // a name that the server can't find has no references
			}
			return json.Unmarshal(m.Result, result)
		}
	}
}

type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Items []any `json:"items"`
	} `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

// reply is the answer to a question of the server: no settings, and else nothing.
func (m *message) reply() any {
	if m.Method == "workspace/configuration" {
		return make([]any, len(m.Params.Items))
	}
	return nil
}

func (s *session) send(m map[string]any) error {
	m["jsonrpc"] = "2.0"
	body, err := json.Marshal(m)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.in, "Content-Length: %d\r\n\r\n%s", len(body), body)
	return err
}

func (s *session) receive() (*message, error) {
	header, err := textproto.NewReader(s.out).ReadMIMEHeader()
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(strings.TrimSpace(header.Get("Content-Length")))
	if err != nil {
		return nil, err
	}
	body := make([]byte, n)
	if _, err := io.ReadFull(s.out, body); err != nil {
		return nil, err
	}
	m := new(message)
	_ = json.Unmarshal(body, m) // notifications may have parameters of any shape
	return m, nil
}

func uriOf(path string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String()
}
