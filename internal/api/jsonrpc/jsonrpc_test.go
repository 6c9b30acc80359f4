package jsonrpc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/engine/reason"
	"github.com/aurora-sidecar/aurora/internal/api"
)

type toyParams struct {
	Text string `json:"text"`
}

type toyResult struct {
	Text string `json:"text"`
}

type toy = api.Op[toyParams, toyResult]

func define(name string, do func(context.Context, *api.Call, *toyParams) (*toyResult, error)) toy {
	return api.Define(api.Operation{Name: name}, do)
}

// connect returns a client of operations that are served at the other end of a pipe.
func connect(t *testing.T, operations ...toy) api.Client {
	t.Helper()
	r := api.NewRegistry()
	for _, o := range operations {
		r = r.With(o.Operation)
	}
	dial := func(context.Context) (io.ReadWriteCloser, error) {
		here, there := net.Pipe()
		go Serve(t.Context(), there, r, api.Local(nil), slog.New(slog.DiscardHandler))
		return here, nil
	}
	return api.Client{Backend: Remote{Dial: dial}}
}

func TestCallAtTheOtherEnd(t *testing.T) {
	upper := define("upper", func(_ context.Context, c *api.Call, p *toyParams) (*toyResult, error) {
		c.Progress(engine.Progress{Stage: "ONE", Done: -1})
		c.Progress(engine.Progress{Stage: "TWO", Done: 0.5, Delta: "x"})
		return &toyResult{strings.ToUpper(p.Text) + c.Agent}, nil
	})
	client := connect(t, upper)
	client.Agent = "me"
	var stages []string
	client.Progress = func(p engine.Progress) { stages = append(stages, fmt.Sprint(p.Stage, p.Done, p.Delta)) }
	long := strings.Repeat("x", 1<<20)
	got, err := upper.Call(t.Context(), client, &toyParams{long})
	if err != nil || got.Text != strings.ToUpper(long)+"me" || strings.Join(stages, " ") != "ONE-1 TWO0.5x" {
		t.Errorf("%d bytes, %q, %v", len(got.Text), stages, err)
	}
}

func TestErrorsArriveAsTheyWere(t *testing.T) {
	fail := define("fail", func(context.Context, *api.Call, *toyParams) (*toyResult, error) {
		return nil, fmt.Errorf("context: %w", &engine.Error{Kind: engine.Invalid, Message: "no", Detail: "field", Remedy: "yes"})
	})
	broken := define("broken", func(context.Context, *api.Call, *toyParams) (*toyResult, error) { panic("oh") })
	plain := define("plain", func(context.Context, *api.Call, *toyParams) (*toyResult, error) { return nil, errors.New("just so") })
	missing := define("missing", nil)
	client := connect(t, fail, broken, plain)
	var typed *engine.Error
	if _, err := fail.Call(t.Context(), client, &toyParams{}); !errors.As(err, &typed) || typed.Kind != engine.Invalid || typed.Detail != "field" || typed.Remedy != "yes" || err.Error() != "context: no" {
		t.Errorf("fail: %v", err)
	}
	for o, want := range map[toy]string{broken: "broken failed: oh", plain: "just so", missing: "no operation"} {
		if _, err := o.Call(t.Context(), client, &toyParams{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", o.Name, err)
		}
	}
}

// A caller that hangs up ends its call, and one whose daemon dies is told.
func TestHangingUp(t *testing.T) {
	begun, ended := make(chan struct{}), make(chan struct{})
	hang := define("hang", func(ctx context.Context, _ *api.Call, _ *toyParams) (*toyResult, error) {
		close(begun)
		<-ctx.Done()
		close(ended)
		return nil, ctx.Err()
	})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-begun
		cancel()
	}()
	if _, err := hang.Call(ctx, connect(t, hang), &toyParams{}); !errors.Is(err, context.Canceled) {
		t.Errorf("hang: %v", err)
	}
	<-ended
	dead := api.Client{Backend: Remote{Dial: func(context.Context) (io.ReadWriteCloser, error) {
		here, there := net.Pipe()
		go func() {
			_, _ = there.Read(make([]byte, 10))
			_ = there.Close()
		}()
		return here, nil
	}}}
	if _, err := hang.Call(t.Context(), dead, &toyParams{}); err == nil || !strings.Contains(err.Error(), "ended before it answered") {
		t.Errorf("a dead daemon: %v", err)
	}
}

// A scripted model replies, or fails.
type scripted struct{ err error }

func (s scripted) Complete(_ context.Context, r llm.Request) (*llm.Response, error) {
	if s.err != nil {
		return nil, s.err
	}
	return &llm.Response{Text: r.Messages[0].Content + " in " + r.Model, Usage: llm.Usage{Prompt: 3, Completion: 4}}, nil
}

func (s scripted) Stream(ctx context.Context, r llm.Request, _ func(llm.Delta)) (*llm.Response, error) {
	return s.Complete(ctx, r)
}

// While an operation runs it can ask the person at the other end, and the model that is lent there.
func TestAskingBack(t *testing.T) {
	ask := define("ask", func(ctx context.Context, c *api.Call, _ *toyParams) (*toyResult, error) {
		answer, ok, err := c.Ask(ctx, engine.Question{AgentID: "a", Text: "which?", Choices: []string{"x", "y"}})
		if err != nil || !ok {
			return nil, fmt.Errorf("answer %q, %t: %w", answer, ok, err)
		}
		reply, err := c.Models.Lender().Complete(ctx, llm.Request{Model: "fast", Messages: []llm.Message{{Role: "user", Content: answer}}})
		if err != nil {
			var failed *llm.Error
			return &toyResult{fmt.Sprintf("%t %s %s", errors.As(err, &failed), failed.Fault, failed.Provider)}, nil
		}
		return &toyResult{fmt.Sprint(reply.Text, reply.Usage.Prompt, reply.Usage.Completion)}, nil
	})
	client := connect(t, ask)
	client.Ask = func(_ context.Context, q engine.Question) (string, bool, error) { return q.Choices[1], true, nil }
	for want, model := range map[string]scripted{"y in fast3 4": {}, "true rateLimit host": {&llm.Error{Fault: llm.Limited, Message: "slow down"}}} {
		var err error
		if client.Models, err = reason.LentModels("host", model); err != nil {
			t.Fatal(err)
		}
		if got, err := ask.Call(t.Context(), client, &toyParams{}); err != nil || got.Text != want {
			t.Errorf("%+v, %v, want %q", got, err, want)
		}
	}
}
