package rank

import "strings"

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
