package agents

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/internal/scrub"
)

// protocolVersion is that of the task and the answer.
const protocolVersion = 1

// A task is a subgoal as a program or an endpoint gets it, one JSON object.
type task struct {
	Protocol     int                `json:"protocol"`
	AgentID      string             `json:"agent_id"`
	Query        string             `json:"query"`
	Subgoal      soar.Subgoal       `json:"subgoal"`
	Sources      []source           `json:"sources"`
	Incoming     []string           `json:"incoming_context"`
	Feedback     json.RawMessage    `json:"feedback,omitempty"`
	Step         int                `json:"step"`
	Steps        int                `json:"steps"`
	Workspace    string             `json:"workspace,omitempty"`
	Interactions []soar.Interaction `json:"user_interactions"`
}

// A source is a snippet that AURORA found for the subgoal.
type source struct {
	ID   string `json:"id"`
	Path string `json:"path,omitempty"`
	Line int    `json:"line,omitempty"`
	Name string `json:"name,omitempty"`
	Text string `json:"text"`
}

const (
	maxSource  = 8 << 10  // bytes of one source
	maxSources = 96 << 10 // bytes of all
)

// newTask makes the task; secrets are taken out of what leaves the process.
func newTask(d *Definition, t soar.Task, workspace string, interactions []soar.Interaction) task {
	out := task{
		Protocol: protocolVersion, AgentID: d.ID, Query: t.Query, Subgoal: t.Subgoal, Sources: []source{}, Incoming: t.Incoming,
		Step: t.Step, Steps: t.Steps, Workspace: workspace, Interactions: interactions,
	}
	if out.Incoming == nil {
		out.Incoming = []string{}
	}
	if out.Interactions == nil {
		out.Interactions = []soar.Interaction{}
	}
	if json.Valid([]byte(t.Feedback)) {
		out.Feedback = json.RawMessage(t.Feedback)
	}
	room := maxSources
	for _, s := range t.Sources {
		text, _ := scrub.Text(cut(s.Text, maxSource))
		if room -= len(text); room < 0 {
			break
		}
		out.Sources = append(out.Sources, source{ID: s.ID, Path: s.Path, Line: s.Line, Name: s.Name, Text: text})
	}
	return out
}

// prose is the task for a tool that takes one text.
func (t *task) prose() string {
	var b strings.Builder
	b.WriteString(t.Subgoal.Description)
	if t.Subgoal.Expected != "" {
		fmt.Fprintf(&b, "\nExpected: %s", t.Subgoal.Expected)
	}
	for _, in := range t.Incoming {
		fmt.Fprintf(&b, "\nFrom an earlier step, %s", in)
	}
	for _, i := range t.Interactions {
		fmt.Fprintf(&b, "\nAsked: %s\nThe user answered: %s", i.Question, i.Response)
	}
	if len(t.Feedback) > 0 {
		fmt.Fprintf(&b, "\nAn earlier attempt did not pass: %s", t.Feedback)
	}
	return b.String()
}

func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
