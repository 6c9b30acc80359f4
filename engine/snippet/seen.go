package snippet

import (
	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/internal/text"
)

// A view moves the places of hits to where they are in a client's own texts.
type view struct {
	index  *index.Index
	own    codebase.Buffers
	shifts map[string]*codebase.LineShift // by path; nil for files of which the client has no other text
}

// Seen makes the ranges of hits, and the lines of what records cite, those of a client's own texts. The texts of the hits
// remain those that were found. A hit whose lines the client's text does not have loses its range.
func Seen(x *index.Index, own codebase.Buffers, hits []Hit) {
	if own == nil {
		return
	}
	v := view{index: x, own: own, shifts: map[string]*codebase.LineShift{}}
	for i := range hits {
		h := &hits[i]
		if shift := v.shift(h.Abs); shift != nil && h.Range != nil {
			if shift.Lost(h.Range.Start.Line, max(h.Range.Start.Line, h.Range.End.Line-1)) {
				h.Range, h.NameRange, h.Above = nil, nil, 0
			} else {
				h.Range, h.NameRange = moved(shift, h.Range), moved(shift, h.NameRange)
			}
		}
		for k := range h.Citations {
			if shift := v.shift(h.Citations[k].Abs); shift != nil && h.Citations[k].Line > 0 {
				line, _ := shift.Line(h.Citations[k].Line - 1)
				h.Citations[k].Line = line + 1
			}
		}
	}
}

func (v *view) shift(abs string) *codebase.LineShift {
	if abs == "" {
		return nil
	}
	if shift, known := v.shifts[abs]; known {
		return shift
	}
	v.shifts[abs] = nil
	if file, ok := v.own.File(abs); ok {
		if theirs, err := v.index.Text(abs); err == nil {
			v.shifts[abs] = codebase.NewLineShift(theirs, file.Buffer)
		}
	}
	return v.shifts[abs]
}

// moved is a range in the other text; columns of lines that differ are those of the line's start.
func moved(shift *codebase.LineShift, r *text.Range) *text.Range {
	if r == nil {
		return nil
	}
	at := func(p text.Position) text.Position {
		line, same := shift.Line(p.Line)
		if !same {
			return text.Position{Line: line}
		}
		p.Line = line
		return p
	}
	return &text.Range{Start: at(r.Start), End: at(r.End)}
}
