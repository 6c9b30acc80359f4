package report

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/aurora-sidecar/aurora/memory"
)

// A Heading says which report this is, and of which days.
type Heading struct {
	Kind      Kind      `json:"kind"`
	Period    string    `json:"period"`
	Title     string    `json:"title"`
	First     string    `json:"first_day,omitempty"` // "" when nothing was ever noted
	Last      string    `json:"last_day"`
	Generated time.Time `json:"generated"`
	Zone      string    `json:"time_zone"`
}

// A Report is what one period was like.
type Report struct {
	Heading

	Totals      Totals                  `json:"totals"`
	Before      *Totals                 `json:"period_before,omitempty"` // nil for all time
	Steps       []Step                  `json:"steps"`                   // days, or months when the days are many
	Complexity  []Count                 `json:"complexity"`
	Agents      []Count                 `json:"agents"`
	Calibration []Bucket                `json:"score_calibration"`
	Phases      []PhaseMean             `json:"phases"`
	Bottleneck  string                  `json:"bottleneck,omitempty"`
	Providers   []memory.ProviderEffect `json:"providers"`
	Learning    Learning                `json:"learning"`
	Memory      []MemoryStep            `json:"memory_growth"`
	Savings     []memory.Saving         `json:"savings"`
}

// A Count is how many questions were of a sort.
type Count struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// A Step is the figures of a day or a month.
type Step struct {
	Name   string `json:"name"` // 2025-12-11 or 2025-12
	Totals `json:"totals"`
}

// A Bucket compares the scores of verified answers with what people made of them. Well calibrated is a verification
// whose mean rating rises with the score.
type Bucket struct {
	From    float64 `json:"from"` // of the score, inclusive
	To      float64 `json:"to"`
	Answers int     `json:"answers"`
	Rated   int     `json:"rated"`
	Rating  float64 `json:"avg_rating"` // -1..1; 0 when none was rated
}

// A PhaseMean is what a phase took in the mean.
type PhaseMean struct {
	Phase      string  `json:"phase"`
	Questions  int     `json:"questions"`
	MeanMs     float64 `json:"avg_duration_ms"`
	Percentage float64 `json:"percentage"` // of the time of the questions that had this phase
}

// Learning says whether answers get better.
type Learning struct {
	EarlierScore float64 `json:"earlier_avg_score"` // of the first half of the verified answers
	LaterScore   float64 `json:"later_avg_score"`
	Improvement  float64 `json:"learning_improvement"` // LaterScore - EarlierScore; 0 with fewer than four answers
	Patterns     int     `json:"patterns"`             // in memory at the end
	NewPatterns  int     `json:"pattern_growth"`       // of the period
}

// A MemoryStep is how many records memory held at the end of a day.
type MemoryStep struct {
	Day       string `json:"day"`
	Knowledge int    `json:"knowledge"`
	Reasoning int    `json:"reasoning"`
	Patterns  int    `json:"patterns"`
}

// maxDays is how many days are shown one by one; more are shown by months.
const maxDays = 92

// maxSavings is how many tasks are compared.
const maxSavings = 10

// Make makes the report of a period. Days after now are left out.
func Make(ctx context.Context, store memory.MetricStore, p Period, now time.Time) (*Report, error) {
	r := &Report{Heading: Heading{Kind: p.Kind, Period: p.Name, Title: p.Title, Generated: now, Zone: now.Format("-07:00"), First: p.Days.First, Last: p.Days.Last}}
	if today := now.Format(time.DateOnly); r.Last > today {
		r.Last = max(today, r.First)
	}
	b := newBuilder()
	if err := store.Metrics(ctx, p.Days, b.add); err != nil {
		return nil, fmt.Errorf("make a report: %w", err)
	}
	r.First = cmp.Or(r.First, b.first)
	r.Totals = b.all.totals()
	r.Complexity, r.Agents = counts(b.complexity, levelOrder), counts(b.agents, nil)
	r.Phases, r.Bottleneck = b.phaseMeans()
	r.steps(b)
	r.Learning = learning(b.all.scores)
	if p.Prior != (memory.Span{}) {
		before := newBuilder()
		if err := store.Metrics(ctx, p.Prior, before.add); err != nil {
			return nil, fmt.Errorf("make a report: %w", err)
		}
		totals := before.all.totals()
		r.Before = &totals
	}
	if err := r.addStored(ctx, store, p, b.all.scores, now); err != nil {
		return nil, err
	}
	r.fillLists()
	return r, nil
}

// addStored fills in what the store sums up by itself.
func (r *Report) addStored(ctx context.Context, store memory.MetricStore, p Period, scores []float64, now time.Time) (err error) {
	if r.Providers, err = store.ProviderEffects(ctx, p.Days); err != nil {
		return err
	}
	ratings, err := store.Ratings(ctx, p.Days)
	if err != nil {
		return err
	}
	r.Calibration = calibrate(scores, ratings)
	if r.Kind == Cumulative { // a task's two notes may lie months apart
		if r.Savings, err = store.Savings(ctx, maxSavings); err != nil {
			return err
		}
	}
	growth, err := store.Growth(ctx, now.Location())
	if err != nil {
		return err
	}
	r.grow(growth)
	return nil
}

// fillLists makes lists of what is missing, for readers of JSON.
func (r *Report) fillLists() {
	r.Steps = append([]Step{}, r.Steps...)
	r.Providers = append([]memory.ProviderEffect{}, r.Providers...)
	r.Memory = append([]MemoryStep{}, r.Memory...)
	r.Savings = append([]memory.Saving{}, r.Savings...)
}

// steps cuts the period into days or, when they are many, months.
func (r *Report) steps(b *builder) {
	if r.First == "" {
		return
	}
	var names []string
	eachDay(r.First, r.Last, func(day string) { names = append(names, day) })
	if len(names) > maxDays {
		for i := range names {
			names[i] = monthName(names[i])
		}
	}
	for _, name := range slices.Compact(names) {
		step := Step{Name: name}
		if s := b.steps[name]; s != nil {
			step.Totals = s.totals()
		}
		r.Steps = append(r.Steps, step)
	}
}

// grow adds up what memory gained, and keeps the days of the report.
func (r *Report) grow(days []memory.Growth) {
	var at MemoryStep
	before := at
	for _, d := range days {
		if d.Day > r.Last {
			break
		}
		at.Day = d.Day
		at.Knowledge += d.Knowledge
		at.Reasoning += d.Reasoning
		at.Patterns += d.Patterns
		if d.Day < r.First {
			before = at
			continue
		}
		r.Memory = append(r.Memory, at)
	}
	r.Learning.Patterns, r.Learning.NewPatterns = at.Patterns, at.Patterns-before.Patterns
	if r.First != "" && before.Day != "" {
		before.Day = r.First
		if len(r.Memory) == 0 || r.Memory[0].Day != r.First {
			r.Memory = append([]MemoryStep{before}, r.Memory...)
		}
	}
}

// leastLearning is the number of verified answers from which on their halves are compared.
const leastLearning = 4

func learning(scores []float64) Learning {
	var l Learning
	if len(scores) < leastLearning {
		return l
	}
	half := len(scores) / 2
	l.EarlierScore, l.LaterScore = mean(scores[:half]), mean(scores[half:])
	l.Improvement = round(l.LaterScore-l.EarlierScore, 3)
	return l
}

// calibrate sorts answers into five buckets by score.
func calibrate(scores []float64, ratings []memory.Rating) []Bucket {
	const buckets = 5
	list := make([]Bucket, buckets)
	for i := range list {
		list[i].From, list[i].To = float64(i)/buckets, float64(i+1)/buckets
	}
	at := func(score float64) *Bucket { return &list[max(0, min(buckets-1, int(score*buckets)))] }
	for _, s := range scores {
		at(s).Answers++
	}
	for _, r := range ratings {
		b := at(r.Score)
		b.Rated++
		b.Rating += r.Rating
	}
	for i := range list {
		if list[i].Rated > 0 {
			list[i].Rating = round(list[i].Rating/float64(list[i].Rated), 3)
		}
	}
	return list
}

var levelOrder = []string{"SIMPLE", "MEDIUM", "COMPLEX", "CRITICAL"}

// counts lists names in the order given, or the most frequent first.
func counts(of map[string]int, order []string) []Count {
	list := []Count{}
	for _, name := range slices.Sorted(maps.Keys(of)) {
		list = append(list, Count{name, of[name]})
	}
	slices.SortStableFunc(list, func(a, b Count) int {
		if order != nil {
			return slices.Index(order, a.Name) - slices.Index(order, b.Name)
		}
		return b.Count - a.Count
	})
	return list
}

func mean(list []float64) float64 {
	if len(list) == 0 {
		return 0
	}
	sum := 0.0
	for _, v := range list {
		sum += v
	}
	return round(sum/float64(len(list)), 4)
}

func round(v float64, digits int) float64 {
	scale := math.Pow10(digits)
	return math.Round(v*scale) / scale
}
