package memory

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// A Use is something a person did with a record; activation grows by it (DESIGN: retrieval is not use).
type Use string

// The uses.
const (
	Opened   Use = "opened"   // went there from a result
	Accepted Use = "accepted" // took the answer or context that holds it
	Copied   Use = "copied"
	Edited   Use = "edited"
	Cited    Use = "cited"    // an answer that was accepted cites it
	Returned Use = "returned" // was merely shown
	Rejected Use = "rejected" // was told to be wrong
	Rated    Use = "rated"    // by a value
	Created  Use = "created"
)

// Weights are what one use of each kind adds to an activation, in full uses. Of Rated it is what the value multiplies.
type Weights map[Use]float64

// DefaultWeights returns the weights that count when nothing is configured. Only what a person did counts, the more the
// more it says that the record was right; being told that it was wrong outweighs a use of any kind.
func DefaultWeights() Weights {
	return Weights{
		Edited: 1, Accepted: 1, Created: 1, Copied: 0.8, Cited: 0.8, Opened: 0.5, Returned: 0.01, Rejected: -1.5, Rated: 1,
	}
}

// Of returns what one use adds. value is the rating of Rated, -1..1. Kinds that w lacks have their default weight.
func (w Weights) Of(u Use, value float64) (float64, error) {
	defaults := DefaultWeights()
	weight, known := w[u]
	if !known {
		weight, known = defaults[u]
	}
	if !known {
		return 0, fmt.Errorf("%w: unknown use %q; one of %s", ErrInvalid, u, strings.Join(kinds(), ", "))
	}
	if u != Rated {
		return weight, nil
	}
	if math.IsNaN(value) || value < -1 || value > 1 {
		return 0, fmt.Errorf("%w: a rating lies between -1 and 1 (got %v)", ErrInvalid, value)
	}
	if value < 0 { // a bad rating is a rejection
		rejection, configured := w[Rejected]
		if !configured {
			rejection = defaults[Rejected]
		}
		return weight * -value * rejection, nil
	}
	return weight * value, nil
}

// kinds are the uses that a person can report.
func kinds() []string {
	var names []string
	for use := range maps.Keys(DefaultWeights()) {
		if use != Created {
			names = append(names, string(use))
		}
	}
	slices.Sort(names)
	return names
}

// Reported are the uses that doors report.
func Reported() []Use {
	var uses []Use
	for _, name := range kinds() {
		uses = append(uses, Use(name))
	}
	return uses
}
