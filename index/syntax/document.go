package syntax

import (
	"bytes"
	"fmt"
	"sync"

	sitter "github.com/smacker/go-tree-sitter"
)

// An Edit replaces the bytes [Start, OldEnd) of the text before it by New.
type Edit struct {
	Start, OldEnd int
	New           []byte
}

// A Document is an open buffer. It keeps the tree of its text, so that an edit costs in proportion to what changed.
// It may be used by many goroutines; Close frees the tree.
//
// A tree without errors does not depend on the way it came about, so it is edited and reused. Error recovery does:
// what it makes of a text differs with what it could reuse. A tree with errors is therefore never the base of
// another, and an edit that leads to one is parsed again from scratch. Equal texts have equal outlines.
type Document struct {
	lang *Language

	mu     sync.Mutex
	src    []byte
	tree   *sitter.Tree // nil when src could not be parsed, or its language has no grammar
	mended bool         // tree is of another text, see Language.mend: no base of another one
	out    *Outline     // of src, nil until asked for
	err    error        // why tree is nil
	closed bool

	branches branches // what the last outline was made of
}

// NewDocument opens a buffer that holds src. src must not change afterwards.
func NewDocument(lang *Language, src []byte) *Document {
	d := &Document{lang: lang, src: src}
	d.reparse()
	return d
}

// maxEdits is the number of edits from which a full parse is cheaper than applying them one by one.
const maxEdits = 64

// Edit replaces the text by text. The edits, applied in order to the previous text, should yield it; when they don't,
// or there are none, the text is parsed from scratch. text must not change afterwards.
func (d *Document) Edit(text []byte, edits []Edit) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed || bytes.Equal(d.src, text) {
		return
	}
	old := d.src
	d.src, d.out = text, nil
	_, other := d.lang.wholly(text)
	if d.tree == nil || d.mended || other || d.lang.columns || d.tree.RootNode().HasError() || !d.applyEdits(old, edits) {
		d.reparse()
		return
	}
	tree, err := d.lang.parse(d.tree, text)
	if err != nil || tree.RootNode().HasError() {
		if err == nil {
			closeTree(tree)
		}
		d.reparse()
		return
	}
	d.setTree(tree)
	d.mended = false
}

// applyEdits tells the tree what moves where. It reports false, and leaves a tree that must not be used, when the
// edits don't lead from old to the present text.
func (d *Document) applyEdits(old []byte, edits []Edit) bool {
	if len(edits) == 0 || len(edits) > maxEdits {
		return false
	}
	text := old
	for _, e := range edits {
		if e.Start < 0 || e.OldEnd < e.Start || e.OldEnd > len(text) {
			return false
		}
		start := pointAt(text, e.Start)
		// The binding passes OldEndPoint as the new end's point, too. That does no harm where the scanner asks for no
		// columns, since offsets are bytes; the other languages don't come here.
		d.tree.Edit(sitter.EditInput{
			StartIndex:  uint32(e.Start),
			OldEndIndex: uint32(e.OldEnd),
			NewEndIndex: uint32(e.Start + len(e.New)),
			StartPoint:  start,
			OldEndPoint: advance(start, text[e.Start:e.OldEnd]),
			NewEndPoint: advance(start, e.New),
		})
		next := make([]byte, 0, len(text)-(e.OldEnd-e.Start)+len(e.New))
		next = append(next, text[:e.Start]...)
		next = append(next, e.New...)
		text = append(next, text[e.OldEnd:]...)
	}
	return bytes.Equal(text, d.src)
}

// pointAt is the row and the column, in bytes, of an offset. Tree-sitter knows "\n" as the only line break.
func pointAt(text []byte, offset int) sitter.Point {
	return advance(sitter.Point{}, text[:offset])
}

// advance is the point that is reached from p by going over b.
func advance(p sitter.Point, b []byte) sitter.Point {
	rows := bytes.Count(b, newline)
	if rows == 0 {
		return sitter.Point{Row: p.Row, Column: p.Column + uint32(len(b))}
	}
	return sitter.Point{Row: p.Row + uint32(rows), Column: uint32(len(b) - 1 - bytes.LastIndexByte(b, '\n'))}
}

// reparse parses the present text from scratch.
func (d *Document) reparse() {
	if d.lang.read != nil {
		return
	}
	tree, mended, err := d.lang.parseWhole(d.src)
	d.setTree(tree)
	d.mended, d.err = mended, err
}

// setTree replaces the tree by another one or by none.
func (d *Document) setTree(tree *sitter.Tree) {
	if d.tree != nil {
		closeTree(d.tree)
	}
	d.tree, d.err = tree, nil
}

// Outline returns the outline of the present text; see Parse for its errors. It must not be changed.
func (d *Document) Outline() (*Outline, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.closed:
		return nil, ErrClosed
	case d.err != nil:
		return nil, fmt.Errorf("parse %s: %w", d.lang.Name, d.err)
	case d.out != nil:
		return d.out, nil
	case d.lang.read != nil:
		out, err := d.lang.read(d.src, parseEmbedded)
		d.out = out
		return out, err
	}
	rules, err := d.lang.compiled()
	if err != nil {
		return nil, err
	}
	tree := copyTree(d.tree) // a tree remembers every node that was looked at; a copy forgets them with its Close
	defer closeTree(tree)
	known := &d.branches
	if d.mended {
		known = nil // equal texts need not have equal trees
	}
	out, err := rules.outline(tree, d.src, known)
	if err != nil {
		return nil, fmt.Errorf("outline %s: %w", d.lang.Name, err)
	}
	d.out = d.lang.regain(tree, out, d.src)
	return d.out, nil
}

// Language returns the language that the document was opened with.
func (d *Document) Language() *Language { return d.lang }

// Close frees the tree. A closed document ignores edits and has no outline. Closing twice is allowed.
func (d *Document) Close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	d.src, d.out, d.branches = nil, nil, branches{}
	d.setTree(nil)
}
