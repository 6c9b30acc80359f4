package api_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/httpapi"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/api/jsonrpc"
	"github.com/aurora-sidecar/aurora/internal/loopback"
	"github.com/aurora-sidecar/aurora/lsp"
	"github.com/aurora-sidecar/aurora/mcp"
	"github.com/aurora-sidecar/aurora/memory/sqlite"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.lsp.dev/jsonrpc2"
)

type shoutParams struct {
	Words string `json:"words"`
}

type shoutResult struct {
	Loud string `json:"loud"`
}

// shout is all that a new operation takes: an entry and a handler.
var shout = api.Define(api.Operation{Name: "shout", Title: "Shout", Doc: "Say it loudly.", Doors: api.LSP | api.HTTP, Tool: "shout"},
	func(_ context.Context, _ *api.Call, p *shoutParams) (*shoutResult, error) {
		if p.Words == "" {
			return nil, api.Invalid("words", "is empty")
		}
		return &shoutResult{strings.ToUpper(p.Words)}, nil
	})

func newEngine(t testing.TB) (*engine.Engine, string) {
	t.Helper()
	dir := t.TempDir()
	ix, err := index.Open(t.Context(), index.Options{Folders: []string{dir}, NoWatch: true})
	if err != nil {
		t.Fatal(err)
	}
	store, err := sqlite.OpenMemory(t.Context(), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e := engine.New(engine.Options{Index: ix, Memory: store, Version: "test"})
	t.Cleanup(func() {
		if err := errors.Join(e.Close(), ix.Shutdown(), store.Close()); err != nil {
			t.Error(err)
		}
	})
	return e, dir
}

// TestAnOperationIsOneEntryAndOneHandler reaches a new operation through every door.
func TestAnOperationIsOneEntryAndOneHandler(t *testing.T) {
	e, dir := newEngine(t)
	operations := api.Standard.With(shout.Operation)
	for name, through := range map[string]func(t *testing.T, words string) (string, error){
		"in process": func(t *testing.T, words string) (string, error) { return call(t, api.Local(e), words) },
		"socket": func(t *testing.T, words string) (string, error) {
			return call(t, jsonrpc.Remote{Dial: func(context.Context) (io.ReadWriteCloser, error) {
				here, there := net.Pipe()
				go jsonrpc.Serve(t.Context(), there, operations, api.Local(e), slog.New(slog.DiscardHandler))
				return here, nil
			}}, words)
		},
		"LSP":  func(t *testing.T, words string) (string, error) { return overLSP(t, e, operations, words) },
		"HTTP": func(t *testing.T, words string) (string, error) { return overHTTP(t, e, dir, operations, words) },
		"MCP":  func(t *testing.T, words string) (string, error) { return overMCP(t, e, dir, operations, words) },
	} {
		t.Run(name, func(t *testing.T) {
			if loud, err := through(t, "hello"); err != nil || !strings.Contains(loud, "HELLO") {
				t.Errorf("%q, %v", loud, err)
			}
			if loud, err := through(t, ""); err == nil || !strings.Contains(err.Error(), "words: is empty") {
				t.Errorf("without words: %q, %v", loud, err)
			}
		})
	}
}

func call(t *testing.T, b api.Backend, words string) (string, error) {
	result, err := shout.Call(t.Context(), api.Client{Backend: b}, &shoutParams{words})
	if err != nil {
		return "", err
	}
	return result.Loud, nil
}

func overLSP(t *testing.T, e *engine.Engine, operations *api.Registry, words string) (string, error) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	here, there := net.Pipe()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		lsp.Serve(ctx, lsp.Options{Engine: e, Operations: operations}, there, there)
	}()
	defer func() {
		_ = here.Close()
		<-ended
	}()
	conn := jsonrpc2.NewConn(jsonrpc2.NewStream(here))
	conn.Go(ctx, jsonrpc2.MethodNotFoundHandler)
	if _, err := conn.Call(ctx, "initialize", struct{}{}, nil); err != nil {
		return "", err
	}
	var result shoutResult
	_, err := conn.Call(ctx, shout.Method(), shoutParams{words}, &result)
	return result.Loud, err
}

func overHTTP(t *testing.T, e *engine.Engine, dir string, operations *api.Registry, words string) (string, error) {
	const token = "a token that is long enough"
	service, err := httpapi.Embedded(e, dir)
	if err != nil {
		return "", err
	}
	service.Operations = operations
	l, err := loopback.Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- httpapi.Serve(ctx, l, service, token, nil) }()
	defer func() {
		cancel()
		<-ended
	}()
	body := bytes.NewReader([]byte(`{"words": "` + words + `"}`))
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+l.Addr().String()+"/api/shout", body)
	if err != nil {
		return "", err
	}
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = errors.New(string(text))
	}
	return string(text), err
}

func overMCP(t *testing.T, e *engine.Engine, dir string, operations *api.Registry, words string) (string, error) {
	server, err := mcp.New(mcp.Options{Open: mcp.Fixed(api.Local(e), dir), Tools: "shout", Operations: operations})
	if err != nil {
		return "", err
	}
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- server.ServeStdio(t.Context(), toServer, fromServer) }()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &sdk.IOTransport{Reader: toClient, Writer: fromClient}, nil)
	if err != nil {
		return "", err
	}
	defer func() {
		_ = session.Close()
		<-ended
	}()
	result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "shout", Arguments: map[string]any{"words": words}})
	if err != nil {
		return "", err
	}
	text := result.Content[0].(*sdk.TextContent).Text
	if result.IsError {
		return "", errors.New(text)
	}
	return text, nil
}
