package finding

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/index/syntax"
)

// A Finding is one thing to look at.
type Finding struct {
	Rule     string // see Rules
	Severity string // note, warning or error
	Path     string
	Line     int // one-based; 0 for a file as a whole
	Message  string
	Evidence string
	Record   string  // id of the note that a finding is about; "" for other rules
	ID       string  // of what it holds against each other, for Dismiss; "" for a secret
	Related  []Place // all calls and uses of the function that it is about
}

// A Place is a line that a finding is about, too.
type Place struct {
	Path       string
	Line       int
	Message    string
	Confidence float64 // of the call or the use
	ID         string  // for Dismiss of this place alone
}

// The rules of a review.
const (
	Record    = "touched-note"
	Companion = "usually-changed-together"
	Removed   = "removed-still-used"
	Caller    = "caller-not-updated"
	Parameter = "comment-names-removed-parameter"
	Secret    = "secret"
)

// Rules are the rules with what they say, in the order of their findings.
var Rules = [][2]string{
	{Secret, "An added line has a secret."},
	{Record, "A note or decision cites what the diff changes."},
	{Removed, "A definition or a file was removed or has another name, and code that was not changed uses it."},
	{Caller, "A function takes another number of arguments, or a parameter has another name, and calls were not changed."},
	{Parameter, "A comment names a parameter that was removed."},
	{Companion, "A file that usually changes with changed ones is not in the diff."},
}

// maxOfRule bounds the findings of one rule; how many are beyond is noted.
const maxOfRule = 50

// A List collects findings. Pairs are the things that a finding, or a place of it, holds against each other: its id is made of them,
// and those of a finding with places tell it from others.
type List struct{ entries []*entry }

type entry struct {
	Finding
	pair   []string
	places [][]string
	say    func(places []Place) (message, evidence string)
}

// Add adds a finding that has no places, once; pair is empty for what can't be dismissed.
func (l *List) Add(f Finding, pair ...string) {
	if !slices.ContainsFunc(l.entries, func(e *entry) bool {
		return e.Rule == f.Rule && e.Path == f.Path && e.Line == f.Line && e.Message == f.Message && e.Evidence == f.Evidence
	}) {
		l.entries = append(l.entries, &entry{Finding: f, pair: pair})
	}
}

// AddPlace adds a place to the finding of a rule and a pair; say makes the finding's words of all of its places. One without a path is
// on its first place.
func (l *List) AddPlace(f Finding, pair []string, p Place, placePair []string, say func([]Place) (message, evidence string)) {
	at := slices.IndexFunc(l.entries, func(e *entry) bool { return e.say != nil && e.Rule == f.Rule && slices.Equal(e.pair, pair) })
	if at < 0 {
		at = len(l.entries)
		l.entries = append(l.entries, &entry{Finding: f, pair: pair, say: say})
	}
	if e := l.entries[at]; !slices.ContainsFunc(e.Related, func(o Place) bool { return o.Path == p.Path && o.Line == p.Line && o.Message == p.Message }) {
		e.Related, e.places = append(e.Related, p), append(e.places, placePair)
	}
}

// Holds reports whether there is a finding that which accepts.
func (l *List) Holds(which func(*Finding) bool) bool {
	return slices.ContainsFunc(l.entries, func(e *entry) bool { return which(&e.Finding) })
}

// Identify gives findings and places their ids: those of the two things that are held against each other in a repository, whatever
// their lines and wherever it is cloned. The repository is asked for when one can be dismissed.
func (l *List) Identify(repository func() string) (ids []string) {
	name := ""
	identify := func(rule string, pair []string) string {
		if len(pair) == 0 {
			return ""
		}
		name = cmp.Or(name, repository())
		sum := sha256.Sum256([]byte(strings.Join(append([]string{name, rule}, pair...), "\x00")))
		id := "f-" + hex.EncodeToString(sum[:8])
		ids = append(ids, id)
		return id
	}
	for _, e := range l.entries {
		e.ID = identify(e.Rule, e.pair)
		for i := range e.Related {
			e.Related[i].ID = identify(e.Rule, e.places[i])
		}
	}
	return ids
}

// LeaveOut drops the findings and places of some ids, and findings of whose places none is left. It returns the ids.
func (l *List) LeaveOut(which func(id string) bool) (left []string) {
	drop := func(id string) bool {
		if id == "" || !which(id) {
			return false
		}
		if !slices.Contains(left, id) {
			left = append(left, id)
		}
		return true
	}
	l.entries = slices.DeleteFunc(l.entries, func(e *entry) bool {
		if drop(e.ID) {
			return true
		}
		e.Related = slices.DeleteFunc(e.Related, func(p Place) bool { return drop(p.ID) })
		return e.say != nil && len(e.Related) == 0
	})
	return left
}

// Finish returns the findings in the order of their rules, places in tests and documents last, and what was left out of them.
func (l *List) Finish() (all []Finding, notes []string) {
	for _, e := range l.entries {
		if e.say == nil {
			continue
		}
		slices.SortStableFunc(e.Related, func(a, b Place) int {
			return cmp.Or(rank(a.Path)-rank(b.Path), strings.Compare(a.Path, b.Path), a.Line-b.Line)
		})
		e.Message, e.Evidence = e.say(e.Related)
		if e.Path == "" {
			e.Path, e.Line = e.Related[0].Path, e.Related[0].Line
		}
	}
	for _, rule := range Rules {
		n := 0
		for _, e := range l.entries {
			if e.Rule != rule[0] {
				continue
			}
			if n++; n <= maxOfRule {
				all = append(all, e.Finding)
			}
		}
		if n > maxOfRule {
			notes = append(notes, fmt.Sprintf("%d more of %s", n-maxOfRule, rule[0]))
		}
	}
	return all, notes
}

// Sureness is how sure the calls or uses at places are, in words.
func Sureness(of string, places []Place) string {
	low, high := places[0].Confidence, places[0].Confidence
	for _, p := range places {
		low, high = min(low, p.Confidence), max(high, p.Confidence)
	}
	if len(places) > 1 {
		of += "s"
	}
	words := fmt.Sprintf("confidence of the %s %.2f", of, low)
	if to := fmt.Sprintf("%.2f", high); !strings.HasSuffix(words, to) {
		words += " to " + to
	}
	return words
}

// rank puts code before tests, and tests before documents.
func rank(path string) int {
	language := syntax.ByPath(path)
	switch {
	case language == nil || syntax.IsProse(language.Name):
		return 2
	case syntax.IsTest(path):
		return 1
	}
	return 0
}
