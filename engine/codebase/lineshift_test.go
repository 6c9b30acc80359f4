package codebase

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestLineShift(t *testing.T) {
	from, to := "a\nb\nc\nd\ne\n", "x\na\nB\nB2\nc\ne"
	s := NewLineShift([]byte(from), []byte(to))
	for _, want := range []struct {
		line, at int
		same     bool
	}{{0, 1, true}, {1, 2, false}, {2, 4, true}, {3, 5, false}} {
		if at, same := s.Line(want.line); at != want.at || same != want.same {
			t.Errorf("line %d: %d, %v; want %+v", want.line, at, same, want)
		}
	}
	if !s.Lost(1, 1) || s.Lost(0, 1) || s.Lost(1, 2) {
		t.Error("lost lines are those of one changed run")
	}
}

// A line that is said to be the same reads the same there; whatever is said lies in the text.
func TestLineShiftHoldsForRandomTexts(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	lines := func() []string {
		list := make([]string, random.IntN(12))
		for i := range list {
			list[i] = string(rune('a' + random.IntN(5)))
		}
		return list
	}
	for range 2000 {
		from, to := lines(), lines()
		s := NewLineShift([]byte(strings.Join(from, "\n")), []byte(strings.Join(to, "\n")))
		for i := range from {
			at, same := s.Line(i)
			if at < 0 || at > len(to) || same && (at == len(to) || to[at] != from[i]) {
				t.Fatalf("%q to %q: line %d is said to be %d, same %v", from, to, i, at, same)
			}
		}
	}
}
