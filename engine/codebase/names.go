package codebase

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
)

// ChunkAround returns the innermost chunk of the present text that covers the selection's start.
func ChunkAround(doc *Document, s Selection) (index.Ref, bool) {
	if len(doc.File.Chunks) == 0 {
		return index.Ref{}, false
	}
	return doc.File.At(s.Start)
}

// Nearest sorts chunks by how near they are to a file: in it, in its folder, elsewhere; tests last.
func Nearest(refs []index.Ref, to *index.File) []index.Ref {
	distance := func(r index.Ref) int {
		d := 0
		switch {
		case r.File.Abs == to.Abs:
		case DirName(r.File.Path) == DirName(to.Path):
			d = 1
		default:
			d = 2
		}
		if FileKind(r.File.Path) != "" {
			d += 3
		}
		return d
	}
	slices.SortStableFunc(refs, func(a, b index.Ref) int {
		return cmp.Or(cmp.Compare(distance(a), distance(b)), strings.Compare(a.File.Path, b.File.Path), cmp.Compare(a.Index, b.Index))
	})
	return refs
}

// FirstDefinition returns the chunk that stands for a file: its first definition, else its first chunk.
func FirstDefinition(f *index.File) int {
	for i := range f.Chunks {
		if IsDefinition(index.Ref{File: f, Index: i}) {
			return i
		}
	}
	return 0
}

// BaseName is the last element of a path with slashes.
func BaseName(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// DirName is what stands before it, "" for a path without a folder.
func DirName(path string) string { return path[:max(0, strings.LastIndexByte(path, '/'))] }

// Definitions returns the chunks that a name means: spelled exactly so first, then in any letter case. A qualifier
// may be a container (Engine.Search) or a package, folder or file (engine.Search). Entries of lock files are not meant.
func Definitions(snap *index.Snapshot, name string, limit int, accept func(index.Ref) bool) []index.Ref {
	written := func(ref index.Ref) bool { return !chunk.IsLockFile(ref.File.Path) && accept(ref) }
	refs := Keep(snap.Named(name, false), limit, written)
	refs = append(refs, without(Keep(snap.Named(name, true), limit, written), refs)...)
	if len(refs) > 0 {
		return refs
	}
	for _, mark := range []string{"?", "!"} { // in Ruby and Elixir; who asks "who calls valid?" means that one
		if refs = Keep(snap.Named(name+mark, false), limit, written); len(refs) > 0 {
			return refs
		}
	}
	qualifier, last := SplitName(name)
	if qualifier == "" {
		return nil
	}
	return Keep(snap.Named(last, false), limit, func(ref index.Ref) bool {
		return IsPlaceOf(ref, qualifier) && written(ref)
	})
}

// Keep returns the first chunks that are accepted, at most limit.
func Keep(refs []index.Ref, limit int, accept func(index.Ref) bool) []index.Ref {
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

// SplitName cuts a dotted name before its last part.
func SplitName(name string) (qualifier, last string) {
	i := strings.LastIndexByte(name, '.')
	return name[:max(0, i)], name[i+1:]
}

// LastName is the last part of a dotted name.
func LastName(name string) string {
	_, last := SplitName(name)
	return last
}

// IsPlaceOf reports whether qualifier is the container of ref, or the folder or file it lies in.
func IsPlaceOf(ref index.Ref, qualifier string) bool {
	if c := ref.Chunk().Container; strings.EqualFold(c, qualifier) || strings.HasSuffix(c, "."+qualifier) {
		return true
	}
	qualifier = strings.ToLower(LastName(qualifier))
	rel := strings.ToLower(ref.File.Path)
	base := path.Base(rel)
	return path.Base(path.Dir(rel)) == qualifier || strings.TrimSuffix(base, path.Ext(base)) == qualifier
}

// ChunkAtLine is the innermost chunk on a one-based line; without one it is the file's first definition.
func ChunkAtLine(f *index.File, line int) int {
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

// PresentNode is a chunk as the snapshot has it: what was read a moment ago may be a newer version of its file.
func PresentNode(snap *index.Snapshot, links *index.Links, ref index.Ref) graph.Node {
	if file, ok := snap.File(ref.File.Abs); ok {
		if same, ok := sameChunk(file, ref); ok {
			return links.Node(same)
		}
	}
	return links.Node(ref)
}

// CalleesOf returns the likeliest definition of what the chunk calls, the surest first.
func CalleesOf(snap *index.Snapshot, own index.Ref) []index.Ref {
	links := snap.Links()
	var refs []index.Ref
	for _, e := range graph.New(links).Callees(PresentNode(snap, links, own)) {
		refs = append(refs, links.Ref(e.To))
	}
	return refs
}

// MaxDefinitions is the most definitions of one name that are weighed.
const MaxDefinitions = 500

// IsDefinition leaves out the sections of documents and stretches of code without a name.
func IsDefinition(ref index.Ref) bool {
	c := ref.Chunk()
	return c.Name != "" && c.Type != chunk.Code
}

// WordSet is the set of the words of a text.
func WordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// NameForms returns the name in word without call brackets, pointers and quotes, as the index writes names:
// "(*Engine).Search()" and "Engine::Search" are Engine.Search.
func NameForms(word string) []string {
	word = strings.TrimSuffix(word, "()")
	word = strings.NewReplacer("::", ".", "->", ".", "#", ".", "(", "", ")", "", "*", "", "&", "", "`", "").Replace(word)
	word = strings.Trim(word, `.,;:!?'"<>[]{}`)
	if word == "" || !utf8.ValidString(word) {
		return nil
	}
	return []string{word}
}

// HasInnerCapital reports whether a capital follows a small letter or a digit (getUser, HTTPServer but not HTTP).
func HasInnerCapital(name string) bool {
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

// IsIdentifier reports whether s is made of letters, digits and underscores and starts with no digit.
func IsIdentifier(s string) bool {
	for i, r := range s {
		if !IsIdentRune(r) || i == 0 && unicode.IsDigit(r) {
			return false
		}
	}
	return s != ""
}

// IsIdentRune reports whether r may stand in an identifier of any of the languages; marks belong to the letters
// before them.
func IsIdentRune(r rune) bool {
	return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// MarkedEnd is where a name ends that ends at end without its mark: in Ruby and Elixir, valid? and save! are names.
func MarkedEnd(language string, text []byte, end int) int {
	if language != "ruby" && language != "elixir" || end >= len(text) || text[end] != '?' && text[end] != '!' {
		return end
	}
	if end+1 < len(text) && (text[end+1] == '~' || text[end+1] == '=' && (end+2 >= len(text) || text[end+2] != '=' && text[end+2] != '~') || text[end+1] == text[end]) { // a != b, a !~ b
		return end
	}
	return end + 1
}

// MaxCounted is where the counting of callers ends; what is shown then says "more than".
const MaxCounted = 1000
