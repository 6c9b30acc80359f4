package parser

import (
	"errors"
	"time"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/syntax"
)

// Open implements Parser. The text is parsed in this process, by its edits, since handing a large one over at each key
// would take longer than parsing it. But a child has to bear it first, when it is new and whenever much is inserted.
func (p *Pool) Open(lang *syntax.Language, src []byte) Buffer {
	return &triedBuffer{pool: p, localBuffer: localBuffer{lang: lang, pending: pending{text: src, whole: true}}}
}

// triedBuffer is a Buffer whose text was tried in a child before.
type triedBuffer struct {
	localBuffer
	pool         *Pool
	refused      error // what the text did to a child
	refusedUntil time.Time
}

const (
	// triedFrom is how many bytes an edit inserts that no one types: they are pasted, or made by a program.
	triedFrom = 1 << 10
	// refusedFor is how long a text that ended a child is cut by its paragraphs, whatever is typed.
	refusedFor = 30 * time.Second
)

func (b *triedBuffer) File() (*chunk.File, error) {
	if time.Now().Before(b.refusedUntil) {
		return chunk.Unparsed(b.lang.Name, b.text), b.refused
	}
	if b.whole || inserted(b.edits) >= triedFrom {
		_, _, err := b.pool.Analyze(b.lang, b.text)
		if errors.Is(err, syntax.ErrBudget) || errors.Is(err, ErrMemory) || errors.Is(err, ErrCrashed) {
			b.edits, b.whole = nil, true
			b.refused, b.refusedUntil = err, time.Now().Add(refusedFor)
			return chunk.Unparsed(b.lang.Name, b.text), err
		}
	}
	return b.localBuffer.File()
}

func inserted(edits []syntax.Edit) int {
	n := 0
	for _, e := range edits {
		n += len(e.New)
	}
	return n
}
