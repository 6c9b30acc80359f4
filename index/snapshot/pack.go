package snapshot

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/embed"
	"github.com/aurora-sidecar/aurora/index/lexical"
	"github.com/aurora-sidecar/aurora/index/store"
	"github.com/aurora-sidecar/aurora/index/vector"
)

// A pack is what a shared cache has of a tree of files: their chunks and their words. Vectors would be two thirds of it, and
// making them costs less than moving them.
//
//	magic, version, version of the chunker, lengths of the three sections unpacked and packed, then the sections, each as
//	store.PackWell makes it
//	directory: number of files, then per file: path, hash, number of chunks, bytes in the table
//	table: encoded chunks
//	segment: its documents are the chunks in this order
const (
	packMagic    = "AURPCK\x00"
	packSections = 3
	packHeader   = len(packMagic) + 2 + packSections*16

	// PackVersion grows when the words that are made of a text change, too.
	PackVersion = 1

	// maxGrowth is how many times larger a section may become than it was packed; real ones become three times as large.
	maxGrowth = 256
	maxRaw    = 8 << 30 // bytes of a section

	leastFile  = 1 + 32 + 1 + 1 // bytes of a file in the directory
	leastChunk = 28             // bytes of a chunk in the table
)

var errPack = errors.New("the pack is damaged")

// EncodePack writes the files that keep accepts. It returns how many there are.
func EncodePack(s *Snapshot, folder string, keep func(*File) bool) (data []byte, files int, err error) {
	kept := map[*File]Entry{}
	for _, e := range s.files.all() {
		if e.File.Folder == folder && !e.File.Overlay && keep(e.File) {
			kept[e.File] = e
		}
	}
	m, order := compact(s, kept)
	if m.seg == nil {
		return nil, 0, nil
	}
	directory, chunks := binary.AppendUvarint(nil, uint64(len(order))), new(chunk.Decoder)
	var table []byte
	for _, f := range order {
		from := len(table)
		if table, _, err = f.encoded(table, chunks); err != nil {
			return nil, 0, err
		}
		directory = appendBytes(directory, []byte(f.Path))
		directory = append(directory, f.Hash[:]...)
		directory = binary.AppendUvarint(directory, uint64(f.Len()))
		directory = binary.AppendUvarint(directory, uint64(len(table)-from))
	}
	data = append([]byte(packMagic), PackVersion, chunk.Version)
	var packed []byte
	for _, section := range [packSections][]byte{directory, table, m.seg.Bytes()} {
		from := len(packed)
		packed = append(packed, store.PackWell(section)...)
		data = binary.LittleEndian.AppendUint64(data, uint64(len(section)))
		data = binary.LittleEndian.AppendUint64(data, uint64(len(packed)-from))
	}
	return append(data, packed...), len(order), nil
}

// A Pack is what was read of one.
type Pack struct {
	Files []PackedFile
	docs  int
	seg   *lexical.Segment
}

// A PackedFile is a file of a pack. Nothing of it counts for a file on disk that has another hash.
type PackedFile struct {
	Path   string // as it was written; it may be anything
	Hash   [32]byte
	chunks int
	first  int // document number
	blob   []byte
}

// OpenPack reads a pack. What it claims to hold is compared with what is there before memory is taken for it.
func OpenPack(data []byte) (*Pack, error) {
	if len(data) < packHeader || string(data[:len(packMagic)]) != packMagic {
		return nil, errPack
	}
	if v := data[len(packMagic):]; v[0] != PackVersion || v[1] != chunk.Version {
		return nil, fmt.Errorf("the pack is of version %d.%d, not %d.%d: another version of AURORA has written it", v[0], v[1], PackVersion, chunk.Version)
	}
	lengths, rest := data[len(packMagic)+2:packHeader], data[packHeader:]
	var sections [packSections][]byte
	for i := range sections {
		raw, packed := binary.LittleEndian.Uint64(lengths[16*i:]), binary.LittleEndian.Uint64(lengths[16*i+8:])
		if packed > uint64(len(rest)) || raw > maxRaw || raw > maxGrowth*packed {
			return nil, fmt.Errorf("%w: section %d", errPack, i)
		}
		var err error
		if sections[i], err = store.UnpackWithin(rest[:packed], raw); err != nil || uint64(len(sections[i])) != raw {
			return nil, fmt.Errorf("%w: section %d", errPack, i)
		}
		rest = rest[packed:]
	}
	p := &Pack{}
	if err := p.readDirectory(bytes.NewReader(sections[0]), sections[1]); err != nil || len(rest) > 0 {
		return nil, fmt.Errorf("%w: its directory", errPack)
	}
	seg, err := lexical.Open(sections[2], nil)
	if err != nil || seg.Docs() != p.docs {
		return nil, fmt.Errorf("%w: its words", errPack)
	}
	p.seg = seg
	return p, nil
}

func (p *Pack) readDirectory(r *bytes.Reader, table []byte) error {
	count, err := binary.ReadUvarint(r)
	if err != nil || count > uint64(r.Len()/leastFile) {
		return io.ErrUnexpectedEOF
	}
	p.Files = make([]PackedFile, count)
	for i := range p.Files {
		f := &p.Files[i]
		path, err := readBytes(r)
		if err != nil {
			return err
		}
		if _, err := io.ReadFull(r, f.Hash[:]); err != nil {
			return err
		}
		chunks, err1 := binary.ReadUvarint(r)
		blob, err2 := binary.ReadUvarint(r)
		if err := errors.Join(err1, err2); err != nil || blob > uint64(len(table)) || chunks > blob/leastChunk {
			return io.ErrUnexpectedEOF
		}
		f.Path, f.chunks, f.first, f.blob = string(path), int(chunks), p.docs, table[:blob:blob]
		p.docs, table = p.docs+int(chunks), table[blob:]
	}
	if r.Len()+len(table) > 0 {
		return io.ErrUnexpectedEOF
	}
	return nil
}

// decode returns the chunks of a file.
func (f *PackedFile) decode(d *chunk.Decoder) (*chunk.File, error) {
	content, err := d.Decode(f.blob)
	if err == nil && len(content.Chunks) != f.chunks {
		err = errOtherChunks
	}
	return content, err
}

// Fits reports whether all places in f lie in a text of that many bytes.
func Fits(f *chunk.File, size int) bool {
	inside := func(s chunk.Span) bool { return 0 <= s.Start && s.Start <= s.End && s.End <= size }
	for i := range f.Chunks {
		c := &f.Chunks[i]
		if c.Span.Empty() || !inside(c.Span) || !inside(c.Doc) || !inside(c.Signature) || !inside(c.NameSpan) || !inside(c.Overlap) {
			return false
		}
		for _, part := range c.Parts {
			if !inside(part.Span) || !inside(part.Overlap) {
				return false
			}
		}
	}
	for s := range f.Symbols.All() {
		if !inside(s.Span) {
			return false
		}
	}
	return true
}

// A Taken file is one of a pack that is on disk as the pack has it.
type Taken struct {
	File  *File
	First int // document number of its first chunk
}

// partChunks is about how many chunks are one piece of the work of Take.
const partChunks = 4096

// Take looks for the files of a pack. look is called for each, by several goroutines at once: it returns the file as it is on
// disk, without its chunks, and its text; ok is false when that is not what the pack is about. accept may refuse the
// chunks of a file. Take makes the vectors of what it takes, and returns the part with all of it, nil when there is nothing.
func (p *Pack) Take(ctx context.Context, model *embed.Static, workers int, look func(PackedFile) (f *File, text []byte, ok bool), accept func(f *File, text []byte) bool) ([]Taken, *Part) {
	files := make([]*File, len(p.Files))
	ends := p.split()
	vectors := make([]vector.View, len(ends))
	var next atomic.Int64
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(ends) {
					return
				}
				from := 0
				if i > 0 {
					from = ends[i-1]
				}
				vectors[i].Seg = p.takeSome(ctx, model, from, ends[i], files, look, accept)
			}
		})
	}
	all.Wait()
	if ctx.Err() != nil {
		return nil, nil
	}
	var vec *vector.Segment
	if model != nil {
		vec = vector.Merge(vectors)
	}
	return p.part(files, vec)
}

// split returns the ends of the pieces of the work.
func (p *Pack) split() (ends []int) {
	from := 0
	for i, f := range p.Files {
		if f.first+f.chunks-from >= partChunks || i == len(p.Files)-1 {
			ends, from = append(ends, i+1), f.first+f.chunks
		}
	}
	return ends
}

// takeSome takes files from..to-1, and returns their vectors.
func (p *Pack) takeSome(ctx context.Context, model *embed.Static, from, to int, files []*File, look func(PackedFile) (*File, []byte, bool), accept func(*File, []byte) bool) *vector.Segment {
	v, names := newVectorizer(model), new(chunk.Decoder)
	for i := from; i < to && ctx.Err() == nil; i++ {
		packed := &p.Files[i]
		if f, text, ok := look(*packed); ok {
			content, err := packed.decode(names)
			if err == nil && Fits(content, len(text)) {
				if f.File = content; accept(f, text) {
					files[i] = f
					v.begin(f, Lender{})
					for n := range f.Chunks {
						v.add(f, n, text)
					}
					continue
				}
			}
		}
		v.skip(packed.chunks)
	}
	return v.build()
}

// part returns the part whose documents are those of the files that were taken.
func (p *Pack) part(files []*File, vec *vector.Segment) (taken []Taken, part *Part) {
	nobody := Ref{File: &File{File: &chunk.File{Chunks: make([]chunk.Chunk, 1)}}}
	docs := slices.Repeat([]Ref{nobody}, p.docs)
	var dead []int
	for i := range p.Files {
		packed, f := &p.Files[i], files[i]
		if f != nil {
			taken = append(taken, Taken{f, packed.first})
		}
		for n := range packed.chunks {
			if f != nil {
				docs[packed.first+n] = Ref{File: f, Index: n}
			} else {
				dead = append(dead, packed.first+n)
			}
		}
	}
	part = newPart(p.seg, vec, docs)
	for _, doc := range dead {
		part.kill(doc)
	}
	if part.live == 0 {
		part = nil
	}
	return taken, part
}
