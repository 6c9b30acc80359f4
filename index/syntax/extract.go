package syntax

import (
	"time"

	sitter "github.com/smacker/go-tree-sitter"
)

// outline runs the query over the tree of src and assembles what it captured. known, when there is one, spares it
// the parts that did not change since the outline before.
func (r *rules) outline(tree *sitter.Tree, src []byte, known *branches) (*Outline, error) {
	root := tree.RootNode()
	c := newCollector(src)
	run := r.run
	if known != nil && r.local && !root.HasError() {
		run = func(root *sitter.Node, src []byte, yield func(*match)) error { return known.run(r, root, src, yield) }
	}
	if err := run(root, src, c.add); err != nil {
		return nil, err
	}
	if err := r.addEmbedded(c); err != nil {
		return nil, err
	}
	return c.outline(root.HasError()), nil
}

// A match is what one match of the query captured: the spans by role, and which roles there are. When a pattern
// captures a role twice, the last one counts.
type match struct {
	spans [numRoles]Span
	set   uint32
}

const _ = uint(32 - numRoles) // a match keeps its roles in 32 bits

func (m *match) has(r role) bool { return m.set&(1<<r) != 0 }

func (m *match) get(r role) (Span, bool) { return m.spans[r], m.has(r) }

// kind returns the first role of the match that lies in [from, to].
func (m *match) kind(from, to role) role {
	for r := from; r <= to; r++ {
		if m.has(r) {
			return r
		}
	}
	return roleNone
}

// run calls yield with every match in the node's tree. The match is valid only during the call.
func (r *rules) run(node *sitter.Node, src []byte, yield func(*match)) error {
	cursor := sitter.NewQueryCursor()
	defer cursor.Close()
	cursor.Exec(r.query, node)

	deadline := time.Now().Add(budget(len(src)))
	var m match
	for n := 1; ; n++ {
		found, ok := cursor.NextMatch()
		if !ok {
			return nil
		}
		if n%1024 == 0 && time.Now().After(deadline) {
			return ErrBudget
		}
		m.set = 0
		if r.read(found, src, &m) {
			yield(&m)
		}
	}
}

// read copies the captures of a match out of the tree and reports whether the pattern's predicates hold.
func (r *rules) read(found *sitter.QueryMatch, src []byte, m *match) bool {
	predicates := r.predicates[found.PatternIndex]
	for _, capture := range found.Captures {
		role := r.roles[capture.Index]
		if role == roleNone && len(predicates) == 0 {
			continue
		}
		span := Span{int(capture.Node.StartByte()), int(capture.Node.EndByte())}
		if span.End > len(src) || span.End < span.Start {
			return false
		}
		for i := range predicates {
			if p := &predicates[i]; p.capture == capture.Index && !p.holds(src[span.Start:span.End]) {
				return false
			}
		}
		m.spans[role] = span
		m.set |= 1 << role
	}
	return true
}
