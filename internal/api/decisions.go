package api

import (
	"cmp"
	"context"

	"github.com/aurora-sidecar/aurora/engine"
)

// DecisionsParams are the parameters of aurora/decisions. Without accept and dismiss it lists what could be remembered.
type DecisionsParams struct {
	Folder   string `json:"folder,omitempty"`   // absolute, a workspace folder; default: the first one
	Since    string `json:"since,omitempty"`    // a commit, tag or branch; default: the newest 100 commits are looked at
	Limit    int    `json:"limit,omitempty"`    // of the list; default 10, at most 100
	Everyone bool   `json:"everyone,omitempty"` // commits of other people, too
	Comments bool   `json:"comments,omitempty"` // list what comments of the code say that are marked NOTE, HACK, WORKAROUND, TODO or DECISION, in place of commits
	Accept   string `json:"accept,omitempty"`   // the commit, or the path:line of the comment, whose offer is remembered
	Dismiss  string `json:"dismiss,omitempty"`  // the one whose offer is never made again
	Unasked  bool   `json:"unasked,omitempty"`  // an editor asks, not its user: at most one offer, of a commit of the last ten minutes, at most once an hour
	Never    bool   `json:"never,omitempty"`    // from now on nothing of this repository is offered unasked
}

// DecisionsResult is the result of aurora/decisions.
type DecisionsResult struct {
	Offers  []DecisionOffer `json:"offers"`          // newest first; none after accept and dismiss
	Commits int             `json:"commits"`         // that were looked at
	Files   int             `json:"files,omitempty"` // the same, with comments
	Notes   []string        `json:"notes"`           // what was not looked at, and why
	ID      string          `json:"id,omitempty"`
	Created bool            `json:"created,omitempty"` // with accept: false when the record was there
}

// A DecisionOffer is something that a commit or a comment says and that memory could keep.
type DecisionOffer struct {
	Commit string          `json:"commit"` // what accept and dismiss take: a hash, or the path:line of a comment
	Author string          `json:"author"`
	Date   string          `json:"date"`
	Text   string          `json:"text"`
	Places []DecisionPlace `json:"places"` // what the record would cite
}

// A DecisionPlace is a definition that a commit changed.
type DecisionPlace struct {
	Path string `json:"path"` // relative to its workspace folder
	Name string `json:"name"`
	Line int    `json:"line"` // one-based
}

// Decisions offers what commits and comments say of decisions to memory.
var Decisions = Define(Operation{
	Name: "decisions", Title: "Decisions in commits and comments", Doors: LSP | HTTP, Effect: Adds,
	Doc: "List decisions and reasons that recent commits, or comments of the code, state and memory lacks, with the code that they are about; remember one, or keep it from being offered again.",
}, func(ctx context.Context, c *Call, p *DecisionsParams) (*DecisionsResult, error) {
	answers := p.Accept != "" || p.Dismiss != "" || p.Never
	switch {
	case p.Accept != "" && p.Dismiss != "":
		return nil, Invalid("dismiss", "excludes accept")
	case p.Never && (p.Accept != "" || p.Dismiss != ""):
		return nil, Invalid("never", "excludes accept and dismiss")
	}
	if err := c.recalls(answers); err != nil {
		return nil, err
	}
	folder := p.Folder
	if folder != "" {
		folder = c.path(folder)
	}
	if answers {
		return c.answerOffer(ctx, folder, p)
	}
	found, err := c.Engine.Capture().Offers(ctx, engine.CaptureRequest{Folder: folder, Since: p.Since, Limit: p.Limit, Everyone: p.Everyone, Unasked: p.Unasked, Comments: p.Comments})
	if err != nil {
		return nil, err
	}
	result := &DecisionsResult{Offers: []DecisionOffer{}, Commits: found.Commits, Files: found.Files, Notes: list(found.Notes)}
	for _, o := range found.Offers {
		result.Offers = append(result.Offers, fromOffer(o))
	}
	return result, nil
})

// answerOffer remembers an offer or dismisses it.
func (c *Call) answerOffer(ctx context.Context, folder string, p *DecisionsParams) (*DecisionsResult, error) {
	result := &DecisionsResult{Offers: []DecisionOffer{}, Commits: 1, Notes: []string{}}
	var err error
	switch {
	case p.Accept != "":
		result.ID, result.Created, err = c.Engine.Capture().Accept(ctx, folder, p.Accept)
	case p.Dismiss != "":
		err = c.Engine.Capture().Dismiss(ctx, folder, p.Dismiss)
	default:
		result.Commits = 0
		err = c.Engine.Capture().Never(ctx, folder)
	}
	if err != nil {
		return nil, err
	}
	c.changed()
	return result, nil
}

func fromOffer(o engine.CaptureOffer) DecisionOffer {
	out := DecisionOffer{Commit: cmp.Or(o.Commit, o.Comment), Author: o.Author, Date: timestamp(o.Time), Text: o.Text, Places: []DecisionPlace{}}
	for _, p := range o.Places {
		out.Places = append(out.Places, DecisionPlace{Path: p.Path, Name: p.Name, Line: p.Line})
	}
	return out
}
