package api

import (
	"math"

	"github.com/aurora-sidecar/aurora/internal/text"
	"go.lsp.dev/uri"
)

// A Position is LSP's: zero-based, the character in units of the session's position encoding.
type Position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// A Range is LSP's: half-open.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// A Document names a document by its URI.
type Document struct {
	URI string `json:"uri"`
}

// EncodingName is LSP's name of a position encoding.
func EncodingName(enc text.Encoding) string {
	if enc == text.UTF8 {
		return "utf-8"
	}
	return "utf-16"
}

// FromPosition converts a place in a text.
func FromPosition(p text.Position, enc text.Encoding) Position {
	if enc == text.UTF8 {
		return Position{Line: p.Line, Character: p.Byte}
	}
	return Position{Line: p.Line, Character: p.UTF16}
}

// FromRange converts a stretch of a text.
func FromRange(r text.Range, enc text.Encoding) Range {
	return Range{Start: FromPosition(r.Start, enc), End: FromPosition(r.End, enc)}
}

// FromOffsets converts the bytes [start, end) of an indexed text.
func FromOffsets(lines *text.Lines, start, end int, enc text.Encoding) Range {
	return FromRange(text.Range{Start: lines.Position(start), End: lines.Position(end)}, enc)
}

// ToOffset converts a position to a byte offset. Like editors it forgives: a character past the end of its line
// means the line's end, a line past the last one the end of the text. ok is false for negative numbers.
func ToOffset(lines *text.Lines, p Position, enc text.Encoding) (offset int, ok bool) {
	if p.Line < 0 || p.Character < 0 {
		return 0, false
	}
	if p.Line >= lines.Count() {
		return lines.Start(lines.Count()), true
	}
	return lines.Offset(p.Line, p.Character, enc)
}

// ToOffsets converts a range. ok is false for negative numbers and for a range that ends before it starts.
func ToOffsets(lines *text.Lines, r Range, enc text.Encoding) (start, end int, ok bool) {
	start, ok = ToOffset(lines, r.Start, enc)
	if !ok {
		return 0, 0, false
	}
	end, ok = ToOffset(lines, r.End, enc)
	return start, end, ok && start <= end
}

// FileURI is the URI of a file at an absolute path.
func FileURI(path string) string { return string(uri.File(path)) }

// finite replaces what JSON can't hold.
func finite(f float64) float64 {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return 0
	}
	return f
}

func finitePtr(f *float64) *float64 {
	if f == nil {
		return nil
	}
	v := finite(*f)
	return &v
}
