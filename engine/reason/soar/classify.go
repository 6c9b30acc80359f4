package soar

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aurora-sidecar/aurora/engine/reason/complexity"
)

// A Level is the complexity of a query.
type Level string

// The levels.
const (
	Simple   Level = "SIMPLE"
	Medium   Level = "MEDIUM"
	Complex  Level = "COMPLEX"
	Critical Level = "CRITICAL"
)

// An Assessment is what the classifiers say of a query.
type Assessment struct {
	Level      Level
	Score      float64  // 0..1
	Confidence float64  // by keywords 0.9 at either end of the scale, else 0.6
	Matched    []string // keywords, or else features of the wording, that decided it
}

// keywords are the lists of the register's Annex G, in the order of the weights.
var keywords = []struct {
	level   Level
	weight  float64
	phrases []string // anywhere in the lower-cased query
	tokens  []string // whole words
}{
	{Simple, 0.0, []string{"what is", "list", "show", "define", "tell me", "who is"}, []string{"what", "list", "show", "status", "version"}},
	{Medium, 0.3, []string{"compare", "explain", "analyze", "how does", "difference between"}, []string{"compare", "analyze", "explain"}},
	{Complex, 0.7, []string{"design", "architect", "strategy", "optimize", "implement", "build"}, []string{"design", "architect", "optimize", "migrate", "refactor"}},
	{Critical, 1.0, []string{"critical", "production", "safety", "security", "mission-critical"}, []string{"critical", "production", "security"}},
}

const (
	longQuery = 20 // words
	addition  = 0.1
	unsure    = 0.6
	likely    = 0.5 // from here on the wording counts for more than a keyword
	certain   = 0.9 // and from here on for more than one of what is CRITICAL
)

// Classify assesses a query by its keywords and its shape, and by a classifier of its wording where no keyword matches, or
// where it is likely that the keyword misleads.
func Classify(query string) Assessment {
	a := byKeywords(query)
	g, found := complexity.Of(query)
	class, probability := g.Best()
	switch level := keywords[class].level; {
	case found == nil || level == a.Level && len(a.Matched) > 0 || doing.MatchString(strings.ToLower(query)):
	case len(a.Matched) == 0 || probability >= likely && a.Level != Critical || probability >= certain:
		a.Level, a.Score, a.Matched, a.Confidence = level, keywords[class].weight, found, math.Round(100*probability)/100
	case a.Level != Critical:
		a.Confidence = min(a.Confidence, unsure)
	}
	return a
}

// byKeywords assesses a query by its words and, where these say less, by its shape. Length and several questions raise the score, never the level.
func byKeywords(query string) Assessment {
	lower := strings.ToLower(query)
	words := strings.Fields(lower)
	a := Assessment{Level: Simple}
	line := strings.Join(words, " ")
	for _, list := range keywords {
		if list.level == Complex && asksOfWhatIs(line) {
			continue
		}
		matched := match(lower, words, list.phrases, list.tokens)
		if len(matched) > 0 && list.weight > a.Score {
			a.Level, a.Score = list.level, list.weight
		}
		a.Matched = append(a.Matched, matched...)
	}
	if level, weight, found := shaped(line); weight > a.Score {
		a.Level, a.Score = level, weight
		a.Matched = append(a.Matched, strings.TrimSpace(found))
	}
	if len(words) > longQuery {
		a.Score = min(1, a.Score+addition)
	}
	if strings.Count(query, "?") > 1 {
		a.Score = min(1, a.Score+addition)
	}
	a.Confidence = unsure
	if a.Score == 0 || a.Score == 1 {
		a.Confidence = 0.9
	}
	return a
}

// Signature is what questions have in common that are alike: their words of three letters or more but for those that any
// question has, in alphabetical order, and their level by keywords.
func Signature(query string) string {
	var kept []string
	for _, w := range strings.FieldsFunc(strings.ToLower(query), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }) {
		if utf8.RuneCountInString(w) > 2 && !slices.Contains(everyday, w) {
			kept = append(kept, w)
		}
	}
	slices.Sort(kept)
	return strings.Join(slices.Compact(kept), " ") + " / " + string(Classify(query).Level)
}

var everyday = []string{"the", "and", "for", "are", "was", "does", "did", "how", "why", "what", "who", "when", "where", "which", "this", "that", "with", "from", "into", "can", "could", "should", "would", "you", "please", "our", "its", "it's"}

// match returns the phrases and tokens that the query has, each once.
func match(lower string, words, phrases, tokens []string) []string {
	var matched []string
	for _, p := range phrases {
		if strings.Contains(lower, p) {
			matched = append(matched, p)
		}
	}
	for _, t := range tokens {
		if slices.Contains(words, t) && !slices.Contains(matched, t) {
			matched = append(matched, t)
		}
	}
	return matched
}
