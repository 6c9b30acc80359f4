package rank

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// A part is what a feature gives to the figure that orders a candidate.
type part struct {
	label string
	value float64
}

// A step is one order that a candidate stands in: who made it, by which figure, and the parts that sum to it.
type step struct {
	by     string
	figure float64
	parts  parts
}

type parts []part

func (s *parts) add(label string, value float64) { *s = append(*s, part{label, value}) }

func (s parts) sum() float64 {
	sum := 0.0
	for _, p := range s {
		sum += p.value
	}
	return sum
}

func (s parts) scale(factor float64) {
	for i := range s {
		s[i].value *= factor
	}
}

// lower adds what a factor on the sum takes away.
func (s *parts) lower(label string, factor float64) { s.add(label, s.sum()*(factor-1)) }

// steps are the orders that a candidate stands in, the one that decides more first.
func steps(r *Ranking, c *Candidate) []step {
	switch {
	case r.fused != "":
		return []step{fusedStep(r, c)}
	case c.Record != nil:
		return []step{recordStep(r, c)}
	case c.group != nil:
		list := []step{fileStep(r, c.group)}
		if len(c.group.list) > 1 {
			list = append(list, withinStep(r, c))
		}
		return list
	case r.action && c.scored != Nearby && c.certain == 0:
		return []step{actionStep(r, c, "as a function that does this")}
	}
	return []step{ruleStep(r, c, "by the rules")}
}

// weighed are what the figures of a candidate give by a model.
func (m *modelWeights) weighed(features []float64, names []Feature) parts {
	var list parts
	for i, f := range features {
		list.add(names[i].Label, m.weights[i]*f)
	}
	return list
}

// actionStep tells of the order by actions.json: the sum that has the score.
func actionStep(r *Ranking, c *Candidate, by string) step {
	m, features := actions(), r.actionFeatures(c)
	list := m.weighed(features[:], ActionFeatures)
	figure := func(score float64) float64 {
		return m.middle - m.width*math.Log(1/min(score, 1-1e-12)-1)
	}
	score := r.scoreAction(c)
	if c.prototype != 0 {
		list.add("a prototype", figure(score)-list.sum())
	}
	if p := min(1, c.ProviderScore); p > 0 && c.group == nil {
		score += p * (1 - score)
		list.add("a provider of the workspace", figure(score)-list.sum())
	}
	return step{by, figure(score), list}
}

// withinStep tells of the order among the chunks of a file.
func withinStep(r *Ranking, c *Candidate) step {
	if !r.how {
		return actionStep(r, c, "within its file")
	}
	m, features := within(), withinFeatures(r, c)
	list := m.weighed(features[:], ActionFeatures)
	if c.prototype != 0 {
		list.add("a prototype", -prototypeBehind)
	}
	return step{"within its file", withinSum(c, features), list}
}

// fileStep tells of the order of files: by files.json, the more the more words the question has, or by the rules.
func fileStep(r *Ranking, g *group) step {
	o := g.order
	if o.features == nil || o.share <= 0 {
		return ruleStep(r, g.best, "by the rules as a file")
	}
	m, wordy := files(), 1.0
	list := m.weighed(o.features[:], FileFeatures)
	if o.top > 0 {
		wordy = r.wordy()
		list.scale(wordy)
		list[0].value += (1 - wordy) * o.wide * math.Log(g.final/o.top) // the score by the rules
	}
	return step{"as a file", o.wide*math.Log(o.share) + wordy*o.best, list}
}

// ruleStep tells of the score that the rules give within the tier of the candidate.
func ruleStep(r *Ranking, c *Candidate, by string) step {
	k := *c // scoring notes things
	k.Tier = c.scored
	k.Final = r.scoreChunk(&k)
	k.lift()
	figure := (k.Final - tierFloor[k.Tier]) / tierSpan[k.Tier]

	var list parts
	if r.action {
		list.add("as a function that does this", r.scoreAction(&k))
	} else {
		for i, addend := range addends(r, &k) {
			list.add(ruleFeatures[i], addend)
		}
		if isRemainder(k.Ref.Chunk()) {
			list.lower("between definitions", rules.Remainder)
		}
		list.lower("a prototype", k.declared())
	}
	demotion := 1.0
	if !r.action {
		demotion = r.demotion(&k)
	}
	lower := func() { list.lower(cmp.Or(r.unasked(&k), "a kind of file not asked for"), demotion) }
	switch {
	case k.certain > 0:
		lower()
		list.scale(0.1)
		list.add("what was pasted", 0.9*k.certain)
	case k.Tier == Nearby:
		list.scale(0.5)
		list.add("how near the name is", k.Closeness/2)
		lower()
	case k.Tier > Nearby && r.Kind == SymbolQuery:
		list.scale(1 - rules.Size - rules.Type)
		list.add("length", rules.Size*k.sizeShare())
		list.add("kind of definition", rules.Type*k.typeShare())
		list.lower("a prototype", k.declared())
		lower()
	default:
		lower()
	}
	if p := min(1, k.ProviderScore); p > 0 {
		list.add("a provider of the workspace", p*(1-list.sum()))
	}
	return step{by, figure, list}
}

// recordStep tells of the score of a memory record.
func recordStep(r *Ranking, c *Candidate) step {
	var list parts
	if !c.SemanticOnly {
		list.add("keyword score and question covered", c.Normalised*recordRules.Covered*c.Coverage)
	}
	list.add("meaning", (1-list.sum())*r.wordy()*rules.Record*nearRecord(c))
	list.add("used", min(1-list.sum(), activationBoost(c.Record.Activation)))
	list.lower("code that it cites has changed", trust(c.Record))
	list.lower("called wrong", doubted(c.Record))
	return step{"by the rules of memory", r.scoreRecord(c) / tierSpan[ByText], list}
}

// fusedStep tells of the score that a fusion gives.
func fusedStep(r *Ranking, c *Candidate) step {
	var list parts
	for _, p := range c.By {
		list.add(p.Provider, p.share)
	}
	return step{"by the fusion " + r.fused, min(1, list.sum()), list}
}

// Account says by what a candidate was ordered, and what each feature gave, for those who asked for it.
func (r *Ranking) Account(c *Candidate) string {
	var list []string
	for _, s := range steps(r, c) {
		list = append(list, s.text())
	}
	list[0] = "ordered " + list[0]
	if c.active.Base > 0 {
		list = append(list, fmt.Sprintf("changed often and lately %.2f", c.active.Base))
	}
	if c.active.Near > 0 {
		list = append(list, fmt.Sprintf("changes with the open file %.2f", c.active.Near))
	}
	if c.further > 0 {
		list = append(list, fmt.Sprintf("a further hit of its file × %.2f", c.further))
	}
	if c.aged > 0 {
		list = append(list, fmt.Sprintf("its age × %.2f", c.aged))
	}
	return strings.Join(list, "; ")
}

// text shows the figure with its parts, largest first; those that round to nothing are left out.
func (s *step) text() string {
	list := slices.DeleteFunc(slices.Clone(s.parts), func(p part) bool { return math.Abs(p.value) < 0.005 })
	slices.SortStableFunc(list, func(a, b part) int { return cmp.Compare(b.value, a.value) })
	var b strings.Builder
	fmt.Fprintf(&b, "%s %.2f", s.by, s.figure)
	for i, p := range list {
		sign := " + "
		switch {
		case i == 0 && p.value < 0:
			sign = " = - "
		case i == 0:
			sign = " = "
		case p.value < 0:
			sign = " - "
		}
		fmt.Fprintf(&b, "%s%s %.2f", sign, p.label, math.Abs(p.value))
	}
	return b.String()
}
