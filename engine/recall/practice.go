package recall

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/memory"
)

// mostPractised is how many combinations of tools and how many agents Practice tells of.
const mostPractised = 10

// Practice is what remembered answers say of the tools and agents that they took, the most often taken first.
type Practice struct {
	Tools  []Practised `json:"tools"`  // combinations, in the order in which they were used: "grep, edit"
	Agents []Practised `json:"agents"` // by id
}

// Practised is how well something went.
type Practised struct {
	Name  string  `json:"name"`
	Times int     `json:"times"` // answers that took the combination; subgoals that the agent worked on
	Score float64 `json:"score"` // 0..1: the mean of those answers
}

// Practice looks through what is remembered of earlier questions. Only answers that were good enough to be remembered are
// among them; that an agent failed is in its own figures.
func (e *Records) Practice(ctx context.Context) (*Practice, error) {
	tools, agents := tally{}, tally{}
	if e.Store == nil {
		return &Practice{Tools: tools.sorted(), Agents: agents.sorted()}, nil
	}
	err := e.Store.Records(ctx, func(h memory.Hit) error {
		if len(h.Chunk) > 0 {
			countPractice(h.Chunk, tools, agents)
		}
		return ctx.Err()
	}, memory.Reasoning)
	if err != nil {
		return nil, fault.OfStore(ctx, "be read", err)
	}
	return &Practice{Tools: tools.sorted(), Agents: agents.sorted()}, nil
}

// countPractice adds a chunk of reasoning, our own or one that was imported.
func countPractice(chunk []byte, tools, agents tally) {
	var c struct {
		Content struct {
			Sequence []string `json:"tool_sequence"`
			Used     []struct {
				Subgoal string   `json:"subgoal"`
				Agent   string   `json:"agent"`
				Tools   []string `json:"tools"`
			} `json:"tools_used"`
			Subgoals []struct {
				ID    string `json:"id"`
				Agent string `json:"agent"`
			} `json:"subgoals"`
			Score float64 `json:"success_score"`
		} `json:"content"`
	}
	if json.Unmarshal(chunk, &c) != nil {
		return
	}
	sequence, planned := c.Content.Sequence, map[string]string{}
	for _, g := range c.Content.Subgoals {
		planned[g.ID] = g.Agent
	}
	for _, used := range c.Content.Used {
		if len(c.Content.Sequence) == 0 {
			sequence = append(sequence, used.Tools...)
		}
		agents.add(cmp.Or(used.Agent, planned[used.Subgoal]), c.Content.Score)
	}
	if len(c.Content.Used) == 0 {
		for _, g := range c.Content.Subgoals {
			agents.add(g.Agent, c.Content.Score)
		}
	}
	tools.add(strings.Join(slices.Compact(slices.Clone(sequence)), ", "), c.Content.Score)
}

// A tally sums scores by name.
type tally map[string]*Practised

func (t tally) add(name string, score float64) {
	if name == "" {
		return
	}
	if t[name] == nil {
		t[name] = &Practised{Name: name}
	}
	t[name].Times++
	t[name].Score += score
}

// sorted returns the means of the names that were counted most often.
func (t tally) sorted() []Practised {
	list := make([]Practised, 0, len(t))
	for _, p := range t {
		list = append(list, Practised{p.Name, p.Times, p.Score / float64(p.Times)})
	}
	slices.SortFunc(list, func(a, b Practised) int {
		return cmp.Or(cmp.Compare(b.Times, a.Times), cmp.Compare(b.Score, a.Score), cmp.Compare(a.Name, b.Name))
	})
	return list[:min(len(list), mostPractised)]
}
