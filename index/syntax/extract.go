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
// captures a role twice, the last one counts; a definition is all that is captured as one.
type match struct {
	spans [numRoles]Span
	set   uint64
}

const _ = uint(64 - numRoles) // a match keeps its roles in 64 bits

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

// run calls yield with every match in a tree. The match is valid only during the call.
func (r *rules) run(root *sitter.Node, src []byte, yield func(*match)) error {
	var top topLevel
	if r.asksTop {
		top = childrenOf(root)
	}
	return r.runOver(root, &top, src, yield)
}

// runBelow is run for one child of the root and what is below it.
func (r *rules) runBelow(child *sitter.Node, src []byte, yield func(*match)) error {
	return r.runOver(child, &topLevel{one: asTop(child)}, src, yield)
}

func (r *rules) runOver(node *sitter.Node, top *topLevel, src []byte, yield func(*match)) error {
	var m match
	return eachMatch(r.query, node, len(src), func(found *sitter.QueryMatch) {
		m.set = 0
		if r.read(found, top, src, &m) {
			yield(&m)
		}
	})
}

// eachMatch calls yield with every match of a query in a node and what is below it, of a text of size bytes. It ends with
// ErrBudget when that takes longer than such a text may take.
func eachMatch(query *sitter.Query, node *sitter.Node, size int, yield func(*sitter.QueryMatch)) error {
	cursor := sitter.NewQueryCursor()
	defer cursor.Close()
	cursor.Exec(query, node)
	deadline := time.Now().Add(budget(size))
	for n := 1; ; n++ {
		found, ok := cursor.NextMatch()
		if !ok {
			return nil
		}
		if n%1024 == 0 && time.Now().After(deadline) {
			return ErrBudget
		}
		yield(found)
	}
}

// read copies the captures of a match out of the tree and reports whether the pattern's predicates hold.
func (r *rules) read(found *sitter.QueryMatch, top *topLevel, src []byte, m *match) bool {
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
			p := &predicates[i]
			if p.capture != capture.Index {
				continue
			}
			if p.top && !top.has(capture.Node) || !p.top && !p.holds(src[span.Start:span.End]) {
				return false
			}
			if p.strip {
				if cut := p.pattern.FindIndex(src[span.Start:span.End]); cut != nil && cut[0] == 0 {
					span.Start += cut[1]
				}
			}
		}
		if role != roleNone && role <= roleLabelled && m.has(role) {
			span = Span{min(span.Start, m.spans[role].Start), max(span.End, m.spans[role].End)}
		}
		m.spans[role] = span
		m.set |= 1 << role
	}
	return true
}
