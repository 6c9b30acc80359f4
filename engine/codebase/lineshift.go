package codebase

import (
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// A LineShift says where the lines of one text stand in another one.
type LineShift struct{ runs []changedRun }

// A changedRun is a run of lines that another one takes the place of. Ends are exclusive; all count from zero.
type changedRun struct{ from, fromEnd, to, toEnd int }

// NewLineShift compares two texts by their lines.
func NewLineShift(from, to []byte) *LineShift {
	s, before := &LineShift{}, string(from)
	line, offset, grown := 0, 0, 0
	for _, e := range udiff.Lines(before, string(to)) {
		line += strings.Count(before[offset:e.Start], "\n")
		r := changedRun{from: line, to: line + grown}
		line, offset = line+lineCount(before[e.Start:e.End]), e.End
		r.fromEnd, r.toEnd = line, r.to+lineCount(e.New)
		grown = r.toEnd - r.fromEnd
		s.runs = append(s.runs, r)
	}
	return s
}

// lineCount counts lines, the last of which may lack its line break.
func lineCount(s string) int {
	n := strings.Count(s, "\n")
	if s != "" && !strings.HasSuffix(s, "\n") {
		n++
	}
	return n
}

// Line is where a zero-based line stands in the other text. For one that was changed or removed it is the nearest place, and
// same is false.
func (s *LineShift) Line(line int) (at int, same bool) {
	grown := 0
	for _, r := range s.runs {
		if line < r.from {
			break
		}
		if line < r.fromEnd {
			return min(r.to+line-r.from, max(r.to, r.toEnd-1)), false
		}
		grown = r.toEnd - r.fromEnd
	}
	return line + grown, true
}

// Lost reports whether all lines from first to last lie in one run that was changed or removed.
func (s *LineShift) Lost(first, last int) bool {
	for _, r := range s.runs {
		if r.from <= first && last < r.fromEnd {
			return true
		}
	}
	return false
}
