package lexical

import (
	"bytes"
	"encoding/binary"

	"github.com/aurora-sidecar/aurora/internal/text"
)

// A Document is what Builder.Add takes: per field any number of raw texts. A scored field's texts are tokenised;
// each text of the Calls field is one name, taken whole.
type Document struct {
	Fields [NumFields][][]byte
}

// spillSize is how many bytes a Builder gathers before it packs them into a segment of their own.
const spillSize = 256 << 20

// A Builder gathers documents into a Segment. The zero Builder is not ready, see NewBuilder. It may be used for
// one segment after the other and keeps its memory between them; it is not for concurrent use.
type Builder struct {
	tokens    text.Tokenizer
	words     *postingsBuilder
	calls     *postingsBuilder
	docs      uint32
	lengths   []byte
	spilled   []View // earlier documents, when there were very many
	spillSize int

	present []termCount // terms of the document being added
	slot    []uint32    // by term: where it may be in present
	payload []byte
	lower   []byte
}

// A termCount is how often a document holds a term, by field.
type termCount struct {
	term uint32
	tf   [scored]uint32
}

// NewBuilder returns an empty Builder.
func NewBuilder() *Builder {
	return &Builder{words: newPostingsBuilder(), calls: newPostingsBuilder(), spillSize: spillSize}
}

// Add appends a document and returns its number: 0 for the first after NewBuilder or Build, then 1, 2, ... It does
// not keep the texts.
func (b *Builder) Add(doc Document) int {
	if b.words.size()+b.calls.size() > b.spillSize {
		b.spill()
	}
	b.addWords(&doc)
	b.addCalls(doc.Fields[Calls])
	b.docs++
	return b.Docs() - 1
}

// Docs returns the number of documents added so far.
func (b *Builder) Docs() int {
	n := int(b.docs)
	for _, v := range b.spilled {
		n += v.Seg.Docs()
	}
	return n
}

// Build returns the segment of the documents added so far and empties the Builder.
func (b *Builder) Build() *Segment {
	if len(b.spilled) == 0 {
		return b.pack()
	}
	b.spill()
	seg, _ := Merge(b.spilled)
	b.spilled = nil
	return seg
}

// spill packs what was gathered and makes room for more.
func (b *Builder) spill() {
	b.spilled = append(b.spilled, View{Seg: b.pack()})
}

// pack returns the segment of what was gathered since the last pack, and forgets it.
func (b *Builder) pack() *Segment {
	seg := assemble(b.docs, b.lengths, b.words.dictionary(), b.calls.dictionary())
	b.words.clear()
	b.calls.clear()
	b.docs, b.lengths = 0, b.lengths[:0]
	return seg
}

// addWords tokenises the scored fields, counts, and appends one posting per distinct token.
func (b *Builder) addWords(doc *Document) {
	b.present = b.present[:0]
	for f := range scored {
		length := uint32(0)
		count := func(tok []byte) {
			b.count(tok, f)
			length++
		}
		for _, src := range doc.Fields[f] {
			b.tokens.Each(src, count)
		}
		b.lengths = binary.LittleEndian.AppendUint32(b.lengths, length)
	}
	for i := range b.present {
		b.payload = appendPayload(b.payload[:0], &b.present[i].tf)
		b.words.add(b.present[i].term, b.docs, b.payload)
	}
}

// count notes one occurrence of the token in the field.
func (b *Builder) count(tok []byte, field int) {
	term := b.words.terms.number(tok)
	for int(term) >= len(b.slot) {
		b.slot = append(b.slot, 0)
	}
	at := b.slot[term]
	if int(at) >= len(b.present) || b.present[at].term != term {
		at = uint32(len(b.present))
		b.slot[term] = at
		b.present = append(b.present, termCount{term: term})
	}
	b.present[at].tf[field]++
}

// addCalls appends one posting per distinct name.
func (b *Builder) addCalls(names [][]byte) {
	for _, name := range names {
		if len(name) == 0 {
			continue
		}
		b.lower = lowerName(b.lower[:0], name)
		b.calls.add(b.calls.terms.number(b.lower), b.docs, []byte{presence})
	}
}

// lowerName appends the form under which a called name is filed.
func lowerName(dst, name []byte) []byte {
	for _, c := range name {
		if c >= 0x80 {
			return append(dst[:0], bytes.ToLower(name)...)
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		dst = append(dst, c)
	}
	return dst
}

// A postingsBuilder gathers the postings of one namespace in one pool: per posting the position of the term's next
// one (u32, 0 for none), then the bytes that the segment will hold.
type postingsBuilder struct {
	terms termTable
	lists []list // by term
	pool  []byte
}

// A list is one term's chain through the pool.
type list struct {
	head, tail uint32
	nextDoc    uint32 // last document + 1, so that zero is "none yet"
	df         uint32
}

const linkSize = 4

func newPostingsBuilder() *postingsBuilder {
	return &postingsBuilder{terms: newTermTable(), pool: make([]byte, 1)} // position 0 means none
}

// size returns the bytes gathered.
func (p *postingsBuilder) size() int { return len(p.pool) + len(p.terms.arena) }

// add appends a posting. Documents arrive in ascending order; the same one again is ignored.
func (p *postingsBuilder) add(term, doc uint32, payload []byte) {
	for int(term) >= len(p.lists) {
		p.lists = append(p.lists, list{})
	}
	l := &p.lists[term]
	if l.nextDoc == doc+1 {
		return
	}
	at := uint32(len(p.pool))
	if l.head == 0 {
		l.head = at
	} else {
		binary.LittleEndian.PutUint32(p.pool[l.tail:], at)
	}
	p.pool = append(p.pool, 0, 0, 0, 0)
	p.pool = binary.AppendUvarint(p.pool, uint64(doc+1-l.nextDoc))
	p.pool = append(p.pool, payload...)
	l.tail, l.nextDoc, l.df = at, doc+1, l.df+1
}

// dictionary encodes what was gathered.
func (p *postingsBuilder) dictionary() *dictionaryWriter {
	w := &dictionaryWriter{}
	var postings []byte
	for _, term := range p.terms.sorted() {
		l := p.lists[term]
		postings = postings[:0]
		for at := l.head; at != 0; at = binary.LittleEndian.Uint32(p.pool[at:]) {
			postings = append(postings, posting(p.pool[at+linkSize:])...)
		}
		w.add(p.terms.term(term), int(l.df), postings)
	}
	return w
}

// posting returns the distance and payload that b starts with.
func posting(b []byte) []byte {
	_, n := uvarint(b)
	return b[:n+payloadLen(b[n:])]
}

// clear forgets everything but keeps the memory.
func (p *postingsBuilder) clear() {
	p.terms.clear()
	p.lists = p.lists[:0]
	p.pool = p.pool[:1]
}
