package querytext

import (
	"net/http"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/internal/text"
)

// A Query is what a person typed, taken apart: filters, exact phrases and words.
type Query struct {
	Words     string // the query without filters; the words of phrases stay in it
	Phrases   []string
	Without   []string // words and phrases that no hit may hold
	Types     []string
	Languages []string
	Paths     []string // patterns, see pathFilter
	NotPaths  []string // the same, left out
	Tags      []string
	Projects  []string
	Shortened bool // not all counts: see MaxTerms, maxPatterns and maxQueryBytes
}

// MaxTerms bounds the work that one query can cause: nobody types so many terms, people paste them.
const MaxTerms = 64

// The patterns of paths are bounded more tightly, since each path of the workspace is compared with all of them, and a
// pattern may have as many states as bytes.
const (
	maxPatterns     = 16
	maxPatternBytes = 1 << 10
)

// maxQueryBytes bounds how much of a pasted text is looked at.
const maxQueryBytes = 64 << 10

// Parse takes a query apart. Filters are words such as type:function, lang:go,python, path:internal/ and
// tag:decision; phrases stand in double quotes at the start of a word; -word and -"a phrase" leave out what holds them.
// Whatever is neither, unbalanced quotes and unknown prefixes included, is plain text: no query is malformed.
func Parse(query string) Query {
	long := len(query) > maxQueryBytes
	if long {
		query = strings.ToValidUTF8(query[:maxQueryBytes], "")
	}
	q := takeApart(query)
	q.Shortened = long
	if q.Words == "" && !q.FiltersOnly() && len(q.Without) > 0 {
		return Query{Words: strings.Join(q.Without, " ")} // nothing to leave them out of: a flag, perhaps
	}
	q.shorten()
	q.shortenFilters()
	return q
}

func takeApart(query string) Query {
	var q Query
	var words []string
	for rest := strings.TrimLeftFunc(query, isBlank); rest != ""; rest = strings.TrimLeftFunc(rest, isBlank) {
		if unwanted, after, ok := cutUnwanted(rest); ok {
			q.leaveOut(unwanted)
			rest = after
			continue
		}
		if phrase, after, ok := cutPhrase(rest); ok {
			if phrase = strings.Join(strings.FieldsFunc(phrase, isBlank), " "); phrase != "" {
				q.Phrases = append(q.Phrases, phrase)
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
	q.Words = strings.Join(words, " ")
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

// addFilter adds the filter that word is, and reports whether it is one. A filter without a value is a word, and so is one of types
// or languages whose value none can have, as code and messages that are pasted hold: type:'220'].
func (q *Query) addFilter(word string) bool {
	key, value, ok := strings.Cut(word, ":")
	if !ok || value == "" || !isFilter(key) {
		return false
	}
	key = strings.ToLower(key)
	if (key == "type" || key == "lang" || key == "language") && strings.ContainsAny(value, "'`()[]{}<>=;:|\\$%") {
		return false
	}
	switch key {
	case "type":
		q.Types = append(q.Types, splitList(value)...)
	case "lang", "language":
		q.Languages = append(q.Languages, splitList(value)...)
	case "path":
		q.Paths = append(q.Paths, value)
	case "tag":
		q.Tags = append(q.Tags, splitList(value)...)
	case "project":
		q.Projects = append(q.Projects, splitList(value)...)
	}
	return true
}

// leaveOut notes what was typed behind a minus sign: path:vendor, a word or a phrase.
func (q *Query) leaveOut(unwanted string) {
	if key, value, ok := strings.Cut(unwanted, ":"); ok && value != "" && strings.EqualFold(key, "path") {
		q.NotPaths = append(q.NotPaths, value)
		return
	}
	q.Without = append(q.Without, unwanted)
}

func splitList(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == ',' })
}

// SaysMore reports whether q has words besides its phrases.
func (q *Query) SaysMore() bool {
	n := 0
	for _, p := range q.Phrases {
		n += len(strings.Fields(p))
	}
	return len(strings.Fields(q.Words)) > n
}

// HoldsUnwanted reports whether texts hold a word or phrase that was to be left out.
func (q *Query) HoldsUnwanted(texts ...string) bool {
	if len(q.Without) == 0 {
		return false
	}
	all := strings.Join(texts, "\n")
	tokens := map[string]bool{}
	for _, t := range text.Tokenize(all) {
		tokens[t] = true
	}
	return slices.ContainsFunc(q.Without, func(unwanted string) bool {
		if codebase.IsIdentifier(unwanted) {
			return tokens[strings.ToLower(unwanted)]
		}
		return HasPhrases(all, []string{unwanted})
	})
}

// FiltersOnly reports whether q asks for everything that passes its filters.
func (q *Query) FiltersOnly() bool {
	return q.Words == "" && len(q.Types)+len(q.Languages)+len(q.Paths)+len(q.NotPaths)+len(q.Tags) > 0
}

// shorten keeps the first maxQueryTerms different terms of the words.
func (q *Query) shorten() {
	if len(q.Words) < 2*MaxTerms {
		return // too short to hold so many terms
	}
	seen := map[string]bool{}
	for i, word := range strings.Fields(q.Words) {
		for _, term := range text.Tokenize(word) {
			seen[term] = true
		}
		if len(seen) > MaxTerms {
			q.Words, q.Shortened = strings.Join(strings.Fields(q.Words)[:max(1, i)], " "), true
			return
		}
	}
}

// shortenFilters keeps the first MaxTerms phrases and filters of each kind, and fewer patterns of paths.
func (q *Query) shortenFilters() {
	for _, list := range []*[]string{&q.Phrases, &q.Without, &q.Types, &q.Languages, &q.Tags, &q.Projects} {
		q.keep(list, MaxTerms)
	}
	for _, list := range []*[]string{&q.Paths, &q.NotPaths} {
		n, bytes := 0, 0
		for ; n < min(len(*list), maxPatterns); n++ {
			if bytes += len((*list)[n]); bytes > maxPatternBytes {
				break
			}
		}
		q.keep(list, n)
	}
}

// keep shortens a list to n.
func (q *Query) keep(list *[]string, n int) {
	if len(*list) > n {
		*list, q.Shortened = (*list)[:n], true
	}
}

// Identifiers returns the names that a query may mean, most likely first: the query itself when it is one word,
// else its words that look like code or as a route of HTTP, else the name that two to four plain words make when they are joined.
func Identifiers(words string) []string {
	fields := strings.Fields(words)
	switch {
	case len(fields) == 0:
		return nil
	case len(fields) == 1:
		return slices.Compact(append(routes(fields), codebase.NameForms(fields[0])...))
	}
	names := routes(fields)
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

// routes returns the words that stand for a route of HTTP, as /users/{id}, and with the method before one: some frameworks are told both
// in one text.
func routes(fields []string) []string {
	var names []string
	for i, f := range fields {
		f = strings.Trim(strings.TrimRight(f, ".,;?!"), "\"'`")
		if len(f) < 2 || f[0] != '/' {
			continue
		}
		if i > 0 && isMethod(fields[i-1]) {
			names = append(names, fields[i-1]+" "+f)
		}
		names = append(names, f)
	}
	return names
}

// isMethod reports whether a word is a method of HTTP.
func isMethod(word string) bool {
	switch word {
	case http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodHead, http.MethodOptions:
		return true
	}
	return false
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

// HasPhrases reports whether text holds every phrase, in any letter case and with any white space.
func HasPhrases(text string, phrases []string) bool {
	if len(phrases) == 0 {
		return true
	}
	text = strings.ToLower(strings.Join(strings.Fields(text), " "))
	return !slices.ContainsFunc(phrases, func(p string) bool { return !strings.Contains(text, strings.ToLower(p)) })
}
