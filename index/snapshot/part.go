package snapshot

import (
	"slices"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/embed"
	"github.com/aurora-sidecar/aurora/index/lexical"
	"github.com/aurora-sidecar/aurora/index/vector"
	"github.com/aurora-sidecar/aurora/internal/scrub"
)

// A Part is one segment and what its documents are. It never changes once it is in a snapshot.
type Part struct {
	seg  *lexical.Segment
	vec  *vector.Segment // of the same documents; nil without a model
	docs []Ref           // by document number
	dead []uint64        // bitmap, nil while every document lives
	live int

	names *nameList
}

func newPart(seg *lexical.Segment, vec *vector.Segment, docs []Ref) *Part {
	return &Part{seg: seg, vec: vec, docs: docs, live: len(docs), names: new(nameList)}
}

func (p *Part) isDead(doc int) bool {
	return p.dead != nil && p.dead[doc>>6]&(1<<(doc&63)) != 0
}

// without returns a part like p in which the documents first, first+1, ... first+n-1 are dead.
func (p *Part) without(first, n int) *Part {
	q := *p
	q.dead = slices.Clone(p.dead)
	for doc := first; doc < first+n; doc++ {
		q.kill(doc)
	}
	return &q
}

// kill marks a document of a part that is not published yet as dead.
func (p *Part) kill(doc int) {
	if p.isDead(doc) {
		return
	}
	if p.dead == nil {
		p.dead = make([]uint64, (len(p.docs)+63)/64)
	}
	p.dead[doc>>6] |= 1 << (doc & 63)
	p.live--
}

// A PartBuilder makes the words and the vectors of files, as documents of one part. It is for one goroutine.
type PartBuilder struct {
	lex   *lexical.Builder
	vec   *vectorizer // nil without a model
	docs  []Ref
	bytes int
}

// NewPartBuilder returns an empty builder; without a model there are no vectors.
func NewPartBuilder(model *embed.Static) *PartBuilder {
	return &PartBuilder{lex: lexical.NewBuilder(), vec: newVectorizer(model)}
}

// Reset gives back what large parts needed.
func (b *PartBuilder) Reset() { b.lex = lexical.NewBuilder() }

// Bytes returns how much text was added since the last Build.
func (b *PartBuilder) Bytes() int { return b.bytes }

// Add makes documents of a file's chunks, which are places in text, and returns the number of the first one. Secrets in the
// text become no words: they can't be searched for and are not stored. It returns where they are. What stood at the path
// before, if anything, lends the vectors of chunks that did not change.
func (b *PartBuilder) Add(f *File, text []byte, before Lender) (first int, secrets []scrub.Finding) {
	first = len(b.docs)
	text, secrets = f.Secrets.Blank(text)
	b.vec.begin(f, before)
	symbols := symbolsByChunk(f)
	for i := range f.Chunks {
		b.lex.Add(document(f, i, symbols[i], text))
		b.vec.add(f, i, text)
		b.docs = append(b.docs, Ref{File: f, Index: i})
	}
	b.bytes += len(text)
	return first, secrets
}

// Build returns the part of what was added, nil when there are no chunks, and starts the next one.
func (b *PartBuilder) Build() (p *Part) {
	if len(b.docs) > 0 {
		p = newPart(b.lex.Build(), b.vec.build(), b.docs)
	}
	b.docs, b.bytes = nil, 0
	return p
}

// symbolsByChunk returns the symbols of a file by the number of their chunk.
func symbolsByChunk(f *File) map[int][]chunk.Symbol {
	by := map[int][]chunk.Symbol{}
	for s := range f.Symbols.All() {
		by[s.Chunk] = append(by[s.Chunk], s)
	}
	return by
}

// document returns the words of a chunk by the field in which they stand.
func document(f *File, i int, symbols []chunk.Symbol, text []byte) lexical.Document {
	c := &f.Chunks[i]
	var d lexical.Document
	d.Fields[lexical.Name] = [][]byte{[]byte(c.Name)}
	d.Fields[lexical.Path] = [][]byte{[]byte(f.Path), []byte(c.Container)}
	d.Fields[lexical.Signature] = [][]byte{c.Signature.In(text)}
	d.Fields[lexical.Doc] = [][]byte{c.Doc.In(text)}
	for _, span := range chunk.OwnSpans(f.File, i) {
		for _, rest := range without(span, c.Signature, c.Doc) {
			d.Fields[lexical.Body] = append(d.Fields[lexical.Body], rest.In(text))
		}
	}
	d.Fields[lexical.Calls] = references(f, i, symbols)
	return d
}

// without cuts the given spans out of one.
func without(span chunk.Span, cuts ...chunk.Span) []chunk.Span {
	rest := []chunk.Span{span}
	for _, cut := range cuts {
		if cut.Empty() {
			continue
		}
		var next []chunk.Span
		for _, r := range rest {
			before := chunk.Span{Start: r.Start, End: min(r.End, cut.Start)}
			after := chunk.Span{Start: max(r.Start, cut.End), End: r.End}
			for _, s := range []chunk.Span{before, after} {
				if !s.Empty() {
					next = append(next, s)
				}
			}
		}
		rest = next
	}
	return rest
}
