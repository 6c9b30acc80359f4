package answer

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/aurora-sidecar/aurora/engine/answer/evidence"
	"github.com/aurora-sidecar/aurora/engine/answer/question"
	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// members answers "what fields does X have" and "what are the variants of X".
type members struct{ *asked }

func (w members) answer(ctx context.Context) (*Answer, error) {
	p, ok, err := w.ofClass(ctx)
	if err != nil {
		return nil, err
	}
	var list []evidence.Citation
	if ok {
		if list, err = w.Library.Members(ctx, p); err != nil {
			return nil, err
		}
	}
	if len(list) == 0 {
		return bySearch(ctx, w.asked)
	}
	d := &builder{}
	d.members(p, list)
	return d.answer(w.q.Intent, 0.9), nil
}

// ofClass finds the type that is asked for.
func (w members) ofClass(ctx context.Context) (evidence.Citation, bool, error) {
	if w.q.Here {
		p, ok := w.Library.Here(ctx)
		return p, ok && p.Type == "class", nil
	}
	return w.classNamed(ctx, w.q.Subject)
}

// members lists what a type declares, with the types and the comments.
func (d *builder) members(p evidence.Citation, list []evidence.Citation) {
	noun, plural := "member", "members"
	if kind := list[0].Kind; !slices.ContainsFunc(list, func(m evidence.Citation) bool { return m.Kind != kind }) {
		noun, plural = kind, pluralOf(kind)
	}
	d.say("%s, defined in %s %s, has %s:", code(p.Name), p.Place(), d.cite(p), wording.Count(len(list), noun, plural))
	var rows []string
	for _, m := range list[:min(maxOutline, len(list))] {
		row := fmt.Sprintf("%s, line %d", code(cut(shortOf(m), 100)), m.Line)
		if m.Doc != "" {
			row += ": " + quote(firstSentence(m.Doc))
		}
		rows = append(rows, row)
	}
	d.list(withRest(rows, len(list)))
}

// shortOf is the declaration of a member, or its name where none can be shown.
func shortOf(p evidence.Citation) string {
	if s := strings.TrimRight(p.Signature, ",; "); s != "" {
		return s
	}
	return lastPart(p.Name)
}

func pluralOf(noun string) string {
	if stem, ok := strings.CutSuffix(noun, "y"); ok {
		return stem + "ies"
	}
	return noun + "s"
}

// kinds answers "which exceptions does X define" and "what storages are there": the types that are called so, or inherit from one that
// is. One type of that name is answered with its members.
type kinds struct{ *asked }

// maxKinds bounds the types that are looked at.
const maxKinds = 200

func (w kinds) answer(ctx context.Context) (*Answer, error) {
	place := ""
	if other := w.q.Other; other != "" && !question.IsHere(other) && !w.Library.IsProject(other) {
		var ok bool
		if place, ok = w.Library.Locate(other); !ok {
			return bySearch(ctx, w.asked)
		}
	}
	found, err := w.types(ctx, place)
	if err != nil {
		return nil, err
	}
	switch len(found) {
	case 0:
		return bySearch(ctx, w.asked)
	case 1:
		list, err := w.Library.Members(ctx, found[0])
		if err != nil || len(list) < 2 {
			return bySearch(ctx, w.asked)
		}
		d := &builder{}
		d.members(found[0], list)
		return d.answer(w.q.Intent, 0.7), nil
	}
	d := &builder{}
	var names []string
	for _, p := range found[:min(6, len(found))] {
		names = append(names, code(p.Name))
	}
	single, many := "type", "types"
	if slices.ContainsFunc(found, func(p evidence.Citation) bool { return p.Type != "class" }) {
		single, many = "definition", "definitions"
	}
	d.say("%s%s are called %s, or inherit from a type that is: %s.", wording.Count(len(found), single, many), inPath(place), strings.Join(codes(w.nouns()), " or "), andMore(names, len(found)))
	var rows []string
	for _, p := range found[:min(maxOutline, len(found))] {
		row := fmt.Sprintf("%s in %s", code(p.Name), p.Place())
		if p.Doc != "" {
			row += ": " + quote(firstSentence(p.Doc))
		}
		rows = append(rows, row+" "+d.cite(p))
	}
	d.list(withRest(rows, len(found)))
	return d.answer(w.q.Intent, 0.75), nil
}

// nouns are what is asked for, as it stands in the names of types.
func (w kinds) nouns() []string {
	r := []rune(strings.ToLower(w.q.Subject))
	noun := string(unicode.ToUpper(r[0])) + string(r[1:])
	if noun == "Exception" || noun == "Error" {
		return []string{"Exception", "Error"}
	}
	return []string{noun}
}

// types finds the types of the program of a kind below a path: by their names, by what they name as their supertypes, and what inherits
// from those.
func (w kinds) types(ctx context.Context, place string) ([]evidence.Citation, error) {
	nouns := w.nouns()
	isCalled := func(name string) bool {
		return slices.ContainsFunc(nouns, func(noun string) bool { return strings.HasSuffix(name, noun) })
	}
	all, _, _, err := w.Library.List(ctx, evidence.Filter{Path: place, Types: []string{"class"}}, 100*maxKinds)
	if err != nil {
		return nil, err
	}
	var found []evidence.Citation
	has := map[string]bool{}
	add := func(p evidence.Citation) {
		if !has[p.ID] && !p.Test && len(found) < maxKinds && evidence.InPlace(p.Path, place) {
			has[p.ID] = true
			found = append(found, p)
		}
	}
	for _, p := range all {
		if isAlias(p) {
			continue
		}
		if isCalled(lastPart(p.Name)) || slices.ContainsFunc(supertypesIn(p), func(name string) bool {
			return isCalled(name) || slices.ContainsFunc(nouns, func(noun string) bool { return strings.HasPrefix(name, noun) })
		}) {
			add(p)
		}
	}
	for i := 0; i < len(found); i++ {
		below, _, err := w.Library.Neighbours(ctx, found[i], evidence.ToSubtypes, maxKinds)
		if err != nil {
			return nil, err
		}
		for _, l := range below {
			if l.Sure >= unsure && l.Type == "class" {
				add(l.Citation)
			}
		}
	}
	if slices.Contains(nouns, "Error") { // in Go they are values, too
		values, err := w.Library.Declared(ctx, "go", func(name string) bool { return goError.MatchString(name) }, maxKinds)
		if err != nil {
			return nil, err
		}
		for _, p := range values {
			add(p)
		}
	}
	return found, nil
}

// goError is how Go names the values of errors.
var goError = lazyregexp.New(`^[eE]rr[A-Z]`)

// isAlias reports whether a definition of Rust only names another type within its own, as type Error = io::Error.
func isAlias(p evidence.Citation) bool {
	return p.Language == "rust" && strings.HasPrefix(p.Signature, "type ") && strings.Contains(p.Name, ".")
}

var (
	inBrackets = lazyregexp.New(`\([^()]*\)|<[^<>]*>`)
	nameInCode = lazyregexp.New(`[\pL_][\pL\pN_]*`)
)

// supertypesIn are the last parts of the names that the head of a type names after its own.
func supertypesIn(p evidence.Citation) []string {
	head, _, _ := strings.Cut(p.Signature, "{")
	_, head, _ = strings.Cut(head, lastPart(p.Name))
	if p.Language != "python" {
		if head, _, _ = strings.Cut(inBrackets.ReplaceAllString(head, ""), "="); strings.HasPrefix(strings.TrimSpace(head), "<") && p.Language == "ruby" {
			head = strings.ReplaceAll(head, "<", " ")
		}
	}
	var names []string
	for _, name := range nameInCode.FindAllString(head, -1) {
		if unicode.IsUpper([]rune(name)[0]) {
			names = append(names, name)
		}
	}
	return names
}
