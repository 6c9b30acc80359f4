package lexical

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestBuilderStartsAnew(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	b := NewBuilder()
	for range 5 {
		docs := randomDocs(r, r.IntN(60))
		for i, d := range docs {
			if got := b.Add(d); got != i {
				t.Fatalf("document %d got number %d", i, got)
			}
		}
		if got, want := b.Build().Bytes(), segmentOf(docs...).Bytes(); !bytes.Equal(got, want) {
			t.Fatal("a used builder builds something else than a fresh one")
		}
	}
}

func TestBuilderSpills(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	docs := randomDocs(r, 200)
	b := NewBuilder()
	b.spillSize = 2000
	for i, d := range docs {
		if got := b.Add(d); got != i {
			t.Fatalf("document %d got number %d", i, got)
		}
	}
	if len(b.spilled) < 3 {
		t.Fatalf("spilled %d times", len(b.spilled))
	}
	if got, want := b.Build().Bytes(), segmentOf(docs...).Bytes(); !bytes.Equal(got, want) {
		t.Error("spilling changed the segment")
	}
	if b.Docs() != 0 || b.Build().Docs() != 0 {
		t.Error("Build did not empty the builder")
	}
}

func TestManyTextsPerField(t *testing.T) {
	var d Document
	d.Fields[Name] = [][]byte{[]byte("getUser"), []byte("User")}
	d.Fields[Calls] = [][]byte{nil, []byte("a.B"), []byte("a.b")}
	seg := segmentOf(d)
	if got := seg.fieldLength(0, Name); got != 4 { // get user getuser user
		t.Errorf("length %d, want 4", got)
	}
	views := []View{{Seg: seg}}
	if got := lookupAll(views, Calls, "A.B"); got != "0:0" {
		t.Errorf("a called name is taken whole: %q", got)
	}
}

func TestPayloads(t *testing.T) {
	p := Params{K1: 1, Weights: [NumFields]float64{1, 10, 100, 1000, 10000}}
	uniform := uniformFrequencies(&p.Weights)
	for _, c := range []struct {
		tf   [scored]uint32
		size int
	}{
		{[scored]uint32{0, 0, 0, 0, 1}, 1},
		{[scored]uint32{7, 7, 7, 7, 7}, 1},
		{[scored]uint32{2, 0, 2, 0, 0}, 1},
		{[scored]uint32{0, 0, 0, 0, 8}, 2},
		{[scored]uint32{1, 2, 3, 4, 5}, 6},
		{[scored]uint32{1, 0, 0, 0, 300}, 4},
		{[scored]uint32{0, 0, math.MaxUint32, 0, 0}, 6},
	} {
		payload := appendPayload(nil, &c.tf)
		if len(payload) != c.size || payloadLen(payload) != c.size {
			t.Errorf("%v takes %d bytes, read as %d, want %d", c.tf, len(payload), payloadLen(payload), c.size)
		}
		cur := newCursor(append([]byte{1}, payload...), 1)
		want := 0.0
		for f, n := range c.tf {
			want += p.Weights[f] * float64(n)
		}
		if got := cur.frequency(&uniform, &p.Weights); got != want || cur.pos != 1+c.size {
			t.Errorf("%v reads as %v, want %v", c.tf, got, want)
		}
	}
}

func TestTermTable(t *testing.T) {
	table := newTermTable()
	r := rand.New(rand.NewPCG(8, 8))
	for range 2 {
		var words []string
		numbers := map[string]uint32{}
		for range 20000 {
			w := strings.Repeat("long-common-prefix", r.IntN(2)) + string(rune('a'+r.IntN(26))) + string(rune(r.IntN(500)))
			n, seen := numbers[w]
			if !seen {
				n = uint32(len(words))
				numbers[w], words = n, append(words, w)
			}
			if got := table.number([]byte(w)); got != n {
				t.Fatalf("%q is number %d, want %d", w, got, n)
			}
		}
		var got []string
		for _, n := range table.sorted() {
			got = append(got, string(table.term(n)))
		}
		if slices.Sort(words); !slices.Equal(got, words) {
			t.Fatal("not in byte order")
		}
		table.clear()
	}
}
