//lint:file-ignore SA1019 clients of earlier versions have sampling

package cli

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine/llm/llmtest"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// A host is a client that lends its model.
type host struct {
	*agent
	calls   atomic.Int32
	refuses atomic.Bool
	hangs   atomic.Bool
	hanging chan struct{}
}

// hostOf starts "aurora mcp" for a client of an earlier version of the protocol, which may lend its model.
func (p *project) hostOf(version string, args ...string) *host {
	p.t.Helper()
	h := &host{hanging: make(chan struct{}, 10)}
	client := sdk.NewClient(&sdk.Implementation{Name: "agent", Version: "1"}, &sdk.ClientOptions{
		CreateMessageHandler: h.sample,
	})
	cmd := p.command("aurora", append([]string{"mcp"}, args...)...)
	cmd.Dir = p.dir
	session, err := client.Connect(p.t.Context(), &sdk.CommandTransport{Command: cmd}, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { session.Close() })
	h.agent = &agent{T: p.t, session: session}
	return h
}

// sample answers as an obedient model would.
func (h *host) sample(ctx context.Context, r *sdk.CreateMessageRequest) (*sdk.CreateMessageResult, error) {
	h.calls.Add(1)
	if h.refuses.Load() {
		return nil, errors.New("the user said no")
	}
	if h.hangs.Load() {
		h.hanging <- struct{}{}
		<-ctx.Done()
		return nil, ctx.Err()
	}
	call := llmtest.Call{Messages: []llmtest.Message{{Role: "system", Content: r.Params.SystemPrompt}}}
	for _, m := range r.Params.Messages {
		call.Messages = append(call.Messages, llmtest.Message{Role: string(m.Role), Content: m.Content.(*sdk.TextContent).Text})
	}
	if r.Params.MaxTokens == 0 || r.Params.ModelPreferences == nil {
		return nil, errors.New("no limit, or no preference")
	}
	return &sdk.CreateMessageResult{Role: "assistant", Model: "host", Content: &sdk.TextContent{Text: llmtest.Reply(call)}}, nil
}

// An agent's host lends its model by sampling, to the process that it started and to the daemon behind it.
func TestHostLendsItsModel(t *testing.T) {
	for name, args := range map[string][]string{"through the daemon": nil, "alone": {"--standalone"}} {
		t.Run(name, func(t *testing.T) {
			p := sharing(t, 600)
			p.write("call.go", "package retry\n\nfunc Call() int { return Backoff(3) }\n")
			h := p.hostOf("2025-06-18", args...)
			h.gets("ask", with{"question": "what is Backoff?"}, "No model is configured")
			if n := h.calls.Load(); n > 0 {
				t.Errorf("the host was asked %d times without leave", n)
			}

			p.writeHome(".aurora/config.json", `{"llm": {"mode": "mcp_integrated"}, "lsp": {"daemon": {"idle_seconds": 600}}}`)
			h = p.hostOf("2025-06-18", args...)
			text := h.gets("ask", with{"question": "what is Backoff?"}, "`Backoff` is in retry.go:4 [1]")
			if strings.Contains(text, "No model") || h.calls.Load() != 1 {
				t.Errorf("%d calls: %s", h.calls.Load(), text)
			}
			text = h.gets("ask", with{"question": "compare Backoff with Call"}, "retry.go:4", "call.go:3")
			if n := h.calls.Load(); n < 3 || strings.Contains(text, "Note: ") {
				t.Errorf("%d calls: %s", n, text)
			}

			h.refuses.Store(true)
			h.gets("ask", with{"question": "what is Call?"}, "mcp: ", "the user said no", "from the index, git and memory alone", "call.go:3")
			h.refuses.Store(false)
			h.hangs.Store(true)
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() {
				_, err := h.session.CallTool(ctx, &sdk.CallToolParams{Name: "ask", Arguments: with{"question": "what is retry?"}})
				ended <- err
			}()
			select {
			case <-h.hanging:
			case err := <-ended:
				t.Fatalf("ended at once: %v", err)
			case <-time.After(30 * time.Second):
				t.Fatal("the host is not asked")
			}
			cancel()
			if err := <-ended; !errors.Is(err, context.Canceled) {
				t.Errorf("cancelled: %v", err)
			}
			h.hangs.Store(false)
			h.gets("ask", with{"question": "where is Call?"}, "call.go:3")
		})
	}
}

// A client that can't lend gets answers from the index, and is told why.
func TestHostLendsNone(t *testing.T) {
	p := smallProject(t)
	p.writeHome(".aurora/config.json", `{"llm": {"mode": "mcp_integrated"}}`)
	h := p.hostOf("", "--standalone")
	h.gets("ask", with{"question": "what is Backoff?"}, "retry.go:4", "from version 2026-07-28 on")
	if n := h.calls.Load(); n > 0 {
		t.Errorf("%d calls", n)
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "agent", Version: "1"}, nil)
	cmd := p.command("aurora", "mcp", "--standalone")
	cmd.Dir = p.dir
	session, err := client.Connect(t.Context(), &sdk.CommandTransport{Command: cmd}, &sdk.ClientSessionOptions{ProtocolVersion: "2025-06-18"})
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	told := &agent{T: t, session: session}
	told.gets("ask", with{"question": "what is Backoff?"}, "retry.go:4", "this client offers no sampling")
}
