package engine

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/internal/text"
)

// A searchQuery is what a person typed, taken apart: filters, exact phrases and words.
type searchQuery struct {
	words     string // the query without filters; the words of phrases stay in it
	phrases   []string
	without   []string // words and phrases that no hit may hold
	types     []string
	languages []string
	paths     []string // patterns, see pathFilter
	notPaths  []string // the same, left out
	tags      []string
	projects  []string
	shortened bool // only the first maxQueryTerms terms, or maxQueryBytes, count
}

// maxQueryTerms bounds the work that one query can cause: nobody types so many terms, people paste them.
const maxQueryTerms = 64

// maxQueryBytes bounds how much of a pasted text is looked at.
const maxQueryBytes = 64 << 10

// parseQuery takes a query apart. Filters are words such as type:function, lang:go,python, path:internal/ and
// tag:decision; phrases stand in double quotes at the start of a word; -word and -"a phrase" leave out what holds them.
// Whatever is neither, unbalanced quotes and unknown prefixes included, is plain text: no query is malformed.
func parseQuery(query string) searchQuery {
	long := len(query) > maxQueryBytes
	if long {
		query = strings.ToValidUTF8(query[:maxQueryBytes], "")
	}
	q := takeApart(query)
	q.shortened = long
	if q.words == "" && !q.filtersOnly() && len(q.without) > 0 {
		return searchQuery{words: strings.Join(q.without, " ")} // nothing to leave them out of: a flag, perhaps
	}
	q.shorten()
	return q
}

func takeApart(query string) searchQuery {
	var q searchQuery
	var words []string
	for rest := strings.TrimLeftFunc(query, isBlank); rest != ""; rest = strings.TrimLeftFunc(rest, isBlank) {
		if unwanted, after, ok := cutUnwanted(rest); ok {
			q.leaveOut(unwanted)
			rest = after
			continue
		}
		if phrase, after, ok := cutPhrase(rest); ok {
			if phrase = strings.Join(strings.FieldsFunc(phrase, isBlank), " "); phrase != "" {
				q.phrases = append(q.phrases, phrase)
				words = append(words, phrase)
			}
			rest = after
			continue
		}
		word, after := cutWord(rest)
		if !q.addFilter(word) {
			words = append(words, word)
		}
		rest = after
	}
	q.words = strings.Join(words, " ")
	return q
}

// cutUnwanted cuts -word or -"a phrase" off the front of s. Numbers and flags such as -x and --verbose are words.
func cutUnwanted(s string) (unwanted, rest string, ok bool) {
	if len(s) < 2 || s[0] != '-' {
		return "", s, false
	}
	if phrase, after, ok := cutPhrase(s[1:]); ok && strings.TrimSpace(phrase) != "" {
		return strings.Join(strings.FieldsFunc(phrase, isBlank), " "), after, true
	}
	word, after := cutWord(s[1:])
	if r, size := utf8.DecodeRuneInString(word); size == len(word) || !unicode.IsLetter(r) && r != '_' {
		return "", s, false
	}
	return word, after, true
}

// isBlank reports whether r separates words; control characters do, as no name has them.
func isBlank(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }

// cutPhrase cuts a phrase in double quotes off the front of s.
func cutPhrase(s string) (phrase, rest string, ok bool) {
	if s[0] != '"' {
		return "", s, false
	}
	end := strings.IndexByte(s[1:], '"')
	if end < 0 {
		return "", s, false
	}
	return s[1 : 1+end], s[end+2:], true
}

// cutWord cuts a word off the front of s. The value of a filter may stand in double quotes: path:"my dir".
func cutWord(s string) (word, rest string) {
	word = s // no further than the word is looked at, else a pasted page would take the square of its length
	if i := strings.IndexFunc(s, isBlank); i >= 0 {
		word = s[:i]
	}
	if key, _, ok := strings.Cut(word, `:"`); ok && isFilter(key) {
		if quoted, after, ok := strings.Cut(s[len(key)+2:], `"`); ok {
			return key + ":" + quoted, after
		}
	}
	return word, s[len(word):]
}

func isFilter(key string) bool {
	switch strings.ToLower(key) {
	case "type", "lang", "language", "path", "tag", "project":
		return true
	}
	return false
}

// addFilter adds the filter that word is, and reports whether it is one. A filter without a value is a word.
func (q *searchQuery) addFilter(word string) bool {
	key, value, ok := strings.Cut(word, ":")
	if !ok || value == "" || !isFilter(key) {
		return false
	}
	switch strings.ToLower(key) {
	case "type":
		q.types = append(q.types, splitList(value)...)
	case "lang", "language":
		q.languages = append(q.languages, splitList(value)...)
	case "path":
		q.paths = append(q.paths, value)
	case "tag":
		q.tags = append(q.tags, splitList(value)...)
	case "project":
		q.projects = append(q.projects, splitList(value)...)
	}
	return true
}

// leaveOut notes what was typed behind a minus sign: path:vendor, a word or a phrase.
func (q *searchQuery) leaveOut(unwanted string) {
	if key, value, ok := strings.Cut(unwanted, ":"); ok && value != "" && strings.EqualFold(key, "path") {
		q.notPaths = append(q.notPaths, value)
		return
	}
	q.without = append(q.without, unwanted)
}

func splitList(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == ',' })
}

// saysMore reports whether q has words besides its phrases.
func (q *searchQuery) saysMore() bool {
	n := 0
	for _, p := range q.phrases {
		n += len(strings.Fields(p))
	}
	return len(strings.Fields(q.words)) > n
}

// holdsUnwanted reports whether a hit holds a word or phrase that was to be left out.
func (q *searchQuery) holdsUnwanted(h *Hit) bool {
	if len(q.without) == 0 {
		return false
	}
	all := strings.Join([]string{h.Path, h.Name, h.Text}, "\n")
	tokens := map[string]bool{}
	for _, t := range text.Tokenize(all) {
		tokens[t] = true
	}
	return slices.ContainsFunc(q.without, func(unwanted string) bool {
		if codebase.IsIdentifier(unwanted) {
			return tokens[strings.ToLower(unwanted)]
		}
		return hasPhrases(all, []string{unwanted})
	})
}

// filtersOnly reports whether q asks for everything that passes its filters.
func (q *searchQuery) filtersOnly() bool {
	return q.words == "" && len(q.types)+len(q.languages)+len(q.paths)+len(q.notPaths)+len(q.tags) > 0
}

// shorten keeps the first maxQueryTerms different terms of the words.
func (q *searchQuery) shorten() {
	if len(q.words) < 2*maxQueryTerms {
		return // too short to hold so many terms
	}
	seen := map[string]bool{}
	for i, word := range strings.Fields(q.words) {
		for _, term := range text.Tokenize(word) {
			seen[term] = true
		}
		if len(seen) > maxQueryTerms {
			q.words, q.shortened = strings.Join(strings.Fields(q.words)[:max(1, i)], " "), true
			return
		}
	}
}

// stopWords are words of questions that tell nothing about code. They are searched for like any other word; they
// only do not count when the engine says how well a hit covers the query.
var stopWords = codebase.WordSet(`a an and are as at be but by can could do does did for from had has have how i if in into
	is it its me my of on or our should so some than that the their them there these they this to us was we were what
	when where which who whom whose why will with would you your please tell show about explain any code`)

// contentTerms returns the different terms of s that say something, or all terms when none of them does.
func contentTerms(s string) []string {
	var all, content []string
	seen := map[string]bool{}
	for _, t := range text.Tokenize(s) {
		if seen[t] {
			continue
		}
		seen[t] = true
		all = append(all, t)
		if !stopWords[t] {
			content = append(content, t)
		}
	}
	if len(content) == 0 {
		return all
	}
	return content
}

// identifiers returns the names that a query may mean, most likely first: the query itself when it is one word,
// else its words that look like code, else the name that two to four plain words make when they are joined.
func identifiers(words string) []string {
	fields := strings.Fields(words)
	switch {
	case len(fields) == 0:
		return nil
	case len(fields) == 1:
		return codebase.NameForms(fields[0])
	}
	var names []string
	for _, f := range fields {
		if looksLikeCode(f) {
			names = append(names, codebase.NameForms(f)...)
		}
	}
	if len(names) == 0 && len(fields) <= 4 {
		if joined := strings.Join(fields, ""); codebase.IsIdentifier(joined) {
			names = append(names, joined, strings.Join(fields, "_"))
		}
	}
	return names
}

// looksLikeCode reports whether a word of a sentence is spelled as an identifier is and plain words are not.
func looksLikeCode(word string) bool {
	name := strings.Trim(strings.TrimSuffix(word, "()"), ".,;:!?'\"`")
	if strings.HasSuffix(word, "()") || strings.ContainsAny(name, "_") || strings.Contains(name, "::") {
		return codebase.IsIdentifier(strings.NewReplacer("::", "", ".", "").Replace(name))
	}
	head, tail, dotted := strings.Cut(name, ".")
	if dotted && codebase.IsIdentifier(head) && codebase.IsIdentifier(strings.ReplaceAll(tail, ".", "")) {
		return true
	}
	return codebase.IsIdentifier(name) && codebase.HasInnerCapital(name)
}
