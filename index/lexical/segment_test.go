package lexical

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestBytesOpenAgain(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	seg := segmentOf(randomDocs(r, 100)...)
	again := open(t, slices.Clone(seg.Bytes()))
	q := Query{Text: "w0 w1 w2 w5"}
	if got, want := resultsOf([]View{{Seg: again}}, q, flat), resultsOf([]View{{Seg: seg}}, q, flat); !slices.EqualFunc(got, want, sameResult) {
		t.Errorf("opened again: %v, want %v", got, want)
	}
	if again.Docs() != 100 || again.Terms() != seg.Terms() {
		t.Errorf("%d documents, %d terms", again.Docs(), again.Terms())
	}
}

func TestOpenRefusesDamage(t *testing.T) {
	good := segmentOf(body("alpha beta"), calling(body("gamma"), "Call")).Bytes()
	otherVersion := slices.Clone(good)
	otherVersion[len(magic)]++
	for _, c := range []struct {
		name string
		data []byte
		want error
	}{
		{"nil", nil, ErrDamaged},
		{"garbage", []byte(strings.Repeat("not a segment ", 100)), ErrDamaged},
		{"header only", good[:headerSize], ErrDamaged},
		{"longer", append(slices.Clone(good), 0), ErrDamaged},
		{"other version", otherVersion, ErrVersion},
	} {
		if _, err := openChecked(c.data); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
	for n := range good {
		if _, err := openChecked(good[:n]); err == nil {
			t.Errorf("cut to %d of %d bytes: opened", n, len(good))
		}
		flipped := slices.Clone(good)
		flipped[n] ^= 1 << (n % 8)
		if _, err := openChecked(flipped); err == nil {
			t.Errorf("byte %d flipped: opened", n)
		}
	}
}

// FuzzOpen gives every input a valid checksum, so that the readers behind it meet the damage.
func FuzzOpen(f *testing.F) {
	r := rand.New(rand.NewPCG(5, 5))
	f.Add(segmentOf().Bytes())
	f.Add(segmentOf(calling(fields("a", "b/c.go", "func a()", "doc", strings.Repeat("a ", 300)), "x", "y")).Bytes())
	f.Add(segmentOf(randomDocs(r, 20)...).Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		data = slices.Clone(data)
		if len(data) >= headerSize {
			copy(data, magic)
			binary.LittleEndian.PutUint32(data[len(magic):], formatVersion)
			binary.LittleEndian.PutUint32(data[len(magic)+4:], checksum(data))
		}
		seg, err := openChecked(data)
		if err != nil {
			return
		}
		exercise(t, seg)
	})
}

// exercise runs everything that reads a segment.
func exercise(t *testing.T, seg *Segment) {
	views := []View{NewView(seg, nil).without(1), {Seg: seg, Dead: []uint64{4}}}
	seg.EachTerm("", func(term []byte, _ int) bool {
		for _, res := range resultsOf(views, Query{Terms: termsOf([]string{string(term), "a", "w1"})}, DefaultParams) {
			if int(res.Doc) >= seg.Docs() {
				t.Fatalf("document %d of %d", res.Doc, seg.Docs())
			}
		}
		Lookup(views, Name, string(term), func(int, uint32) bool { return true })
		return true
	})
	Lookup(views, Calls, "x", func(int, uint32) bool { return true })
	merged, _ := Merge(views)
	open(t, merged.Bytes())
}

func TestEachTerm(t *testing.T) {
	var words []string
	for i := range 100 {
		words = append(words, fmt.Sprintf("word%02d", i))
	}
	seg := segmentOf(body(strings.Join(words, " ")), body("word07 word08 alpha zeta"))
	collect := func(prefix string) (got []string) {
		seg.EachTerm(prefix, func(term []byte, docs int) bool {
			got = append(got, fmt.Sprintf("%s:%d", term, docs))
			return true
		})
		return got
	}
	for _, c := range []struct{ prefix, want string }{
		{"word0", "word00:1 word01:1 word02:1 word03:1 word04:1 word05:1 word06:1 word07:2 word08:2 word09:1"},
		{"word99", "word99:1"},
		{"a", "alpha:1"},
		{"zeta", "zeta:1"},
		{"zetas", ""},
		{"0", ""},
		{"word995", ""},
	} {
		if got := strings.Join(collect(c.prefix), " "); got != c.want {
			t.Errorf("%q: %s, want %s", c.prefix, got, c.want)
		}
	}
	if got := collect(""); len(got) != 102 || seg.Terms() != 102 {
		t.Errorf("%d terms of %d", len(got), seg.Terms())
	}
	n := 0
	seg.EachTerm("", func([]byte, int) bool { n++; return n < 20 })
	if n != 20 {
		t.Errorf("stopped after %d terms, want 20", n)
	}
}

func TestLookup(t *testing.T) {
	first := viewOf(
		calling(fields("GetUser", "api/user.go", "func GetUser()", "", "user"), "Query", "ÄNDERN", "Query"),
		fields("", "api/user.go", "", "", "getuser"),
		calling(fields("getUser", "", "", "", ""), "query"),
	)[0]
	views := []View{first, {}, NewView(first.Seg, []uint64{1})}
	for _, c := range []struct {
		field Field
		token string
		want  string
	}{
		{Name, "getuser", "0:0 0:2 2:2"},
		{Name, "user", "0:0 0:2 2:2"},
		{Path, "user", "0:0 0:1 2:1"},
		{Body, "getuser", "0:1 2:1"},
		{Name, "GetUser", ""},
		{Name, "query", ""},
		{Calls, "query", "0:0 0:2 2:2"},
		{Calls, "Query", "0:0 0:2 2:2"},
		{Calls, "ändern", "0:0"},
		{Calls, "getuser", ""},
		{NumFields, "query", ""},
	} {
		if got := lookupAll(views, c.field, c.token); got != c.want {
			t.Errorf("field %d, %q: %q, want %q", c.field, c.token, got, c.want)
		}
	}
	n := 0
	Lookup(views, Name, "user", func(int, uint32) bool { n++; return n < 2 })
	if n != 2 {
		t.Errorf("stopped after %d, want 2", n)
	}
}

func TestViewCounts(t *testing.T) {
	v := viewOf(body("a b c"), body("d"), body("e f"))[0]
	less := v.without(0, 2, 99)
	if v.counts().docs != 3 || less.counts().docs != 1 || less.without(1).counts().docs != 0 {
		t.Errorf("live documents %d, %d, %d", v.counts().docs, less.counts().docs, less.without(1).counts().docs)
	}
	if less.Live(0) || !less.Live(1) || less.Live(3) || !v.Live(0) || (View{}).Live(0) {
		t.Error("Live is wrong")
	}
	long := View{Seg: v.Seg, Dead: []uint64{1 | 1<<40, ^uint64(0)}} // bits past the last document
	if long.counts().docs != 2 {
		t.Errorf("%d live documents, want 2", long.counts().docs)
	}
	if got := v.Seg.fieldLength(2, Body); got != 2 {
		t.Errorf("length %d, want 2", got)
	}
	if v.Seg.fieldLength(3, Body) != 0 || v.Seg.fieldLength(0, Calls) != 0 {
		t.Error("lengths of what is not there")
	}
}
