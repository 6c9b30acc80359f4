package eval

import (
	"context"
	"fmt"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
)

// ContextBudget is the size in tokens of the contexts that Context measures.
const ContextBudget = 2000

// An Assembler puts contexts together; *engine.Engine is one.
type Assembler interface {
	Context(context.Context, engine.ContextRequest) (*engine.ContextResult, error)
}

// A ContextAnswer is one query with the context that was made for it.
type ContextAnswer struct {
	ID       string  `json:"id"`
	Query    string  `json:"query"`
	Category string  `json:"category"`
	Language string  `json:"language,omitempty"`
	Repo     string  `json:"repo"`
	Recall   float64 `json:"recall"` // share of the targets of which the context shows something
	Opened   float64 `json:"opened"` // the same for code in blocks alone, without single lines
	Tokens   int     `json:"tokens"` // of the whole context, with its frame and headers
	Shown    []Place `json:"shown"`
	Millis   float64 `json:"ms"`
}

// A ContextRun is what contexts held.
type ContextRun struct {
	Budget  int             `json:"budget"`
	Answers []ContextAnswer `json:"answers"`
	Missing []string        `json:"missing,omitempty"`
}

// Contexts assembles a context for every query that has an answer, and looks what is in it. like says what the contexts
// have in common, such as the budget; its query is replaced.
func Contexts(ctx context.Context, queries []Query, like engine.ContextRequest, o Options) (*ContextRun, error) {
	run := &ContextRun{Budget: like.BudgetTokens}
	missing, err := eachFolder(ctx, queries, o, func(w *workspace, group []Query) error {
		for i := range group {
			if len(group[i].Relevant) == 0 {
				continue
			}
			a, err := assemble(ctx, w.engine, &group[i], like)
			if err != nil {
				return fmt.Errorf("query %s: %w", group[i].ID, err)
			}
			run.Answers = append(run.Answers, a)
		}
		return nil
	})
	run.Missing = missing
	return run, err
}

func assemble(ctx context.Context, e Assembler, q *Query, r engine.ContextRequest) (ContextAnswer, error) {
	a := ContextAnswer{ID: q.ID, Query: q.Query, Category: q.Category, Language: q.Language, Repo: q.Repo}
	start := time.Now()
	r.Query = q.Query
	result, err := e.Context(ctx, r)
	if err != nil {
		return a, err
	}
	a.Millis = float64(time.Since(start).Microseconds()) / 1000
	a.Tokens = result.Tokens.Total
	var blocks []Place
	for i := range result.Snippets {
		place := placeOf(q, &result.Snippets[i])
		a.Shown = append(a.Shown, place)
		if i < len(result.Snippets)-result.Excerpts {
			blocks = append(blocks, place)
		}
	}
	a.Recall = recall(firstRanks(a.Shown, q.Relevant), len(a.Shown))
	a.Opened = recall(firstRanks(blocks, q.Relevant), len(blocks))
	return a, nil
}
