package soar

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
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

// An Assessment is what the keyword classifier says of a query.
type Assessment struct {
	Level      Level
	Score      float64  // 0..1
	Confidence float64  // 0.9 at either end of the scale, else 0.6
	Matched    []string // keywords that decided it
}

// keywords are the lists of the register's Annex G, in the order of the weights.
var keywords = []struct {
	level   Level
	weight  float64
	phrases []string // anywhere in the lower-cased query
	tokens  []string // whole words
}{
	{Simple, 0.0, []string{"what is", "list", "show", "define", "tell me", "who is"}, []string{"what", "list", "show"}},
	{Medium, 0.3, []string{"compare", "explain", "analyze", "how does", "difference between"}, []string{"compare", "analyze", "explain"}},
	{Complex, 0.7, []string{"design", "architect", "strategy", "optimize", "implement", "build"}, []string{"design", "architect", "optimize"}},
	{Critical, 1.0, []string{"critical", "production", "safety", "security", "mission-critical"}, []string{"critical", "production", "security"}},
}

const (
	longQuery = 20 // words
	addition  = 0.1
)

// Keywords change how questions are classed. The zero value leaves it to the built-in lists and asks a model where they
// are not sure.
type Keywords struct {
	Off     bool     // no keywords: a model classes every question
	NoModel bool     // keywords alone, sure or not
	Simple  []string // words and phrases of a project's own
	Complex []string

	// Lists stand in place of the built-in ones, by level: what holds a blank is looked for anywhere, a single word among
	// the words of the question.
	Lists map[Level][]string
}

// classify is Classify with the project's own words.
func (k Keywords) classify(query string) Assessment {
	if k.Off {
		return Assessment{Level: Medium}
	}
	a := k.byLists(query)
	lower := strings.ToLower(query)
	words := strings.Fields(lower)
	for _, own := range []struct {
		level  Level
		weight float64
		list   []string
	}{{Simple, 0, k.Simple}, {Complex, 0.7, k.Complex}} {
		for _, w := range own.list {
			w = strings.ToLower(w)
			if !slices.Contains(words, w) && !(strings.Contains(w, " ") && strings.Contains(lower, w)) {
				continue
			}
			a.Matched = append(a.Matched, w)
			if own.weight > a.Score {
				a.Level, a.Score, a.Confidence = own.level, own.weight, 0.6
			}
		}
	}
	return a
}

// Classify assesses a query by its words. Length and several questions raise the score, never the
// level.
func Classify(query string) Assessment { return Keywords{}.byLists(query) }

func (k Keywords) byLists(query string) Assessment {
	lower := strings.ToLower(query)
	words := strings.Fields(lower)
	a := Assessment{Level: Simple}
	for _, list := range keywords {
		phrases, tokens := list.phrases, list.tokens
		if own := k.Lists[list.level]; len(own) > 0 {
			phrases, tokens = parted(own)
		}
		matched := match(lower, words, phrases, tokens)
		if len(matched) > 0 && list.weight > a.Score {
			a.Level, a.Score = list.level, list.weight
		}
		a.Matched = append(a.Matched, matched...)
	}
	if len(words) > longQuery {
		a.Score = min(1, a.Score+addition)
	}
	if strings.Count(query, "?") > 1 {
		a.Score = min(1, a.Score+addition)
	}
	a.Confidence = 0.6
	if a.Score == 0 || a.Score == 1 {
		a.Confidence = 0.9
	}
	return a
}

// parted tells phrases and single words apart, in lower case.
func parted(list []string) (phrases, tokens []string) {
	for _, w := range list {
		if w = strings.ToLower(strings.TrimSpace(w)); strings.ContainsRune(w, ' ') {
			phrases = append(phrases, w)
		} else if w != "" {
			tokens = append(tokens, w)
		}
	}
	return phrases, tokens
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
