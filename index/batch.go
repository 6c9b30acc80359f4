package index

import (
	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/lexical"
	"github.com/aurora-sidecar/aurora/index/vector"
	"github.com/aurora-sidecar/aurora/internal/scrub"
)

// A batch is what a worker has made: files, and one segment with all their chunks.
type batch struct {
	built []built
	seg   *lexical.Segment // nil when no file has chunks
	vec   *vector.Segment  // of the same documents; nil without a model
	docs  []Ref
	names *nameList // of docs; nil when nobody knows them yet
	merge *merged
	// unwanted is what a saved picture knows of files that are left out.
	unwanted map[string]stamp
	loaded   bool     // from a saved picture: nothing to store, and what is there already wins
	forget   []string // absolute paths that belong to no folder any more
	overlay  *overlay // the buffer this is about, nil for files on disk
	rev      uint64   // of the buffer
}

// built is the outcome of one task.
type built struct {
	task  *task // nil for a buffer
	file  *File // nil when the file is gone, not to be indexed, or unchanged
	first int   // document number of its first chunk
	gone  bool
	same  bool // nothing to change but, at most, the time
	// touched is a file that was written again with the text that it had, nil for others: its time is new.
	touched *File
	fail    string // why it could not be read
	// unwanted is set for a file that is left out because of what is in it.
	unwanted bool
	// outside is set for a file of a saved picture that the rules in force leave out.
	outside bool
	blob    []byte // the encoded chunks when they are not in the store yet
}

// A batcher gathers files into a batch. It is for one goroutine.
type batcher struct {
	lex   *lexical.Builder
	vec   *vectorizer // nil without a model
	batch *batch
	bytes int
	limit int // on bytes
}

func (x *Index) newBatcher() *batcher {
	return &batcher{lex: lexical.NewBuilder(), vec: newVectorizer(x.opts.Embedder), batch: &batch{}, limit: firstBatch}
}

func (b *batcher) empty() bool { return len(b.batch.built) == 0 }

// How much text makes a segment during a scan: little at first, so that the first results come early, then more and
// more, so that merging stays cheap.
const (
	firstBatch   = 256 << 10
	largestBatch = 8 << 20
)

// full reports whether the batch has enough text, or files, of which there are most at most.
func (b *batcher) full(most int) bool { return b.bytes >= b.limit || len(b.batch.built) >= most }

// restart makes the next batches small again, and gives back what the large ones needed.
func (b *batcher) restart() {
	if b.limit > firstBatch {
		b.lex, b.limit = lexical.NewBuilder(), firstBatch
	}
}

// add puts r into the batch; text is what r.file's chunks are places in. Secrets in it become no words: they can't be
// searched for and are not stored. It returns where they are. What stood at the path before, if anything, lends the
// vectors of chunks that did not change.
func (b *batcher) add(r built, text []byte, before lender) (secrets []scrub.Finding) {
	if r.file != nil {
		r.first = len(b.batch.docs)
		text, secrets = r.file.secrets.Blank(text)
		b.vec.begin(r.file, before)
		for i := range r.file.Chunks {
			b.lex.Add(document(r.file, i, text))
			b.vec.add(r.file, i, text)
			b.batch.docs = append(b.batch.docs, Ref{File: r.file, Index: i})
		}
		b.bytes += len(text)
	}
	b.batch.built = append(b.batch.built, r)
	return secrets
}

// take returns the batch and starts the next one.
func (b *batcher) take() *batch {
	out := b.batch
	if len(out.docs) > 0 {
		out.seg, out.vec = b.lex.Build(), b.vec.build()
	}
	b.batch, b.bytes, b.limit = &batch{}, 0, min(2*b.limit, largestBatch)
	return out
}

// document tells the lexical lane what the words of a chunk are and where they stand.
func document(f *File, i int, text []byte) lexical.Document {
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
	d.Fields[lexical.Calls] = references(f, i)
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
