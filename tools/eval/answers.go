package eval

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
)

// An AnswerRun is what came of a set of questions.
type AnswerRun struct {
	Date    time.Time `json:"date"`
	Graded  []Graded  `json:"graded"`
	Missing []string  `json:"missing,omitempty"` // why questions about a repository were not asked
}

// A Graded is one answer with what is wrong with it.
type Graded struct {
	ID         string   `json:"id"`
	Repo       string   `json:"repo"`
	Kind       string   `json:"kind"`
	Question   string   `json:"question"`
	Faults     []string `json:"faults,omitempty"` // none: it is right
	Answer     string   `json:"answer"`
	Confidence float64  `json:"confidence"`
	Stated     bool     `json:"stated"` // it is given as the answer, not as the best matches
	Millis     float64  `json:"ms"`
}

// Right reports whether nothing is wrong with the answer.
func (g *Graded) Right() bool { return len(g.Faults) == 0 }

// An Asker answers questions; *engine.Engine is one.
type Asker interface {
	Query(context.Context, engine.QueryRequest, func(engine.Progress)) (*engine.QueryResult, error)
}

// Answers asks every question in the repository that it is about, without a model. Repositories that are not there, or
// at another commit than their pin, are left out and named in AnswerRun.Missing.
func Answers(ctx context.Context, questions []Question, pins []Pin, o Options) (*AnswerRun, error) {
	repos, err := filepath.Abs(o.Repos)
	if err != nil {
		return nil, fmt.Errorf("find the repositories: %w", err)
	}
	run := &AnswerRun{Date: time.Now().UTC().Truncate(time.Second)}
	for _, group := range byRepo(questions) {
		name := group[0].Repo
		if o.Progress != nil {
			o.Progress(name, len(run.Graded), len(questions))
		}
		dir := filepath.Join(repos, filepath.FromSlash(name))
		if why := pinOf(pins, name).check(ctx, dir); why != "" {
			run.Missing = append(run.Missing, why)
			continue
		}
		graded, err := askFolder(ctx, dir, group, o)
		if err != nil {
			return nil, err
		}
		run.Graded = append(run.Graded, graded...)
	}
	return run, ctx.Err()
}

func byRepo(questions []Question) [][]Question {
	sorted := slices.Clone(questions)
	slices.SortStableFunc(sorted, func(a, b Question) int { return cmp.Compare(a.Repo, b.Repo) })
	var groups [][]Question
	for i, q := range sorted {
		if i == 0 || q.Repo != sorted[i-1].Repo {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], q)
	}
	return groups
}

func pinOf(pins []Pin, name string) Pin {
	for _, p := range pins {
		if p.Name == name {
			return p
		}
	}
	return Pin{}
}

func askFolder(ctx context.Context, dir string, questions []Question, o Options) (graded []Graded, err error) {
	w, err := openWorkspace(ctx, dir, o)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	return Grade(ctx, w.engine, questions)
}

// Grade puts questions to one asker.
func Grade(ctx context.Context, a Asker, questions []Question) ([]Graded, error) {
	graded := make([]Graded, 0, len(questions))
	for i := range questions {
		q := &questions[i]
		start := time.Now()
		r, err := a.Query(ctx, engine.QueryRequest{Query: q.Question}, nil)
		if err != nil {
			return nil, fmt.Errorf("question %s: %w", q.ID, err)
		}
		graded = append(graded, Graded{
			ID: q.ID, Repo: q.Repo, Kind: q.Kind, Question: q.Question, Faults: q.grade(r), Answer: r.Answer,
			Confidence: r.Confidence, Stated: isStated(r), Millis: float64(time.Since(start).Microseconds()) / 1000,
		})
	}
	return graded, nil
}

// isStated reports whether a result without a model is more than best matches.
func isStated(r *engine.QueryResult) bool {
	return !r.Abstained && !slices.ContainsFunc(r.Phases, func(p engine.Phase) bool { return strings.HasPrefix(p.Detail, "answered a question for citations") })
}

// Stated is how many of the answers that are given as such are right, and their expected calibration error, 0..1.
func (r *AnswerRun) Stated() (Accuracy, float64) {
	var a Accuracy
	var list []Reasoned
	for i := range r.Graded {
		g := &r.Graded[i]
		if !g.Stated {
			continue
		}
		a.Asked++
		if g.Right() {
			a.Right++
		}
		list = append(list, Reasoned{Faults: g.Faults, Confidence: g.Confidence})
	}
	return a, calibrationError(list)
}

// An Accuracy counts right answers.
type Accuracy struct {
	Right int `json:"right"`
	Asked int `json:"asked"`
}

// Share is the right ones of those asked, 0..1.
func (a Accuracy) Share() float64 { return float64(a.Right) / float64(max(1, a.Asked)) }

func (a Accuracy) String() string {
	return fmt.Sprintf("%d of %d (%.0f %%)", a.Right, a.Asked, 100*a.Share())
}

// Accuracy counts the right answers, all of them under "" and each group under what key says.
func (r *AnswerRun) Accuracy(key func(*Graded) string) map[string]Accuracy {
	groups := map[string]Accuracy{}
	for i := range r.Graded {
		g := &r.Graded[i]
		for _, k := range []string{"", key(g)} {
			a := groups[k]
			a.Asked++
			if g.Right() {
				a.Right++
			}
			groups[k] = a
		}
	}
	return groups
}

// Latency is the time of an answer.
func (r *AnswerRun) Latency() Latency {
	ms := make([]float64, len(r.Graded))
	for i := range r.Graded {
		ms[i] = r.Graded[i].Millis
	}
	slices.Sort(ms)
	return Latency{P50: percentile(ms, 0.5), P95: percentile(ms, 0.95)}
}

// An AnswerDiff compares a run with an earlier one over the questions that both have.
type AnswerDiff struct {
	Before Accuracy `json:"before"`
	After  Accuracy `json:"after"`
	Better []Graded `json:"better"` // wrong before, right now
	Worse  []Graded `json:"worse"`
}

// CompareAnswers lists what became right and wrong from before to after.
func CompareAnswers(before, after *AnswerRun) AnswerDiff {
	earlier := map[string]*Graded{}
	for i := range before.Graded {
		earlier[before.Graded[i].ID] = &before.Graded[i]
	}
	var d AnswerDiff
	for _, g := range after.Graded {
		b := earlier[g.ID]
		if b == nil || b.Question != g.Question {
			continue
		}
		d.Before.Asked++
		d.After.Asked++
		if b.Right() {
			d.Before.Right++
		}
		if g.Right() {
			d.After.Right++
		}
		switch {
		case g.Right() && !b.Right():
			d.Better = append(d.Better, g)
		case b.Right() && !g.Right():
			d.Worse = append(d.Worse, g)
		}
	}
	return d
}

// Save writes a run to a file, for OpenAnswers and CompareAnswers.
func (r *AnswerRun) Save(path string) error { return saveJSON(path, r) }

// OpenAnswers reads a run that AnswerRun.Save wrote.
func OpenAnswers(path string) (*AnswerRun, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("open saved run: %w", err)
	}
	r := new(AnswerRun)
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("open saved run %s: %w", path, err)
	}
	return r, nil
}
