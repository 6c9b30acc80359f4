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

// Learning says what outcomes of queries change.
type Learning struct {
	SuccessBoost   float64 // of everything that was retrieved, from MarkFrom on
	PartialBoost   float64 // of what helped, and off what did not, from CacheFrom on
	FailurePenalty float64 // of retrieved reasoning, below CacheFrom; negative
	CacheFrom      float64 // score from which a result is remembered
	MarkFrom       float64 // score from which it is marked as a pattern
}

// DefaultLearning is what counts when nothing is configured.
var DefaultLearning = Learning{SuccessBoost: 0.2, PartialBoost: 0.05, FailurePenalty: -0.1, CacheFrom: 0.5, MarkFrom: 0.8}

// Judge returns what follows from an outcome: the band of its score, and the change of each activation.
func (l Learning) Judge(o Outcome) (Learned, map[string]float64, error) {
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
	case o.Score >= l.MarkFrom:
		change(o.Helpful, l.SuccessBoost)
		change(o.Unhelpful, l.SuccessBoost)
	case o.Score >= l.CacheFrom:
		change(o.Unhelpful, -l.PartialBoost)
		change(o.Helpful, l.PartialBoost)
	default:
		for _, id := range slices.Concat(o.Helpful, o.Unhelpful) {
			if strings.HasPrefix(id, "reas:") {
				changes[id] = l.FailurePenalty
			}
		}
	}
	return Learned{
		Cached: o.Score >= l.CacheFrom, Pattern: o.Score >= l.MarkFrom, Difficult: o.Score < l.CacheFrom, Adjusted: len(changes),
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
