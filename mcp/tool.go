package mcp

import (
	"context"
	"encoding/json"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// A tool is one entry of the list of tools.
type tool struct {
	name     string
	lean     bool // in the default set
	register func(*Server)
	invoke   func(context.Context, *call, json.RawMessage) (*result, error)
}

// traits tell a client what a tool does to the world.
type traits int

const (
	reads    traits = iota // changes nothing
	adds                   // adds to memory or the index; doing it twice is doing it once
	destroys               // takes something away
)

// A result is what a tool answers: text for models that read, data for programs. Each says everything.
type result struct {
	text string
	data any
}

// newTool describes a tool whose arguments are an In.
func newTool[In any](name, description string, what traits, handle func(*call, context.Context, *In) (*result, error)) tool {
	invoke := func(ctx context.Context, c *call, arguments json.RawMessage) (*result, error) {
		in, err := decode[In](schemaOf[In](), arguments)
		if err != nil {
			return nil, err
		}
		return handle(c, ctx, in)
	}
	return tool{name: name, invoke: invoke, register: func(s *Server) {
		schema := schemaOf[In]()
		s.sdk.AddTool(&sdk.Tool{
			Name: name, Description: description, InputSchema: schema, Annotations: what.annotations(),
		}, func(ctx context.Context, request *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			in, err := decode[In](schema, request.Params.Arguments)
			if err != nil {
				return failed(err), nil
			}
			c, err := s.begin(ctx, request.Session)
			if err != nil {
				return failed(err), nil
			}
			c.request = request
			out, err := handle(c, ctx, in)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if err != nil {
				s.log.Info("a tool failed", "tool", name, "err", err)
				return failed(err), nil
			}
			return out.encode()
		})
	}}
}

// inLean puts a tool into the default set.
func inLean(t tool) tool {
	t.lean = true
	return t
}

func (t traits) annotations() *sdk.ToolAnnotations {
	closed, destructive := false, t == destroys
	a := &sdk.ToolAnnotations{ReadOnlyHint: t == reads, IdempotentHint: t == adds, OpenWorldHint: &closed}
	if t != reads {
		a.DestructiveHint = &destructive
	}
	return a
}

func (r *result) encode() (*sdk.CallToolResult, error) {
	data, err := json.Marshal(r.data)
	if err != nil {
		return nil, fmt.Errorf("encode the result: %w", err)
	}
	return &sdk.CallToolResult{
		Content: []sdk.Content{&sdk.TextContent{Text: r.text}}, StructuredContent: json.RawMessage(data),
	}, nil
}
