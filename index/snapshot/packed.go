package snapshot

import (
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/store"
)

// Most files of a saved snapshot are never looked at by a search. Their chunks stay packed in the snapshot until somebody
// wants to see them: a File that leaves this package has been through Loaded, but for those that Snapshot.Listed and
// Query.Accept hand out, which say so.

// A packedFile is the place of a file's chunks in a saved snapshot.
type packedFile struct {
	in       *packedTable
	from, to int // in the table
	chunks   int
	loaded   atomic.Bool
}

// A packedTable is the part of a saved snapshot that has the chunks of its files.
type packedTable struct {
	lost func(error) // is told when the snapshot can't be read any more

	mu     sync.Mutex // guards all below
	frames *store.Frames
	frame  int    // the number of the one in text; -1 for none
	text   []byte // of one frame
	names  chunk.Decoder
	fresh  int // files that names has decoded
}

// shareNames is how many files share equal names; the names of all would stay in memory.
const shareNames = 1000

func newPackedTable(frames *store.Frames, lost func(error)) *packedTable {
	return &packedTable{frames: frames, frame: -1, lost: lost}
}

// Loaded returns f when what is in it can be looked at: its chunks, imports, supertypes and symbols. The rest of a
// File is there always.
func (f *File) Loaded() *File {
	if k := f.packed; k != nil && !k.loaded.Load() {
		k.in.load(k, f.File)
	}
	return f
}

// Len is the number of chunks, which need not be loaded for it.
func (f *File) Len() int {
	if f.packed != nil {
		return f.packed.chunks
	}
	return len(f.Chunks)
}

// load fills in what a file was saved with. When that can't be had any more, its chunks are nameless and empty, until
// the folder has been read again.
func (t *packedTable) load(k *packedFile, f *chunk.File) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if k.loaded.Load() {
		return
	}
	saved, err := t.decode(k)
	if err != nil {
		t.lost(err)
		saved = &chunk.File{Chunks: make([]chunk.Chunk, k.chunks)}
		for i := range saved.Chunks {
			saved.Chunks[i] = chunk.Chunk{Type: chunk.Code, Kind: chunk.KindBlock, Ordinal: i}
		}
	}
	f.Chunks, f.Imports, f.Exports, f.Manifest = saved.Chunks, saved.Imports, saved.Exports, saved.Manifest
	f.Inherits, f.Symbols, f.Types = saved.Inherits, saved.Symbols, saved.Types
	k.loaded.Store(true)
}

var errOtherChunks = errors.New("a file has another number of chunks than its snapshot says")

func (t *packedTable) decode(k *packedFile) (*chunk.File, error) {
	blob, err := t.blob(k)
	if err != nil {
		return nil, err
	}
	if t.fresh++; t.fresh > shareNames {
		t.fresh, t.names = 0, chunk.Decoder{}
	}
	f, err := t.names.Decode(blob)
	if err == nil && len(f.Chunks) != k.chunks {
		return nil, errOtherChunks
	}
	return f, err
}

// blob returns a file as it was encoded. It is good until the next call.
func (t *packedTable) blob(k *packedFile) ([]byte, error) {
	i := t.frames.Of(k.from)
	if i >= t.frames.Len() {
		return nil, errOtherChunks
	}
	from, to := t.frames.Range(i)
	if k.to > to {
		return nil, errOtherChunks
	}
	if i != t.frame {
		t.frame = -1
		text, err := t.frames.Unpack(i, t.text)
		if t.text = text; err != nil {
			return nil, err
		}
		t.frame = i
	}
	return t.text[k.from-from : k.to-from], nil
}

// encoded appends the file to a table as chunk.Encode does, and returns what is in the file, too. A file that is not loaded
// stays so.
func (f *File) encoded(table []byte, names *chunk.Decoder) ([]byte, *chunk.File, error) {
	k := f.packed
	if k == nil {
		return append(table, chunk.Encode(f.File)...), f.File, nil
	}
	k.in.mu.Lock()
	defer k.in.mu.Unlock()
	blob, err := k.in.blob(k)
	if err != nil {
		return nil, nil, err
	}
	content, err := names.Decode(blob)
	return append(table, blob...), content, err
}

// inOrder sorts files so that those of a snapshot are loaded one after the other.
func inOrder(files []*File) {
	place := func(f *File) int {
		if f.packed == nil {
			return -1
		}
		return f.packed.from
	}
	slices.SortFunc(files, func(a, b *File) int { return place(a) - place(b) })
}

// loadHits makes what a search has found ready to be looked at.
func loadHits(hits []Hit) []Hit {
	var files []*File
	for _, h := range hits {
		if k := h.File.packed; k != nil && !k.loaded.Load() {
			files = append(files, h.File)
		}
	}
	inOrder(files)
	for _, f := range files {
		f.Loaded()
	}
	return hits
}

// A page is a part of a saved snapshot that is unpacked into one buffer, frame by frame, as it is needed.
type page struct {
	buf  []byte
	done []atomic.Bool // by frame
	lost func(error)

	mu     sync.Mutex // guards all below
	frames *store.Frames
	text   []byte // of one frame
}

func newPage(frames *store.Frames, lost func(error)) *page {
	return &page{buf: make([]byte, frames.Size()), done: make([]atomic.Bool, frames.Len()), frames: frames, lost: lost}
}

// need makes sure that the bytes from (inclusive) to (exclusive) are in the buffer, and reports whether they are.
func (p *page) need(from, to int) bool {
	for i := from / store.FrameSize; i*store.FrameSize < to; i++ {
		if !p.done[i].Load() && !p.fill(i) {
			return false
		}
	}
	return true
}

func (p *page) fill(i int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.done[i].Load() {
		return true
	}
	text, err := p.frames.Unpack(i, p.text)
	if p.text = text; err != nil {
		p.lost(err)
		return false
	}
	from, _ := p.frames.Range(i)
	copy(p.buf[from:], text)
	p.done[i].Store(true)
	return true
}
