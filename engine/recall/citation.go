package recall

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/memory"
)

// citationOf describes the code around an offset of a document, so that it can be found again. ok is false when there
// is none.
func citationOf(doc *codebase.Document, s codebase.Selection) (c memory.Citation, ok bool) {
	if doc.File.Folder == "" || len(doc.Text) == 0 {
		return c, false
	}
	c = memory.Citation{Folder: doc.File.Folder, Path: doc.File.Path}
	start, end := doc.Lines.Start(doc.Lines.Line(s.Start)), doc.Lines.End(doc.Lines.Line(max(s.Start, s.End-1)))
	if ref, ok := codebase.ChunkAround(doc, s); ok && isCitable(ref) {
		chunk := ref.Chunk()
		c.ChunkID, c.Name, c.Signature = ref.ID(), chunk.Name, snippet.Signature(doc, chunk)
		start, end = chunk.Span.Start, chunk.Span.End
		if !chunk.NameSpan.Empty() { // people know a definition by the line of its name
			c.StartLine = doc.Lines.Line(chunk.NameSpan.Start) + 1
		}
	}
	text := doc.Excerpt(start, end)
	c.StartLine, c.EndLine = cmp.Or(c.StartLine, doc.Lines.Line(start)+1), doc.Lines.Line(max(start, end-1))+1
	c.TextHash, c.Excerpt = citedHash(text, c.Name), wording.CutText(text, memory.MaxExcerpt)
	return c, strings.TrimSpace(text) != ""
}

// isCitable leaves out remainders, whose ids are those of another text after the next edit.
func isCitable(ref index.Ref) bool { return ref.Chunk().Name != "" }

// citedHash is a digest of a text that white space and the names of what it defines don't change, so that formatted and
// renamed code is still the same.
func citedHash(text string, names ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(citedWords(text, names...), "\x00")))
	return hex.EncodeToString(sum[:])
}

// citedWords splits a text into identifiers, numbers and single marks; the names become blanks.
func citedWords(text string, names ...string) []string {
	var words []string
	for rest := text; rest != ""; {
		n := strings.IndexFunc(rest, func(r rune) bool { return !isWordRune(r) })
		switch {
		case n < 0:
			n = len(rest)
		case n == 0:
			for n++; n < len(rest) && rest[n]&0xC0 == 0x80; { // the rest of a rune
				n++
			}
		}
		word := rest[:n]
		rest = rest[n:]
		switch {
		case strings.TrimSpace(word) == "":
		case slices.Contains(names, word):
			words = append(words, " ")
		default:
			words = append(words, word)
		}
	}
	return words
}

func isWordRune(r rune) bool {
	return r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r >= 0x80
}

// likeness is the share of words that two lists have in common, 0..1 (Dice).
func likeness(a, b []string) float64 {
	if len(a)+len(b) == 0 {
		return 1
	}
	counts := map[string]int{}
	for _, word := range a {
		counts[word]++
	}
	both := 0
	for _, word := range b {
		if counts[word] > 0 {
			counts[word]--
			both++
		}
	}
	return 2 * float64(both) / float64(len(a)+len(b))
}

// citeRef adds to a record the code that its source reference names: "<path>:<line>", a path, or a chunk's id. A
// reference to nothing that is here stays a mere name; one to a line beyond the end is refused.
func citeRef(e *Records, r *memory.Record) error {
	if len(r.Citations) > 0 {
		return nil
	}
	docs := codebase.NewDocumentCache(e.Index)
	for _, folder := range e.Index.Folders() {
		c, found, err := resolveRef(e, docs, folder, r.SourceRef)
		if err != nil {
			return err
		}
		if found {
			r.Citations, r.Workspace = append(r.Citations, c), cmp.Or(r.Workspace, e.Project(folder))
			return nil
		}
	}
	return nil
}

// resolveRef is the code of a folder that a reference names: "<path>:<line>", or what placeOfName knows. A path alone names
// nothing, since a whole file changes all the time. It fails with Invalid on a line beyond the end.
func resolveRef(e *Records, docs *codebase.DocumentCache, folder, ref string) (c memory.Citation, found bool, err error) {
	path, line := snippet.SplitRef(ref)
	if path == "" {
		return c, false, nil
	}
	snap := e.Index.Snapshot()
	if line == 0 {
		abs, at, ok, err := placeOfName(snap, folder, ref)
		if err != nil {
			return c, false, err
		}
		doc, known := docs.At(snap, abs)
		if ok && known {
			c, found = citationOf(doc, codebase.Selection{Path: abs, Start: at, End: at})
		}
		return c, found, nil
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(folder, filepath.FromSlash(path))
	}
	doc, ok := docs.At(snap, path)
	if !ok || doc.File.Folder != folder {
		return c, false, nil
	}
	if line > doc.Lines.Count()+1 { // a cursor may stand behind the last line break
		return c, false, &fault.Error{
			Kind: fault.Invalid, Message: fmt.Sprintf("%s has no line %d", doc.File.Path, line), Detail: "sourceRef",
			Remedy: "Name a line of the file, or leave the line out.",
		}
	}
	near, ok := lineWithText(doc, line-1)
	if !ok {
		return c, false, nil
	}
	start := firstWord(doc, near)
	c, found = citationOf(doc, codebase.Selection{Path: doc.File.Abs, Start: start, End: start})
	return c, found, nil
}

// placeOfName is the file and the offset of what a reference names in a folder: a chunk's id, with or without its "code:", or
// <path>:<name> of what is no chunk, a constant say, or of a member whose container is left out. It fails with Invalid where several
// members have the name.
func placeOfName(snap *index.Snapshot, folder, ref string) (abs string, offset int, ok bool, err error) {
	ref = strings.TrimPrefix(ref, "code:")
	if chunk, ok := snap.ByID("code:" + ref); ok && chunk.File.Folder == folder {
		return chunk.File.Abs, chunk.Chunk().Span.Start, true, nil
	}
	colon := strings.LastIndexByte(ref, ':')
	path, name := ref[:max(colon, 0)], ref[colon+1:]
	for _, symbol := range snap.Symbols(name, false) {
		if symbol.File.Folder == folder && symbol.File.Path == path {
			return symbol.File.Abs, symbol.NameSpan.Start, true, nil
		}
	}
	members := slices.DeleteFunc(snap.Named(name, false), func(r index.Ref) bool { return r.File.Folder != folder || r.File.Path != path })
	switch len(members) {
	case 0:
		return "", 0, false, nil
	case 1:
		return members[0].File.Abs, members[0].Chunk().Span.Start, true, nil
	}
	return "", 0, false, &fault.Error{
		Kind: fault.Invalid, Message: fmt.Sprintf("%s has %d definitions of the name %s", path, len(members), name), Detail: "sourceRef",
		Remedy: fmt.Sprintf("Write the whole name, such as %s:%s, or a line.", path, members[0].Chunk().QualifiedName()),
	}
}

// lineWithText is the zero-based line nearest to one that has something on it, for a cursor stands on empty lines, too: itself, or
// at the same distance the one below before the one above. Not ok where no line has.
func lineWithText(doc *codebase.Document, line int) (int, bool) {
	count := doc.Lines.Count()
	for away := range max(line, count) + 1 {
		for _, near := range []int{line + away, line - away} {
			if 0 <= near && near < count && !isBlank(doc, near) {
				return near, true
			}
		}
	}
	return 0, false
}

// isBlank reports whether a zero-based line of the text has nothing on it.
func isBlank(doc *codebase.Document, line int) bool {
	return strings.TrimSpace(doc.Excerpt(doc.Lines.Start(line), doc.Lines.End(line))) == ""
}

// firstWord is the offset of the first character on a line that is no blank.
func firstWord(doc *codebase.Document, line int) int {
	line = min(line, doc.Lines.Count()-1)
	start := doc.Lines.Start(line)
	text := doc.Excerpt(start, doc.Lines.End(line))
	return start + len(text) - len(strings.TrimLeft(text, " \t"))
}
