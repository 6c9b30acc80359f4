package claims

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// What a sentence may take from nowhere, apart from names, places and long figures.
var (
	counted = lazyregexp.New(`(?i)\b(\d{1,2})\s*(?:times|attempts?|retries|tries|seconds?|minutes?|hours?|days?|ms|s|bytes?|[kmg]i?b|workers?|threads?|connections?|items?|percent)\b|\b(\d{1,2})\s*%`)
	valued  = lazyregexp.New("`[^`]+`\\s+(?:is|=|equals|has the value)\\s+`?(\\d{1,2})`?(?:[\\s.,;]|$)")
	clock   = lazyregexp.New(`\b\d{1,2}:\d{2}(?::\d{2})?\b`)
	release = lazyregexp.New(`\bv?\d+\.\d+\.\d+\b`)
	hash    = lazyregexp.New(`\b[0-9a-f]{7,40}\b`)
	derived = lazyregexp.New(`(?i)\b(?:total|together|altogether|sums?|about|roughly|in all|at least|at most|up to)\b`)
	quoted  = lazyregexp.New(`["“]([^"“”\n]{12,400})["”]`)
	folders = lazyregexp.New(`^[\w.-]*(?:/[\w.-]+)*/[\w.-]+\.[a-z]{1,4}$`)
	digits  = lazyregexp.New(`\d+`)
)

// numerals are how sources may write small figures.
var numerals = map[string]string{
	"1": "one", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven", "8": "eight", "9": "nine",
	"10": "ten", "11": "eleven", "12": "twelve",
}

// figures looks for counts, times of day, versions and commits that the cited sources do not hold. A sentence that
// proposes may name new ones, and one that sums up derives them.
func (c *check) figures(s string, known []Source) bool {
	if proposal.MatchString(s) {
		return true
	}
	var asked []string
	if !derived.MatchString(s) {
		for _, m := range append(counted.FindAllStringSubmatch(s, -1), valued.FindAllStringSubmatch(s, -1)...) {
			asked = append(asked, strings.Join(m[1:], ""))
		}
	}
	for _, pattern := range []*lazyregexp.Regexp{clock, release} {
		asked = append(asked, pattern.FindAllString(s, -1)...)
	}
	for _, h := range hash.FindAllString(s, -1) {
		if digits.MatchString(h) && strings.ContainsAny(h, "abcdef") {
			asked = append(asked, h)
		}
	}
	for _, figure := range asked {
		if word, ok := numerals[figure]; !holdsText(known, figure) && !strings.Contains(c.query, figure) && (!ok || !holdsText(known, word)) {
			c.fault("the cited source does not hold the figure %s: %s", figure, Excerpt(s))
			return false
		}
	}
	return true
}

// isMultiple reports whether a figure is a multiple of one that the sentence and its sources both name: it was computed.
func isMultiple(figure, sentence string, known []Source) bool {
	n, err := strconv.Atoi(figure)
	if err != nil {
		return false
	}
	for _, other := range digits.FindAllString(sentence, -1) {
		if m, err := strconv.Atoi(other); err == nil && m > 1 && m < n && n%m == 0 && anyHolds(known, other) {
			return true
		}
	}
	return false
}

// quotations looks for quoted text that the cited sources do not hold.
func (c *check) quotations(s string, known []Source) bool {
	for _, m := range quoted.FindAllStringSubmatch(citationMark.ReplaceAllString(s, ""), -1) {
		text := plain(m[1])
		if len(strings.Fields(text)) < 3 && !strings.ContainsAny(text, "_()[]{}=") || strings.Contains(plain(c.query), text) {
			continue
		}
		if !slices.ContainsFunc(known, func(k Source) bool { return strings.Contains(plain(k.Text), text) }) {
			c.fault("the cited source does not hold the quotation %q: %s", Excerpt(m[1]), Excerpt(s))
			return false
		}
	}
	return true
}

// expression matches code in backticks that people copy and do not paraphrase: comparisons, assignments, what is returned.
var expression = lazyregexp.New(`[=!]=|[<>]=|&&|\|\||\s[<>+*/%-]\s|^!\w|:=|\s=\s|^return\s|\s(?:and|or|is|in)\s`)

// expressions looks for code that the cited sources do not hold, but for white space and what stands for something left out.
func (c *check) expressions(s string, known []Source) bool {
	for _, m := range backticked.FindAllStringSubmatch(s, -1) {
		code := squeezed(m[1])
		if !expression.MatchString(m[1]) || strings.Contains(m[1], "..") || strings.Contains(m[1], "…") || strings.Contains(squeezed(c.query), code) {
			continue
		}
		if !slices.ContainsFunc(known, func(k Source) bool { return strings.Contains(squeezed(k.Text), code) }) {
			c.fault("the cited source does not hold `%s`: %s", Excerpt(m[1]), Excerpt(s))
			return false
		}
	}
	return true
}

// squeezed is code without white space, and without what its end may be.
func squeezed(code string) string {
	return strings.TrimRight(strings.Join(strings.Fields(code), ""), ";,:{")
}

// paths looks for files that no source is, or names.
func (c *check) paths(s string) bool {
	for _, m := range placeName.FindAllStringSubmatch(citationMark.ReplaceAllString(s, ""), -1) {
		path := m[1]
		if !folders.MatchString(path) || strings.Contains(c.query, path) {
			continue
		}
		if !slices.ContainsFunc(c.sources, func(k Source) bool {
			return k.Path == path || strings.HasSuffix(k.Path, "/"+path) || strings.Contains(k.Text, path)
		}) {
			c.fault("no source is in %s: %s", path, Excerpt(s))
			return false
		}
	}
	return true
}

// plain is text without comment marks, ends of sentences and differences of white space.
func plain(text string) string {
	text = strings.NewReplacer("//", " ", "/*", " ", "*/", " ", "#", " ", "*", " ").Replace(text)
	return strings.TrimRight(strings.Join(strings.Fields(text), " "), ".!?, ")
}

func holdsText(sources []Source, text string) bool {
	return slices.ContainsFunc(sources, func(s Source) bool { return HasWord(s.Text, text) || HasWord(s.Path, text) })
}

// contradictions looks for two sentences that differ by a negation, an opposite or a figure alone.
func (c *check) contradictions(list []string) {
	for i, a := range list {
		for _, b := range list[:i] {
			if Contradict(a, b) {
				c.Problems = append(c.Problems, Problem{Check: "traceable", Message: fmt.Sprintf("two sentences contradict each other: %s / %s", Excerpt(b), Excerpt(a))})
				return
			}
		}
	}
}

// bare is a sentence in lower case without citations, marks and ends.
func bare(s string) string {
	s = strings.NewReplacer("`", "", ",", "", ";", "").Replace(citationMark.ReplaceAllString(s, ""))
	return strings.TrimRight(strings.ToLower(strings.Join(strings.Fields(s), " ")), ".!? ")
}
