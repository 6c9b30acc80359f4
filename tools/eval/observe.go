package eval

import (
	"context"
	"fmt"
	"slices"

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
			if _, err := w.engine.Search(ctx, engine.SearchRequest{Query: q.Query, Unjudged: true, Observe: rank.Observers{Chunks: func(list []rank.Observed) { seen = list }}}); err != nil {
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

// WithinChoices asks questions whose answers are definitions of one file, and returns those of that file that are candidates, where
// there is a right one. absent are the folders of repositories that are not there.
func WithinChoices(ctx context.Context, queries []Query, o Options) (choices []Choice, absent []string, err error) {
	absent, err = eachFolder(ctx, queries, o, func(w *workspace, group []Query) error {
		for i := range group {
			q := &group[i]
			observe := rank.Observers{Within: func(list []rank.Observed) {
				if c := withinChoice(q, list); slices.Contains(c.Relevant, true) {
					choices = append(choices, c)
				}
			}}
			if _, err := w.engine.Search(ctx, engine.SearchRequest{Query: q.Query, Unjudged: true, Observe: observe}); err != nil {
				return fmt.Errorf("query %s: %w", q.ID, err)
			}
		}
		return nil
	})
	return choices, absent, err
}

func withinChoice(q *Query, list []rank.Observed) Choice {
	c := Choice{Repo: q.Repo, Set: q.Category, Candidates: list, Relevant: make([]bool, len(list))}
	for i := range list {
		k := list[i].Ref.Chunk()
		p := Place{Path: q.path(list[i].Ref.File.Path), Name: k.QualifiedName(), StartLine: k.StartLine + 1, EndLine: k.EndLine + 1}
		c.Relevant[i] = slices.ContainsFunc(q.Relevant, func(t Target) bool { return t.coveredBy(&p) })
	}
	return c
}

// A FileChoice is a question with what is known of the files that may answer it, and which of them do.
type FileChoice struct {
	Repo, Category string
	Candidates     [][]float64 // rank.FileFeatures of each
	Relevant       []bool
	Targets        int // how many files answer it, candidates or not
}

// FileChoices asks questions whose answers are files, and returns those that files are ranked for. absent are the folders of
// repositories that are not there.
func FileChoices(ctx context.Context, queries []Query, o Options) (choices []FileChoice, absent []string, err error) {
	absent, err = eachFolder(ctx, queries, o, func(w *workspace, group []Query) error {
		for i := range group {
			q := &group[i]
			var seen []rank.ObservedFile
			request := engine.SearchRequest{Query: q.Query, Unjudged: true, Observe: rank.Observers{Files: func(list []rank.ObservedFile) { seen = list }}}
			if _, err := w.engine.Search(ctx, request); err != nil {
				return fmt.Errorf("query %s: %w", q.ID, err)
			}
			if len(seen) == 0 {
				continue
			}
			c := FileChoice{Repo: q.Repo, Category: q.Category, Relevant: make([]bool, len(seen)), Targets: len(q.Relevant)}
			for k := range seen {
				c.Candidates = append(c.Candidates, seen[k].Features[:])
				path := q.path(seen[k].File.Path)
				c.Relevant[k] = slices.ContainsFunc(q.Relevant, func(t Target) bool { return t.Path == path })
			}
			choices = append(choices, c)
		}
		return nil
	})
	return choices, absent, err
}
