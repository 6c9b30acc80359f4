package syntax

import (
	"hash/maphash"
	"math/bits"

	sitter "github.com/smacker/go-tree-sitter"
)

// branches remembers, from one outline of a document to the next, what the query found below each child of the
// root. An edit touches one of a file's many top-level definitions; the query, which costs about as much as parsing
// the file from scratch, then runs over that one only.
//
// It relies on two things. A pattern looks at one child and what is below it, never at the root or at two children
// at once: rules.local tells for which queries that holds. And in texts without a syntax error children of the same
// kind and text have the same tree below. An error anywhere breaks that, because recovery weighs the whole text: the
// query then runs over all of it. So it does for the languages in which it does not hold at all, see
// Language.entwined.
type branches struct {
	known map[branchKey]*branch
}

type branchKey struct {
	symbol sitter.Symbol
	length int
	hash   uint64 // of the text
}

var branchSeed = maphash.MakeSeed()

// A branch is the matches below one child, with spans relative to its start.
type branch struct {
	sets  []uint64 // by match: the roles that it captured
	spans []Span   // of all matches: by match, then by role
}

// run calls yield with every match below root, as rules.run does.
func (b *branches) run(r *rules, root *sitter.Node, src []byte, yield func(*match)) error {
	next := make(map[branchKey]*branch, len(b.known))
	cursor := sitter.NewTreeCursor(root)
	defer cursor.Close()
	for ok := cursor.GoToFirstChild(); ok; ok = cursor.GoToNextSibling() {
		child := cursor.CurrentNode()
		if err := b.child(r, child, src, next, yield); err != nil {
			return err
		}
	}
	b.known = next
	return nil
}

// child yields the matches below one child and keeps them in next.
func (b *branches) child(r *rules, child *sitter.Node, src []byte, next map[branchKey]*branch, yield func(*match)) error {
	start, end := int(child.StartByte()), int(child.EndByte())
	if start > end || end > len(src) {
		return r.runBelow(child, src, yield)
	}
	key := branchKey{child.Symbol(), end - start, maphash.Bytes(branchSeed, src[start:end])}
	found := b.known[key]
	if found == nil {
		found = next[key] // the same text stands in the file twice
	}
	if found == nil {
		found = &branch{}
		if err := r.runBelow(child, src, func(m *match) { found.add(m, start) }); err != nil {
			return err
		}
	}
	next[key] = found
	found.each(start, yield)
	return nil
}

// add keeps a match of a child that begins at start.
func (b *branch) add(m *match, start int) {
	b.sets = append(b.sets, m.set)
	for set := m.set; set != 0; set &= set - 1 {
		s := m.spans[bits.TrailingZeros64(set)]
		b.spans = append(b.spans, Span{s.Start - start, s.End - start})
	}
}

// each yields the matches as they are when the child begins at start.
func (b *branch) each(start int, yield func(*match)) {
	var m match
	rest := b.spans
	for _, set := range b.sets {
		m.set = set
		for ; set != 0; set &= set - 1 {
			m.spans[bits.TrailingZeros64(set)] = Span{rest[0].Start + start, rest[0].End + start}
			rest = rest[1:]
		}
		yield(&m)
	}
}
