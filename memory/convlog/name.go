package convlog

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// maxWord is the most bytes of one word in the name of a file.
const maxWord = 40

// Keywords returns the n words that say best what a query is about, lower-cased and fit for the name of a file: words
// without meaning are left out, and those that every question of a programmer has are taken only when there are no others.
func Keywords(query string, n int) []string {
	telling, general := sortWords(query)
	words := append(telling, general...)
	return words[:min(n, len(words))]
}

// Telling returns the words of a query that tell it from others, in order.
func Telling(query string) []string {
	telling, _ := sortWords(query)
	return telling
}

// sortWords sorts out the words of a query: those that tell it from others, and those that many have.
func sortWords(query string) (telling, general []string) {
	seen := map[string]bool{}
	for _, word := range strings.FieldsFunc(redacted.ReplaceAllString(query, " "), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '\''
	}) {
		word = nameOf(word)
		if len(word) < 2 || seen[word] || stopWords[word] || strings.Trim(word, "0123456789-") == "" {
			continue
		}
		seen[word] = true
		if generalWords[word] {
			general = append(general, word)
		} else {
			telling = append(telling, word)
		}
	}
	return telling, general
}

// redacted is what stands in the place of a secret.
var redacted = lazyregexp.New(`\[REDACTED[^\]]*\]`)

// nameOf is a word as a part of the name of a file: no version at its end (oauth2), no separators, not too long.
func nameOf(word string) string {
	word, _, _ = strings.Cut(strings.ToLower(strings.Trim(word, "'_")), "'")
	if short := strings.TrimRight(word, "0123456789"); len(short) > 2 {
		word = short
	}
	word = strings.Map(func(r rune) rune {
		switch {
		case r == '_':
			return '-'
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			return r
		}
		return -1
	}, word)
	if len(word) > maxWord {
		cut := maxWord
		for !utf8.RuneStart(word[cut]) {
			cut--
		}
		word = word[:cut]
	}
	return strings.Trim(word, "-")
}

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// stopWords say nothing.
var stopWords = setOf(`a about above after again against all am an and any are as at be because been before being below
	between both but by can cannot could did do does doing don done down during each every few for from further had has have
	having he her here hers him his how i if in into is isn it its itself just let like me more most my no nor not now of
	off on once only or other our ours out over own please same she should so some such than that the their theirs them then
	there these they this those through to too under until up us very was we were what when where which while who whom why
	will with without would you your yours aurora tell know want need`)

// generalWords are what is done in every project, and the sorts of things that it is done to.
var generalWords = setOf(`add adds adding analyse analyze compare build builds call calls called caller callers change changed changes check class
	classes code component components compute create creates define defined definition describe design do ensure example
	explain feature file files find fix fixed fixes function functions get give handle handles help implement implemented
	implementation implements improve issue issues list look make makes method methods module modules optimize package
	packages place problem problems project question refactor related remove rename replace return returns run set show
	something support thing things try type types update use used uses using variable way work works write api apis`)
