package lifespan

import (
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/memory"
)

const (
	maxCondition = 500 // bytes
	maxNodes     = 100 // of a parsed condition
)

// ErrCondition is wrapped by errors that blame a condition.
var ErrCondition = errors.New("the condition can't be used")

// Facts are what conditions may ask of a record. A score that nobody gave compares as neither more nor less.
type Facts struct {
	IsPattern        bool    `expr:"is_pattern"`
	SuccessScore     float64 `expr:"success_score"`
	Score            float64 `expr:"score"` // the same as success_score
	Confidence       float64 `expr:"confidence"`
	Domain           string  `expr:"domain"`
	Type             string  `expr:"type"`
	Importance       float64 `expr:"importance"`
	AccessCount      int     `expr:"access_count"`
	LastAccessedDays float64 `expr:"last_accessed_days"`
	AgeDays          float64 `expr:"age_days"`

	ContainsTag func(tag string) bool `expr:"contains_tag"` // letter case does not matter
}

// hasTag is contains_tag for these tags.
func hasTag(tags []string) func(string) bool {
	return func(tag string) bool {
		return slices.ContainsFunc(tags, func(t string) bool { return strings.EqualFold(t, tag) })
	}
}

// FactsOf returns the facts of a record at a moment. A record that was never used is as idle as it is old.
func FactsOf(h memory.Hit, now time.Time) Facts {
	score := func(s *float64) float64 {
		if s == nil {
			return math.NaN()
		}
		return *s
	}
	days := func(t time.Time) float64 { return max(0, now.Sub(t).Hours()/24) }
	f := Facts{
		IsPattern: h.Pattern, SuccessScore: score(h.SuccessScore), Score: score(h.SuccessScore), Confidence: score(h.Confidence),
		Domain: h.Domain, Type: string(h.Type), Importance: h.Importance, AccessCount: max(0, h.AccessCount-1), // being made is no access
		LastAccessedDays: days(lastUse(h)), AgeDays: days(h.CreatedAt), ContainsTag: hasTag(h.Tags),
	}
	return f
}

// lastUse is when a record was last used, changed or made.
func lastUse(h memory.Hit) time.Time {
	last := h.UpdatedAt
	if h.LastUsed.After(last) {
		last = h.LastUsed
	}
	return last
}
