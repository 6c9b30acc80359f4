package index

import (
	"github.com/aurora-sidecar/aurora/index/snapshot"
	"github.com/aurora-sidecar/aurora/internal/scrub"
)

// A batch is what a worker has made: files, and one part with all their chunks.
type batch struct {
	built []built
	part  *snapshot.Part // nil when no file has chunks
	merge *snapshot.Merge
	// unwanted is what a saved snapshot knows of files that are left out.
	unwanted map[string]snapshot.Stamp
	loaded   bool     // from a saved snapshot: nothing to store, and what is there already wins
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
	// outside is set for a file of a saved snapshot that the effective rules leave out.
	outside bool
	blob    []byte // the encoded chunks when they are not in the store yet
}

// A batcher gathers files into a batch. It is for one goroutine.
type batcher struct {
	parts *snapshot.PartBuilder
	batch *batch
	limit int // on bytes
}

func (x *Index) newBatcher() *batcher {
	return &batcher{parts: snapshot.NewPartBuilder(x.opts.Embedder), batch: &batch{}, limit: firstBatch}
}

func (b *batcher) empty() bool { return len(b.batch.built) == 0 }

// How much text makes a segment during a scan: little at first, so that the first results come early, then more and
// more, so that merging stays cheap.
const (
	firstBatch   = 256 << 10
	largestBatch = 8 << 20
)

// full reports whether the batch has enough text, or files, of which there are most at most.
func (b *batcher) full(most int) bool {
	return b.parts.Bytes() >= b.limit || len(b.batch.built) >= most
}

// restart makes the next batches small again, and gives back what the large ones needed.
func (b *batcher) restart() {
	if b.limit > firstBatch {
		b.parts.Reset()
		b.limit = firstBatch
	}
}

// add puts r into the batch; see snapshot.PartBuilder.Add.
func (b *batcher) add(r built, text []byte, before snapshot.Lender) (secrets []scrub.Finding) {
	if r.file != nil {
		r.first, secrets = b.parts.Add(r.file, text, before)
	}
	b.batch.built = append(b.batch.built, r)
	return secrets
}

// take returns the batch and starts the next one.
func (b *batcher) take() *batch {
	out := b.batch
	out.part = b.parts.Build()
	b.batch, b.limit = &batch{}, min(2*b.limit, largestBatch)
	return out
}
