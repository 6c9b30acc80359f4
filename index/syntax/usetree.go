package syntax

import (
	"bytes"
	"slices"
	"strings"
)

// Bounds of the use declarations of Rust that are read: bytes, and lists inside lists.
const (
	maxUseTree  = 16 << 10
	maxUseDepth = 16
)

// addUseTree takes in the names that a use declaration of Rust brings: a::{b, c as d, self, e::*}. The path of a name in a list is
// that of the list.
func (c *collector) addUseTree(span Span) {
	if span.End-span.Start > maxUseTree {
		return
	}
	text := withoutComments(c.src[span.Start:span.End:span.End])
	t := useTree{collector: c, start: span.Start + cap(text)}
	t.read("", text, maxUseDepth)
}

// withoutComments returns a text of the same length with spaces in place of comments to the ends of lines.
func withoutComments(text []byte) []byte {
	if !bytes.Contains(text, []byte("//")) {
		return text
	}
	text = slices.Clip(bytes.Clone(text))
	for line := range bytes.Lines(text) {
		if i := bytes.Index(line, []byte("//")); i >= 0 {
			for j := i; j < len(line); j++ {
				line[j] = ' '
			}
		}
	}
	return text
}

// A useTree is read part by part, each of which is a slice of the same text.
type useTree struct {
	collector *collector
	start     int // offset in the file of the text, plus its capacity
}

// add takes in one name.
func (t useTree) add(part []byte, imp Import) {
	start := t.start - cap(part)
	imp.Span = Span{start, start + len(part)}
	t.collector.imports = append(t.collector.imports, foundImport{Import: imp, name: start})
}

// read takes in a tree below a path.
func (t useTree) read(path string, tree []byte, depth int) {
	tree = bytes.TrimSpace(tree)
	if len(tree) == 0 || depth == 0 {
		return
	}
	if head, list, ok := bytes.Cut(tree, []byte("{")); ok {
		path = joinUse(path, bytes.TrimSuffix(bytes.TrimSpace(head), []byte("::")))
		for _, part := range useParts(bytes.TrimSuffix(bytes.TrimSpace(list), []byte("}"))) {
			if part = bytes.TrimSpace(part); path == "" || bytes.ContainsAny(part, ":{*") {
				t.read(path, part, depth-1)
			} else {
				t.addNamed(path, part)
			}
		}
		return
	}
	name, alias, _ := bytes.Cut(tree, []byte(" as "))
	whole, as := joinUse(path, name), aliasOf(alias)
	module, isAll := strings.CutSuffix(whole, "::*")
	last := strings.LastIndex(whole, "::")
	switch {
	case isAll:
		t.add(tree, Import{Path: module, Name: All})
	case as == "":
		t.add(tree, Import{Path: whole})
	case last < 0:
		t.add(tree, Import{Path: whole, Name: as, Of: All})
	default:
		t.add(tree, Import{Path: whole[:last], Name: as, Of: whole[last+2:]})
	}
}

// addNamed takes in a plain name of a list.
func (t useTree) addNamed(path string, part []byte) {
	name, alias, _ := bytes.Cut(part, []byte(" as "))
	as, of := aliasOf(alias), string(bytes.TrimSpace(name))
	switch {
	case of == "":
	case of == "self" && as == "":
		t.add(part, Import{Path: path})
	case of == "self":
		t.add(part, Import{Path: path, Name: as, Of: All})
	case as == "":
		t.add(part, Import{Path: path, Name: of})
	default:
		t.add(part, Import{Path: path, Name: as, Of: of})
	}
}

// aliasOf is the name behind "as", "" for none.
func aliasOf(written []byte) string {
	if alias := string(bytes.TrimSpace(written)); alias != "_" {
		return alias
	}
	return ""
}

// joinUse is a path and what follows it, without white space.
func joinUse(path string, name []byte) string {
	written := string(bytes.Join(bytes.Fields(name), nil))
	if path == "" || written == "" {
		return path + written
	}
	return path + "::" + written
}

// useParts cuts a list at the commas outside of inner lists.
func useParts(list []byte) [][]byte {
	var parts [][]byte
	depth, from := 0, 0
	for i, c := range list {
		switch {
		case c == '{':
			depth++
		case c == '}':
			depth--
		case c == ',' && depth == 0:
			parts = append(parts, list[from:i])
			from = i + 1
		}
	}
	return append(parts, list[from:])
}
