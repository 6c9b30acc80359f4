package graph

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aurora-sidecar/aurora/index/chunk"
)

// A reach tells, by words alone, which chunks may well mean a definition: when many definitions share a name, those are looked at
// first.
type reach struct {
	to    Node     // Index is -1 for something that is not defined here
	names []string // by which the definition is called
	words []string // of its type and its module
	files map[*File]bool
}

// reachOf is that of a definition which is called by these names.
func reachOf(n Node, names []string) *reach {
	words := []string{stem(withoutExtension(n.File.Path))}
	if dir := path.Base(path.Dir(n.File.Path)); n.File.Language == "go" || isEntry[words[0]] && dir != "src" {
		words[0] = dir
	}
	if owner := last(n.Chunk().Container); owner != "" {
		words = append(words, owner)
	}
	return &reach{to: n, names: names, words: words, files: map[*File]bool{}}
}

// isEntry are the files that stand for the folder around them.
var isEntry = words("index lib main mod __init__ doc")

// nearest sorts nodes by how near they are to the definition: its file, what names its type or module, its folder, files that import
// such a name, the rest by the folders that they share; each in the order of their paths. At most maxReferences are left.
func (r *reach) nearest(nodes []Node) []Node {
	if len(nodes) <= maxReferences {
		nodes = slices.Clone(nodes)
		sortNodes(nodes)
		return nodes
	}
	type ranked struct {
		Node
		rank, shared int
	}
	list := make([]ranked, 0, len(nodes))
	for _, n := range nodes {
		list = append(list, ranked{n, r.rank(n), sharedFolders(n.File.Path, r.to.File.Path)})
	}
	slices.SortFunc(list, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(b.shared, a.shared), compareNodes(a.Node, b.Node))
	})
	near := make([]Node, 0, maxReferences)
	for _, n := range list[:maxReferences] {
		near = append(near, n.Node)
	}
	return near
}

func (r *reach) rank(n Node) int {
	home := r.to.File
	switch {
	case n.File == home:
		return 0
	case slices.ContainsFunc(n.Chunk().Calls, r.isNamed):
		return 1
	case sameFolder(n.File, home):
		return 2
	case n.File.Folder == home.Folder && r.imports(n.File):
		return 3
	}
	return 4
}

// isNamed reports whether a call of the definition's name is made on something that names its type or module.
func (r *reach) isNamed(c chunk.Call) bool {
	return slices.Contains(r.names, c.Name) && (r.mentions(c.Qualifier) || r.mentions(c.On))
}

// imports reports whether a file imports something by a word of the definition.
func (r *reach) imports(f *File) bool {
	known, ok := r.files[f]
	if !ok && r.files != nil {
		known = slices.ContainsFunc(f.Imports, func(i chunk.Import) bool {
			return r.mentions(i.Path) || r.mentions(i.Name) || r.mentions(i.Of)
		})
		r.files[f] = known
	}
	return known
}

// mentions reports whether one of the words stands in a text.
func (r *reach) mentions(text string) bool {
	return slices.ContainsFunc(r.words, func(word string) bool {
		for at := 0; word != ""; at++ {
			i := strings.Index(text[at:], word)
			if i < 0 {
				return false
			}
			at += i
			before, _ := utf8.DecodeLastRuneInString(text[:at])
			after, _ := utf8.DecodeRuneInString(text[at+len(word):])
			if !isNameRune(before) && !isNameRune(after) {
				return true
			}
		}
		return false
	})
}

func isNameRune(r rune) bool {
	return r == '_' || r == '$' || r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// sharedFolders counts the folders at the beginning of two paths that are the same.
func sharedFolders(a, b string) int {
	n := 0
	for i := 0; i < len(a) && i < len(b) && a[i] == b[i]; i++ {
		if a[i] == '/' {
			n++
		}
	}
	return n
}
