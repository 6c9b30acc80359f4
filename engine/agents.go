package engine

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/aurora-sidecar/aurora/engine/agents"
)

// A Truster knows which workspace folders the user trusts to run programs and send data elsewhere.
type Truster interface {
	Trusted(folder string) bool
	// Trust reports whether something changed.
	Trust(folder string, trusted bool) (changed bool, err error)
}

// Agents lists the agents of the workspace folders; refresh reads everything again. It fails with Invalid when there is
// no registry.
func (e *Engine) Agents(ctx context.Context, refresh bool) (*agents.Listing, error) {
	if e.opts.Agents == nil {
		return nil, &Error{Kind: Invalid, Message: "this process knows no agents"}
	}
	if refresh {
		return e.opts.Agents.Refresh(ctx, e.opts.Index.Folders())
	}
	return e.opts.Agents.List(ctx, e.opts.Index.Folders())
}

// agentWarnings say which agents wait for the user's trust.
func (e *Engine) agentWarnings(ctx context.Context) []string {
	if e.opts.Agents == nil {
		return nil
	}
	l, err := e.Agents(ctx, false)
	if err != nil {
		return nil // the end of ctx, which Status tells itself
	}
	var out []string
	for _, folder := range l.Untrusted() {
		out = append(out, fmt.Sprintf("the agents that %s brings along are not run before you trust it: aurora trust", folder))
	}
	return out
}

// A FolderTrust says whether a workspace folder is trusted.
type FolderTrust struct {
	Folder  string
	Trusted bool
	Changed bool
}

// Trust tells which workspace folders are trusted; a set that is not nil trusts them, or no longer does, before. folder
// "" means all of them. It fails with NotIndexed for a folder that is not open.
func (e *Engine) Trust(ctx context.Context, folder string, set *bool) ([]FolderTrust, error) {
	if e.opts.Trust == nil {
		return nil, &Error{Kind: Invalid, Message: "this process can't keep whom you trust"}
	}
	folders := e.opts.Index.Folders()
	if folder != "" {
		if !slices.Contains(folders, filepath.Clean(folder)) {
			return nil, &Error{Kind: NotIndexed, Message: folder + " is no folder of this workspace", Detail: "folder", Remedy: "Open it first."}
		}
		folders = []string{filepath.Clean(folder)}
	}
	var out []FolderTrust
	for _, f := range folders {
		t := FolderTrust{Folder: f}
		if set != nil {
			var err error
			if t.Changed, err = e.opts.Trust.Trust(f, *set); err != nil {
				return nil, &Error{Kind: Storage, Message: "The trust can't be kept", Detail: f, Err: err}
			}
			e.log.Info("trust", "folder", f, "trusted", *set, "changed", t.Changed)
		}
		t.Trusted = e.opts.Trust.Trusted(f)
		out = append(out, t)
	}
	return out, ctx.Err()
}
