package main

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/aurora-sidecar/aurora/internal/text"
	"github.com/aurora-sidecar/aurora/memory/actr"
)

// A unit is a file or a function with the history of its changes.
type unit struct {
	id     string
	words  []string // of its name and path
	wall   actr.History
	active actr.History
	count  int
	last   time.Time
	links  map[*unit]int // how often it changed together with others
}

// A world is all that was learned from the commits so far.
type world struct {
	touched  func(commit) []string
	units    []*unit
	byID     map[string]*unit
	postings map[string][]*unit // by word
	clock    actr.Clock
}

func newWorld(touched func(commit) []string) *world {
	return &world{touched: touched, byID: map[string]*unit{}, postings: map[string][]*unit{}}
}

// run learns from every commit, and predicts those from the one numbered from before it learns from them.
func (w *world) run(log []commit, from int) *tally {
	t := newTally()
	for i, c := range log {
		if i >= from {
			if known := w.known(c); len(known) > 0 {
				w.predict(c, known, t)
			}
		}
		w.learn(c)
	}
	return t
}

// known returns the units of a commit that existed before: nobody predicts what is new.
func (w *world) known(c commit) []*unit {
	var known []*unit
	for _, id := range w.touched(c) {
		if u := w.byID[id]; u != nil {
			known = append(known, u)
		}
	}
	return known
}

func (w *world) learn(c commit) {
	w.clock = w.clock.Advance(c.at)
	var together []*unit
	for _, id := range w.touched(c) {
		u := w.byID[id]
		if u == nil {
			u = w.add(id)
		}
		u.count++
		u.last = c.at
		note(&u.wall, c.at)
		note(&u.active, actr.ActiveTime(w.clock.Active))
		together = append(together, u)
	}
	for _, a := range together {
		for _, b := range together {
			if a != b {
				a.links[b]++
			}
		}
	}
}

func (w *world) add(id string) *unit {
	u := &unit{id: id, links: map[*unit]int{}}
	for _, word := range text.Tokenize(id) {
		if !slices.Contains(u.words, word) {
			u.words = append(u.words, word)
			w.postings[word] = append(w.postings[word], u)
		}
	}
	w.units, w.byID[id] = append(w.units, u), u
	return u
}

// exact is how many of the latest uses count one by one, as in the store.
const exact = 16

// note adds a use to a history, and the oldest exact one to its summary.
func note(h *actr.History, at time.Time) {
	h.Recent = append(h.Recent, actr.Event{At: at, Weight: 1})
	if len(h.Recent) <= exact {
		return
	}
	if h.Older.Count == 0 {
		h.Older.First = h.Recent[0].At
	}
	h.Older.Count++
	h.Older.Weight++
	h.Recent = h.Recent[1:]
}

// A score orders units, the highest first.
type score func(*unit) float64

// top returns the k best units of a score, without those in leave.
func (w *world) top(k int, s score, leave map[*unit]bool) []*unit {
	type scored struct {
		*unit
		score float64
	}
	all := make([]scored, 0, len(w.units))
	for _, u := range w.units {
		if v := s(u); !leave[u] && !math.IsInf(v, -1) {
			all = append(all, scored{u, v})
		}
	}
	// The path decides between equals, so that no order of arrival helps.
	slices.SortFunc(all, func(a, b scored) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.id, b.id)) })
	best := make([]*unit, min(k, len(all)))
	for i := range best {
		best[i] = all[i].unit
	}
	return best
}

// lexical scores units by the words of a query, weighted by their rarity, 0..1.
func (w *world) lexical(query string) score {
	points, best := map[*unit]float64{}, 0.0
	words := text.Tokenize(query)
	slices.Sort(words)
	for _, word := range slices.Compact(words) {
		holders := w.postings[word]
		rarity := math.Log(1 + float64(len(w.units))/float64(1+len(holders)))
		for _, u := range holders {
			points[u] += rarity / math.Sqrt(float64(len(u.words)))
			best = max(best, points[u])
		}
	}
	return func(u *unit) float64 {
		if best == 0 {
			return 0
		}
		return points[u] / best
	}
}

// unitRange maps a score to 0..1 over all units.
func (w *world) unitRange(s score) score {
	low, high := math.Inf(1), math.Inf(-1)
	values := make(map[*unit]float64, len(w.units))
	for _, u := range w.units {
		v := s(u)
		values[u] = v
		low, high = min(low, v), max(high, v)
	}
	return func(u *unit) float64 {
		if high <= low {
			return 0
		}
		return (values[u] - low) / (high - low)
	}
}
