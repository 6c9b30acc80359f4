package reason

import (
	"context"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/answer/evidence"
	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/engine/search"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// How a bundle is filled.
const (
	frameTokens    = 30 // of the tag around a snippet
	namedShare     = 2  // what is named in the question takes at most one in so many tokens
	snippetShare   = 4  // and one snippet one in so many
	headCharacters = 2400
	filesRead      = 5 // files of which more is looked at than what the search found
	chunksOfFile   = 6
	calledFrom     = 6 // hits whose callees are looked at
	calleesEach    = 4
	searchedFirst  = 5 // hits that go before anything they lead to
	maxNamed       = 8 // names of a question that are looked up
	maxOfName      = 3 // definitions of one name
	maxOfFile      = 200
	confidentCall  = 0.4
)

// A bundle gathers what a model reads first for a question, the most telling first, within a budget of tokens: the files
// and symbols that the question names, what a search finds, what that calls, and what else stands in the same files.
type bundle struct {
	q     *reasoning
	left  int // tokens
	most  int // tokens of one snippet
	taken []evidence.Citation

	sources []soar.Source
}

func (q *reasoning) newBundle(tokens int) *bundle {
	return &bundle{q: q, left: tokens, most: max(headCharacters/4, tokens/snippetShare)}
}

// add takes a citation unless it is there, or there is no room for it.
func (b *bundle) add(p evidence.Citation) bool {
	text := b.cut(&p)
	cost := llm.EstimateTokens(text) + frameTokens
	if cost > b.left || b.shown(&p) {
		return false
	}
	b.left -= cost
	b.taken = append(b.taken, p)
	source := b.q.sourceOf(p)
	source.Text = text
	b.sources = append(b.sources, source)
	return true
}

// cut is as much of a citation as the bundle shows: of a type its head, as its members come by themselves.
func (b *bundle) cut(p *evidence.Citation) string {
	most := 4 * b.most
	if p.Type == "class" {
		most = headCharacters
	}
	return soar.CutText(p.Text, most)
}

// shown reports whether the lines of a citation are in one that was taken.
func (b *bundle) shown(p *evidence.Citation) bool {
	first, last := linesOf(p)
	return slices.ContainsFunc(b.taken, func(old evidence.Citation) bool {
		if old.ID == p.ID {
			return true
		}
		from, to := linesOf(&old)
		to = min(to, from+strings.Count(b.cut(&old), "\n"))
		return p.Path != "" && old.Path == p.Path && from <= first && last <= to
	})
}

// linesOf are the one-based lines of a citation's text, both ends inclusive.
func linesOf(p *evidence.Citation) (first, last int) {
	return p.First, p.First + strings.Count(p.Text, "\n")
}

func (b *bundle) addAll(list []evidence.Citation) {
	for _, p := range list {
		b.add(p)
	}
}

// fill gathers for a question, from at most limit hits of the search.
func (b *bundle) fill(ctx context.Context, question string, limit int) error {
	if p, ok := b.q.library.Here(ctx); ok {
		b.add(p)
	}
	if err := b.named(ctx, question); err != nil {
		return err
	}
	byStructure, err := b.q.structural(ctx, question)
	if err != nil {
		return err
	}
	b.addAll(byStructure[:min(limit, len(byStructure))])
	found, _, err := b.q.library.Find(ctx, search.Request{Query: question, Limit: 2 * limit, Unjudged: true})
	if err != nil {
		return err
	}
	found = b.q.withoutAnswers(found)
	found, fading := b.q.withoutFading(found[:min(limit, len(found))])
	first := min(searchedFirst, len(found))
	b.addAll(found[:first])
	if err := b.called(ctx, found[:min(calledFrom, len(found))]); err != nil {
		return err
	}
	b.addAll(found[first:])
	err = b.around(ctx, question, found)
	b.addAll(fading)
	return err
}

// mention matches what may name a file or a symbol in a question.
var mention = lazyregexp.New("`[^`\n]+`|[\\w$./#:\\\\-]*[\\w$](?:\\(\\))?")

// named adds the files and symbols that the question names, files by their definitions.
func (b *bundle) named(ctx context.Context, question string) error {
	whole := b.left
	looked := 0
	for _, word := range mention.FindAllString(question, -1) {
		word = strings.Trim(word, "`.:")
		if !isNamed(word) || looked == maxNamed {
			continue
		}
		looked++
		list, err := b.subjects(ctx, word)
		if err != nil {
			return err
		}
		for _, p := range list {
			if whole-b.left > whole/namedShare {
				return nil
			}
			b.add(p)
		}
	}
	return nil
}

// subjects returns what a word names: the definitions in a file, or of a symbol.
func (b *bundle) subjects(ctx context.Context, word string) ([]evidence.Citation, error) {
	if strings.ContainsAny(word, "./\\") {
		if path, ok := b.q.library.Locate(strings.ReplaceAll(word, "\\", "/")); ok && path != "" && strings.Contains(codebase.BaseName(path), ".") {
			return b.q.definitionsIn(ctx, path)
		}
	}
	list, err := b.q.library.Definitions(ctx, word)
	if last := codebase.LastName(strings.TrimSuffix(word, "()")); err == nil && len(list) == 0 && last != word { // ctx.throw
		list, err = b.q.library.Definitions(ctx, last)
	}
	return list[:min(maxOfName, len(list))], err
}

// definitionsIn returns the definitions of a file in their order, or what stands for a file without any.
func (q *reasoning) definitionsIn(ctx context.Context, path string) ([]evidence.Citation, error) {
	list, _, _, err := q.library.List(ctx, evidence.Filter{Path: path}, maxOfFile)
	if err != nil || len(list) > 0 {
		return list, err
	}
	if p, ok := q.library.File(ctx, path); ok {
		list = append(list, p)
	}
	return list, ctx.Err()
}

// isNamed reports whether a word of a question is more than a word: a path, or a name that is spelled like code.
func isNamed(word string) bool {
	bare := strings.TrimSuffix(word, "()")
	return bare != word || strings.ContainsAny(bare, "_./:#$") || codebase.HasInnerCapital(bare)
}

// called adds what hits call, each in turn.
func (b *bundle) called(ctx context.Context, hits []evidence.Citation) error {
	for _, h := range hits {
		links, _, err := b.q.library.Neighbours(ctx, h, evidence.ToCallees, calleesEach)
		if err != nil {
			return err
		}
		for _, l := range links {
			if l.Sure >= confidentCall && !l.Test {
				b.add(l.Citation)
			}
		}
	}
	return nil
}

// around adds the best of what else stands in the files of the hits, one file after the other in each round.
func (b *bundle) around(ctx context.Context, question string, hits []evidence.Citation) error {
	var lists [][]evidence.Citation
	var files []string
	for _, h := range hits {
		if h.Path == "" || h.Test || slices.Contains(files, h.Path) || len(files) == filesRead {
			continue
		}
		files = append(files, h.Path)
		list, _, err := b.q.library.Find(ctx, search.Request{
			Query: question, Limit: chunksOfFile, Unjudged: true, Deep: true, Scope: search.Scope{Paths: []string{globEscapes.Replace(h.Path)}},
		})
		if err != nil {
			return err
		}
		lists = append(lists, slices.DeleteFunc(list, func(p evidence.Citation) bool { return p.Path != h.Path }))
	}
	for i := range chunksOfFile {
		for _, list := range lists {
			if i < len(list) {
				b.add(list[i])
			}
		}
	}
	return b.rest(ctx, files)
}

// rest adds all other definitions of files, as long as there is room.
func (b *bundle) rest(ctx context.Context, files []string) error {
	for _, path := range files {
		list, err := b.q.definitionsIn(ctx, path)
		if err != nil {
			return err
		}
		b.addAll(list)
	}
	return nil
}

// globEscapes makes a path a glob that means it, and hardly anything else.
var globEscapes = strings.NewReplacer("*", "?", "[", "?", "{", "?")
