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

// writers answer the questions of each intent; whatever no rule knows gets citations.
var writers map[Intent]func(*Writer, context.Context, Question) (*Answer, error)

func init() { // some of them pass questions on to others
	writers = map[Intent]func(*Writer, context.Context, Question) (*Answer, error){
		Definition: (*Writer).define, Usage: (*Writer).usage, Callees: (*Writer).callees, Importers: (*Writer).importers,
		Imports: (*Writer).imports, Tests: (*Writer).tests, Supertypes: (*Writer).supertypes, Subtypes: (*Writer).subtypes,
		Changes: (*Writer).changes, Origin: (*Writer).origin, Experts: (*Writer).experts, Compare: (*Writer).compare,
		Related: (*Writer).related, Listing: (*Writer).listing, Named: (*Writer).names, Configured: (*Writer).configured,
		Environment: (*Writer).environment, Together: (*Writer).together,
	}
}

// Answer answers a question. It fails only when the workspace does or ctx ends; a question without an answer gets one
// that says so.
func (w *Writer) Answer(ctx context.Context, q Question) (*Answer, error) {
	if answer, ok := writers[q.Intent]; ok {
		return answer(w, ctx, q)
	}
	return w.citations(ctx, q)
}

// subject finds the definitions that the question is about: those around the cursor for "this", else those of the
// name. A subject of several words may end or begin with the name ("the Search method of Engine").
func (w *Writer) subject(ctx context.Context, q Question) ([]Citation, error) {
	if q.Here {
		if p, ok := w.Library.Here(ctx); ok {
			return []Citation{p}, nil
		}
		return nil, ctx.Err()
	}
	if q.Subject == "" {
		return nil, ctx.Err()
	}
	found, err := w.Library.Definitions(ctx, q.Subject)
	if err != nil || slices.ContainsFunc(found, func(p Citation) bool { return !p.Test }) {
		return found, err
	}
	if isName(q.Subject) {
		if written, err := w.written(ctx, q.Subject); err != nil || len(written) > 0 {
			return written, err
		}
		return found, nil
	}
	words := strings.Fields(q.Subject)
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
func (w *Writer) abstain(q Question, lookedFor string) *Answer {
	d := &builder{}
	files, chunks := w.Library.Size()
	d.say("I can't answer this from the index. I looked for %s in %s (%s) and in memory, and found nothing that shows it.",
		lookedFor, wording.Count(files, "file", "files"), wording.Count(chunks, "chunk", "chunks"))
	if near := w.near(q); len(near) > 0 {
		d.say("Near names: %s.", and(near))
	}
	return d.abstain(q.Intent)
}

func (w *Writer) near(q Question) []string {
	var near []string
	words := strings.Fields(q.Subject)
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
