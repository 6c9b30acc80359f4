package engine

import (
	"fmt"
	"strings"
)

// explanation says in words why a candidate is a hit.
func (r *ranking) explanation(c *candidate) string {
	var s string
	switch {
	case c.tier == exact:
		s = "exact keyword match on " + c.name
	case c.tier == folded:
		s = "name matches " + c.name + " in another letter case"
	case c.tier == nearby:
		s = c.why
	case len(r.terms) == 0:
		s = "matches the filters"
	case c.semanticOnly:
		s = "similar in meaning"
	case c.record != nil && len(c.matched) == 0:
		s = "remembered about this place"
	case c.coverage >= 0.5:
		s = "strong term overlap"
	default:
		s = "partial match"
	}
	if c.tier == byText && len(c.matched) > 0 {
		s += " (" + strings.Join(c.matched[:min(6, len(c.matched))], ", ") + ")"
	}
	if c.demoted != "" {
		s += "; " + c.demoted + " comes later"
		if strings.HasSuffix(c.demoted, "s") {
			s = strings.TrimSuffix(s, "comes later") + "come later"
		}
	}
	return s
}

// account says of what a candidate's score was made, for those who asked for it.
func (r *ranking) account(c *candidate) string {
	var parts []string
	add := func(label string, share float64) { parts = append(parts, fmt.Sprintf("%s %.2f", label, share)) }
	if len(c.matched) > 0 {
		add("keyword score", c.normalised)
		add("question covered", c.coverage)
	}
	if c.record == nil {
		add("name asked for", c.asked)
		add("file name asked for", c.file.name)
		add("keyword scores of the file", c.file.score)
		add("question covered by the file", c.file.cover)
		if !r.vague {
			add("meaning", c.semantic)
		}
	}
	return strings.Join(parts, ", ")
}
