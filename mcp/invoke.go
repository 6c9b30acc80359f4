package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"time"
)

// An Invoker calls tools for doors that speak another protocol, with the same arguments and the same results.
type Invoker struct {
	server *Server
	tools  []tool
}

// NewInvoker returns an Invoker of all tools. wait is how long a call waits for the index before it answers from what
// there is; log may be nil.
func NewInvoker(wait time.Duration, log *slog.Logger) (*Invoker, error) {
	all, err := ParseTools("all")
	if err != nil {
		return nil, err
	}
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Invoker{server: &Server{wait: wait, log: log}, tools: all}, nil
}

// Has reports whether there is such a tool.
func (i *Invoker) Has(name string) bool {
	return slices.ContainsFunc(i.tools, func(t tool) bool { return t.name == name })
}

// Invoke calls a tool on a workspace and returns its data as JSON. agent is who asks, for the figures of usage. Errors
// are those of the tool; see Describe.
func (i *Invoker) Invoke(ctx context.Context, w *Workspace, agent, name string, arguments json.RawMessage) (json.RawMessage, error) {
	at := slices.IndexFunc(i.tools, func(t tool) bool { return t.name == name })
	if at < 0 {
		return nil, fmt.Errorf("there is no tool %q", name)
	}
	c := i.server.newCall(w, agent)
	out, err := i.tools[at].invoke(ctx, c, arguments)
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(out.data)
	if err != nil {
		return nil, fmt.Errorf("encode the result: %w", err)
	}
	return data, nil
}

// Path returns the canonical path of a file that a client names, and an error for one outside of the workspace.
func (w *Workspace) Path(field, given string) (string, error) {
	return (&call{root: w.Root}).path(field, given)
}

// Describe tells an error as programs read it: its kind, and what to do.
func Describe(err error) (kind, message, detail, next string) {
	f := describe(err)
	return f.Kind, f.Message, f.Detail, f.Next
}
