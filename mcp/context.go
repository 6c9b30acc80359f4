package mcp

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/aurora-sidecar/aurora/internal/api"
)

// contextArgs are the arguments of context.
type contextArgs struct {
	Task    string `json:"task,omitempty" jsonschema:"what you are about to do, in a sentence"`
	Symbol  string `json:"symbol,omitempty" jsonschema:"code to start from, such as Cart.TotalPrice"`
	Path    string `json:"path,omitempty" jsonschema:"or a file"`
	Line    int    `json:"line,omitempty"`
	EndLine int    `json:"endLine,omitempty"`
	Budget  int    `json:"budget,omitempty" jsonschema:"most tokens, default 4000"`

	Conversation string `json:"conversation,omitempty" jsonschema:"any name; leaves out what calls with it returned"`
}

func contextTool() tool {
	return newTool("context", "Read the code that matters for a task in one call: the code named, what it calls, its callers, "+
		"what a search for the task finds, and related decisions, fitted to a token budget. Use it instead of reading whole files.",
		api.Reads, (*call).context)
}

// assembled is the data of context.
type assembled struct {
	Text    string   `json:"text"`
	Sources []source `json:"sources"`
	Tokens  int      `json:"tokens"`
	Omitted int      `json:"omitted"` // snippets that did not fit
	Notes   []string `json:"notes,omitempty"`
}

// A source is where a snippet stands.
type source struct {
	Path  string `json:"path"`
	Lines string `json:"lines"`
	Name  string `json:"name"`

	Providers []string `json:"providers,omitempty"` // who proposed it; selection is what was named
}

func (c *call) context(ctx context.Context, in *contextArgs) (*result, error) {
	if strings.TrimSpace(in.Task) == "" && in.Symbol == "" && in.Path == "" {
		return nil, invalid("task", "context needs a task, a symbol or a path", "Say in task what you are about to do.")
	}
	if n := utf8.RuneCountInString(in.Task); n > maxSearchRunes {
		return nil, invalid("task", fmt.Sprintf("the task has %d characters, more than %d", n, maxSearchRunes), "Say it in a sentence.")
	}
	if err := c.ready(ctx); err != nil {
		return nil, err
	}
	request := &api.ContextParams{Query: in.Task, BudgetTokens: in.Budget, Conversation: in.Conversation}
	if in.Symbol != "" || in.Path != "" {
		location, err := c.locate(ctx, place{in.Symbol, in.Path, in.Line, in.EndLine})
		if err != nil {
			return nil, err
		}
		request.TextDocument, request.Range = &location.TextDocument, &location.Range
	}
	found, err := api.Context.Call(ctx, c.client, request)
	if err != nil {
		return nil, err
	}
	found.Text = visible(found.Text)
	data := assembled{Text: found.Text, Sources: []source{}, Tokens: found.Tokens.Total, Omitted: found.Omitted, Notes: found.Notes}
	for i := range found.Snippets {
		h := &found.Snippets[i]
		data.Sources = append(data.Sources, source{h.Path, lines(h), qualified(h), h.Providers})
	}
	text := found.Text + "\n" + notes(found.Notes)
	if found.Omitted > 0 {
		text += fmt.Sprintf("Note: %d more snippets did not fit; raise budget to see them.\n", found.Omitted)
	}
	return &result{text: text, data: data}, nil
}

// A place is code as an agent names it.
type place struct {
	symbol, path string
	line, end    int
}

func (c *call) locate(ctx context.Context, p place) (*api.LocateResult, error) {
	path, err := c.path("path", p.path)
	if err != nil {
		return nil, err
	}
	return api.Locate.Call(ctx, c.client, &api.LocateParams{Path: path, Line: p.line, EndLine: p.end, Symbol: p.symbol})
}
