package server

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/trust"
	lsp "go.lsp.dev/protocol"
)

// An action of window/showMessageRequest. Clients return the one that the person chose, with its further properties when
// they announced additionalPropertiesSupport.
type action struct {
	Title string `json:"title"`
	Nonce string `json:"nonce,omitempty"`
}

// approve shows the person what a folder brings along and returns the decision. The answer has to carry a nonce that only the
// question has: what can merely write to the connection can't answer in the person's place.
func (p *person) approve(ctx context.Context, r *trust.Review) (bool, error) {
	yes := action{Title: "Trust", Nonce: rand.Text()}
	if !p.client.Load().actionProperties {
		yes = action{Title: "Trust (" + rand.Text()[:8] + ")"}
	}
	patient, cancel := context.WithTimeout(ctx, askPatience)
	defer cancel()
	params := struct {
		Type    lsp.MessageType `json:"type"`
		Message string          `json:"message"`
		Actions []action        `json:"actions"`
	}{lsp.MessageTypeWarning, approvalText(r), []action{{Title: "Don't trust"}, yes}}
	var chosen *action
	if err := p.conn.Call(patient, "window/showMessageRequest", params, &chosen); err != nil {
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		return false, &engine.Error{Kind: engine.Confirmation, Message: "The editor did not ask whether to trust the folder", Detail: r.Folder, Remedy: "In a terminal: aurora trust", Err: err}
	}
	return chosen != nil && *chosen == yes, nil
}

func approvalText(r *trust.Review) string {
	var b strings.Builder
	switch {
	case len(r.Changes) == 0:
		fmt.Fprintf(&b, "Trust %s? It brings nothing along now that could run programs or send data. A model may have its tests run, in a sandbox.", r.Folder)
	case r.Known:
		fmt.Fprintf(&b, "Trust %s still? This is new or has changed since you trusted it, and could run programs or send data:", r.Folder)
	default:
		fmt.Fprintf(&b, "Trust %s? It brings along what could run programs or send data:", r.Folder)
	}
	for _, change := range r.Changes {
		b.WriteString("\n" + change.String())
	}
	return b.String()
}

// reviewTrust asks again about folders that were trusted and have changed since.
func (p *person) reviewTrust() {
	if p.client.Load().aurora.Restricted {
		return
	}
	folders, err := p.engine.Trust(p.ctx, "", nil, nil)
	if err != nil {
		p.log.Debug("look for changes of what is trusted", "err", err)
		return
	}
	yes := true
	for _, f := range folders {
		if !f.Known || len(f.Waits) == 0 {
			continue
		}
		if _, err := p.engine.Trust(p.ctx, f.Folder, &yes, p.approve); err != nil {
			p.log.Info("a trusted folder has changed, and nobody was asked", "folder", f.Folder, "err", err)
		}
	}
}
