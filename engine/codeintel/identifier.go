package codeintel

import (
	"unicode/utf8"

	"github.com/aurora-sidecar/aurora/engine/codebase"
)

// An identifier is a name in a text.
type identifier struct {
	name       string
	qualifier  string // "engine" in engine.Search, "" without one
	start, end int    // bytes
}

// identifierAt returns the identifier that holds the offset or ends at it.
func identifierAt(text []byte, offset int) (identifier, bool) {
	if offset < 0 || offset > len(text) {
		return identifier{}, false
	}
	start, end := identifierSpan(text, offset)
	name := string(text[start:end])
	if !codebase.IsIdentifier(name) {
		return identifier{}, false
	}
	return identifier{name: name, qualifier: qualifierBefore(text, start), start: start, end: end}, true
}

// nameAt is identifierAt in a file whose language may have names that end with a mark, as valid? in Ruby.
func nameAt(doc *codebase.Document, offset int) (identifier, bool) {
	id, ok := identifierAt(doc.Text, offset)
	if !ok && offset > 0 && offset <= len(doc.Text) { // behind the mark
		if id, ok = identifierAt(doc.Text, offset-1); ok && codebase.MarkedEnd(doc.File.Language, doc.Text, id.end) != offset {
			return identifier{}, false
		}
	}
	if ok {
		id.end = codebase.MarkedEnd(doc.File.Language, doc.Text, id.end)
		id.name = string(doc.Text[id.start:id.end])
	}
	return id, ok
}

// identifierSpan widens offset to both sides over identifier runes.
func identifierSpan(text []byte, offset int) (start, end int) {
	for offset > 0 && offset < len(text) && !utf8.RuneStart(text[offset]) {
		offset--
	}
	start, end = offset, offset
	for start > 0 {
		r, size := utf8.DecodeLastRune(text[:start])
		if !codebase.IsIdentRune(r) {
			break
		}
		start -= size
	}
	for end < len(text) {
		r, size := utf8.DecodeRune(text[end:])
		if !codebase.IsIdentRune(r) {
			break
		}
		end += size
	}
	return start, end
}

// qualifierBefore returns the identifier before the dot, arrow or double colon that ends at start.
func qualifierBefore(text []byte, start int) string {
	for _, sep := range []string{".", "?.", "->", "::"} {
		at := start - len(sep)
		if at > 0 && string(text[at:start]) == sep {
			if from, to := identifierSpan(text[:at], at); from < to {
				return string(text[from:to])
			}
		}
	}
	return ""
}

// keywords are words that are never the name that a person means, whatever the language's files define.
var keywords = codebase.WordSet(`and as async await break case catch class const continue def default defer del elif else enum
	export extends false finally for from func function go goto if implements import in interface is lambda let map
	match new nil none not null or package pass raise range return select self static struct super switch this throw
	true try type typeof undefined var void while with yield True False None
	bool byte error float64 int int32 int64 rune string uint uint8 number boolean any never str float list dict tuple`)
