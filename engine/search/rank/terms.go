package rank

import (
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/search/pasted"
	"github.com/aurora-sidecar/aurora/engine/search/querytext"
	"github.com/aurora-sidecar/aurora/index/lexical"
	"github.com/aurora-sidecar/aurora/internal/text"
)

// A queryKind is what kind of query it is. It decides which retrievers are asked and how words are understood.
type queryKind int

const (
	ProseQuery  queryKind = iota // words
	SymbolQuery                  // one word: a name, or what a person remembers of it
	PlaceQuery                   // a path or a file name
)

func Classify(words string) queryKind {
	fields := strings.Fields(words)
	switch {
	case len(fields) != 1:
		return ProseQuery
	case looksLikePath(fields[0]), isPlace(fields[0]):
		return PlaceQuery
	}
	return SymbolQuery
}

// isPlace reports whether a word names a line of a file, as compilers do.
func isPlace(word string) bool {
	_, ok := pasted.IsPlace(word)
	return ok
}

// looksLikePath reports whether a word names a file or a folder: it holds a slash, or ends as files do.
func looksLikePath(word string) bool {
	word = strings.ReplaceAll(word, `\`, "/")
	if strings.Contains(word, "://") || strings.ContainsAny(word, "()<>{}[]*\"'") {
		return false
	}
	if strings.Contains(strings.Trim(word, "/"), "/") {
		return true
	}
	dot := strings.LastIndexByte(word, '.')
	return dot >= 0 && fileEndings[strings.ToLower(word[dot+1:])]
}

// fileEndings are endings that hardly any method is called by.
var fileEndings = codebase.WordSet(`go py pyi js jsx ts tsx mjs cjs java kt kts rb rs c h cc cpp hpp hh cs php swift scala ex exs
	lua sql sh bash zig hs ml elm md rst txt json toml yaml yml html css proto tf hcl gradle lock cfg ini xml vue svelte`)

// Terms turns a query into the terms of the keyword retriever. A word of a sentence that says nothing about code is
// left out, unless nothing else is there; one that occurs in other forms stands for those, too.
func Terms(q querytext.Query, kind queryKind) []lexical.QueryTerm {
	var list termList
	for _, phrase := range q.Phrases {
		for _, token := range text.Tokenize(phrase) {
			list.add(lexical.QueryTerm{Token: token, Required: true})
		}
	}
	fields := contentFields(strings.Fields(q.Words))
	for _, field := range fields {
		for _, token := range text.Tokenize(field) {
			list.add(lexicalTerm(token, kind))
		}
	}
	if kind == ProseQuery {
		for i := 0; i+1 < len(fields); i++ {
			list.addJoined(plain(fields[i]), plain(fields[i+1]))
		}
	}
	for _, unwanted := range q.Without {
		if tokens := text.Tokenize(unwanted); len(tokens) > 0 && codebase.IsIdentifier(unwanted) {
			list.add(lexical.QueryTerm{Token: tokens[len(tokens)-1], Unwanted: true})
		}
	}
	return list.terms
}

// A termList keeps the first term of each token.
type termList struct {
	terms []lexical.QueryTerm
	seen  map[string]bool
}

func (l *termList) add(t lexical.QueryTerm) {
	if l.seen == nil {
		l.seen = map[string]bool{}
	}
	if !l.seen[t.Token] {
		l.seen[t.Token] = true
		l.terms = append(l.terms, t)
	}
}

// addJoined adds the name that two words make.
func (l *termList) addJoined(a, b string) {
	if codebase.IsIdentifier(a) && codebase.IsIdentifier(b) && rules.Joined > 0 {
		l.add(lexical.QueryTerm{
			Token: a + b, Weight: rules.Joined,
			Forms: []lexical.Form{{Token: a + b, Weight: 1}, {Token: a + "_" + b, Weight: 1}},
		})
	}
}

// lexicalTerm is a token with its forms.
func lexicalTerm(token string, kind queryKind) lexical.QueryTerm {
	t := lexical.QueryTerm{Token: token}
	if kind != ProseQuery {
		return t
	}
	if SoftWords[token] {
		t.Weight = rules.Soft
	}
	t.Forms = []lexical.Form{{Token: token, Weight: 1}}
	t.Forms = appendForms(t.Forms, wordForms(token), rules.Form)
	t.Forms = appendForms(t.Forms, shortForms[token], rules.Short)
	t.Forms = appendForms(t.Forms, shortPlurals(token), rules.Short)
	return t
}

// appendForms adds forms of a weight; a weight of 0 means none.
func appendForms(forms []lexical.Form, tokens []string, weight float64) []lexical.Form {
	for _, token := range tokens {
		if weight > 0 {
			forms = append(forms, lexical.Form{Token: token, Weight: weight})
		}
	}
	return forms
}

// contentFields leaves out the words that say nothing, unless nothing is left.
func contentFields(fields []string) []string {
	content := slices.DeleteFunc(slices.Clone(fields), func(f string) bool { return text.IsStopWord(plain(f)) })
	if len(content) == 0 {
		return fields
	}
	return content
}

// plain is a word of a sentence without punctuation, in lower case.
func plain(word string) string { return strings.ToLower(strings.Trim(word, ".,;:!?'\"`()")) }

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
		if !text.IsStopWord(t) {
			content = append(content, t)
		}
	}
	if len(content) == 0 {
		return all
	}
	return content
}
