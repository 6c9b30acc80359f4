package mcp

import (
	"context"
	"fmt"
	"os/exec"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// trialTime bounds a trial: the first search of a large project waits until it is indexed.
const trialTime = time.Minute

// A Trial is what a client saw of the server that it started.
type Trial struct {
	Tools    int     `json:"tools"`
	Searched bool    `json:"searched"` // the project was searched; not so outside of one
	Millis   float64 `json:"millis"`   // from the start of the program until the answer
}

// String tells it to a person.
func (t *Trial) String() string {
	took := time.Duration(t.Millis * float64(time.Millisecond)).Round(time.Millisecond)
	if !t.Searched {
		return fmt.Sprintf("The server was tried as a client starts it: %d tools after %s.", t.Tools, took)
	}
	return fmt.Sprintf("The server was tried as a client starts it: %d tools, and an answer of its search after %s.", t.Tools, took)
}

// Try starts the server as a client does, in a project, and searches once; root is "" outside of one. It takes a minute at most.
func Try(ctx context.Context, program string, args []string, root string) (*Trial, error) {
	ctx, cancel := context.WithTimeout(ctx, trialTime)
	defer cancel()
	began := time.Now()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = root
	client := sdk.NewClient(&sdk.Implementation{Name: "aurora setup", Version: "1"}, nil)
	session, err := client.Connect(ctx, &sdk.CommandTransport{Command: cmd}, nil)
	if err != nil {
		return nil, err
	}
	defer session.Close()
	tools, err := session.ListTools(ctx, nil)
	if err != nil {
		return nil, err
	}
	trial := &Trial{Tools: len(tools.Tools)}
	if root != "" {
		answer, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "search", Arguments: map[string]any{"query": "main", "limit": 1}})
		if err != nil {
			return nil, err
		}
		if answer.IsError {
			return nil, fmt.Errorf("search: %s", firstText(answer))
		}
		trial.Searched = true
	}
	trial.Millis = float64(time.Since(began).Microseconds()) / 1000
	return trial, nil
}

func firstText(answer *sdk.CallToolResult) string {
	for _, part := range answer.Content {
		if text, ok := part.(*sdk.TextContent); ok {
			return cut(oneLine(text.Text), 300)
		}
	}
	return "it failed"
}
