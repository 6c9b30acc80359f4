package recall

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/memory/convlog"
)

const (
	maxListed   = 500       // files that a list looks at: those of other workspaces stand between them
	maxLoggedIn = 128 << 10 // bytes of one conversation that are shown
)

// A LoggedConversation is a question about the workspace as it was written down.
type LoggedConversation struct {
	Name  string // below the folder of conversations, with '/': 2025/12/retry-backoff-2025-12-13.md
	Query string
	Date  time.Time
	Text  string // Markdown, at most 128 KiB; "" in a list
}

// List lists what was asked about the folders of this workspace, the latest first. What was asked about others is
// left out.
func (p *Conversations) List(ctx context.Context, limit int) ([]LoggedConversation, error) {
	book := p.Book
	if book == nil {
		return nil, nil
	}
	files, err := book.Files(ctx, convlog.Span{})
	if err != nil {
		return nil, fmt.Errorf("list conversations: %w", err)
	}
	var list []LoggedConversation
	for _, f := range files[:min(len(files), maxListed)] {
		if len(list) == limit {
			break
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if c := p.own(f); c != nil {
			list = append(list, *c)
		}
	}
	return list, nil
}

// Get returns one of this workspace by its name, its path below the folder or the id of its question. It fails with
// NotFound when there is none.
func (p *Conversations) Get(ctx context.Context, name string) (*LoggedConversation, error) {
	missing := &fault.Error{Kind: fault.NotFound, Message: fmt.Sprintf("there is no conversation %.100q about this workspace", name), Detail: "name"}
	book := p.Book
	if book == nil {
		return nil, missing
	}
	file, err := book.Find(ctx, name)
	if errors.Is(err, convlog.ErrNotFound) {
		return nil, missing
	}
	if err != nil {
		return nil, err
	}
	c := p.own(file)
	if c == nil {
		return nil, missing
	}
	if c.Text, err = book.Text(file, maxLoggedIn); err != nil {
		return nil, err
	}
	return c, nil
}

// own is nil for a file of another workspace, and for one that can't be read.
func (p *Conversations) own(f convlog.File) *LoggedConversation {
	head, err := p.Book.Head(f)
	if err != nil || !slices.Contains(p.Folders(), head.Workspace()) {
		return nil
	}
	return &LoggedConversation{Name: f.Name, Query: head.Query, Date: head.Date}
}
