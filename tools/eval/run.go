package eval

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/index/embed"
)

// depth is how many hits are asked for: enough to fill the largest budget of tokens.
const depth = 30

// Options say what to run.
type Options struct {
	Repos    string        // folder that holds the repositories
	Embedder *embed.Static // nil means no vectors

	Providers map[string]engine.ProviderSettings // by id; what is missing has its defaults

	Reference bool // ask SQLite's FTS5 over the same chunks, too

	Leave    []string // absolute paths that are not searched, such as the query sets themselves
	Progress func(repo string, done, total int)
}

// A Run is what a search answered to a set of queries.
type Run struct {
	Date    time.Time `json:"date"`
	Answers []Answer  `json:"answers"`
	Missing []string  `json:"missing,omitempty"` // folders of repositories that are not there; their queries were left out

	Reference []Answer `json:"reference,omitempty"` // those of FTS5, of queries that have an answer
}

// An Answer is one query with its hits and figures.
type Answer struct {
	ID         string  `json:"id"`
	Query      string  `json:"query"`
	Category   string  `json:"category"`
	Language   string  `json:"language,omitempty"`
	Repo       string  `json:"repo"`
	Abstains   bool    `json:"abstaining_is_right,omitempty"`
	Hits       []Place `json:"hits"`
	Confidence float64 `json:"confidence"`
	Metrics    Metrics `json:"metrics"`
	Millis     float64 `json:"ms"`
}

// A Searcher answers queries; *engine.Engine is one.
type Searcher interface {
	Search(context.Context, engine.SearchRequest) (*engine.SearchResult, error)
}

// Search runs every query in the workspace it belongs to. Queries of one workspace follow each other, so that it is
// indexed once.
func Search(ctx context.Context, queries []Query, o Options) (*Run, error) {
	run := &Run{Date: time.Now().UTC().Truncate(time.Second)}
	missing, err := eachFolder(ctx, queries, o, func(w *workspace, group []Query) error {
		answers, err := Ask(ctx, w.engine, group)
		run.Answers = append(run.Answers, answers...)
		if err != nil || !o.Reference {
			return err
		}
		answers, err = askFullText(ctx, w.index, group)
		run.Reference = append(run.Reference, answers...)
		return err
	})
	run.Missing = missing
	if err != nil {
		return nil, err
	}
	return run, nil
}

// eachFolder opens the workspaces of the queries one after the other. It returns those that are not there.
func eachFolder(ctx context.Context, queries []Query, o Options, visit func(*workspace, []Query) error) (absent []string, err error) {
	repos, err := filepath.Abs(o.Repos)
	if err != nil {
		return nil, fmt.Errorf("find the repositories: %w", err)
	}
	done := 0
	for _, group := range byFolder(queries, repos) {
		if o.Progress != nil {
			o.Progress(group[0].Repo, done, len(queries))
		}
		done += len(group)
		err := visitFolder(ctx, group[0].folder(repos), group, o, visit)
		var missing *missingError
		switch {
		case errors.As(err, &missing):
			absent = append(absent, missing.dir)
		case err != nil:
			return absent, err
		}
	}
	return absent, nil
}

// byFolder groups the queries by their workspace, in the order in which the workspaces first occur.
func byFolder(queries []Query, repos string) [][]Query {
	var groups [][]Query
	at := map[string]int{}
	for _, q := range queries {
		dir := q.folder(repos)
		i, ok := at[dir]
		if !ok {
			i = len(groups)
			at[dir] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], q)
	}
	return groups
}

func visitFolder(ctx context.Context, dir string, queries []Query, o Options, visit func(*workspace, []Query) error) (err error) {
	w, err := openWorkspace(ctx, dir, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	return visit(w, queries)
}

// Ask puts the queries to one searcher.
func Ask(ctx context.Context, s Searcher, queries []Query) ([]Answer, error) {
	answers := make([]Answer, 0, len(queries))
	for i := range queries {
		a, err := ask(ctx, s, &queries[i])
		if err != nil {
			return nil, fmt.Errorf("query %s: %w", queries[i].ID, err)
		}
		answers = append(answers, a)
	}
	return answers, nil
}

func ask(ctx context.Context, s Searcher, q *Query) (Answer, error) {
	a := Answer{ID: q.ID, Query: q.Query, Category: q.Category, Language: q.Language, Repo: q.Repo, Abstains: len(q.Relevant) == 0}
	start := time.Now()
	result, err := s.Search(ctx, engine.SearchRequest{Query: q.Query, Limit: depth})
	if err != nil {
		return a, err
	}
	a.Millis = float64(time.Since(start).Microseconds()) / 1000
	a.Confidence = result.Confidence
	for i := range result.Hits {
		a.Hits = append(a.Hits, placeOf(q, &result.Hits[i]))
	}
	a.Metrics = score(a.Hits, q.Relevant)
	return a, nil
}

func placeOf(q *Query, h *engine.Hit) Place {
	p := Place{Path: q.path(h.Path), Name: h.Name, Tokens: h.Tokens}
	if h.Container != "" {
		p.Name = h.Container + "." + h.Name
	}
	if h.Range != nil {
		p.StartLine, p.EndLine = h.Range.Start.Line+1, h.Range.End.Line+1
		if h.Range.End.Byte == 0 && p.EndLine > p.StartLine {
			p.EndLine--
		}
	}
	return p
}
