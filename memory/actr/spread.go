package actr

import (
	"fmt"
	"maps"
	"slices"
)

// A Link leads from one thing to another; Weight says how strongly, 0..1.
type Link struct {
	To     string
	Weight float64
}

// Links returns the links that leave each of the ids. Spread asks once for every hop.
type Links func(ids []string) (map[string][]Link, error)

// Spread returns the activation that sources give to what they are linked with. The weights of the sources say how
// much attention each has; they share a total of 1, as W does in ACT-R. A source activates what is n hops away by
//
//	W · SpreadFactor^n · (weights of the links on the way)
//
// along the best way of at most MaxHops links, so that circles and many ways to one place add nothing. What several
// sources reach gets the sum, which is at most SpreadFactor. A source gets nothing from itself.
func Spread(sources map[string]float64, links Links) (map[string]float64, error) {
	total := 0.0
	for _, w := range sources {
		total += max(0, w)
	}
	if total == 0 {
		return map[string]float64{}, nil
	}
	// In a fixed order, as sums of floating-point numbers depend on it.
	order := slices.Sorted(maps.Keys(sources))
	reached := make([]map[string]float64, len(order)) // by source: the best activation of each id
	fresh := make([]map[string]float64, len(order))   // of those, what the last hop improved
	for i, id := range order {
		start := map[string]float64{id: max(0, sources[id]) / total}
		reached[i], fresh[i] = maps.Clone(start), start
	}
	for range MaxHops {
		onward, err := links(union(fresh))
		if err != nil {
			return nil, fmt.Errorf("follow links: %w", err)
		}
		for i := range order {
			fresh[i] = hop(fresh[i], onward, reached[i])
		}
	}
	sum := map[string]float64{}
	for i, source := range order {
		delete(reached[i], source)
		for id, activation := range reached[i] {
			sum[id] += activation
		}
	}
	return sum, nil
}

// hop follows the links of from into reached and returns what it improved there.
func hop(from map[string]float64, links map[string][]Link, reached map[string]float64) map[string]float64 {
	improved := map[string]float64{}
	for id, activation := range from {
		for _, link := range links[id] {
			next := activation * SpreadFactor * min(1, max(0, link.Weight))
			if next > reached[link.To] {
				reached[link.To], improved[link.To] = next, next
			}
		}
	}
	return improved
}

func union(sets []map[string]float64) []string {
	all := map[string]bool{}
	for _, set := range sets {
		for id := range set {
			all[id] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}
