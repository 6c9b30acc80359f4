package report

import (
	"fmt"
	"strings"
)

// A figure is one line of the totals.
type figure struct{ Name, Now, Before string }

// figures are the totals in words; before is "" without a period to compare with.
func (r *Report) figures() []figure {
	var list []figure
	add := func(name string, format func(Totals) string) {
		f := figure{Name: name, Now: format(r.Totals)}
		if r.Before != nil {
			f.Before = format(*r.Before)
		}
		list = append(list, f)
	}
	add("Questions", func(t Totals) string { return fmt.Sprint(t.Queries) })
	add("Answered", func(t Totals) string { return fmt.Sprint(t.Answered) })
	add("Nothing found", func(t Totals) string { return fmt.Sprint(t.Nothing) })
	add("Refused", func(t Totals) string { return fmt.Sprint(t.Refused) })
	add("Errors", func(t Totals) string { return fmt.Sprint(t.Errors) })
	add("Searches, contexts", func(t Totals) string { return fmt.Sprintf("%d, %d", t.Searches, t.Contexts) })
	add("Accuracy (mean score of verified answers)", func(t Totals) string {
		if t.Verified == 0 {
			return "none verified"
		}
		return fmt.Sprintf("%.2f of %d", t.Accuracy, t.Verified)
	})
	add("Unsupported statements", func(t Totals) string {
		if t.Claims == 0 {
			return "none checked"
		}
		return fmt.Sprintf("%s of %d", percent(t.Hallucination), t.Claims)
	})
	add("Cache hits", func(t Totals) string { return fmt.Sprintf("%d (%s)", t.CacheHits, percent(t.CacheHitRate)) })
	add("Calls of models", func(t Totals) string { return fmt.Sprint(t.Calls) })
	add("Tokens in, out", func(t Totals) string { return fmt.Sprintf("%d, %d", t.TokensIn, t.TokensOut) })
	add("Cost", func(t Totals) string { return dollars(t.USD) })
	add("Time of a question, mean and p95", func(t Totals) string { return took(t.MeanMs) + ", " + took(t.P95Ms) })
	add("Retrieval", func(t Totals) string { return took(t.RetrievalMs) })
	add("Snippets that answers cite", func(t Totals) string {
		return fmt.Sprintf("%s (%s of the tokens)", percent(t.ContextHitRate), percent(t.TokenEfficiency))
	})
	return list
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
