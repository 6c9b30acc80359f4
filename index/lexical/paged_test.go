package lexical

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
)

// A pagedCopy fills its buffer only where it is asked to; what nobody asked for is rubbish.
type pagedCopy struct {
	of, buf []byte
	asked   int // bytes
	gone    bool
}

func newPagedCopy(seg *Segment) *pagedCopy {
	of := seg.Bytes()
	return &pagedCopy{of: of, buf: bytes.Repeat([]byte{0xaa}, len(of))}
}

func (p *pagedCopy) need(from, to int) bool {
	if p.gone {
		return false
	}
	p.asked += to - from
	copy(p.buf[from:to], p.of[from:to])
	return true
}

// TestOpenPaged: a segment that fills itself answers like one that is there, and asks for little.
func TestOpen(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	seg := segmentOf(append(randomDocs(r, 300), calling(body("alpha"), "Call"))...)
	for _, text := range []string{"w0 w1 w2 w5", "alpha", "nowhere", "w3"} {
		p := newPagedCopy(seg)
		paged, err := Open(p.buf, p.need)
		if err != nil {
			t.Fatal(err)
		}
		opened := p.asked
		q := Query{Text: text}
		if got, want := resultsOf([]View{{Seg: paged}}, q, flat), resultsOf([]View{{Seg: seg}}, q, flat); !slices.EqualFunc(got, want, sameResult) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
		if p.asked-opened > (len(p.buf)-opened)/2 && len(text) < 8 {
			t.Errorf("%q asked for %d of %d bytes", text, p.asked-opened, len(p.buf))
		}
		found := 0
		Lookup([]View{{Seg: paged}}, Calls, "Call", func(int, uint32) bool { found++; return true })
		if found != 1 {
			t.Errorf("%d documents call", found)
		}
	}
}

// TestPagedSegmentIsWhole: anyone who wants all of it gets all of it.
func TestPagedSegmentIsWhole(t *testing.T) {
	seg := segmentOf(randomDocs(rand.New(rand.NewPCG(9, 9)), 100)...)
	p := newPagedCopy(seg)
	paged, err := Open(p.buf, p.need)
	if err != nil {
		t.Fatal(err)
	}
	merged, _ := Merge([]View{NewView(paged, nil)})
	want, _ := Merge([]View{NewView(seg, nil)})
	if !bytes.Equal(merged.Bytes(), want.Bytes()) || !bytes.Equal(paged.Bytes(), seg.Bytes()) {
		t.Error("something is missing")
	}
}

// TestPagedSegmentIsLost: what can't be had is not found, and nothing worse happens.
func TestPagedSegmentIsLost(t *testing.T) {
	seg := segmentOf(append(randomDocs(rand.New(rand.NewPCG(10, 10)), 100), calling(body("alpha"), "Call"))...)
	p := newPagedCopy(seg)
	paged, err := Open(p.buf, p.need)
	if err != nil {
		t.Fatal(err)
	}
	p.gone = true
	if got := resultsOf([]View{{Seg: paged}}, Query{Text: "w0 w1 alpha"}, flat); len(got) > 0 {
		t.Errorf("found %v", got)
	}
	exercise(t, paged)
	if paged.Load() {
		t.Error("it says that it is there")
	}
	if _, err := Open(newPagedCopy(seg).buf, p.need); !errors.Is(err, ErrDamaged) {
		t.Errorf("opened without anything: %v", err)
	}
}
