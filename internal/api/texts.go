package api

import (
	"context"

	"github.com/aurora-sidecar/aurora/engine"
)

// AddTextParams are the parameters of addText.
type AddTextParams struct {
	Path     string  `json:"path"`               // absolute, or relative to a workspace folder; the file need not exist
	Language string  `json:"language,omitempty"` // such as go; default: by the name
	Text     *string `json:"text,omitempty"`     // default: the file's own, read again
}

// DropTextParams are the parameters of dropText.
type DropTextParams struct {
	Path string `json:"path"`
}

// TextResult is the result of addText and dropText.
type TextResult struct {
	Path    string `json:"path"`   // relative to its folder
	Chunks  int    `json:"chunks"` // 0 when the rules keep the file out
	Vectors int    `json:"vectors"`
	Dropped bool   `json:"dropped"` // nothing of the file is in the index any more, or what was given is gone
	OnDisk  bool   `json:"onDisk"`  // the file on disk counts
}

// AddText has a text take the place of a file.
var AddText = Define(Operation{
	Name: "addText", Title: "Add a text", Doors: HTTP, Effect: Adds,
	Doc: "Have a text indexed in place of a file, as an editor does that has it open.",
}, func(ctx context.Context, c *Call, p *AddTextParams) (*TextResult, error) {
	return textResult(c.Engine.Indexing().AddText(ctx, engine.TextRequest{Path: c.path(p.Path), Language: p.Language, Text: p.Text}))
})

// DropText takes back what AddText gave.
var DropText = Define(Operation{
	Name: "dropText", Title: "Drop a text", Doors: HTTP, Effect: Destroys,
	Doc: "Take back a text that was given in place of a file.",
}, func(ctx context.Context, c *Call, p *DropTextParams) (*TextResult, error) {
	return textResult(c.Engine.Indexing().DropText(ctx, c.path(p.Path)))
})

func textResult(r *engine.TextResult, err error) (*TextResult, error) {
	if err != nil {
		return nil, err
	}
	result := TextResult(*r)
	return &result, nil
}
