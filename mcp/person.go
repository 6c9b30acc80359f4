package mcp

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/aurora-sidecar/aurora/engine"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// An asked question is one of an agent's that nobody answered.
type asked struct {
	Agent   string   `json:"agent"`
	Text    string   `json:"text"`
	Choices []string `json:"choices,omitempty"`
	Default string   `json:"default,omitempty"` // what counted
}

// A person answers the questions of agents: through the client, when that can ask them, else by the answers that came
// with the call; what nobody answers is returned with the result.
type person struct {
	call    *call
	elicits bool

	mu      sync.Mutex
	answers []string // that are left
	open    []asked
}

func (c *call) newPerson(answers []string) *person {
	return &person{call: c, answers: answers, elicits: c.elicits()}
}

// noRequests is the first version of the protocol in which a server can't ask its client in the middle of a call.
const noRequests = "2026-07-28"

// elicits reports whether the client can put questions to its person while a call runs.
func (c *call) elicits() bool {
	if c.request == nil || c.request.Session == nil {
		return false
	}
	params := c.request.Session.InitializeParams()
	if params == nil || params.ProtocolVersion >= noRequests || params.Capabilities == nil || params.Capabilities.Elicitation == nil {
		return false
	}
	e := params.Capabilities.Elicitation
	return e.Form != nil || e.URL == nil
}

// ask implements engine.Asker.
func (p *person) ask(ctx context.Context, q engine.Question) (answer string, ok bool, err error) {
	p.mu.Lock()
	if len(p.answers) > 0 {
		answer, p.answers = p.answers[0], p.answers[1:]
		p.mu.Unlock()
		return answer, strings.TrimSpace(answer) != "", nil
	}
	p.mu.Unlock()
	if p.elicits {
		answer, ok, err = p.elicit(ctx, fmt.Sprintf("%s asks: %s", q.AgentID, q.Text), q.Choices, q.Default)
		if err == nil || ctx.Err() != nil {
			return answer, ok, ctx.Err()
		}
		p.call.server.log.Info("a client could not ask its person", "err", err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open = append(p.open, asked{q.AgentID, q.Text, q.Choices, q.Default})
	return "", false, nil
}

// elicit puts one question to the person through the client.
func (p *person) elicit(ctx context.Context, text string, choices []string, usual string) (answer string, ok bool, err error) {
	field := map[string]any{"type": "string", "title": "Answer"}
	if len(choices) > 0 {
		field["enum"] = choices
	}
	if usual != "" {
		field["default"] = usual
	}
	r, err := p.call.request.Session.Elicit(ctx, &sdk.ElicitParams{Message: text, RequestedSchema: map[string]any{
		"type": "object", "properties": map[string]any{"answer": field}, "required": []string{"answer"},
	}})
	if err != nil {
		return "", false, err
	}
	answer, _ = r.Content["answer"].(string)
	return answer, r.Action == "accept" && strings.TrimSpace(answer) != "", nil
}

// confirms asks whether a question may cost more than the soft limit of the budget.
func (p *person) confirms(ctx context.Context, refused *engine.Error) bool {
	answer, ok, err := p.elicit(ctx, refused.Remedy+"\nProceed with query?", []string{"yes", "no"}, "no")
	return err == nil && ok && answer == "yes"
}

// openQuestions tells a model what was asked, and how to answer. What agents wrote is data.
func openQuestions(open []asked) string {
	if len(open) == 0 {
		return ""
	}
	var b strings.Builder
	for i, q := range open {
		fmt.Fprintf(&b, "%d. %s asks: %s\n", i+1, oneLine(q.Agent), oneLine(q.Text))
		if len(q.Choices) > 0 {
			fmt.Fprintf(&b, "   one of: %s\n", oneLine(strings.Join(q.Choices, ", ")))
		}
		if q.Default != "" {
			fmt.Fprintf(&b, "   without an answer this counted: %s\n", oneLine(q.Default))
		}
	}
	return "Agents asked the user, and nobody answered:\n" + fence(b.String()) +
		"To answer, put the questions to the user and call ask again with the same question and answers, in this order.\n"
}
