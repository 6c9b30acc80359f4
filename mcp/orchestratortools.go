package mcp

import (
	"context"
	"fmt"

	"github.com/aurora-sidecar/aurora/internal/api"
)

// orchestratorTools are for agents that reason in phases of their own (S0 9.6).
func orchestratorTools() []tool {
	return []tool{
		newTool("aurora_assess", "How complex a query is, by its words: complexity, confidence, route.", api.Reads, (*call).assess),
		newTool("aurora_retrieve_context", "The most relevant chunks for a query, code and reasoning apart.", api.Reads, (*call).retrieve),
		newTool("aurora_learn", "Keep the result of a solved query when its score is 0.5 or more; from 0.8 as a pattern.", api.Adds, (*call).learn),
	}
}

// assessArgs are the arguments of aurora_assess.
type assessArgs struct {
	Query string `json:"query"`
}

// assessed is the data of aurora_assess.
type assessed struct {
	Complexity string   `json:"complexity"`
	Confidence float64  `json:"confidence"`
	Route      string   `json:"route"` // direct: answer in one step; phases: decompose first
	Keywords   []string `json:"keywords"`
}

func (c *call) assess(ctx context.Context, in *assessArgs) (*result, error) {
	a, err := api.Assess.Call(ctx, c.client, &api.AssessParams{Query: in.Query})
	if err != nil {
		return nil, err
	}
	data := assessed{a.Complexity, a.Confidence, "direct", a.Indicators}
	if a.Complexity != "SIMPLE" {
		data.Route = "phases"
	}
	return &result{text: fmt.Sprintf("%s (confidence %.1f), route: %s\n", data.Complexity, data.Confidence, data.Route), data: data}, nil
}

// retrieveArgs are the arguments of aurora_retrieve_context.
type retrieveArgs struct {
	Query  string `json:"query"`
	Budget int    `json:"budget,omitempty" jsonschema:"most chunks, default 10"`
}

// retrieved is the data of aurora_retrieve_context.
type retrieved struct {
	Code      []hit    `json:"code"`
	Reasoning []hit    `json:"reasoning"`
	Notes     []string `json:"notes,omitempty"`
}

func (c *call) retrieve(ctx context.Context, in *retrieveArgs) (*result, error) {
	found, err := c.find(ctx, &searchArgs{Query: in.Query, Limit: in.Budget}, 0)
	if err != nil {
		return nil, err
	}
	data := retrieved{Code: []hit{}, Reasoning: []hit{}, Notes: found.Notes}
	hits := newHits(found.Hits, true)
	for _, h := range hits {
		if h.Path == "" {
			data.Reasoning = append(data.Reasoning, h)
		} else {
			data.Code = append(data.Code, h)
		}
	}
	return &result{text: searchText(in.Query, hits, found), data: data}, nil
}

// learnArgs are the arguments of aurora_learn.
type learnArgs struct {
	Result string   `json:"result" jsonschema:"the query, how it was solved, and the answer"`
	Score  float64  `json:"score" jsonschema:"0 to 1"`
	Tags   []string `json:"tags,omitempty"`
}

// learned is the data of aurora_learn.
type learned struct {
	Cached  bool   `json:"cached"`
	Pattern bool   `json:"pattern"`
	ID      string `json:"id,omitempty"`
	Reason  string `json:"reason"`
}

func (c *call) learn(ctx context.Context, in *learnArgs) (*result, error) {
	kept, err := api.Learn.Call(ctx, c.client, &api.LearnParams{Result: in.Result, Score: in.Score, Tags: in.Tags})
	if err != nil {
		return nil, err
	}
	data := learned{Cached: kept.Cached, Pattern: kept.IsPattern, ID: kept.ChunkID, Reason: fmt.Sprintf("score %.2f", in.Score)}
	if !kept.Cached {
		data.Reason += fmt.Sprintf(" is below %.1f", api.KeepScore)
		return &result{text: "Not kept: " + data.Reason + ".\n", data: data}, nil
	}
	return &result{text: fmt.Sprintf("Kept as %s (pattern: %t).\n", kept.ChunkID, kept.IsPattern), data: data}, nil
}
