package soak

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/tools/lspclient"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// An editor has one file open at a time.
type editor struct {
	*world
	client  *lspclient.Client
	path    string
	text    []string // lines of the open file
	version int
	note    string // that was remembered last
}

func (w *world) editor(name string) *editor {
	w.Helper()
	cmd := w.command("serve")
	cmd.Stderr = os.Stderr
	c, err := lspclient.Start(cmd, nil)
	if err != nil {
		w.Fatal(err)
	}
	err = c.Call("initialize", map[string]any{
		"processId": os.Getpid(), "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": name},
		"workspaceFolders": []any{map[string]any{"uri": uri(w.dir), "name": "project"}},
	}, nil)
	if err = errors.Join(err, c.Notify("initialized", map[string]any{})); err != nil {
		w.Fatal(err)
	}
	w.Cleanup(func() {
		if err := errors.Join(c.Call("shutdown", nil, nil), c.Notify("exit", nil), c.Cmd.Wait()); err != nil {
			w.Error(err)
		}
	})
	return &editor{world: w, client: c}
}

func uri(path string) string { return (&url.URL{Scheme: "file", Path: path}).String() }

// words are asked for in searches and questions.
var words = strings.Fields(`index snapshot daemon memory record hover search rank budget citation watcher branch chunk parse
	vector activation session lock query plan verify secret config export salvage journal migrate`)

func word(rng *rand.Rand) string { return words[rng.IntN(len(words))] }

func (e *editor) document() map[string]any { return map[string]any{"uri": uri(e.path)} }

func (e *editor) place(rng *rand.Rand) map[string]any {
	line := rng.IntN(len(e.text))
	return map[string]any{"line": line, "character": len(e.text[line]) / 2}
}

// step does one thing that a person does.
func (e *editor) step(rng *rand.Rand) error {
	if e.path == "" {
		return e.open(rng)
	}
	what := rng.IntN(1000)
	switch {
	case what < 450:
		return e.key(rng)
	case what < 700:
		return e.hover(rng)
	case what < 850:
		return e.call("aurora/search", map[string]any{"query": word(rng) + " " + word(rng), "limit": 10})
	case what < 890:
		return e.call("workspace/symbol", map[string]any{"query": word(rng)})
	case what < 920:
		return e.call("aurora/related", map[string]any{"textDocument": e.document(), "position": e.place(rng)})
	case what < 940:
		return e.call("aurora/context", map[string]any{"query": word(rng) + " " + word(rng), "textDocument": e.document()})
	case what < 955:
		return e.call("aurora/query", map[string]any{"query": "How does the " + word(rng) + " of the " + word(rng) + " work?"})
	case what < 965:
		return e.remember(rng)
	case what < 975:
		return e.save(rng)
	default:
		return e.open(rng)
	}
}

func (e *editor) call(method string, params any) error {
	e.count(method)
	return e.allow(e.client.Call(method, params, nil))
}

func (e *editor) hover(rng *rand.Rand) error {
	begin := time.Now()
	err := e.call("textDocument/hover", map[string]any{"textDocument": e.document(), "position": e.place(rng)})
	e.mu.Lock()
	defer e.mu.Unlock()
	e.times = append(e.times, time.Since(begin))
	return err
}

// open closes the open file and opens another one that is there in this branch.
func (e *editor) open(rng *rand.Rand) error {
	if e.path != "" {
		if err := e.client.Notify("textDocument/didClose", map[string]any{"textDocument": e.document()}); err != nil {
			return err
		}
	}
	for {
		e.path, e.version = filepath.Join(e.dir, e.files[rng.IntN(len(e.files))]), 1
		text, err := os.ReadFile(e.path)
		if err != nil {
			continue // not in this branch, or not at this moment
		}
		e.count("open")
		e.text = strings.Split(string(text), "\n")
		return e.client.Notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
			"uri": uri(e.path), "languageId": strings.TrimPrefix(filepath.Ext(e.path), "."), "version": 1, "text": string(text),
		}})
	}
}

// key types a character at the end of a line, or takes what was typed there back.
func (e *editor) key(rng *rand.Rand) error {
	at := rng.IntN(len(e.text))
	line := []rune(e.text[at])
	for _, r := range line {
		if r > 0x7f {
			return nil // its length in the units of the protocol is another one
		}
	}
	from, text := len(line), "x"
	if n := len(line); n > 0 && line[n-1] == 'x' {
		from, text = n-1, ""
	}
	change := map[string]any{"text": text, "range": map[string]any{
		"start": map[string]any{"line": at, "character": from}, "end": map[string]any{"line": at, "character": len(line)},
	}}
	e.text[at] = string(line[:from]) + text
	e.version++
	e.count("key")
	return e.client.Notify("textDocument/didChange", map[string]any{
		"textDocument": map[string]any{"uri": uri(e.path), "version": e.version}, "contentChanges": []any{change},
	})
}

// save writes the open file; the next change of the branch takes it back.
func (e *editor) save(*rand.Rand) error {
	if err := os.WriteFile(e.path, []byte(strings.Join(e.text, "\n")), 0o644); err != nil {
		return nil //nolint:nilerr // its folder is not in this branch
	}
	e.count("save")
	return e.client.Notify("textDocument/didSave", map[string]any{"textDocument": e.document()})
}

// remember keeps a note and forgets the one before.
func (e *editor) remember(rng *rand.Rand) error {
	if e.note != "" {
		if err := e.call("aurora/forget", map[string]any{"ids": []string{e.note}}); err != nil {
			return err
		}
	}
	e.count("aurora/remember")
	var kept struct{ ID string }
	err := e.client.Call("aurora/remember", map[string]any{"content": fmt.Sprintf("We decided that the %s of a %s is number %d", word(rng), word(rng), rng.IntN(1e6))}, &kept)
	e.note = kept.ID
	return e.allow(err)
}

// An agent uses the program over MCP.
type agent struct {
	*world
	session *mcp.ClientSession
}

func (w *world) agent() *agent {
	w.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "soak", Version: "1"}, nil)
	session, err := client.Connect(context.Background(), &mcp.CommandTransport{Command: w.command("mcp")}, nil)
	if err != nil {
		w.Fatal(err)
	}
	w.Cleanup(func() {
		if err := session.Close(); err != nil {
			w.Error(err)
		}
	})
	return &agent{w, session}
}

// step calls a tool.
func (a *agent) step(rng *rand.Rand) error {
	tool, args := "search", map[string]any{"query": word(rng) + " " + word(rng)}
	switch rng.IntN(20) {
	case 0:
		tool, args = "ask", map[string]any{"question": "Where is the " + word(rng) + " of the " + word(rng) + "?"}
	case 1, 2, 3, 4, 5, 6:
		tool, args = "context", map[string]any{"task": word(rng) + " " + word(rng)}
	case 7, 8:
		tool, args = "related", map[string]any{"path": a.files[rng.IntN(len(a.files))]}
	}
	a.count(tool)
	result, err := a.session.CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		return fmt.Errorf("%s: %w", tool, err)
	}
	if result.IsError {
		a.count(tool + " refused") // a file of the other branch, too many at once
	}
	return nil
}
