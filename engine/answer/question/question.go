package question

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// An Intent is what a question asks for.
type Intent string

// The intents.
const (
	Definition  Intent = "definition"  // what is X, where is X defined
	Usage       Intent = "usage"       // who calls X
	Callees     Intent = "callees"     // what does X call
	Importers   Intent = "importers"   // who imports X
	Imports     Intent = "imports"     // what does X import
	Tests       Intent = "tests"       // which tests cover X
	Supertypes  Intent = "supertypes"  // what does X inherit from
	Subtypes    Intent = "subtypes"    // what implements X
	Changes     Intent = "changes"     // what changed in X, or since when
	Together    Intent = "together"    // what changes together with X
	Origin      Intent = "history"     // why is X here, when was it changed, who wrote it
	Experts     Intent = "experts"     // who knows X
	Decisions   Intent = "decisions"   // what did we decide about X
	Compare     Intent = "comparison"  // what is the difference between X and Y
	Related     Intent = "related"     // what is related to X
	Listing     Intent = "listing"     // list functions in X, methods of X
	Named       Intent = "names"       // functions that start with X
	Members     Intent = "members"     // the fields or variants of X
	Kinds       Intent = "kinds"       // which exceptions are there
	Configured  Intent = "setting"     // where is X configured
	Environment Intent = "environment" // which environment variables are read
	Overview    Intent = "overview"    // what is this project
	Facts       Intent = "facts"       // its license, its version, how it is built
	Explanation Intent = "explanation" // how does X work
	Deprecated  Intent = "deprecation" // is X deprecated
	Outcome     Intent = "outcome"     // what happens when X
	Citations   Intent = "citations"   // anything else: the best citations
)

// A Question is a query as the rules understand it.
type Question struct {
	Text    string
	Intent  Intent
	Subject string    // a name, a path or words; "" when the question has none
	Here    bool      // the subject is what the person points at: "this"
	Types   []string  // of a listing
	Other   string    // what Subject is compared with; the place or type that names are looked for in
	Fit     Fit       // of names: how Subject is part of them
	Fact    Fact      // of facts
	Since   time.Time // of changes; zero when the question does not say
	When    string    // Since as the person said it
	From    string    // of changes: tag, branch or commit that they follow
	To      string    // and the last one of them; "" is what is checked out
}

// A Fit is how a part is in a name.
type Fit string

// The fits.
const (
	Starts   Fit = "start with"
	Ends     Fit = "end with"
	Contains Fit = "contain"
)

// A Fact is what can be asked of a whole project.
type Fact string

// The facts.
const (
	License      Fact = "license"
	Version      Fact = "version"
	Needs        Fact = "needs" // which versions of languages and tools
	Dependencies Fact = "dependencies"
	Chore        Fact = "chore" // how something is done; Subject is its verb
)

// Parse tells what a question asks. Whatever no rule knows is a question for citations. now is the time that "since
// yesterday" is counted from.
func Parse(query string, now time.Time) Question {
	text := strings.Join(strings.Fields(query), " ")
	q := Question{Text: text, Intent: Citations, Subject: text}
	bare := strings.TrimRight(text, " ?!.")
	for _, r := range rules() {
		groups := r.pattern.FindStringSubmatch(bare)
		if groups == nil {
			continue
		}
		q.take(r, groups, now)
		break
	}
	if q.Intent == Listing || q.Intent == Named {
		q.Types = listedTypes(bare)
	}
	if q.Intent != Citations {
		q.Subject = secondQuestion.ReplaceAllString(q.Subject, "")
	}
	q.Subject, q.Other = cleanSubject(q.Subject), cleanSubject(q.Other)
	q.Here = IsHere(q.Subject)
	if q.Here {
		q.Subject = ""
	}
	return q
}

// secondQuestion is what else is asked in the same breath; only the first question is answered.
var secondQuestion = lazyregexp.New(`(?i),?\s+and\s+(?:where|how|who|what|when|why)\b.*$`)

// take fills in what the groups of a rule's pattern matched.
func (q *Question) take(r rule, groups []string, now time.Time) {
	q.Intent, q.Subject = r.intent, ""
	for i, name := range r.pattern.SubexpNames()[1:] {
		switch text := groups[i+1]; name {
		case "other":
			q.Other = text
		case "verb":
			q.Fit = fitOf(text)
		case "noun":
			q.Subject, q.Fit = Singular(text), Contains
		default:
			q.Subject = text
		}
	}
	if r.intent == Kinds {
		q.takeKind(groups[slices.Index(r.pattern.SubexpNames(), "noun")])
	}
	if r.intent == Origin || r.intent == Experts {
		q.Subject = strings.TrimSuffix(q.Subject, " code") // the metrics code is what is called metrics
	}
	if r.intent == Facts {
		q.Fact, q.Subject = r.fact, strings.ToLower(q.Subject)
		if chore := choreOf(q.Subject, q.Other); r.fact == Chore {
			q.Subject, q.Other = chore, ""
		}
	}
	if r.intent == Changes {
		q.From, q.To, q.Subject = parseRevisions(q.Subject, now)
		q.Since, q.When, q.Subject = parseSince(q.Subject, now)
	}
}

// takeKind takes the noun of a question for things of a kind.
func (q *Question) takeKind(noun string) {
	switch q.Subject = singularOf(noun); {
	case noKinds[strings.ToLower(q.Subject)]:
		q.Intent, q.Subject, q.Other = Citations, q.Text, ""
	case len(listedTypes(noun)) > 0: // all of them, whatever they are called
		q.Intent, q.Subject, q.Other = Listing, cmp.Or(q.Other, "workspace"), ""
	}
}

// noKinds are what a project has that is no type of its code, whatever types are called so.
var noKinds = map[string]bool{
	"file": true, "folder": true, "directory": true, "package": true, "module": true, "repository": true, "line": true, "commit": true,
	"branch": true, "tag": true, "release": true, "version": true, "change": true, "author": true, "note": true, "decision": true, "test": true,
	"dependency": true, "setting": true, "option": true, "flag": true, "language": true, "document": true, "doc": true,
}

// choreOf is the verb by which a chore is known: tests are tested however they are started.
func choreOf(verb, object string) string {
	object = strings.ToLower(object)
	if verb == "built" {
		verb = "build"
	}
	if stem := strings.TrimSuffix(verb, "ed"); len(Chores[stem]) > 0 {
		verb = stem
	}
	for _, other := range []struct{ word, verb string }{{"test", "test"}, {"benchmark", "benchmark"}, {"docs", "document"}, {"documentation", "document"}, {"linter", "lint"}, {"environment", "setup"}} {
		if strings.Contains(object, other.word) && verb != "contribute" {
			return other.verb
		}
	}
	return verb
}

func fitOf(verb string) Fit {
	switch strings.ToLower(verb)[:3] {
	case "sta", "beg":
		return Starts
	case "end":
		return Ends
	}
	return Contains
}

// singularOf is Singular for plurals that change the word before the ending: classes, properties, matches.
func singularOf(noun string) string {
	for _, ending := range [][2]string{{"ies", "y"}, {"sses", "ss"}, {"shes", "sh"}, {"ches", "ch"}, {"xes", "x"}} {
		if stem, ok := strings.CutSuffix(noun, ending[0]); ok && len(stem) > 2 {
			return stem + ending[1]
		}
	}
	return Singular(noun)
}

// Singular takes the ending of a plural off a noun, as far as that is plain.
func Singular(noun string) string {
	if len(noun) > 3 && strings.HasSuffix(noun, "s") && !strings.HasSuffix(noun, "ss") {
		return strings.TrimSuffix(noun, "s")
	}
	return noun
}

// listedTypes reads which types a listing asks for.
func listedTypes(text string) []string {
	var types []string
	for _, word := range strings.Fields(strings.ToLower(text)) {
		switch strings.TrimSuffix(strings.TrimSuffix(word, "es"), "s") {
		case "function":
			types = append(types, "function")
		case "method":
			types = append(types, "method")
		case "clas", "class", "typ", "type", "struct", "interfac", "interface":
			types = append(types, "class")
		case "section":
			types = append(types, "code")
		}
	}
	return types
}

// fillers are words before a subject that say what sort of thing it is.
var fillers = map[string]bool{
	"the": true, "a": true, "an": true, "all": true, "our": true, "my": true, "function": true, "method": true,
	"class": true, "type": true, "struct": true, "interface": true, "symbol": true, "package": true, "folder": true,
	"directory": true, "file": true, "module": true, "in": true, "to": true, "of": true, "for": true, "within": true,
	"under": true, "code": true, "called": true, "named": true, "identifier": true, "environment": true, "variable": true, "crate": true,
	"setting": true, "option": true, "flag": true, "constant": true, "from": true, "enum": true, "trait": true,
}

// cleanSubject takes articles and kinds off the front of a subject, kinds off its end, and quotes and call brackets
// off the name.
func cleanSubject(s string) string {
	words := strings.Fields(s)
	for len(words) > 1 && fillers[strings.ToLower(words[0])] && !isCompound(words) {
		words = words[1:]
	}
	for len(words) > 1 && isKind(words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	s = strings.Trim(strings.Join(words, " "), " `'\"?!,;:")
	return strings.TrimSuffix(s, "()")
}

// isCompound reports whether a word for a kind goes together with the one after it, as in file types.
func isCompound(words []string) bool {
	switch strings.ToLower(words[0]) {
	case "file", "type", "code", "package", "module", "folder", "directory", "flag", "option", "setting":
		return len(words) == 2 && len(words[1]) > 3 && strings.HasSuffix(words[1], "s") && strings.ToLower(words[1]) == words[1] && !strings.ContainsAny(words[1], "_./")
	}
	return false
}

func isKind(word string) bool {
	switch strings.ToLower(word) {
	case "function", "method", "class", "type", "struct", "interface", "package", "crate", "folder", "directory", "file", "module",
		"variable", "setting", "option", "flag", "constant", "enum", "trait", "exactly":
		return true
	}
	return false
}

// IsHere reports whether a subject is what the person points at.
func IsHere(subject string) bool {
	switch strings.ToLower(subject) {
	case "this", "it", "that", "here", "this code", "these lines", "this line", "selection", "this selection",
		"this function", "this method", "this class", "this type", "this file":
		return true
	}
	return false
}

// IsName reports whether a subject is spelled like a name: one word.
func IsName(subject string) bool { return subject != "" && !strings.ContainsAny(subject, " \t") }
