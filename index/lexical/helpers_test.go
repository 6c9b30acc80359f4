package lexical

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// fields makes a document of one text per scored field, in the order of the fields.
func fields(texts ...string) Document {
	var d Document
	for f, t := range texts {
		d.Fields[f] = [][]byte{[]byte(t)}
	}
	return d
}

// body makes a document of body text alone.
func body(text string) Document {
	var d Document
	d.Fields[Body] = [][]byte{[]byte(text)}
	return d
}

// calling adds called names to a document.
func calling(d Document, names ...string) Document {
	for _, n := range names {
		d.Fields[Calls] = append(d.Fields[Calls], []byte(n))
	}
	return d
}

// segmentOf builds a segment of the documents.
func segmentOf(docs ...Document) *Segment {
	b := NewBuilder()
	for _, d := range docs {
		b.Add(d)
	}
	return b.Build()
}

// viewOf is a view of a segment of the documents, all alive.
func viewOf(docs ...Document) []View { return []View{NewView(segmentOf(docs...), nil)} }

// flat are parameters under which BM25F is Okapi BM25 over the concatenated fields.
var flat = Params{K1: 1.5, B: 0.75, Weights: [NumFields]float64{1, 1, 1, 1, 1, 1}}

// randomWords returns up to n words of a small Zipf-like vocabulary, so that documents share some.
func randomWords(r *rand.Rand, n int) string {
	var b strings.Builder
	for range r.IntN(n + 1) {
		fmt.Fprintf(&b, "w%d ", int(float64(r.IntN(8))*r.Float64()*r.Float64()*6))
	}
	return b.String()
}

// randomDocs returns n documents; some are empty.
func randomDocs(r *rand.Rand, n int) []Document {
	docs := make([]Document, n)
	for i := range docs {
		docs[i] = fields(randomWords(r, 2), randomWords(r, 3), randomWords(r, 6), randomWords(r, 10), randomWords(r, 60))
		docs[i] = calling(docs[i], strings.Fields(randomWords(r, 4))...)
	}
	return docs
}

// lookupAll collects what Lookup yields as view:document.
func lookupAll(views []View, f Field, token string) string {
	var got []string
	Lookup(views, f, token, func(view int, doc uint32) bool {
		got = append(got, fmt.Sprintf("%d:%d", view, doc))
		return true
	})
	return strings.Join(got, " ")
}

// open returns the segment of data or fails the test.
func open(t *testing.T, data []byte) *Segment {
	t.Helper()
	s, err := openChecked(data)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// openChecked is Open of bytes whose checksum is right.
func openChecked(data []byte) (*Segment, error) {
	s, err := Open(data, nil)
	if err == nil && binary.LittleEndian.Uint32(data[len(magic)+4:]) != checksum(data) {
		return nil, ErrDamaged
	}
	return s, err
}

// resultsOf are those of a search.
func resultsOf(views []View, q Query, p Params) []Result { return Search(views, q, p).Results }

// termsOf makes a term of each token.
func termsOf(tokens []string) []QueryTerm {
	terms := make([]QueryTerm, len(tokens))
	for i, token := range tokens {
		terms[i].Token = token
	}
	return terms
}

// fieldLength returns the number of tokens that the document has in a scored field; 0 for any other field and for
// a document that is not there.
func (s *Segment) fieldLength(doc uint32, f Field) int {
	if doc >= s.docs || f >= Calls {
		return 0
	}
	return int(binary.LittleEndian.Uint32(s.lengths[int(doc)*lengthsPerDoc+4*int(f):]))
}

// without returns a view in which the given documents are dead too. v stays as it is.
func (v View) without(docs ...uint32) View {
	dead := make([]uint64, (v.docs()+63)/64)
	copy(dead, v.Dead)
	for _, doc := range docs {
		if int(doc) < v.docs() {
			dead[doc/64] |= 1 << (doc % 64)
		}
	}
	return NewView(v.Seg, dead)
}
