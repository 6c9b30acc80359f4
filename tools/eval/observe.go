package eval

import (
	"context"
	"fmt"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/search/rank"
)

// A Choice is a query with what is known of its candidates, and which of them were meant.
type Choice struct {
	Repo, Set  string
	Candidates []rank.Observed
	Relevant   []bool
}

// Choices asks the queries and returns those that say what code does and have a right candidate. asked counts all that say so.
func Choices(ctx context.Context, queries []Query, o Options) (choices []Choice, asked int, err error) {
	absent, err := eachFolder(ctx, queries, o, func(w *workspace, group []Query) error {
		for i := range group {
			q := &group[i]
			var seen []rank.Observed
			if _, err := w.engine.Search(ctx, engine.SearchRequest{Query: q.Query, Unjudged: true, Observe: func(list []rank.Observed) { seen = list }}); err != nil {
				return fmt.Errorf("query %s: %w", q.ID, err)
			}
			if seen == nil {
				continue
			}
			asked++
			c := Choice{Repo: q.Repo, Set: q.Category, Candidates: seen, Relevant: make([]bool, len(seen))}
			right := false
			for i := range seen {
				k := seen[i].Ref.Chunk()
				p := Place{Path: q.path(seen[i].Ref.File.Path), StartLine: k.StartLine + 1, EndLine: k.EndLine + 1}
				for t := range q.Relevant {
					c.Relevant[i] = c.Relevant[i] || q.Relevant[t].coveredBy(&p)
				}
				right = right || c.Relevant[i]
			}
			if right {
				choices = append(choices, c)
			}
		}
		return nil
	})
	if err == nil && len(absent) > 0 {
		err = fmt.Errorf("there is no %s", absent[0])
	}
	return choices, asked, err
}
