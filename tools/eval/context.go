package eval

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
)

// ContextBudget is the size in tokens of the contexts that Context measures.
const ContextBudget = 2000

// texts is where contexts come from, and the files that they are about.
type texts interface {
	Context(context.Context, engine.ContextRequest) (*engine.ContextResult, error)
	Text(abs string) ([]byte, error)
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
	Whole    float64 `json:"whole"`  // share of the targets with lines of which at least half of the lines are shown
	Lined    bool    `json:"lined"`  // there are targets with lines
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
			a, err := assemble(ctx, w, &group[i], like)
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

func assemble(ctx context.Context, w texts, q *Query, r engine.ContextRequest) (ContextAnswer, error) {
	a := ContextAnswer{ID: q.ID, Query: q.Query, Category: q.Category, Language: q.Language, Repo: q.Repo}
	start := time.Now()
	r.Query = q.Query
	result, err := w.Context(ctx, r)
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
	a.Whole, a.Lined = whole(w, q, result.Snippets[:len(blocks)])
	return a, nil
}

// whole is the share of the targets with lines of which at least half of the lines that are not empty stand in the
// blocks around them. ok is false when there is no such target.
func whole(w texts, q *Query, blocks []engine.Hit) (share float64, ok bool) {
	held, lined := 0, 0
	for t := range q.Relevant {
		if q.Relevant[t].StartLine == 0 {
			continue
		}
		lined++
		if holds(w, q, &q.Relevant[t], blocks) {
			held++
		}
	}
	if lined == 0 {
		return 0, false
	}
	return float64(held) / float64(lined), true
}

func holds(w texts, q *Query, t *Target, blocks []engine.Hit) bool {
	var wanted []string
	shown := map[string]bool{}
	for i := range blocks {
		place := placeOf(q, &blocks[i])
		if !samePath(place.Path, t.Path) || place.StartLine > t.EndLine || place.EndLine < t.StartLine {
			continue
		}
		if wanted == nil {
			wanted = linesOf(w, blocks[i].Abs, t)
		}
		for line := range strings.Lines(blocks[i].Text) {
			shown[strings.TrimSpace(line)] = true
		}
	}
	n := 0
	for _, line := range wanted {
		if shown[line] {
			n++
		}
	}
	return len(wanted) > 0 && 2*n >= len(wanted)
}

// linesOf are the lines of a target that are not empty, without white space around them.
func linesOf(w texts, abs string, t *Target) []string {
	src, err := w.Text(abs)
	if err != nil {
		return nil
	}
	lines := strings.Split(string(src), "\n")
	var kept []string
	for _, line := range lines[min(t.StartLine-1, len(lines)):min(t.EndLine, len(lines))] {
		if line = strings.TrimSpace(line); line != "" {
			kept = append(kept, line)
		}
	}
	return kept
}
