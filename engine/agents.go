package engine

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/aurora-sidecar/aurora/engine/agents"
	"github.com/aurora-sidecar/aurora/internal/trust"
)

// A Truster knows which workspace folders the user trusts to run programs and send data elsewhere.
type Truster interface {
	// Review lists what a folder brings along, and what of it the user has not approved as it is.
	Review(ctx context.Context, folder string) (*trust.Review, error)
	// Approve trusts a folder with what was reviewed.
	Approve(r *trust.Review) error
	// Withdraw reports whether there was any trust.
	Withdraw(folder string) (changed bool, err error)
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
		out = append(out, fmt.Sprintf("agents that %s brings along are new or have changed, and are not run before you approve them: aurora trust", folder))
	}
	return out
}

// A FolderTrust says whether a workspace folder is trusted.
type FolderTrust struct {
	Folder  string
	Known   bool // it was trusted before, whatever has changed since
	Trusted bool
	Changed bool
	Waits   []trust.Change // what the user has not approved as it is
}

// Trust tells which workspace folders are trusted; a set that is not nil trusts them, or no longer does, before. folder
// "" means all of them. Trust is given by the person: confirm shows what a folder brings along and returns the answer, and
// without it the error is Confirmation. It fails with NotIndexed for a folder that is not open.
func (e *Engine) Trust(ctx context.Context, folder string, set *bool, confirm func(context.Context, *trust.Review) (bool, error)) ([]FolderTrust, error) {
	if e.opts.Trust == nil {
		return nil, &Error{Kind: Invalid, Message: "this process can't keep whom you trust"}
	}
	if set != nil && *set && confirm == nil {
		return nil, &Error{Kind: Confirmation, Message: "Trust is given by a person, in an editor or at a terminal", Detail: "trusted", Remedy: "Tell the user to run: aurora trust"}
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
		t, err := e.trust(ctx, f, set, confirm)
		if err != nil {
			return nil, err
		}
		out = append(out, *t)
	}
	return out, ctx.Err()
}

// trust is Trust for one folder.
func (e *Engine) trust(ctx context.Context, folder string, set *bool, confirm func(context.Context, *trust.Review) (bool, error)) (*FolderTrust, error) {
	changed := false
	if set != nil && !*set {
		var err error
		if changed, err = e.opts.Trust.Withdraw(folder); err != nil {
			return nil, trustNotKept(folder, err)
		}
	}
	r, err := e.opts.Trust.Review(ctx, folder)
	if err != nil {
		return nil, err
	}
	if set != nil && *set && !r.Trusted() {
		agreed, err := confirm(ctx, r)
		if err != nil {
			return nil, err
		}
		if agreed {
			if err := e.opts.Trust.Approve(r); err != nil {
				return nil, trustNotKept(folder, err)
			}
			changed, r.Known, r.Changes = true, true, nil
		}
	}
	if changed {
		e.log.Info("trust", "folder", folder, "trusted", *set, "items", len(r.Items))
	}
	return &FolderTrust{Folder: folder, Known: r.Known, Trusted: r.Trusted(), Changed: changed, Waits: r.Changes}, nil
}

func trustNotKept(folder string, err error) error {
	return &Error{Kind: Storage, Message: "The trust can't be kept", Detail: folder, Err: err}
}
