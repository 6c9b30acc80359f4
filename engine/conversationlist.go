package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

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

// Conversations lists what was asked about the folders of this workspace, the latest first. What was asked about others is
// left out.
func (e *Engine) Conversations(ctx context.Context, limit int) ([]LoggedConversation, error) {
	book := e.opts.Journal.Logs()
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
		if c := e.ownConversation(f); c != nil {
			list = append(list, *c)
		}
	}
	return list, nil
}

// Conversation returns one of this workspace by its name, its path below the folder or the id of its question. It fails with
// Invalid when there is none.
func (e *Engine) Conversation(ctx context.Context, name string) (*LoggedConversation, error) {
	missing := &Error{Kind: NotFound, Message: fmt.Sprintf("there is no conversation %.100q about this workspace", name), Detail: "name"}
	book := e.opts.Journal.Logs()
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
	c := e.ownConversation(file)
	if c == nil {
		return nil, missing
	}
	if c.Text, err = book.Text(file, maxLoggedIn); err != nil {
		return nil, err
	}
	return c, nil
}

// ownConversation is nil for a file of another workspace, and for one that can't be read.
func (e *Engine) ownConversation(f convlog.File) *LoggedConversation {
	head, err := e.opts.Journal.Logs().Head(f)
	if err != nil || !slices.Contains(e.opts.Index.Folders(), head.Workspace()) {
		return nil
	}
	return &LoggedConversation{Name: f.Name, Query: head.Query, Date: head.Date}
}
