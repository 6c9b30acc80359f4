package engine

import "strings"

// explanation says in words why a candidate is a hit (DSP-009).
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
