package answer

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/aurora-sidecar/aurora/engine/answer/evidence"
	"github.com/aurora-sidecar/aurora/engine/answer/question"
	"github.com/aurora-sidecar/aurora/engine/search"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

const (
	maxMembers    = 200 // methods of a type that are compared with the words of a question
	maxSupertypes = 4   // whose methods are, too
	maxShown      = 4   // methods besides the best one
	maxWords      = 60  // of a question for one type

	// What counts for a method: a word of the question in its name or its text, times the logarithm of the word's rarity among all
	// methods, and to be what a search finds first.
	inName, inText, foundFirst = 3, 2, 4
)

// ofType answers what one type does in one respect, as in "how does IOLoop schedule callbacks": with those of its methods,
// and of the types that it inherits from, which have the other words of the question.
type ofType struct {
	explanation
	of    evidence.Citation // the type
	words []string          // stems of the other words
}

// ofType returns nil when the question names no type, or more than one, or asks nothing else about it.
func (w explanation) ofType(ctx context.Context) (*ofType, error) {
	m := &ofType{explanation: w}
	words := strings.Fields(w.q.Text)
	if len(words) > maxWords {
		return nil, ctx.Err()
	}
	for i, word := range words {
		word = strings.TrimSuffix(strings.Trim(word, "`'\"?!.,;:()"), "'s")
		if i == 0 || word == "" || !unicode.IsUpper([]rune(word)[0]) || word == m.of.Name {
			continue
		}
		p, ok, err := w.classNamed(ctx, word)
		switch {
		case err != nil:
			return nil, err
		case !ok || p.Test:
			continue
		case m.of.ID != "":
			return nil, ctx.Err()
		}
		m.of = p
	}
	if m.of.ID == "" {
		return nil, ctx.Err()
	}
	m.words = w.contentOf(strings.ReplaceAll(w.q.Text, lastPart(m.of.Name), " "))
	if len(m.words) == 0 {
		return nil, ctx.Err()
	}
	return m, nil
}

// answer returns nil when neither a method nor the comment of the type has the words.
func (w *ofType) answer(ctx context.Context) (*Answer, error) {
	list, err := w.methods(ctx)
	if err == nil && len(list) > 0 {
		list, err = w.ordered(ctx, list)
	}
	statement := w.statement()
	if err != nil || len(list) == 0 && statement == "" {
		return nil, err
	}
	d := &builder{}
	name, kind := code(lastPart(w.of.Name)), withArticle(thing(w.of))
	if statement != "" {
		d.say("The comment of %s, %s in %s, says: %s %s.", name, kind, w.of.Place(), quote(statement), d.cite(w.of))
	} else {
		d.say("%s is the method of %s, %s in %s %s, that fits these words best; not verified by a model.", citationLine(d, list[0]), name, kind, w.of.Place(), d.cite(w.of))
		d.show(list[0].Language, excerpt(w.explanation, list[0], 20))
		list = list[1:]
	}
	if len(list) > 0 {
		d.say("Methods that may be meant:")
		d.describeEach(list[:min(maxShown, len(list))], 0)
	}
	return d.answer(question.Citations, 0.5), nil // the first is what is meant in half of such questions
}

// statement is the first sentence of the comment above the type that has all the words, two at least.
func (w *ofType) statement() string {
	if len(w.words) < 2 {
		return ""
	}
	comment := strings.TrimSuffix(w.of.Text, w.of.Code())
	rest := strings.Join(strings.FieldsFunc(comment, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("/*#", r) }), " ")
	for rest != "" {
		sentence := firstSentence(rest)
		if hasAll(evidence.Stems(sentence), w.words) {
			return sentence
		}
		rest = strings.TrimSpace(rest[len(sentence):])
	}
	return ""
}

// methods are those of the type and of what it inherits from.
func (w *ofType) methods(ctx context.Context) ([]evidence.Citation, error) {
	types := []evidence.Citation{w.of}
	for i := 0; i < len(types); i++ {
		above, _, err := w.Library.Neighbours(ctx, types[i], evidence.ToSupertypes, maxSupertypes)
		if err != nil {
			return nil, err
		}
		for _, l := range above {
			if l.Sure >= unsure && l.Type == "class" && len(types) <= maxSupertypes && !slices.ContainsFunc(types, func(p evidence.Citation) bool { return p.ID == l.ID }) {
				types = append(types, l.Citation)
			}
		}
	}
	var all []evidence.Citation
	for _, t := range types {
		list, _, _, err := w.Library.List(ctx, evidence.Filter{Container: lastPart(t.Name), Path: folderOf(t.Path), Types: []string{"method"}}, maxMembers)
		if err != nil {
			return nil, err
		}
		all = append(all, withBodies(list)...)
	}
	return slices.DeleteFunc(all, func(p evidence.Citation) bool { return p.Test && !w.of.Test }), ctx.Err()
}

// ordered puts those first that have the words, in their names before their text; a word counts the more the fewer methods have it.
// What a search finds first in their files comes first where that says little. Methods without any of the words are left out.
func (w *ofType) ordered(ctx context.Context, list []evidence.Citation) ([]evidence.Citation, error) {
	found, _, err := w.Library.Find(ctx, search.Request{Query: w.q.Text, Limit: maxMembers, Unjudged: true, Scope: search.Scope{Types: []string{"method"}, Paths: patternsOf(list)}})
	if err != nil {
		return nil, err
	}
	place := map[string]int{}
	for i, p := range found {
		place[p.ID] = i
	}
	type words struct{ name, text map[string]bool }
	has := make([]words, len(list))
	count := map[string]float64{}
	for i, p := range list {
		has[i] = words{evidence.Stems(lastPart(p.Name)), evidence.Stems(p.Doc + " " + p.Text)}
		for s := range has[i].text {
			count[s]++
		}
	}
	score := map[string]float64{}
	for i, p := range list {
		for _, s := range w.words {
			rarity := math.Log(1 + float64(len(list))/max(1, count[s]))
			switch {
			case has[i].name[s]:
				score[p.ID] += inName * rarity
			case has[i].text[s]:
				score[p.ID] += inText * rarity
			}
		}
		if at, ok := place[p.ID]; ok && score[p.ID] > 0 {
			score[p.ID] += foundFirst / (1 + float64(at)/5)
		}
	}
	list = slices.DeleteFunc(list, func(p evidence.Citation) bool { return score[p.ID] == 0 })
	slices.SortStableFunc(list, func(a, b evidence.Citation) int { return cmp.Compare(score[b.ID], score[a.ID]) })
	return list, nil
}

// patternsOf are the files of citations, as patterns of a search.
func patternsOf(list []evidence.Citation) []string {
	var files []string
	for _, p := range list {
		if file := globMarks.ReplaceAllString(p.Path, "?"); !slices.Contains(files, file) {
			files = append(files, file)
		}
	}
	return files
}

// globMarks have a meaning in patterns.
var globMarks = lazyregexp.New(`[][*?{}!\\]`)
