package main

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/aurora-sidecar/aurora/internal/text"
	"github.com/aurora-sidecar/aurora/memory/actr"
)

// best is the k of recall@k.
const best = 10

// maxLinks is how many of its strongest links a unit spreads along.
const maxLinks = 16

// predict compares every way of ranking with what the commit touched.
func (w *world) predict(c commit, touched []*unit, t *tally) {
	t.commits++
	active := actr.ActiveTime(w.clock.Advance(c.at).Active)
	wall := func(u *unit) float64 { return actr.BaseLevel(c.at, u.wall) }
	work := func(u *unit) float64 { return actr.BaseLevel(active, u.active) }
	words := text.Tokenize(c.subject)
	boost := func(u *unit) float64 { return actr.ContextBoost(words, u.words) }
	decay := func(m actr.Mechanism) score {
		return func(u *unit) float64 { return actr.DecayPenalty(c.at.Sub(u.last), m) }
	}
	minus := func(a, b score) score { return func(u *unit) float64 { return a(u) - b(u) } }
	plus := func(a, b score) score { return func(u *unit) float64 { return a(u) + b(u) } }

	const alone = "nothing known but the past"
	for _, way := range []way{
		{"by name (no activation)", func(*unit) float64 { return 0 }},
		{"most often changed", func(u *unit) float64 { return float64(u.count) }},
		{"last changed", func(u *unit) float64 { return float64(u.last.Unix()) }},
		{"base level, wall time", wall},
		{"base level, activity time", work},
		{"base level, wall time, logarithmic decay", minus(wall, decay(actr.Logarithmic))},
		{"base level, wall time, exponential decay", minus(wall, decay(actr.Exponential))},
		{"base level, activity time, logarithmic decay", minus(work, decay(actr.Logarithmic))},
	} {
		t.add(alone, way.name, recall(w.top(best, way.score, nil), touched))
	}

	const asked = "asked with the words of the commit's subject"
	lexical := w.lexical(c.subject)
	ways := []way{{"words alone", lexical}, {"context boost on base level, wall time", plus(wall, boost)}}
	for _, share := range []float64{0.05, 0.2, 0.5} {
		for _, level := range []way{{"wall", w.unitRange(wall)}, {"activity", w.unitRange(work)}} {
			ways = append(ways, way{fmt.Sprintf("words + %.2f · base level, %s time", share, level.name),
				func(u *unit) float64 { return lexical(u) + share*level.score(u) }})
		}
	}
	recent, often := w.unitRange(func(u *unit) float64 { return -math.Log(1 + c.at.Sub(u.last).Hours()) }), w.unitRange(func(u *unit) float64 { return math.Log1p(float64(u.count)) })
	level := w.unitRange(wall)
	ways = append(ways,
		way{"words + 0.50 · last changed", func(u *unit) float64 { return lexical(u) + 0.5*recent(u) }},
		way{"words + 0.50 · most often changed", func(u *unit) float64 { return lexical(u) + 0.5*often(u) }})
	for _, way := range ways {
		t.add(asked, way.name, recall(w.top(best, way.score, nil), touched))
	}

	if len(touched) < 2 {
		return
	}
	const cued = "one unit of the commit is open, the others are asked for"
	cue, rest := touched[0], touched[1:]
	leave := map[*unit]bool{cue: true}
	near := w.spread(cue)
	linked := w.unitRange(near)
	for _, way := range []way{
		{"words alone", lexical},
		{"words + spreading", func(u *unit) float64 { return lexical(u) + linked(u) }},
		{"words + 0.50 · base level, wall time", func(u *unit) float64 { return lexical(u) + 0.5*level(u) }},
		{"words + 0.50 · base level, wall time + spreading", func(u *unit) float64 { return lexical(u) + 0.5*level(u) + linked(u) }},
		{"base level, wall time", wall},
		{"base level, activity time", work},
		{"spreading alone", near},
		{"base level, wall time + spreading", plus(wall, near)},
		{"base level, activity time + spreading", plus(work, near)},
		{"base level, wall time + 10 · spreading", plus(wall, func(u *unit) float64 { return 10 * near(u) })},
	} {
		t.add(cued, way.name, recall(w.top(best, way.score, leave), rest))
	}
}

// A way is one way of ranking.
type way struct {
	name  string
	score score
}

// spread returns what the cue's attention activates, along what changed together.
func (w *world) spread(cue *unit) score {
	links := func(ids []string) (map[string][]actr.Link, error) {
		found := map[string][]actr.Link{}
		for _, id := range ids {
			found[id] = w.byID[id].strongest()
		}
		return found, nil
	}
	near, _ := actr.Spread(map[string]float64{cue.id: 1}, links) // fails only when links does
	return func(u *unit) float64 { return near[u.id] }
}

// strongest returns the links of a unit, weighted by the share of its changes that touched the other one, too.
func (u *unit) strongest() []actr.Link {
	others := slices.SortedFunc(maps.Keys(u.links), func(a, b *unit) int {
		if u.links[a] != u.links[b] {
			return u.links[b] - u.links[a]
		}
		if a.id < b.id {
			return -1
		}
		return 1
	})
	var links []actr.Link
	for _, other := range others[:min(maxLinks, len(others))] {
		links = append(links, actr.Link{To: other.id, Weight: float64(u.links[other]) / float64(u.count)})
	}
	return links
}

// recall is the share of what was touched that is among the predicted.
func recall(predicted, touched []*unit) float64 {
	met := 0
	for _, u := range touched {
		if slices.Contains(predicted, u) {
			met++
		}
	}
	return float64(met) / float64(min(best, len(touched)))
}

// A tally sums up recalls by situation and way.
type tally struct {
	commits    int
	situations []string
	ways       map[string][]string
	sums       map[[2]string]float64
	counts     map[string]int
	began      time.Time
}

func newTally() *tally {
	return &tally{ways: map[string][]string{}, sums: map[[2]string]float64{}, counts: map[string]int{}, began: time.Now()}
}

func (t *tally) add(situation, way string, recall float64) {
	if !slices.Contains(t.situations, situation) {
		t.situations = append(t.situations, situation)
	}
	if !slices.Contains(t.ways[situation], way) {
		t.ways[situation] = append(t.ways[situation], way)
	}
	if t.ways[situation][0] == way {
		t.counts[situation]++
	}
	t.sums[[2]string{situation, way}] += recall
}

func (t *tally) print() {
	for _, situation := range t.situations {
		fmt.Printf("  %s (%d commits)\n", situation, t.counts[situation])
		for _, way := range t.ways[situation] {
			fmt.Printf("    %-48s %.3f\n", way, t.sums[[2]string{situation, way}]/float64(t.counts[situation]))
		}
	}
	fmt.Printf("  (%s)\n", time.Since(t.began).Round(time.Second))
}
