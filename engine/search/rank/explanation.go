package rank

import (
	"fmt"
	"strings"
)

// Explanation says in words why a candidate is a hit.
func (r *Ranking) Explanation(c *Candidate) string {
	var s string
	switch {
	case c.certain > 0:
		s = c.Why
	case c.Tier == Exact:
		s = "exact keyword match on " + c.name
	case c.Tier == Folded:
		s = "name matches " + c.name + " in another letter case"
	case c.Tier == Nearby:
		s = c.Why
	case len(r.Terms) == 0:
		s = "matches the filters"
	case c.SemanticOnly:
		s = "similar in meaning"
	case c.Record != nil && len(c.Matched) == 0:
		s = "remembered about this place"
	case c.Coverage >= 0.5:
		s = "strong term overlap"
	default:
		s = "partial match"
	}
	if c.Tier == ByText && len(c.Matched) > 0 {
		s += " (" + strings.Join(c.Matched[:min(6, len(c.Matched))], ", ") + ")"
	}
	if c.demoted != "" {
		s += "; " + c.demoted + " comes later"
		if strings.HasSuffix(c.demoted, "s") {
			s = strings.TrimSuffix(s, "comes later") + "come later"
		}
	}
	return s
}

// Account says of what a candidate's score was made, for those who asked for it.
func (r *Ranking) Account(c *Candidate) string {
	var parts []string
	add := func(label string, share float64) { parts = append(parts, fmt.Sprintf("%s %.2f", label, share)) }
	if len(c.Matched) > 0 {
		add("keyword score", c.Normalised)
		add("question covered", c.Coverage)
	}
	if c.Record == nil {
		add("name asked for", c.asked)
		if !r.action { // a function is meant wherever it stands
			add("file name asked for", c.file.name)
			add("keyword scores of the file", c.file.score)
			add("question covered by the file", c.file.cover)
		}
		if !r.vague {
			add("meaning", c.Similarity)
		}
	}
	if c.AsCode != 0 {
		add("meaning by the model of code", c.AsCode)
	}
	if c.active.Base > 0 {
		add("changed often and lately", c.active.Base)
	}
	if c.active.Near > 0 {
		add("changes with the open file", c.active.Near)
	}
	return strings.Join(parts, ", ")
}
