package answer

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/aurora-sidecar/aurora/engine/wording"
)

const (
	maxListed  = 10
	maxOutline = 25

	// thin is the confidence of a search below which its citations answer nothing.
	thin = 0.4
)

// A Writer answers questions from what a workspace has.
type Writer struct {
	Library *Workspace
	Now     time.Time
}

// Answer answers a question. It fails only when the workspace does or ctx ends; a question without an answer gets one
// that says so, and whatever no rule knows gets citations.
func (w *Writer) Answer(ctx context.Context, q Question) (*Answer, error) {
	a := &asked{w, q}
	kinds := map[Intent]interface {
		answer(ctx context.Context) (*Answer, error)
	}{
		Definition: definition{a}, Usage: usage{a}, Callees: callees{a}, Importers: importers{a}, Imports: imports{a}, Tests: tests{a},
		Supertypes: inheritance{a, ToSupertypes}, Subtypes: inheritance{a, ToSubtypes}, Changes: newChanges(a), Origin: origin{a},
		Experts: experts{a}, Compare: comparison{a}, Related: related{a}, Listing: listing{a}, Named: named{a},
		Configured: configured{a}, Environment: environment{a}, Together: together{a},
	}
	if kind, ok := kinds[q.Intent]; ok {
		return kind.answer(ctx)
	}
	return a.citations(ctx)
}

// asked is a question that a writer answers.
type asked struct {
	*Writer
	q Question
}

// with asks another question instead.
func (w *asked) with(q Question) *asked { return &asked{w.Writer, q} }

// subject finds the definitions that the question is about: those around the cursor for "this", else those of the
// name. A subject of several words may end or begin with the name ("the Search method of Engine").
func (w *asked) subject(ctx context.Context) ([]Citation, error) {
	if w.q.Here {
		if p, ok := w.Library.Here(ctx); ok {
			return []Citation{p}, nil
		}
		return nil, ctx.Err()
	}
	if w.q.Subject == "" {
		return nil, ctx.Err()
	}
	found, err := w.Library.Definitions(ctx, w.q.Subject)
	if err != nil || slices.ContainsFunc(found, func(p Citation) bool { return !p.Test }) {
		return found, err
	}
	if isName(w.q.Subject) {
		if written, err := w.written(ctx, w.q.Subject); err != nil || len(written) > 0 {
			return written, err
		}
		return found, nil
	}
	words := strings.Fields(w.q.Subject)
	if len(words) == 3 && (words[1] == "in" || words[1] == "of") {
		return w.Library.Definitions(ctx, words[2]+"."+words[0])
	}
	for _, form := range spellings(words) {
		if found, err := w.Library.Definitions(ctx, form); err != nil || len(found) > 0 {
			return found, err
		}
	}
	return nil, ctx.Err()
}

// written finds what a qualified name means where the qualifier is no type: the definitions whose first line has it as
// it is written ("res.json = function"), else the only definition of its last part.
func (w *Writer) written(ctx context.Context, name string) ([]Citation, error) {
	if !strings.Contains(name, ".") || strings.Contains(name, "/") {
		return nil, ctx.Err()
	}
	found, err := w.Library.Definitions(ctx, lastPart(name))
	if err != nil {
		return nil, err
	}
	chief, _ := best(found)
	same := slices.DeleteFunc(slices.Clone(chief), func(p Citation) bool { return !hasName(p.Signature, name) })
	switch {
	case len(same) > 0:
		return same, nil
	case len(chief) == 1 && chief[0].Name == lastPart(name): // it belongs to nothing, so the qualifier is a module or variable
		return chief, nil
	}
	return nil, ctx.Err()
}

// spellings are the names that a description of two to four words may stand for.
func spellings(words []string) []string {
	if len(words) < 2 || len(words) > 4 {
		return nil
	}
	var lower []string
	pascal := ""
	for _, word := range words {
		word = strings.ToLower(strings.Trim(word, "`'\""))
		if word == "" || strings.ContainsFunc(word, func(r rune) bool { return !isNameRune(r) }) {
			return nil
		}
		r := []rune(word)
		lower = append(lower, word)
		pascal += string(unicode.ToUpper(r[0])) + string(r[1:])
	}
	first := []rune(pascal)
	camel := string(unicode.ToLower(first[0])) + string(first[1:])
	snake := strings.Join(lower, "_")
	return []string{snake, camel, pascal, strings.ToUpper(snake), strings.Join(lower, "-"), strings.Join(lower, "")}
}

// abstain says that there is no answer, what was looked for, and what is near.
func (w *asked) abstain(lookedFor string) *Answer {
	d := &builder{}
	files, chunks := w.Library.Size()
	d.say("I can't answer this from the index. I looked for %s in %s (%s) and in memory, and found nothing that shows it.",
		lookedFor, wording.Count(files, "file", "files"), wording.Count(chunks, "chunk", "chunks"))
	if near := w.near(); len(near) > 0 {
		d.say("Near names: %s.", and(near))
	}
	return d.abstain(w.q.Intent)
}

func (w *asked) near() []string {
	var near []string
	words := strings.Fields(w.q.Subject)
	for _, word := range words[:min(4, len(words))] {
		if len(words) > 1 && len(word) < 4 {
			continue
		}
		for _, name := range w.Library.Near(word, 3) {
			near = append(near, code(name))
		}
	}
	return near[:min(5, len(near))]
}

// best cuts definitions to what one answer can list; code that people seldom mean comes last and, when there is
// other code, is left to a count.
func best(all []Citation) (shown []Citation, more int) {
	var chief, other []Citation
	for _, p := range all {
		if p.Test {
			other = append(other, p)
		} else {
			chief = append(chief, p)
		}
	}
	if len(chief) == 0 {
		chief, other = other, nil
	}
	shown = chief[:min(maxListed, len(chief))]
	return shown, len(all) - len(shown)
}

func (w *Writer) ago(t time.Time) string {
	days := int(w.Now.Sub(t) / (24 * time.Hour))
	switch {
	case days < 1:
		return "on " + t.Format("2006-01-02 at 15:04")
	case days < 60:
		return fmt.Sprintf("on %s (%s ago)", t.Format(time.DateOnly), wording.Count(days, "day", "days"))
	}
	return "on " + t.Format(time.DateOnly)
}

func short(hash string) string { return hash[:min(8, len(hash))] }
