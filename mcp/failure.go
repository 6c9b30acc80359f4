package mcp

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/aurora-sidecar/aurora/engine"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// A failure is an error as programs read it.
type failure struct {
	Kind    string `json:"kind"`
	Message string `json:"message"`
	Detail  string `json:"detail,omitempty"`
	Next    string `json:"next"` // what to do
}

// failed makes a tool error, which models see, of an error.
func failed(err error) *sdk.CallToolResult {
	f := describe(err)
	message := "Error: " + f.Message
	if f.Detail != "" && !strings.Contains(f.Message, f.Detail) {
		message += " (" + f.Detail + ")"
	}
	out := &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: message + "\nNext: " + f.Next}}}
	if data, err := json.Marshal(map[string]failure{"error": f}); err == nil {
		out.StructuredContent = json.RawMessage(data)
	}
	return out
}

func describe(err error) failure {
	f := failure{Kind: "error", Message: err.Error()}
	var typed *engine.Error
	if errors.As(err, &typed) {
		f.Kind, f.Detail, f.Next = string(typed.Kind), typed.Detail, typed.Remedy
	}
	if next := nextSteps[engine.Kind(f.Kind)]; f.Next == "" || strings.Contains(f.Next, "aurora/") { // a remedy for editors
		f.Next = next
	}
	if f.Next == "" {
		f.Next = "Try once more; if it fails again, tell the user to run: aurora doctor"
	}
	for _, part := range []*string{&f.Message, &f.Detail, &f.Next} { // errors quote arguments, which may be anything
		*part = cut(oneLine(*part), maxFailureRunes)
	}
	return f
}

// maxFailureRunes is the most that is told of an error: it stays in a model's context.
const maxFailureRunes = 500

// nextSteps are what helps when an error has no advice that an agent could follow.
var nextSteps = map[engine.Kind]string{
	engine.Invalid:        "Correct the argument and call again.",
	engine.NotFound:       "Search for it, then use a name or id from the hits.",
	engine.NotIndexed:     "Search for the file by name; files that git ignores are not indexed, read those yourself.",
	engine.JobConflict:    "Wait for the running job: get_rebuild_status tells how far it is.",
	engine.Guardrail:      "Shorten or clean the text and call again.",
	engine.Busy:           "Wait a few seconds, then call again.",
	engine.Stuck:          "Go on without this call, and tell the user to run: aurora doctor",
	engine.Storage:        "Go on without memory, and tell the user to run: aurora doctor",
	engine.LLMUnavailable: "Use search, context and related, and reason yourself.",
	engine.Confirmation:   "Ask the user, then set confirm to true.",
}
