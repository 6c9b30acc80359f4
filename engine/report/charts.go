package report

import (
	"fmt"
	"math"
	"slices"
)

// charts draws what the report knows over time.
func (r *Report) charts() []chart {
	steps := make([]string, len(r.Steps))
	for i, s := range r.Steps {
		steps[i] = s.Name
		if len(s.Name) > len("2006-01") {
			steps[i] = s.Name[len("2006-"):]
		}
	}
	of := func(value func(Totals) float64) []float64 {
		list := make([]float64, len(r.Steps))
		for i := range r.Steps {
			list[i] = value(r.Steps[i].Totals)
		}
		return list
	}
	plots := []plot{
		{
			title: "Questions", empty: "No questions.", steps: steps, format: whole, stacked: true,
			series: []series{
				{"answered", "a", of(func(t Totals) float64 { return float64(t.Answered) })},
				{"without an answer", "b", of(func(t Totals) float64 { return float64(t.Nothing + t.Refused) })},
				{"errors", "c", of(func(t Totals) float64 { return float64(t.Errors) })},
			},
		},
		{
			title: "Cost", empty: "Nothing was spent.", steps: steps, format: dollars,
			series: []series{{"", "a", of(func(t Totals) float64 { return t.USD })}},
		},
		{
			title: "Replies kept and replies made", note: "A kept reply costs nothing.", empty: "No model was asked.", steps: steps, format: whole,
			series: []series{
				{"cache hits", "a", of(func(t Totals) float64 { return float64(t.CacheHits) })},
				{"calls of models", "b", of(func(t Totals) float64 { return float64(t.Calls) })},
			},
		},
		{
			title: "Accuracy", note: "Mean score of the verified answers.", empty: "No answer was verified.", steps: steps, format: hundredths, lines: true, most: 1,
			series: []series{{"", "a", of(func(t Totals) float64 {
				if t.Verified == 0 {
					return math.NaN()
				}
				return t.Accuracy
			})}},
		},
		r.calibrationPlot(), r.phasePlot(), r.complexityPlot(), r.memoryPlot(),
	}
	var list []chart
	for _, p := range plots {
		list = append(list, p.draw())
	}
	return list
}

func (r *Report) calibrationPlot() plot {
	p := plot{
		title: "Scores and ratings", note: "Mean rating of the answers by the score of their verification. Well calibrated: it rises to the right.",
		empty: "No verified answer was rated.", format: hundredths, least: -1, most: 1,
	}
	if !slices.ContainsFunc(r.Calibration, func(b Bucket) bool { return b.Rated > 0 }) {
		return p
	}
	return bars(p, r.Calibration, func(b Bucket) (string, float64) { return fmt.Sprintf("%.1f to %.1f", b.From, b.To), b.Rating })
}

func (r *Report) phasePlot() plot {
	p := plot{title: "Phases", note: "Mean time of each.", empty: "No question ran.", format: took}
	return bars(p, r.Phases, func(m PhaseMean) (string, float64) { return m.Phase, m.MeanMs })
}

func (r *Report) complexityPlot() plot {
	p := plot{title: "Complexity", note: "Questions of each level.", empty: "No questions.", format: whole}
	return bars(p, r.Complexity, func(c Count) (string, float64) { return c.Name, float64(c.Count) })
}

// bars is p with one bar for each item.
func bars[T any](p plot, items []T, of func(T) (step string, value float64)) plot {
	s := series{class: "a"}
	for _, item := range items {
		step, value := of(item)
		p.steps, s.values = append(p.steps, step), append(s.values, value)
	}
	p.series = []series{s}
	return p
}

func (r *Report) memoryPlot() plot {
	p := plot{title: "Memory", note: "Records at the end of each day on which there were new ones.", empty: "Memory gained nothing.", format: whole, lines: true}
	notes, answers, patterns := make([]float64, len(r.Memory)), make([]float64, len(r.Memory)), make([]float64, len(r.Memory))
	for i, m := range r.Memory {
		p.steps = append(p.steps, m.Day)
		notes[i], answers[i], patterns[i] = float64(m.Knowledge), float64(m.Reasoning), float64(m.Patterns)
	}
	p.series = []series{{"notes", "a", notes}, {"answers", "b", answers}, {"patterns", "c", patterns}}
	return p
}

func whole(v float64) string {
	if v != math.Trunc(v) {
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.0f", v)
}

func hundredths(v float64) string { return fmt.Sprintf("%.2f", v) }
