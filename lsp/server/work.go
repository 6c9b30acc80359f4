package server

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/lsp/progress"
	"github.com/aurora-sidecar/aurora/lsp/rpc"
	lsp "go.lsp.dev/protocol"
)

// tokens are the progresses of running requests, by what ends them.
type tokens struct {
	*peer
	mu      sync.Mutex
	cancels map[lsp.ProgressToken]func()
}

func (t *tokens) add(token lsp.ProgressToken, cancel func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.cancels == nil {
		t.cancels = map[lsp.ProgressToken]func(){}
	}
	t.cancels[token] = cancel
}

func (t *tokens) remove(token lsp.ProgressToken) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.cancels, token)
}

func (t *tokens) cancel(token lsp.ProgressToken) {
	t.mu.Lock()
	cancel := t.cancels[token]
	t.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

// begin begins a progress when the parameters carry a token; else work is nil. end must be called; it ends the
// progress.
func (t *tokens) begin(ctx context.Context, params json.RawMessage, title string) (work *progress.WorkDone, end func()) {
	var p struct {
		Token json.RawMessage `json:"workDoneToken"`
	}
	_ = json.Unmarshal(params, &p) // the parameters were decoded before
	token := parseToken(p.Token)
	if token == nil {
		return nil, func() {}
	}
	work = progress.Begin(ctx, t.conn.Client(), token, title, true)
	t.add(token, rpc.Canceller(ctx))
	return work, func() {
		t.remove(token)
		work.End("")
	}
}

// cancelProgress ends the request whose progress the person cancelled. Unknown tokens are those of ended requests.
func (t *tokens) cancelProgress(_ context.Context, params json.RawMessage) error {
	var p struct {
		Token json.RawMessage `json:"token"`
	}
	if err := api.Decode(params, &p); err != nil {
		return err
	}
	if token := parseToken(p.Token); token != nil {
		t.cancel(token)
	}
	return nil
}

// parseToken reads a progress token, a string or a whole number; nil for anything else.
func parseToken(raw json.RawMessage) lsp.ProgressToken {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	var name string
	if json.Unmarshal(raw, &name) == nil {
		return lsp.String(name)
	}
	var number int32
	if json.Unmarshal(raw, &number) == nil {
		return lsp.Integer(number)
	}
	return nil
}
