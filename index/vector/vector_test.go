package vector

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

const space = "model@1/256/00000000"

// clustered returns n vectors that are noisy copies of a few hundred directions, as those of real functions are.
func clustered(n, dims int, seed uint64) [][]int8 {
	r := rand.New(rand.NewPCG(seed, 7))
	centres := make([][]float64, 300)
	for i := range centres {
		centres[i] = make([]float64, dims)
		for d := range dims {
			centres[i][d] = r.NormFloat64()
		}
	}
	all := make([][]int8, n)
	for i := range all {
		centre := centres[r.IntN(len(centres))]
		all[i] = make([]int8, dims)
		for d := range dims {
			all[i][d] = int8(max(-127, min(127, 30*(centre[d]+r.NormFloat64()))))
		}
	}
	return all
}

func build(t testing.TB, space string, vectors [][]int8) *Segment {
	t.Helper()
	dims := 1
	for _, v := range vectors {
		dims = max(dims, len(v))
	}
	b, err := NewBuilder(space, dims)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range vectors {
		if err := b.Add(i, v); err != nil {
			t.Fatal(err)
		}
	}
	return b.Build()
}

// naive ranks by a definition of the cosine that shares nothing with the code under test.
func naive(vectors [][]int8, query []int8, limit int) []Result {
	var all []Result
	for doc, v := range vectors {
		var dot, vv, qq float64
		for i := range v {
			dot += float64(v[i]) * float64(query[i])
			vv += float64(v[i]) * float64(v[i])
			qq += float64(query[i]) * float64(query[i])
		}
		if vv > 0 {
			all = append(all, Result{Doc: uint32(doc), Score: dot / math.Sqrt(vv*qq)})
		}
	}
	slices.SortStableFunc(all, func(a, b Result) int {
		switch {
		case a.Score > b.Score:
			return -1
		case a.Score < b.Score:
			return 1
		}
		return 0
	})
	return all[:min(limit, len(all))]
}

func TestExactSearchIsTheCosine(t *testing.T) {
	for _, dims := range []int{1, 7, 64, 100, 256} {
		vectors := clustered(500, dims, 1)
		vectors[17] = nil
		seg := build(t, space, vectors)
		for i := range 5 {
			query := vectors[30*i]
			if slices.Max(query) == 0 && slices.Min(query) == 0 {
				continue
			}
			got, skipped := Search([]View{{Seg: seg}}, Query{Vector: query, Space: space, Limit: 20, Exact: true})
			want := naive(vectors, query, 20)
			if !reflect.DeepEqual(got, want) || skipped != 0 {
				t.Errorf("%d dimensions, query %d: %v, want %v (skipped %d)", dims, i, got, want, skipped)
			}
		}
	}
}

func TestCosinesOfARun(t *testing.T) {
	vectors := clustered(50, 37, 3)
	vectors[11] = nil
	seg := build(t, space, vectors)
	query := vectors[4]
	got := seg.Cosines([]float64{7}, query, 10, 60)
	if len(got) != 61 || got[0] != 7 {
		t.Fatalf("%d figures, the first %v", len(got), got[0])
	}
	for _, r := range naive(vectors, query, len(vectors)) {
		if doc := int(r.Doc); doc >= 10 && math.Abs(got[1+doc-10]-r.Score) > 1e-12 {
			t.Errorf("document %d: %v, want %v", doc, got[1+doc-10], r.Score)
		}
	}
	if got[2] != 0 || slices.Max(got[41:]) != 0 || slices.Min(got[41:]) != 0 {
		t.Error("documents without a vector, and those that are not there, have cosines")
	}
	for name, list := range map[string][]float64{
		"another length": seg.Cosines(nil, query[1:], 0, 3), "nothing asked": seg.Cosines(nil, make([]int8, 37), 0, 3), "behind the end": seg.Cosines(nil, query, 60, 3),
	} {
		if len(list) != 3 || slices.Max(list) != 0 || slices.Min(list) != 0 {
			t.Errorf("%s: %v", name, list)
		}
	}
}

// TestPrefilterFindsNearlyAll compares the quick search with the exact one.
func TestPrefilterFindsNearlyAll(t *testing.T) {
	vectors := clustered(20_000, 256, 2)
	views := []View{{Seg: build(t, space, vectors[:12_000])}, {Seg: build(t, space, vectors[12_000:])}}
	found, wanted := 0, 0
	for i := range 20 {
		q := Query{Vector: vectors[997*i], Space: space, Limit: 10}
		quick, _ := Search(views, q)
		q.Exact = true
		exact, _ := Search(views, q)
		if quick[0] != exact[0] {
			t.Errorf("query %d: first is %v, want %v", i, quick[0], exact[0])
		}
		for _, r := range exact {
			wanted++
			if slices.Contains(quick, r) {
				found++
			}
		}
	}
	if found*100 < wanted*97 {
		t.Errorf("%d of the %d best were found", found, wanted)
	}
}

func TestSearchLeavesOut(t *testing.T) {
	vectors := clustered(3000, 256, 3)
	seg := build(t, space, vectors)
	other := build(t, "other@1/256/00000000", vectors[:10])
	short := build(t, space, clustered(20, 64, 3))
	dead := make([]uint64, (len(vectors)+63)/64)
	for doc := range vectors {
		if doc%2 == 0 {
			dead[doc/64] |= 1 << (doc % 64)
		}
	}
	views := []View{{}, {Seg: other}, {Seg: short}, {Seg: seg, Dead: dead}}
	for _, exact := range []bool{false, true} {
		results, skipped := Search(views, Query{
			Vector: vectors[4], Space: space, Limit: 50, Exact: exact,
			Accept: func(view int, doc uint32) bool { return view == 3 && doc%100 == 1 },
		})
		if len(results) != 30 || skipped != 30 {
			t.Errorf("exact %v: %d results and %d skipped, want all 30 that are accepted, and 30", exact, len(results), skipped)
		}
		for _, r := range results {
			if r.View != 3 || r.Doc%100 != 1 {
				t.Errorf("exact %v: result %v was not accepted", exact, r)
			}
		}
	}
	if results, _ := Search(views, Query{Vector: vectors[4], Space: space, Limit: math.MaxInt}); len(results) != len(vectors)/2 {
		t.Errorf("without a limit %d results, want every live document", len(results))
	}
	for name, q := range map[string]Query{
		"empty": {Space: space}, "zero": {Vector: make([]int8, 256), Space: space}, "other length": {Vector: []int8{1}, Space: space},
	} {
		if results, _ := Search(views, q); len(results) != 0 {
			t.Errorf("%s query found %d", name, len(results))
		}
	}
}

func TestSearchBreaksTiesByPlace(t *testing.T) {
	same := [][]int8{{1, 2}, {1, 2}, {1, 2}}
	seg := build(t, space, same)
	got, _ := Search([]View{{Seg: seg}, {Seg: seg}}, Query{Vector: []int8{1, 2}, Space: space, Limit: 4})
	want := []Result{{0, 0, 1}, {0, 1, 1}, {0, 2, 1}, {1, 0, 1}}
	for i := range got {
		got[i].Score = math.Round(got[i].Score*1e9) / 1e9
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestBytesRoundTrip(t *testing.T) {
	vectors := clustered(100, 100, 4)
	vectors[3] = nil
	seg := build(t, space, vectors)
	again, err := Open(bytes.Clone(seg.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if again.Space() != space || again.Docs() != 100 || again.dims != 100 {
		t.Errorf("space %q, %d documents, %d dimensions", again.Space(), again.Docs(), again.dims)
	}
	for doc, want := range vectors {
		if got := again.Vector(nil, uint32(doc)); !slices.Equal(got, want) {
			t.Errorf("document %d: %v, want %v", doc, got, want)
		}
	}
	if got := again.Vector(nil, 100); got != nil {
		t.Errorf("a document that is not there has %v", got)
	}
}

func TestOpenRefusesDamage(t *testing.T) {
	good := build(t, space, clustered(5, 64, 5)).Bytes()
	for i := range good {
		bad := bytes.Clone(good)
		bad[i] ^= 0x10
		if _, err := Open(bad); !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrVersion) {
			t.Fatalf("byte %d damaged: %v", i, err)
		}
		if _, err := Open(good[:i]); !errors.Is(err, ErrDamaged) {
			t.Fatalf("cut to %d bytes: %v", i, err)
		}
	}
	// Sizes that lie must be refused even when the checksum fits them.
	for _, at := range []int{summedFrom, summedFrom + 4, summedFrom + 8} {
		for _, value := range []uint32{0, 1, 1 << 20, math.MaxUint32} {
			bad := bytes.Clone(good)
			binary.LittleEndian.PutUint32(bad[at:], value)
			binary.LittleEndian.PutUint32(bad[len(magic)+4:], crc32.Checksum(bad[summedFrom:], castagnoli))
			if _, err := Open(bad); !errors.Is(err, ErrDamaged) {
				t.Errorf("size %d at %d: %v", value, at, err)
			}
		}
	}
}

func TestBuilderRefuses(t *testing.T) {
	b, err := NewBuilder(space, 2)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Add(3, []int8{1, 2}); err != nil {
		t.Fatal(err)
	}
	if b.Add(3, []int8{1, 2}) == nil || b.Add(4, []int8{1}) == nil {
		t.Error("a document out of order or of another length was taken")
	}
	if seg := b.Build(); seg.Docs() != 4 || seg.Vector(nil, 0) != nil || !slices.Equal(seg.Vector(nil, 3), []int8{1, 2}) {
		t.Errorf("%d documents", seg.Docs())
	}
	if _, err := NewBuilder(space, 0); err == nil {
		t.Error("no dimensions were taken")
	}
}

func TestMerge(t *testing.T) {
	vectors := clustered(6, 64, 6)
	a, other, b := build(t, space, vectors[:3]), build(t, "other", vectors[:2]), build(t, space, vectors[3:])
	merged := Merge([]View{{Seg: a, Dead: []uint64{0b010}}, {Seg: other}, {Seg: b, Dead: []uint64{0b001}}})
	want := [][]int8{vectors[0], vectors[2], nil, nil, vectors[4], vectors[5]}
	if merged.Docs() != len(want) || merged.Space() != space {
		t.Fatalf("%d documents of space %q", merged.Docs(), merged.Space())
	}
	for doc := range want {
		if got := merged.Vector(nil, uint32(doc)); !slices.Equal(got, want[doc]) {
			t.Errorf("document %d: %v, want %v", doc, got, want[doc])
		}
	}
	if _, err := Open(merged.Bytes()); err != nil {
		t.Error(err)
	}
	if empty := Merge(nil); empty.Docs() != 0 {
		t.Errorf("a merge of nothing has %d documents", empty.Docs())
	}
}

func TestProductsByBlocksEqualPlainOnes(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{0, 1, 31, 32, 64, 96, 256, 300, maxDimensions} {
		for range 20 {
			v, row := make([]int8, n), make([]byte, n)
			for i := range v {
				v[i], row[i] = int8(rng.IntN(256)-128), byte(rng.IntN(256))
			}
			if got, want := dot(v, row), dotPlain(v, row); got != want {
				t.Fatalf("%d entries: %d, in plain Go %d", n, got, want)
			}
		}
	}
}
