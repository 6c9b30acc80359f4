package index

import (
	"hash/maphash"
	"iter"
	"maps"
	"slices"
	"time"

	"github.com/aurora-sidecar/aurora/index/embed"
	"github.com/aurora-sidecar/aurora/index/lexical"
	"github.com/aurora-sidecar/aurora/index/vector"
)

// A picture is what a Snapshot shows: files and the segments that hold their chunks. A published picture is never
// written to again; the writer derives the next one with a draft.
type picture struct {
	number  uint64
	folders []string // canonical
	files   fileTable
	parts   []*part
	views   []lexical.View // of parts, same order
	vectors []vector.View  // of parts, same order
	chunks  int
	langs   map[string]int // files by language
	model   *embed.Static  // that made the vectors; nil for none
}

// A part is one segment and what its documents are.
type part struct {
	seg  *lexical.Segment
	vec  *vector.Segment // of the same documents; nil without a model
	docs []Ref           // by document number
	dead []uint64        // bitmap, nil while every document lives
	live int

	names *nameList
}

func newPart(seg *lexical.Segment, vec *vector.Segment, docs []Ref) *part {
	return &part{seg: seg, vec: vec, docs: docs, live: len(docs), names: new(nameList)}
}

func (p *part) isDead(doc int) bool {
	return p.dead != nil && p.dead[doc>>6]&(1<<(doc&63)) != 0
}

// without returns a part like p in which the documents first, first+1, ... first+n-1 are dead.
func (p *part) without(first, n int) *part {
	q := *p
	q.dead = slices.Clone(p.dead)
	for doc := first; doc < first+n; doc++ {
		q.kill(doc)
	}
	return &q
}

// kill marks a document of a part that is not published yet as dead.
func (p *part) kill(doc int) {
	if p.isDead(doc) {
		return
	}
	if p.dead == nil {
		p.dead = make([]uint64, (len(p.docs)+63)/64)
	}
	p.dead[doc>>6] |= 1 << (doc & 63)
	p.live--
}

// An entry is a file and the place of its chunks among the parts.
type entry struct {
	file  *File
	part  *lexical.Segment // nil when the file has no chunks
	first int              // document number of the first chunk

	modTime time.Time // when the file was written last, as far as is known; it may have been with the same text
}

// A fileTable maps absolute paths to entries. It is persistent: a change copies one shard of it.
type fileTable struct {
	shards *[tableShards]map[string]entry
	count  int
}

const tableShards = 128

var tableSeed = maphash.MakeSeed()

func shardOf(abs string) int { return int(maphash.String(tableSeed, abs) % tableShards) }

func (t fileTable) get(abs string) (entry, bool) {
	if t.shards == nil {
		return entry{}, false
	}
	e, ok := t.shards[shardOf(abs)][abs]
	return e, ok
}

func (t fileTable) all() iter.Seq2[string, entry] {
	return func(yield func(string, entry) bool) {
		if t.shards == nil {
			return
		}
		for _, shard := range t.shards {
			for abs, e := range shard {
				if !yield(abs, e) {
					return
				}
			}
		}
	}
}

// A draft is the picture being derived from a published one. Only the writer holds one.
type draft struct {
	base   *picture
	shards *[tableShards]map[string]entry
	owned  [tableShards]bool // shards that are the draft's own copies
	count  int
	chunks int
	langs  map[string]int
	parts  map[*lexical.Segment]*part
	order  []*lexical.Segment
}

func newDraft(p *picture) *draft {
	d := &draft{
		base: p, shards: new([tableShards]map[string]entry), count: p.files.count, chunks: p.chunks,
		langs: maps.Clone(p.langs), parts: make(map[*lexical.Segment]*part, len(p.parts)+1),
	}
	if p.files.shards != nil {
		*d.shards = *p.files.shards
	}
	if d.langs == nil {
		d.langs = map[string]int{}
	}
	for _, q := range p.parts {
		d.parts[q.seg] = q
		d.order = append(d.order, q.seg)
	}
	return d
}

func (d *draft) get(abs string) (entry, bool) {
	e, ok := d.shards[shardOf(abs)][abs]
	return e, ok
}

func (d *draft) shard(abs string) map[string]entry {
	i := shardOf(abs)
	if !d.owned[i] {
		if d.shards[i] = maps.Clone(d.shards[i]); d.shards[i] == nil {
			d.shards[i] = map[string]entry{}
		}
		d.owned[i] = true
	}
	return d.shards[i]
}

// addPart makes the documents of seg part of the picture; put tells which file they belong to.
func (d *draft) addPart(seg *lexical.Segment, vec *vector.Segment, docs []Ref, names *nameList) {
	p := newPart(seg, vec, docs)
	if names != nil {
		p.names = names
	}
	d.parts[seg] = p
	d.order = append(d.order, seg)
}

// put makes e the file at abs in place of any earlier one.
func (d *draft) put(abs string, e entry) {
	d.drop(abs)
	e.modTime = e.file.ModTime
	d.shard(abs)[abs] = e
	d.count++
	d.chunks += e.file.size()
	d.langs[e.file.Language]++
}

// touch notes that the file at abs was written again with the same text.
func (d *draft) touch(abs string, at time.Time) {
	if e, ok := d.get(abs); ok {
		e.modTime = at
		d.shard(abs)[abs] = e
	}
}

// drop removes the file at abs and reports whether there was one.
func (d *draft) drop(abs string) bool {
	old, ok := d.get(abs)
	if !ok {
		return false
	}
	d.kill(old.part, old.first, old.file.size())
	delete(d.shard(abs), abs)
	d.count--
	d.chunks -= old.file.size()
	if d.langs[old.file.Language]--; d.langs[old.file.Language] <= 0 {
		delete(d.langs, old.file.Language)
	}
	return true
}

// kill marks documents of a part as dead; a part without live documents goes.
func (d *draft) kill(seg *lexical.Segment, first, n int) {
	p := d.parts[seg]
	if p == nil || n == 0 {
		return
	}
	q := p.without(first, n)
	if q.live == 0 {
		delete(d.parts, seg)
		return
	}
	d.parts[seg] = q
}

// replace puts the merged part in the place of the parts it was made of. Documents that died since the merge began
// are dead in it, too.
func (d *draft) replace(m *merged) {
	docs := make([]Ref, m.seg.Docs())
	fresh := newPart(m.seg, m.vec, docs)
	for i, old := range m.from {
		now := d.parts[old.seg]
		for doc, to := range m.remap[i] {
			if to < 0 {
				continue
			}
			docs[to] = old.docs[doc]
			if now == nil || now.isDead(doc) {
				fresh.kill(int(to))
			}
		}
		delete(d.parts, old.seg)
	}
	d.parts[m.seg] = fresh
	d.order = append(d.order, m.seg)
	if fresh.live == 0 {
		delete(d.parts, m.seg)
	}
	d.follow(m, docs)
}

// follow points the entries of a merged part's files at their new place.
func (d *draft) follow(m *merged, docs []Ref) {
	from := make(map[*lexical.Segment]bool, len(m.from))
	for _, p := range m.from {
		from[p.seg] = true
	}
	for doc, ref := range docs {
		if ref.Index != 0 {
			continue
		}
		if e, ok := d.get(ref.File.Abs); ok && from[e.part] && e.file == ref.File {
			e.part, e.first = m.seg, doc
			d.shard(ref.File.Abs)[ref.File.Abs] = e
		}
	}
}

// publish turns the draft into the next picture. The draft must not be used afterwards.
func (d *draft) publish(folders []string) *picture {
	p := &picture{
		number: d.base.number + 1, model: d.base.model, folders: folders, chunks: d.chunks, langs: d.langs,
		files: fileTable{shards: d.shards, count: d.count},
	}
	for _, seg := range d.order {
		if q := d.parts[seg]; q != nil {
			p.parts = append(p.parts, q)
			p.views = append(p.views, lexical.NewView(seg, q.dead))
			p.vectors = append(p.vectors, q.vectorView())
		}
	}
	return p
}
