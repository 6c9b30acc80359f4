package answer

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/aurora-sidecar/aurora/engine/answer/evidence"
	"github.com/aurora-sidecar/aurora/engine/answer/question"
	"github.com/aurora-sidecar/aurora/engine/wording"
)

// asked is a question being answered, with the steps that several kinds of questions share. Each kind is a type that
// embeds it and has a method answer.
type asked struct {
	*Writer
	q question.Question
}

// with is the same writer with another question, which one kind passes on to another.
func (w *asked) with(q question.Question) *asked { return &asked{w.Writer, q} }

// subject finds the definitions that the question is about: those around the cursor for "this", else those of the
// name. A subject of several words may end or begin with the name ("the Search method of Engine").
func (w *asked) subject(ctx context.Context) ([]evidence.Citation, error) {
	if w.q.Here {
		if p, ok := w.Library.Here(ctx); ok {
			return []evidence.Citation{p}, nil
		}
		return nil, ctx.Err()
	}
	if w.q.Subject == "" {
		return nil, ctx.Err()
	}
	found, err := w.Library.Definitions(ctx, w.q.Subject)
	if err != nil || slices.ContainsFunc(found, func(p evidence.Citation) bool { return !p.Test }) {
		return found, err
	}
	if question.IsName(w.q.Subject) {
		if written, err := w.written(ctx, w.q.Subject); err != nil || len(written) > 0 {
			return written, err
		}
		if plainWord.MatchString(w.q.Subject) { // a test calls something static, the program has a Static
			named, err := w.Library.Definitions(ctx, strings.ToUpper(w.q.Subject[:1])+w.q.Subject[1:])
			if err != nil || slices.ContainsFunc(named, func(p evidence.Citation) bool { return !p.Test }) {
				return named, err
			}
		}
		return found, nil
	}
	words := strings.Fields(w.q.Subject)
	if len(words) == 3 && (words[1] == "in" || words[1] == "of") {
		return w.Library.Definitions(ctx, words[2]+"."+words[0])
	}
	for _, form := range spellings(words) {
		named, err := w.Library.Definitions(ctx, form)
		if err != nil || slices.ContainsFunc(named, func(p evidence.Citation) bool { return !p.Test }) {
			return named, err
		}
		if len(found) == 0 {
			found = named // of tests, unless another spelling is the program's
		}
	}
	return found, ctx.Err()
}

// written finds what a qualified name means where the qualifier is no type: the definitions whose first line has it as
// it is written ("res.json = function"), else the only definition of its last part.
func (w *Writer) written(ctx context.Context, name string) ([]evidence.Citation, error) {
	if !strings.Contains(name, ".") || strings.Contains(name, "/") {
		return nil, ctx.Err()
	}
	found, err := w.Library.Definitions(ctx, lastPart(name))
	if err != nil {
		return nil, err
	}
	chief, _ := best(found)
	same := slices.DeleteFunc(slices.Clone(chief), func(p evidence.Citation) bool { return !hasName(p.Signature, name) })
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
		if word == "" || strings.ContainsFunc(word, func(r rune) bool { return !evidence.IsNameRune(r) }) {
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

// one finds the definition that a question about neighbours is about, and how many others have its name.
func (w *asked) one(ctx context.Context) (p evidence.Citation, others int, ok bool, err error) {
	found, err := w.subject(ctx)
	if err != nil || len(found) == 0 {
		return evidence.Citation{}, 0, false, err
	}
	shown, _ := best(found)
	shown = withBodies(withoutPrototypes(shown))
	return shown[0], len(shown) - 1, true, nil
}

// withBodies leaves the longest of several definitions that one file has of one name: the others are overloads, or
// declare what it defines.
func withBodies(list []evidence.Citation) []evidence.Citation {
	var out []evidence.Citation
	for _, p := range list {
		i := slices.IndexFunc(out, func(o evidence.Citation) bool { return o.Path == p.Path && o.Name == p.Name })
		switch {
		case i < 0:
			out = append(out, p)
		case len(p.Text) > len(out[i].Text):
			out[i] = p
		}
	}
	return out
}

// best cuts definitions to what one answer can list; code that people seldom mean comes last and, when there is
// other code, is left to a count.
func best(all []evidence.Citation) (shown []evidence.Citation, more int) {
	var chief, other []evidence.Citation
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

// classNamed finds the best type of a name.
func (w *Writer) classNamed(ctx context.Context, name string) (evidence.Citation, bool, error) {
	if strings.ContainsAny(name, "/ ") {
		return evidence.Citation{}, false, nil
	}
	found, err := w.Library.Definitions(ctx, name)
	if err != nil {
		return evidence.Citation{}, false, err
	}
	shown, _ := best(found)
	for _, p := range shown {
		if p.Type == "class" && lastPart(p.Name) == lastPart(name) {
			return p, true, nil
		}
	}
	return evidence.Citation{}, false, nil
}

// pathOf finds the file or folder that a question names or is asked in.
func (w *asked) pathOf(ctx context.Context) (string, bool) {
	if w.q.Here {
		p, ok := w.Library.Here(ctx)
		return p.Path, ok
	}
	return w.Library.Locate(w.q.Subject)
}

// place finds the file or folder that a subject spells like one, with a slash or an ending.
func (w *asked) place() (string, bool) {
	if w.q.Here || w.q.Subject == "" {
		return "", false
	}
	path, ok := w.Library.Locate(w.q.Subject)
	if !ok {
		return "", false
	}
	text := strings.ToLower(w.q.Text)
	spelled := strings.ContainsAny(w.q.Subject, "./") || strings.Contains(text, " folder") || strings.Contains(text, " file") ||
		strings.Contains(text, " package") || strings.Contains(text, " directory") || strings.Contains(text, " crate") || strings.Contains(text, " module")
	return path, spelled
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

// unknown answers for a subject that has no definition: with citations when it is described rather than named, else not
// at all.
func (w *asked) unknown(ctx context.Context, what string) (*Answer, error) {
	if question.IsName(w.q.Subject) {
		return w.abstain(what + " " + code(w.q.Subject)), ctx.Err()
	}
	return w.citations(ctx)
}

// withoutGit answers a question that only git can answer when git can't; cancellation stays an error.
func (w *asked) withoutGit(ctx context.Context, cause error) (*Answer, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	d := &builder{}
	d.say("I can't tell what changed or when: git has no answer here (%s).", oneLine(cause.Error()))
	return d.abstain(w.q.Intent), nil
}
