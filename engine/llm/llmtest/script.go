package llmtest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// A Fault is something that goes wrong with a call.
type Fault string

// The faults. Those up to Hang are of the transport, the others of the reply.
const (
	Unauthorized Fault = "401"
	RateLimited  Fault = "429"
	ServerError  Fault = "500"
	Unavailable  Fault = "503"
	Hang         Fault = "hang"         // no answer until the client leaves
	Cut          Fault = "cut"          // the connection breaks in the middle of the reply
	Garbage      Fault = "malformed"    // JSON that ends too early
	Fenced       Fault = "fenced"       // JSON in a Markdown fence, with words around it
	WrongSchema  Fault = "wrong-schema" // JSON of another shape
	WrongIDs     Fault = "wrong-ids"    // ids of agents, facts and sources that do not exist
	Injection    Fault = "injection"    // the reply gives orders
	Empty        Fault = "empty"
)

// Faults lists all.
var Faults = []Fault{Unauthorized, RateLimited, ServerError, Unavailable, Hang, Cut, Garbage, Fenced, WrongSchema, WrongIDs, Injection, Empty}

// A Step says how calls are answered. The first step that matches a call answers it.
type Step struct {
	Task     string          `json:"task,omitempty"`     // decompose, solve, ...; "" matches all
	Contains string          `json:"contains,omitempty"` // somewhere in the messages
	Reply    string          `json:"reply,omitempty"`    // "" leaves the reply to the rules
	JSON     json.RawMessage `json:"json,omitempty"`     // instead of Reply
	Scores   *float64        `json:"scores,omitempty"`   // what the rules give for every check of a review
	Issue    string          `json:"issue,omitempty"`    // what a review by the rules finds wrong
	Split    bool            `json:"split,omitempty"`    // the issue is of a step that holds several
	Fault    Fault           `json:"fault,omitempty"`
	After    float64         `json:"retryAfter,omitempty"` // seconds; 429 and 503
	Times    int             `json:"times,omitempty"`      // how many calls it answers; 0 means all
}

// ParseScript reads a script: a JSON list of steps.
func ParseScript(data []byte) ([]Step, error) {
	var steps []Step
	if err := json.Unmarshal(data, &steps); err != nil {
		return nil, fmt.Errorf("a script is a JSON list of steps: %w", err)
	}
	for i, s := range steps {
		if s.Fault != "" && !slices.Contains(Faults, s.Fault) {
			return nil, fmt.Errorf("step %d: unknown fault %q", i+1, s.Fault)
		}
	}
	return steps, nil
}

// A Call is a request that arrived.
type Call struct {
	Task     string
	Model    string
	Messages []Message
	Stream   bool
	Tools    int    // that were offered
	Window   int    // num_ctx of Ollama's own API; 0 when it was not asked
	Format   string // of the response: json_schema, json_object or ""
	Key      string // the bearer token
	Headers  map[string][]string

	CacheMarks int // parts that are marked for Anthropic's cache

	speaks protocol
	cached int // tokens of the prompt that are in the cache
}

// A protocol is how a call came.
type protocol int

const (
	openais protocol = iota
	ollamas
	anthropics
)

// A Message is one part of a request.
type Message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// Text joins the messages.
func (c Call) Text() string {
	parts := make([]string, len(c.Messages))
	for i, m := range c.Messages {
		parts[i] = m.Content
	}
	return strings.Join(parts, "\n")
}

// taskOf finds the line by which each prompt names itself, which comes after what is given.
func taskOf(messages []Message) (task string) {
	for _, m := range messages {
		if m.Role != "user" || task != "" {
			continue
		}
		for line := range strings.Lines(m.Content) {
			if named, ok := strings.CutPrefix(strings.TrimSpace(line), "Task: "); ok {
				task = named
			}
		}
	}
	return task
}
