package snapshot

import (
	"maps"

	"github.com/aurora-sidecar/aurora/index/lexical"
)

// A Builder derives the next snapshot from a published one. It is for one goroutine.
type Builder struct {
	base   *Snapshot
	shards *[tableShards]map[string]Entry
	owned  [tableShards]bool // shards that are the builder's own copies
	count  int
	chunks int
	langs  map[string]int
	parts  map[*lexical.Segment]*Part
	order  []*lexical.Segment
}

// NewBuilder returns a builder of what follows p.
func NewBuilder(p *Snapshot) *Builder {
	b := &Builder{
		base: p, shards: new([tableShards]map[string]Entry), count: p.files.count, chunks: p.chunks,
		langs: maps.Clone(p.langs), parts: make(map[*lexical.Segment]*Part, len(p.parts)+1),
	}
	if p.files.shards != nil {
		*b.shards = *p.files.shards
	}
	if b.langs == nil {
		b.langs = map[string]int{}
	}
	for _, q := range p.parts {
		b.parts[q.seg] = q
		b.order = append(b.order, q.seg)
	}
	return b
}

// Get returns the file at abs.
func (b *Builder) Get(abs string) (Entry, bool) {
	e, ok := b.shards[shardOf(abs)][abs]
	return e, ok
}

func (b *Builder) shard(abs string) map[string]Entry {
	i := shardOf(abs)
	if !b.owned[i] {
		if b.shards[i] = maps.Clone(b.shards[i]); b.shards[i] == nil {
			b.shards[i] = map[string]Entry{}
		}
		b.owned[i] = true
	}
	return b.shards[i]
}

// AddPart makes the documents of p part of the snapshot; Put tells which file they belong to.
func (b *Builder) AddPart(p *Part) {
	b.parts[p.seg] = p
	b.order = append(b.order, p.seg)
}

// Put makes f the file at abs in place of any earlier one. Its chunks are the documents of p from first on.
func (b *Builder) Put(abs string, f *File, p *Part, first int) {
	b.Drop(abs)
	e := Entry{File: f, ModTime: f.ModTime, Node: f.Node, first: first}
	if p != nil {
		e.part = p.seg
	}
	b.shard(abs)[abs] = e
	b.count++
	b.chunks += f.Len()
	b.langs[f.Language]++
}

// Touch notes that the file at abs was written again with the same text; f has the time.
func (b *Builder) Touch(abs string, f *File) {
	if e, ok := b.Get(abs); ok {
		e.ModTime, e.Node = f.ModTime, f.Node
		b.shard(abs)[abs] = e
	}
}

// Drop removes the file at abs, if there is one.
func (b *Builder) Drop(abs string) {
	old, ok := b.Get(abs)
	if !ok {
		return
	}
	b.kill(old.part, old.first, old.File.Len())
	delete(b.shard(abs), abs)
	b.count--
	b.chunks -= old.File.Len()
	if b.langs[old.File.Language]--; b.langs[old.File.Language] <= 0 {
		delete(b.langs, old.File.Language)
	}
}

// Discard marks the n documents of p from first on as dead: nobody put them.
func (b *Builder) Discard(p *Part, first, n int) {
	if p != nil {
		b.kill(p.seg, first, n)
	}
}

// kill marks documents of a part as dead; a part without live documents goes.
func (b *Builder) kill(seg *lexical.Segment, first, n int) {
	p := b.parts[seg]
	if p == nil || n == 0 {
		return
	}
	q := p.without(first, n)
	if q.live == 0 {
		delete(b.parts, seg)
		return
	}
	b.parts[seg] = q
}

// Replace puts the merged part in the place of the parts it was made of. Documents that died since the merge began
// are dead in it, too.
func (b *Builder) Replace(m *Merge) {
	docs := make([]Ref, m.seg.Docs())
	fresh := newPart(m.seg, m.vec, docs)
	for i, old := range m.from {
		now := b.parts[old.seg]
		for doc, to := range m.remap[i] {
			if to < 0 {
				continue
			}
			docs[to] = old.docs[doc]
			if now == nil || now.isDead(doc) {
				fresh.kill(int(to))
			}
		}
		delete(b.parts, old.seg)
	}
	b.parts[m.seg] = fresh
	b.order = append(b.order, m.seg)
	if fresh.live == 0 {
		delete(b.parts, m.seg)
	}
	b.follow(m, docs)
}

// follow points the entries of a merged part's files at their new place.
func (b *Builder) follow(m *Merge, docs []Ref) {
	from := make(map[*lexical.Segment]bool, len(m.from))
	for _, p := range m.from {
		from[p.seg] = true
	}
	for doc, ref := range docs {
		if ref.Index != 0 {
			continue
		}
		if e, ok := b.Get(ref.File.Abs); ok && from[e.part] && e.File == ref.File {
			e.part, e.first = m.seg, doc
			b.shard(ref.File.Abs)[ref.File.Abs] = e
		}
	}
}

// Publish turns the builder into the next snapshot. The builder must not be used afterwards.
func (b *Builder) Publish(folders []string) *Snapshot {
	p := &Snapshot{
		number: b.base.number + 1, model: b.base.model, folders: folders, chunks: b.chunks, langs: b.langs,
		files: fileTable{shards: b.shards, count: b.count},
	}
	for _, seg := range b.order {
		if q := b.parts[seg]; q != nil {
			p.parts = append(p.parts, q)
			p.views = append(p.views, lexical.NewView(seg, q.dead))
			p.vectors = append(p.vectors, q.vectorView())
		}
	}
	return p
}
