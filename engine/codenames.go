package engine

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/graph"
	"github.com/aurora-sidecar/aurora/internal/sortby"
)

// chunkAround returns the innermost chunk of the present text that covers the selection's start.
func chunkAround(doc *document, s Selection) (index.Ref, bool) {
	if len(doc.file.Chunks) == 0 {
		return index.Ref{}, false
	}
	return doc.file.At(s.Start)
}

// nearest sorts chunks by how near they are to a file: in it, in its folder, elsewhere; tests last.
func nearest(refs []index.Ref, to *index.File) []index.Ref {
	distance := func(r index.Ref) int {
		d := 0
		switch {
		case r.File.Abs == to.Abs:
		case dirName(r.File.Path) == dirName(to.Path):
			d = 1
		default:
			d = 2
		}
		if sortOfFile(r.File.Path) != "" {
			d += 3
		}
		return d
	}
	sortby.Stable(refs, func(a, b index.Ref) int {
		return cmp.Or(cmp.Compare(distance(a), distance(b)), strings.Compare(a.File.Path, b.File.Path), cmp.Compare(a.Index, b.Index))
	})
	return refs
}

// firstDefinition returns the chunk that stands for a file: its first definition, else its first chunk.
func firstDefinition(f *index.File) int {
	for i := range f.Chunks {
		if isDefinition(index.Ref{File: f, Index: i}) {
			return i
		}
	}
	return 0
}

func baseName(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

func dirName(path string) string { return path[:max(0, strings.LastIndexByte(path, '/'))] }

// definitions returns the chunks that a name means: spelled exactly so first, then in any letter case. A qualifier
// may be a container (Engine.Search) or a package, folder or file (engine.Search).
func definitions(snap *index.Snapshot, name string, limit int, accept func(index.Ref) bool) []index.Ref {
	refs := keep(snap.Named(name, false), limit, accept)
	refs = append(refs, without(keep(snap.Named(name, true), limit, accept), refs)...)
	if len(refs) > 0 {
		return refs
	}
	qualifier, last := splitName(name)
	if qualifier == "" {
		return nil
	}
	return keep(snap.Named(last, false), limit, func(ref index.Ref) bool {
		return isPlaceOf(ref, qualifier) && accept(ref)
	})
}

func keep(refs []index.Ref, limit int, accept func(index.Ref) bool) []index.Ref {
	var out []index.Ref
	for _, ref := range refs {
		if len(out) == limit {
			break
		}
		if accept(ref) {
			out = append(out, ref)
		}
	}
	return out
}

func without(refs, drop []index.Ref) []index.Ref {
	return slices.DeleteFunc(refs, func(r index.Ref) bool { return slices.Contains(drop, r) })
}

// splitName cuts a dotted name before its last part.
func splitName(name string) (qualifier, last string) {
	i := strings.LastIndexByte(name, '.')
	return name[:max(0, i)], name[i+1:]
}

func lastName(name string) string {
	_, last := splitName(name)
	return last
}

// isPlaceOf reports whether qualifier is the container of ref, or the folder or file it lies in.
func isPlaceOf(ref index.Ref, qualifier string) bool {
	if c := ref.Chunk().Container; strings.EqualFold(c, qualifier) || strings.HasSuffix(c, "."+qualifier) {
		return true
	}
	qualifier = strings.ToLower(lastName(qualifier))
	rel := strings.ToLower(ref.File.Path)
	base := path.Base(rel)
	return path.Base(path.Dir(rel)) == qualifier || strings.TrimSuffix(base, path.Ext(base)) == qualifier
}

// chunkAtLine is the innermost chunk on a one-based line; without one it is the file's first definition.
func chunkAtLine(f *index.File, line int) int {
	best := -1
	for i := range f.Chunks {
		c := &f.Chunks[i]
		switch {
		case line == 0 && c.Name != "":
			return i
		case c.StartLine < line && line <= c.EndLine+1 && (best < 0 || c.EndLine-c.StartLine <= f.Chunks[best].EndLine-f.Chunks[best].StartLine):
			best = i
		}
	}
	return max(0, best)
}

// presentNode is a chunk as the snapshot has it: what was read a moment ago may be a newer version of its file.
func presentNode(snap *index.Snapshot, links *index.Links, ref index.Ref) graph.Node {
	if file, ok := snap.File(ref.File.Abs); ok {
		if same, ok := sameChunk(file, ref); ok {
			return links.Node(same)
		}
	}
	return links.Node(ref)
}

// calleesOf returns the likeliest definition of what the chunk calls, the surest first.
func calleesOf(snap *index.Snapshot, own index.Ref) []index.Ref {
	links := snap.Links()
	var refs []index.Ref
	for _, e := range graph.New(links).Callees(presentNode(snap, links, own)) {
		refs = append(refs, links.Ref(e.To))
	}
	return refs
}

// maxDefinitions is the most definitions of one name that are weighed.
const maxDefinitions = 500

// isDefinition leaves out the sections of documents and stretches of code without a name.
func isDefinition(ref index.Ref) bool {
	c := ref.Chunk()
	return c.Name != "" && c.Type != chunk.Code
}

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// nameForms returns the name in word without call brackets, pointers and quotes, as the index writes names:
// "(*Engine).Search()" and "Engine::Search" are Engine.Search.
func nameForms(word string) []string {
	word = strings.TrimSuffix(word, "()")
	word = strings.NewReplacer("::", ".", "->", ".", "#", ".", "(", "", ")", "", "*", "", "&", "", "`", "").Replace(word)
	word = strings.Trim(word, `.,;:!?'"<>[]{}`)
	if word == "" || !utf8.ValidString(word) {
		return nil
	}
	return []string{word}
}

// hasInnerCapital reports whether a capital follows a small letter or a digit (getUser, HTTPServer but not HTTP).
func hasInnerCapital(name string) bool {
	lower, upper := false, 0
	for i, r := range name {
		switch {
		case unicode.IsUpper(r):
			if i > 0 && lower {
				return true
			}
			upper++
		case unicode.IsLower(r):
			lower = true
			if upper > 1 {
				return true
			}
		}
	}
	return false
}

// isIdentifier reports whether s is made of letters, digits and underscores and starts with no digit.
func isIdentifier(s string) bool {
	for i, r := range s {
		if !isIdentRune(r) || i == 0 && unicode.IsDigit(r) {
			return false
		}
	}
	return s != ""
}

// isIdentRune reports whether r may stand in an identifier of any of the languages; marks belong to the letters
// before them.
func isIdentRune(r rune) bool {
	return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// maxCounted is where the counting of callers ends; what is shown then says "more than".
const maxCounted = 1000
