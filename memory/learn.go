package memory

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/text"
)

// What outcomes of queries change.
const (
	CacheFrom = 0.5 // score from which a result is remembered, 0..1
	MarkFrom  = 0.8 // score from which it is marked as a pattern, 0..1

	successBoost   = 0.2  // of the activation of everything that was retrieved, from MarkFrom on
	partialBoost   = 0.05 // of what helped, and off what did not, from CacheFrom on
	failurePenalty = 0.1  // off retrieved reasoning, below CacheFrom
)

// Judge returns what follows from an outcome: the band of its score, and the change of each activation.
func Judge(o Outcome) (Learned, map[string]float64, error) {
	if math.IsNaN(o.Score) || o.Score < 0 || o.Score > 1 {
		return Learned{}, nil, fmt.Errorf("%w: a score lies between 0 and 1 (got %v)", ErrInvalid, o.Score)
	}
	changes := map[string]float64{}
	change := func(ids []string, by float64) {
		for _, id := range ids {
			changes[id] = by
		}
	}
	switch {
	case o.Score >= MarkFrom:
		change(o.Helpful, successBoost)
		change(o.Unhelpful, successBoost)
	case o.Score >= CacheFrom:
		change(o.Unhelpful, -partialBoost)
		change(o.Helpful, partialBoost)
	default:
		for _, id := range slices.Concat(o.Helpful, o.Unhelpful) {
			if strings.HasPrefix(id, "reas:") {
				changes[id] = -failurePenalty
			}
		}
	}
	return Learned{
		Cached: o.Score >= CacheFrom, Pattern: o.Score >= MarkFrom, Difficult: o.Score < CacheFrom, Adjusted: len(changes),
	}, changes, nil
}

// QuerySignature is the same for queries of the same words, in whatever order and case; "" for one without words.
func QuerySignature(query string) string {
	words := text.Tokenize(query)
	slices.Sort(words)
	if words = slices.Compact(words); len(words) == 0 {
		return ""
	}
	sum := sha256.Sum256([]byte(strings.Join(words, " ")))
	return hex.EncodeToString(sum[:16])
}
