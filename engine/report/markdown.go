package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/wording"
)

// Markdown writes the report as text for people.
func (r *Report) Markdown(w io.Writer) error {
	m := &markdown{}
	m.line("# AURORA, %s report: %s", r.Kind, r.Title)
	m.line("")
	if r.Totals.Empty() {
		m.line("Nothing was asked in this time%s.\n", r.sinceWhen())
	} else {
		r.writeTotals(m)
		r.writeSteps(m)
		r.writePhases(m)
		r.writeCalibration(m)
		r.writeProviders(m)
	}
	r.writeLearning(m)
	r.writeSavings(m)
	m.line("Made %s from the figures in memory; they leave this machine only with you.", r.Generated.Format("2006-01-02 15:04 -07:00"))
	_, err := io.WriteString(w, m.String())
	return err
}

func (r *Report) sinceWhen() string {
	if r.First == "" || r.First == r.Last {
		return ""
	}
	return fmt.Sprintf(" (%s to %s)", r.First, r.Last)
}

// markdown is text in the making.
type markdown struct{ strings.Builder }

func (m *markdown) line(format string, args ...any) { fmt.Fprintf(m, format+"\n", args...) }

// table writes rows, the first of which is the head.
func (m *markdown) table(rows [][]string) {
	for i, row := range rows {
		m.line("| %s |", strings.Join(row, " | "))
		if i == 0 {
			m.line("|%s", strings.Repeat(" --- |", len(row)))
		}
	}
	m.line("")
}

// A figure is one line of the totals.
type figure struct{ Name, Now, Before string }

// figures are the totals in words; Before is "" without a period to compare with, and a dash when nothing was asked in it.
func (r *Report) figures() []figure {
	list := r.Totals.figures()
	if r.Before == nil {
		return list
	}
	for i, before := range r.Before.figures() {
		if list[i].Before = before.Now; r.Before.Empty() {
			list[i].Before = "-"
		}
	}
	return list
}

func (t Totals) figures() []figure {
	accuracy, unsupported := "none verified", "none checked"
	if t.Verified > 0 {
		accuracy = fmt.Sprintf("%.2f of %d", t.Accuracy, t.Verified)
	}
	if t.Claims > 0 {
		unsupported = fmt.Sprintf("%s of %d", percent(t.Hallucination), t.Claims)
	}
	return []figure{
		{Name: "Questions", Now: fmt.Sprint(t.Queries)},
		{Name: "Answered", Now: fmt.Sprint(t.Answered)},
		{Name: "Nothing found", Now: fmt.Sprint(t.Nothing)},
		{Name: "Refused", Now: fmt.Sprint(t.Refused)},
		{Name: "Errors", Now: fmt.Sprint(t.Errors)},
		{Name: "Searches, contexts", Now: fmt.Sprintf("%d, %d", t.Searches, t.Contexts)},
		{Name: "Accuracy (mean score of verified answers)", Now: accuracy},
		{Name: "Unsupported statements", Now: unsupported},
		{Name: "Cache hits", Now: fmt.Sprintf("%d (%s)", t.CacheHits, percent(t.CacheHitRate))},
		{Name: "Calls of models", Now: fmt.Sprint(t.Calls)},
		{Name: "Tokens in, out", Now: fmt.Sprintf("%d, %d", t.TokensIn, t.TokensOut)},
		{Name: "Cost", Now: dollars(t.USD)},
		{Name: "Time of a question, mean and p95", Now: took(t.MeanMs) + ", " + took(t.P95Ms)},
		{Name: "Retrieval", Now: took(t.RetrievalMs)},
		{Name: "Snippets that answers cite", Now: fmt.Sprintf("%s (%s of the tokens)", percent(t.ContextHitRate), percent(t.TokenEfficiency))},
	}
}

func (r *Report) writeTotals(m *markdown) {
	rows := [][]string{{"Figure", "Value"}}
	if r.Before != nil {
		rows[0] = append(rows[0], "The "+map[Kind]string{Daily: "day", Monthly: "month"}[r.Kind]+" before")
	}
	for _, f := range r.figures() {
		row := []string{f.Name, f.Now}
		if r.Before != nil {
			row = append(row, f.Before)
		}
		rows = append(rows, row)
	}
	m.table(rows)
	for _, list := range []struct {
		title  string
		counts []Count
	}{{"Questions by complexity", r.Complexity}, {"Asked by", r.Agents}} {
		if len(list.counts) > 0 {
			m.line("%s: %s.\n", list.title, countLine(list.counts))
		}
	}
}

func countLine(list []Count) string {
	var parts []string
	for _, c := range list {
		parts = append(parts, fmt.Sprintf("%s %d", plain(c.Name), c.Count))
	}
	return strings.Join(parts, ", ")
}

// plain takes out of a name that a client gave itself what Markdown or a table would take for its own.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("|<>[]`*\\\n\r", r) || r < ' ' {
			return '.'
		}
		return r
	}, s)
}

func (r *Report) writeSteps(m *markdown) {
	if len(r.Steps) < 2 {
		return
	}
	rows := [][]string{{"When", "Questions", "Errors", "Cache hits", "Accuracy", "Cost"}}
	for _, s := range r.Steps {
		if s.Empty() {
			continue
		}
		accuracy := "-"
		if s.Verified > 0 {
			accuracy = fmt.Sprintf("%.2f", s.Accuracy)
		}
		rows = append(rows, []string{s.Name, fmt.Sprint(s.Queries), fmt.Sprint(s.Errors), fmt.Sprint(s.CacheHits), accuracy, dollars(s.USD)})
	}
	m.line("## Over time\n")
	m.table(rows)
}

func (r *Report) writePhases(m *markdown) {
	if len(r.Phases) == 0 {
		return
	}
	m.line("## Phases\n")
	rows := [][]string{{"Phase", "Questions", "Mean", "Share"}}
	for _, p := range r.Phases {
		rows = append(rows, []string{p.Phase, fmt.Sprint(p.Questions), took(p.MeanMs), fmt.Sprintf("%.1f%%", p.Percentage)})
	}
	m.table(rows)
	if r.Bottleneck != "" {
		m.line("Most of the time goes to %s. Phases may overlap, so that shares may add up to more than 100%%.\n", r.Bottleneck)
	}
}

func (r *Report) writeCalibration(m *markdown) {
	if r.Totals.Verified == 0 {
		return
	}
	m.line("## Scores and ratings\n")
	rows := [][]string{{"Score", "Answers", "Rated", "Mean rating (-1 to 1)"}}
	for _, b := range r.Calibration {
		rating := "-"
		if b.Rated > 0 {
			rating = fmt.Sprintf("%+.2f", b.Rating)
		}
		rows = append(rows, []string{fmt.Sprintf("%.1f to %.1f", b.From, b.To), fmt.Sprint(b.Answers), fmt.Sprint(b.Rated), rating})
	}
	m.table(rows)
}

func (r *Report) writeProviders(m *markdown) {
	if len(r.Providers) == 0 {
		return
	}
	m.line("## Where snippets come from\n")
	rows := [][]string{{"Source", "Questions", "Provided", "Cited", "Mean score", "Time", "Without a model"}}
	for _, p := range r.Providers {
		rows = append(rows, []string{p.Provider, fmt.Sprint(p.Queries), fmt.Sprint(p.Provided), fmt.Sprint(p.Used), fmt.Sprintf("%.2f", p.AvgScore), fmt.Sprintf("%.1f ms", p.LatencyMs), percent(p.CacheRate)})
	}
	m.table(rows)
}

func (r *Report) writeLearning(m *markdown) {
	m.line("## Learning and memory\n")
	l := r.Learning
	switch {
	case l.EarlierScore == 0 && l.LaterScore == 0:
		m.line("Too few answers were verified to say whether they get better.")
	default:
		m.line("The mean score went from %.2f in the earlier half to %.2f in the later one (%+.2f).", l.EarlierScore, l.LaterScore, l.Improvement)
	}
	if len(r.Memory) > 0 {
		at := r.Memory[len(r.Memory)-1]
		m.line("Memory holds %s and %s; %s, %d of them new.", wording.Count(at.Knowledge, "note", "notes"), wording.Count(at.Reasoning, "answer", "answers"),
			wording.Count(l.Patterns, "is a pattern", "are patterns"), l.NewPatterns)
	} else {
		m.line("Memory gained nothing.")
	}
	m.line("")
}

func (r *Report) writeSavings(m *markdown) {
	if len(r.Savings) == 0 {
		return
	}
	m.line("## Tasks without and with AURORA\n")
	rows := [][]string{{"Task", "Tokens without", "Tokens with", "Less by"}}
	for _, s := range r.Savings {
		rows = append(rows, []string{plain(s.TaskID), fmt.Sprintf("%.0f", s.Before), fmt.Sprintf("%.0f", s.After), fmt.Sprintf("%.0f%%", s.Reduction)})
	}
	m.table(rows)
}

func percent(share float64) string { return fmt.Sprintf("%.0f%%", 100*share) }

func dollars(usd float64) string {
	if usd != 0 && usd < 0.01 {
		return fmt.Sprintf("$%.4f", usd)
	}
	return fmt.Sprintf("$%.2f", usd)
}

// took writes milliseconds as people do.
func took(ms float64) string {
	switch {
	case ms == 0:
		return "0 ms"
	case ms >= 10_000:
		return fmt.Sprintf("%.0f s", ms/1000)
	case ms >= 1000:
		return fmt.Sprintf("%.1f s", ms/1000)
	case ms >= 10:
		return fmt.Sprintf("%.0f ms", ms)
	}
	return fmt.Sprintf("%.1f ms", ms)
}
