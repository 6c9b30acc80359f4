package parser

import (
	"errors"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/syntax"
)

// The reasons why a text is cut by its paragraphs, beside those of packages syntax and chunk.
var (
	ErrMemory  = errors.New("parsing took more memory than its limit")
	ErrCrashed = errors.New("the grammar crashed")
)

// A Parser cuts texts into chunks. It may be used by many goroutines.
type Parser interface {
	// Analyze is chunk.Analyze. The second result is the file as chunk.Encode writes it, or nil when that was not
	// made on the way.
	Analyze(lang *syntax.Language, src []byte) (*chunk.File, []byte, error)
	// Open opens a text that is going to be edited.
	Open(lang *syntax.Language, src []byte) Buffer
}

// A Buffer is a text that is edited. What was parsed of it before makes parsing it again cheaper. It is for one
// goroutine. Texts must not change after they were handed over.
type Buffer interface {
	// Edit replaces the text by text. The edits, applied in order to the previous text, should yield it; when they
	// don't, or there are none, the text is parsed from scratch.
	Edit(text []byte, edits []syntax.Edit)
	// File returns the chunks of the present text. It is right even with an error, which says why the text was cut
	// by its paragraphs.
	File() (*chunk.File, error)
	// Close frees what was kept of the text.
	Close()
}

// Local parses where it is called. Nothing but the budget of package syntax bounds it.
var Local Parser = local{}

type local struct{}

func (local) Analyze(lang *syntax.Language, src []byte) (*chunk.File, []byte, error) {
	f, err := chunk.Analyze(lang, src)
	return f, nil, err
}

func (local) Open(lang *syntax.Language, src []byte) Buffer {
	return &localBuffer{lang: lang, pending: pending{text: src, whole: true}}
}

// pending is a text and how it came about since it was parsed last.
type pending struct {
	text  []byte
	edits []syntax.Edit
	whole bool // the edits don't lead to the text
}

// Edit implements Buffer.
func (p *pending) Edit(text []byte, edits []syntax.Edit) {
	p.text = text
	p.edits = append(p.edits, edits...)
	p.whole = p.whole || len(edits) == 0
}

// settled forgets the edits, since the text was parsed.
func (p *pending) settled() { p.edits, p.whole = nil, false }

type localBuffer struct {
	lang *syntax.Language
	pending
	doc *syntax.Document // nil before the first File
}

func (b *localBuffer) File() (*chunk.File, error) {
	return chunk.Contain(b.lang.Name, b.text, func() (*chunk.File, error) {
		switch {
		case b.doc == nil:
			b.doc = syntax.NewDocument(b.lang, b.text)
		case b.whole:
			b.doc.Edit(b.text, nil)
		default:
			b.doc.Edit(b.text, b.edits)
		}
		b.settled()
		outline, err := b.doc.Outline()
		if err != nil {
			return chunk.Unparsed(b.lang.Name, b.text), err
		}
		return chunk.Build(b.lang.Name, b.text, outline), nil
	})
}

func (b *localBuffer) Close() {
	if b.doc != nil {
		b.doc.Close()
	}
}
