package report

import (
	"fmt"
	"strings"
)

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
		{Name: "Tokens in that providers had cached", Now: fmt.Sprintf("%d (%s)", t.TokensCached, percent(t.CachedShare))},
		{Name: "Cost", Now: dollars(t.USD)},
		{Name: "Time of a question, mean and p95", Now: took(t.MeanMs) + ", " + took(t.P95Ms)},
		{Name: "Retrieval", Now: took(t.RetrievalMs)},
		{Name: "Snippets that answers cite", Now: fmt.Sprintf("%s (%s of the tokens)", percent(t.ContextHitRate), percent(t.TokenEfficiency))},
	}
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
