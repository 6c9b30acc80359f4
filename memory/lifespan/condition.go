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
	IsPattern        bool
	SuccessScore     float64
	Score            float64 // the same as success_score
	Confidence       float64
	Domain           string
	Type             string
	Importance       float64
	AccessCount      int
	LastAccessedDays float64
	AgeDays          float64

	Tags []string
}

// hasTag is contains_tag of conditions; letter case does not matter.
func (f Facts) hasTag(tag string) bool {
	return slices.ContainsFunc(f.Tags, func(t string) bool { return strings.EqualFold(t, tag) })
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
		LastAccessedDays: days(lastUse(h)), AgeDays: days(h.CreatedAt), Tags: h.Tags,
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
