package eval

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
)

// A Change is a query whose figure differs between two runs.
type Change struct {
	ID     string  `json:"id"`
	Query  string  `json:"query"`
	Before float64 `json:"before"` // NDCG@10, or 1 and 0 for a query that no hit answers, without and with hits
	After  float64 `json:"after"`
}

// A Diff compares a run with an earlier one over the queries that both have.
type Diff struct {
	Queries int      `json:"queries"`
	Before  float64  `json:"before"` // mean over the queries
	After   float64  `json:"after"`
	Better  []Change `json:"better"` // the largest gain first
	Worse   []Change `json:"worse"`  // the largest loss first
}

// Compare lists what became better and worse from before to after.
func Compare(before, after *Run) Diff {
	earlier := map[string]*Answer{}
	for i := range before.Answers {
		earlier[before.Answers[i].ID] = &before.Answers[i]
	}
	var d Diff
	for i := range after.Answers {
		a := &after.Answers[i]
		b := earlier[a.ID]
		if b == nil || b.Query != a.Query {
			continue
		}
		d.Queries++
		c := Change{ID: a.ID, Query: a.Query, Before: b.figure(), After: a.figure()}
		d.Before += c.Before
		d.After += c.After
		switch delta := c.After - c.Before; {
		case math.Abs(delta) < 1e-9:
		case delta > 0:
			d.Better = append(d.Better, c)
		default:
			d.Worse = append(d.Worse, c)
		}
	}
	n := float64(max(1, d.Queries))
	d.Before, d.After = d.Before/n, d.After/n
	byStep := func(x, y Change) int {
		return cmp.Or(cmp.Compare(math.Abs(y.After-y.Before), math.Abs(x.After-x.Before)), cmp.Compare(x.ID, y.ID))
	}
	slices.SortFunc(d.Better, byStep)
	slices.SortFunc(d.Worse, byStep)
	return d
}

// figure is the number by which one query is compared.
func (a *Answer) figure() float64 {
	if !a.Abstains {
		return a.Metrics.NDCG
	}
	if len(a.Hits) == 0 {
		return 1
	}
	return 0
}

// Save writes a run to a file, for Open and Compare.
func (r *Run) Save(path string) error { return saveJSON(path, r) }

func saveJSON(path string, run any) error {
	text, err := json.MarshalIndent(run, "", " ")
	if err != nil {
		return fmt.Errorf("save run: %w", err)
	}
	if err := os.WriteFile(path, append(text, '\n'), 0o644); err != nil {
		return fmt.Errorf("save run: %w", err)
	}
	return nil
}

// Open reads a run that Save wrote.
func Open(path string) (*Run, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("open saved run: %w", err)
	}
	r := new(Run)
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("open saved run %s: %w", path, err)
	}
	return r, nil
}
