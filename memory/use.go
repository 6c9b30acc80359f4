package memory

import (
	"fmt"
	"math"
	"slices"
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

// weights are what one use of each kind adds to an activation, in full uses. Of Rated it is what the value multiplies. Only
// what a person did counts, the more the more it says that the record was right; being told that it was wrong outweighs a
// use of any kind.
var weights = map[Use]float64{
	Edited: 1, Accepted: 1, Created: 1, Copied: 0.8, Cited: 0.8, Opened: 0.5, Returned: 0.01, Rejected: -1.5, Rated: 1,
}

// WeightOf returns what one use adds. value is the rating of Rated, -1..1.
func WeightOf(u Use, value float64) (float64, error) {
	weight, known := weights[u]
	switch {
	case !known:
		return 0, fmt.Errorf("%w: unknown use %q; one of %v", ErrInvalid, u, Reported())
	case u != Rated:
		return weight, nil
	case math.IsNaN(value) || value < -1 || value > 1:
		return 0, fmt.Errorf("%w: a rating lies between -1 and 1 (got %v)", ErrInvalid, value)
	case value < 0: // a bad rating is a rejection
		return -value * weights[Rejected], nil
	}
	return weight * value, nil
}

// RatingOf is the rating, -1..1, of a use by Rated or Rejected that adds so much.
func RatingOf(weight float64) float64 {
	if weight < 0 {
		weight /= -weights[Rejected]
	}
	return max(-1, min(1, weight))
}

// Reported are the uses that a person can report, in order.
func Reported() []Use {
	var uses []Use
	for use := range weights {
		if use != Created {
			uses = append(uses, use)
		}
	}
	slices.Sort(uses)
	return uses
}
