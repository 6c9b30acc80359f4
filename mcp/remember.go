package mcp

import (
	"context"
	"fmt"

	"github.com/aurora-sidecar/aurora/internal/api"
)

// rememberArgs are the arguments of remember.
type rememberArgs struct {
	Content string   `json:"content" jsonschema:"one decision or fact and its reason, in a few sentences"`
	Tags    []string `json:"tags,omitempty"`
	Path    string   `json:"path,omitempty" jsonschema:"the file it is about"`
	Line    int      `json:"line,omitempty"`
}

func rememberTool() tool {
	return newTool("remember", "Keep a decision or hard-won fact for later sessions and other agents; search and context find it again. "+
		"Same content is kept once. No secrets, nothing the code itself says.", api.Adds, (*call).remember)
}

func (c *call) remember(ctx context.Context, in *rememberArgs) (*result, error) {
	request := &api.RememberParams{Content: in.Content, Tags: in.Tags, Agent: c.client.Agent}
	if in.Line != 0 && in.Path == "" {
		return nil, invalid("path", "a line without a path says nothing", "Add path, or leave line out.")
	}
	if in.Path != "" && in.Content != "" { // without content the engine would keep the file's text
		location, err := c.locate(ctx, place{path: in.Path, line: in.Line})
		if err != nil {
			return nil, err
		}
		request.TextDocument, request.Range = &location.TextDocument, &api.Range{Start: location.Position, End: location.Position}
	}
	kept, err := api.Remember.Call(ctx, c.client, request)
	if err != nil {
		return nil, err
	}
	text := fmt.Sprintf("Remembered as %s\n", kept.ID)
	if !kept.Created {
		text = fmt.Sprintf("Known already as %s; its place and tags were updated\n", kept.ID)
	}
	return &result{text: text, data: kept}, nil
}
