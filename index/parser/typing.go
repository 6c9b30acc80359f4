package parser

import (
	"errors"
	"sync"
	"time"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/syntax"
)

// typing is the child that has all Buffers, so that an edit never waits for a scan. When a text ends it, the other
// Buffers are opened again in the next one.
type typing struct {
	pool *Pool

	mu         sync.Mutex
	child      *process
	generation int // of child
	last       uint64
	open       int // Buffers that are not closed
}

// Open implements Parser.
func (p *Pool) Open(lang *syntax.Language, src []byte) Buffer {
	t := &p.typing
	t.mu.Lock()
	defer t.mu.Unlock()
	t.open++
	t.last++
	return &pooledBuffer{typing: t, lang: lang, id: t.last, pending: pending{text: src, whole: true}}
}

// pooledBuffer is a Buffer whose document is in the child.
type pooledBuffer struct {
	typing     *typing
	lang       *syntax.Language
	id         uint64
	generation int // of the child that has the text before the edits; 0 when none has

	pending
	refused      error // what the text did to a child
	refusedUntil time.Time
	closed       bool
}

// refusedFor is how long a text that ended a child is cut by its paragraphs, whatever is typed.
const refusedFor = 30 * time.Second

func (b *pooledBuffer) File() (*chunk.File, error) {
	t := b.typing
	t.mu.Lock()
	defer t.mu.Unlock()
	for attempt := 1; ; attempt++ {
		switch {
		case b.closed:
			return chunk.Unparsed(b.lang.Name, b.text), syntax.ErrClosed
		case time.Now().Before(b.refusedUntil):
			b.edits, b.whole = nil, true
			return chunk.Unparsed(b.lang.Name, b.text), b.refused
		case !t.started():
			f, _, err := Local.Analyze(b.lang, b.text)
			return f, err
		}
		f, answer, err := t.child.file(b.request())
		if err == nil {
			b.generation = t.generation
			b.settled()
			return f, answer.err()
		}
		b.refused = t.child.end()
		t.child = nil
		if attempt == maxAttempts || !errors.Is(b.refused, ErrCrashed) {
			b.refusedUntil = time.Now().Add(refusedFor)
		}
	}
}

// started starts the child unless there is one.
func (t *typing) started() bool {
	if t.child == nil {
		t.child = t.pool.take()
		t.generation++
	}
	return t.child != nil
}

// request asks for the chunks of the present text.
func (b *pooledBuffer) request() *request {
	if b.whole || b.generation != b.typing.generation {
		return &request{Op: open, Language: b.lang.Name, Text: b.text, Document: b.id}
	}
	return &request{Op: edit, Language: b.lang.Name, Text: b.text, Document: b.id, Edits: b.edits}
}

func (b *pooledBuffer) Close() {
	t := b.typing
	t.mu.Lock()
	defer t.mu.Unlock()
	if b.closed {
		return
	}
	b.closed = true
	t.open--
	if t.child == nil {
		return
	}
	if b.generation == t.generation {
		if _, err := t.child.ask(&request{Op: shut, Document: b.id}); err != nil {
			t.endLocked()
			return
		}
	}
	if t.open == 0 {
		t.pool.give(t.child)
		t.child = nil
	}
}

func (t *typing) endLocked() {
	_ = t.child.end()
	t.child = nil
}

func (t *typing) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.child != nil {
		t.endLocked()
	}
}
