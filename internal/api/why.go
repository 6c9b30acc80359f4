package api

import (
	"cmp"
	"context"

	"github.com/aurora-sidecar/aurora/engine"
)

// WhyParams are the parameters of aurora/why.
type WhyParams struct {
	TextDocument *Document `json:"textDocument,omitempty"`
	Range        *Range    `json:"range,omitempty"`   // the lines that it touches
	Path         string    `json:"path,omitempty"`    // absolute, or relative to a workspace folder; in place of textDocument
	Line         int       `json:"line,omitempty"`    // one-based, in place of range
	EndLine      int       `json:"endLine,omitempty"` // default: line
}

// WhyResult is the result of aurora/why.
type WhyResult struct {
	Path        string      `json:"path"`
	Line        int         `json:"line"` // one-based
	EndLine     int         `json:"endLine"`
	Commits     []WhyCommit `json:"commits"`          // that the lines come from, most lines first
	Before      *WhyCommit  `json:"before,omitempty"` // the change of these lines before the first of them
	Uncommitted int         `json:"uncommitted,omitempty"`
	Records     []WhyRecord `json:"records"` // what is remembered about the lines and the definition around them
	Notes       []string    `json:"notes"`   // what could not be told, and why
	Markdown    string      `json:"markdown"`
}

// A WhyCommit is a commit that lines come from.
type WhyCommit struct {
	Hash       string      `json:"hash"`
	Author     string      `json:"author"`
	Date       string      `json:"date"`
	Subject    string      `json:"subject"`
	Body       string      `json:"body,omitempty"`
	Lines      int         `json:"lines,omitempty"`    // of those asked about
	MergedBy   string      `json:"mergedBy,omitempty"` // message of the merge that brought it
	URL        string      `json:"url,omitempty"`
	References []Reference `json:"references"` // issues and pull requests that its message or the merge names
}

// A Reference is an issue or a pull request.
type Reference struct {
	Text string `json:"text"` // #123, !45
	URL  string `json:"url,omitempty"`
}

// A WhyRecord is something remembered.
type WhyRecord struct {
	ID      string `json:"id"`
	Content string `json:"content"`
	Date    string `json:"date"`
	Author  string `json:"author,omitempty"`
	Warning string `json:"warning,omitempty"` // why it may no longer be true
}

// Why tells why lines are as they are.
var Why = Define(Operation{
	Name: "why", Title: "Why this line", Doors: LSP | HTTP, Tool: "why",
	Doc:  "Tell why lines of a file are as they are: the commits that wrote them, followed through renames and reformatting, with their issues and pull requests, the change before, and the notes about them.",
	Text: func(_, result any) string { return result.(*WhyResult).Markdown },
}, func(ctx context.Context, c *Call, p *WhyParams) (*WhyResult, error) {
	request, err := p.request(c)
	if err != nil {
		return nil, err
	}
	found, err := c.Engine.Code().Why(ctx, request)
	if err != nil {
		return nil, err
	}
	return fromWhy(found), nil
})

func (p *WhyParams) request(c *Call) (engine.WhyRequest, error) {
	r := engine.WhyRequest{Line: p.Line, EndLine: p.EndLine, Own: c.own()}
	switch {
	case p.TextDocument != nil:
		path, err := RequirePath(p.TextDocument.URI)
		if err != nil {
			return r, err
		}
		r.Path = path
	case p.Path != "":
		r.Path = c.path(p.Path)
	default:
		return r, Invalid("textDocument", "is missing")
	}
	if p.Range != nil {
		r.Line, r.EndLine = p.Range.Start.Line+1, p.Range.End.Line+1
		if p.Range.End.Character == 0 && r.EndLine > r.Line {
			r.EndLine-- // the selection of whole lines ends where the next one begins
		}
	}
	if r.Line < 1 {
		return r, Invalid("line", "must be 1 or more")
	}
	return r, nil
}

func fromWhy(r *engine.WhyResult) *WhyResult {
	result := &WhyResult{
		Path: r.Path, Line: r.Line, EndLine: r.EndLine, Uncommitted: r.Uncommitted, Notes: list(r.Notes),
		Commits: []WhyCommit{}, Records: []WhyRecord{}, Markdown: r.Markdown(),
	}
	for _, commit := range r.Commits {
		result.Commits = append(result.Commits, fromWhyCommit(commit))
	}
	if r.Before != nil {
		before := fromWhyCommit(*r.Before)
		result.Before = &before
	}
	for _, record := range r.Records {
		result.Records = append(result.Records, WhyRecord{
			ID: record.ID, Content: record.Content, Date: timestamp(record.CreatedAt), Author: cmp.Or(record.By, record.AgentName), Warning: engine.CitationWarning(&record),
		})
	}
	return result
}

func fromWhyCommit(c engine.WhyCommit) WhyCommit {
	out := WhyCommit{
		Hash: c.Hash, Author: c.Author, Date: timestamp(c.Time), Subject: c.Subject, Body: c.Body, Lines: c.Lines, MergedBy: c.MergedBy, URL: c.URL,
		References: []Reference{},
	}
	for _, r := range c.References {
		out.References = append(out.References, Reference(r))
	}
	return out
}
