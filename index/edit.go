package index

import (
	"crypto/sha256"
	"slices"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/parser"
	"github.com/aurora-sidecar/aurora/index/syntax"
	"github.com/aurora-sidecar/aurora/index/vfs"
	"github.com/aurora-sidecar/aurora/internal/scrub"
)

// buffers are the open buffers of editors.
type buffers struct {
	x              *Index
	open           map[string]*overlay // by absolute path
	dirty          []*overlay          // those whose newest text is not in the snapshot, oldest first
	opened         uint64              // how many there were so far
	outside        Rules               // of what lies in no folder
	outsideSecrets *scrub.Set          // of outside
}

// An overlay is an open buffer. It wins over the file on disk until it is closed.
type overlay struct {
	abs    string
	folder string // "" outside every workspace folder
	rel    string
	lang   *syntax.Language

	// guarded by Index.mu
	version int32
	text    []byte
	rev     uint64 // grows with every change of text
	taken   uint64 // the rev that the edit goroutine took last
	edits   []Edit // since taken
	whole   bool   // edits do not tell all that happened since taken
	ahead   newest // what readers made of a text that is not in the snapshot yet

	off     bool       // indexing is off where the file lies
	secrets *scrub.Set // of the rules there
	unread  uint64     // its number among all buffers until a text of it has been in the snapshot, then 0

	doc parser.Buffer // belongs to the edit goroutine; nil before it is parsed first, and without a grammar
}

// A newest is a file as it is in one text of a buffer.
type newest struct {
	rev  uint64
	base *File // that it was derived from by moving; nil when the text itself was parsed
	file *File
}

// maxTrees bounds the open buffers whose syntax trees are kept for incremental parsing: trees are C memory, about 17
// bytes per byte of text.
const maxTrees = 32

// Open puts an unsaved buffer over the file at path.
func (x *Index) Open(path, languageID string, version int32, text []byte) {
	abs := vfs.Canonical(path)
	lang := languageOf(abs, languageID, text)
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.life.closed {
		return
	}
	o := x.buffers.newLocked(abs, lang)
	if old := x.buffers.open[abs]; old != nil {
		x.buffers.undirtyLocked(old)
	}
	x.buffers.open[abs] = o
	x.buffers.dirtyLocked(o, version, text, nil)
	if !o.off {
		x.life.wakeLocked()
	}
}

// Change replaces the text of an open buffer. A change to a buffer that is not open opens it.
func (x *Index) Change(path string, version int32, text []byte, edits []Edit) {
	abs := vfs.Canonical(path)
	x.mu.Lock()
	o := x.buffers.open[abs]
	if o == nil || x.life.closed {
		x.mu.Unlock()
		x.Open(path, "", version, text)
		return
	}
	defer x.mu.Unlock()
	x.buffers.dirtyLocked(o, version, text, edits)
}

// Close drops the overlay: the file on disk counts again.
func (x *Index) Close(path string) {
	abs := vfs.Canonical(path)
	x.mu.Lock()
	defer x.mu.Unlock()
	o := x.buffers.open[abs]
	if o == nil || x.life.closed {
		return
	}
	delete(x.buffers.open, abs)
	x.buffers.undirtyLocked(o)
	x.changed.Broadcast() // the edit goroutine frees the tree
	if f := x.folders.ofLocked(abs); f != nil {
		x.queue.addLocked(f, abs, false, false)
	} else {
		x.writer.forgetLocked(abs)
	}
}

// Saved tells that the editor has just written the file. The buffer is still open and still wins, so there is
// nothing to read; a file that is not open is looked at again.
func (x *Index) Saved(path string) {
	abs := vfs.Canonical(path)
	x.mu.Lock()
	defer x.mu.Unlock()
	if f := x.folders.ofLocked(abs); f != nil && x.buffers.open[abs] == nil && !x.life.closed {
		x.queue.addLocked(f, abs, false, false)
	}
}

func (bs *buffers) dirtyLocked(o *overlay, version int32, text []byte, edits []Edit) {
	if edits == nil {
		o.whole = true
	}
	if o.edits = append(o.edits, edits...); o.whole {
		o.edits = nil
	}
	o.version, o.text = version, text
	o.rev++
	if !o.off && !slices.Contains(bs.dirty, o) {
		bs.dirty = append(bs.dirty, o)
	}
	bs.x.changed.Broadcast()
}

// cleanLocked takes the buffer off the list when what was just published is its newest text.
func (bs *buffers) cleanLocked(o *overlay, rev uint64) {
	o.unread = 0
	if o.rev == rev {
		bs.undirtyLocked(o)
	}
}

func (bs *buffers) undirtyLocked(o *overlay) {
	bs.dirty = slices.DeleteFunc(bs.dirty, func(d *overlay) bool { return d == o })
}

// readLocked reports whether each of the first buffers, as far as it is still open and to be indexed, has been in the snapshot.
// What is typed or opened meanwhile makes nobody wait longer.
func (bs *buffers) readLocked(first uint64) bool {
	for _, o := range bs.open {
		if 0 < o.unread && o.unread <= first && !o.off {
			return false
		}
	}
	return true
}

// A revision is one text of a buffer, as the edit goroutine took it.
type revision struct {
	rev     uint64
	version int32
	text    []byte
	edits   []Edit
	whole   bool
}

// nextDirty waits for a buffer with a text that was not parsed yet. o is nil when there is only housekeeping to do,
// ok is false when the index shuts down.
func (bs *buffers) nextDirty(trees int) (o *overlay, r revision, ok bool) {
	bs.x.mu.Lock()
	defer bs.x.mu.Unlock()
	for {
		if bs.x.life.closed || !bs.x.life.awake {
			return nil, r, false
		}
		for _, o := range bs.dirty {
			if o.taken == o.rev {
				continue
			}
			r = revision{rev: o.rev, version: o.version, text: o.text, edits: o.edits, whole: o.whole}
			o.taken, o.edits, o.whole = o.rev, nil, false
			return o, r, true
		}
		if trees > len(bs.open) {
			return nil, r, true
		}
		bs.x.changed.Wait()
	}
}

// isOpen reports whether o is still the buffer over its file.
func (bs *buffers) isOpen(o *overlay) bool {
	bs.x.mu.Lock()
	defer bs.x.mu.Unlock()
	return bs.open[o.abs] == o
}

// edit is the one goroutine that parses open buffers.
func (bs *buffers) edit() {
	b := bs.x.newBatcher()
	var trees []*overlay // those with a document, least recently parsed first
	defer func() {
		for _, o := range trees {
			o.doc.Close()
		}
	}()
	for {
		o, r, ok := bs.nextDirty(len(trees))
		if !ok {
			return
		}
		if o != nil {
			bs.parse(b, o, r)
			trees = slices.DeleteFunc(trees, func(t *overlay) bool { return t == o })
			if o.doc != nil {
				trees = append(trees, o)
			}
		}
		trees = bs.freeTrees(trees)
	}
}

// freeTrees closes the trees of buffers that were closed, and the oldest ones above the limit.
func (bs *buffers) freeTrees(trees []*overlay) []*overlay {
	tooMany := len(trees) - maxTrees
	return slices.DeleteFunc(trees, func(o *overlay) bool {
		if tooMany--; tooMany < 0 && bs.isOpen(o) {
			return false
		}
		o.doc.Close()
		o.doc = nil
		return true
	})
}

// parse chunks one text of a buffer and hands it to the writer.
func (bs *buffers) parse(b *batcher, o *overlay, r revision) {
	parsed, err := o.reparse(bs.x.opts.Parser, r)
	bs.x.logUnparsed(o.abs, err)
	file := &File{
		Folder: o.folder, Path: o.rel, Abs: o.abs, Size: int64(len(r.text)), Overlay: true, Version: r.version,
		Hash: sha256.Sum256(r.text), File: parsed, Buffer: r.text, Secrets: o.secrets,
	}
	b.add(built{file: file}, r.text, bs.x.published.Load().Lender(o.abs))
	out := b.take()
	out.overlay, out.rev = o, r.rev
	bs.x.writer.send(out)
}

// reparse brings the buffer's document to the text of r, by its edits where that is possible. A text that can't be
// parsed is cut by its paragraphs; the error says why.
func (o *overlay) reparse(p parser.Parser, r revision) (*chunk.File, error) {
	switch {
	case o.lang == nil:
		return chunk.BuildText(r.text), nil
	case o.doc == nil:
		o.doc = p.Open(o.lang, r.text)
	case r.whole:
		o.doc.Edit(r.text, nil)
	default:
		o.doc.Edit(r.text, syntaxEdits(r.edits))
	}
	return o.doc.File()
}

func syntaxEdits(edits []Edit) []syntax.Edit {
	out := make([]syntax.Edit, len(edits))
	for i, e := range edits {
		out[i] = syntax.Edit(e)
	}
	return out
}

// languageOf returns the grammar of a file by its name and text, else by what the editor calls it; nil when there is
// none.
func languageOf(path, languageID string, text []byte) *syntax.Language {
	if lang := syntax.Detect(path, text); lang != nil {
		return lang
	}
	return syntax.ByLanguageID(languageID)
}
