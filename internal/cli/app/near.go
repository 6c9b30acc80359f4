package app

import (
	"strings"

	"github.com/aurora-sidecar/aurora/internal/text"
)

// Nearest returns the candidate that a person most likely meant by word, or "" when none is near: at most a third of
// its letters may be wrong, never all of them and never more than two.
func Nearest(word string, candidates []string) string {
	best, bestDistance := "", 3
	for _, candidate := range candidates {
		d := text.Distance([]rune(strings.ToLower(word)), []rune(candidate), bestDistance)
		if d < bestDistance && d <= max(1, len(candidate)/3) && d < len(candidate) {
			best, bestDistance = candidate, d
		}
	}
	return best
}
