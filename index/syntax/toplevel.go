package syntax

import sitter "github.com/smacker/go-tree-sitter"

// topLevel tells which nodes are children of the root, for the predicate #top-level?. Asking a node for its parent
// would walk over all that precedes it.
type topLevel struct {
	one topNode // when a single child is looked at
	all map[topNode]bool
}

type topNode struct {
	symbol     sitter.Symbol
	start, end uint32
}

func asTop(n *sitter.Node) topNode { return topNode{n.Symbol(), n.StartByte(), n.EndByte()} }

// childrenOf is for a query that runs over a whole tree.
func childrenOf(root *sitter.Node) topLevel {
	t := topLevel{all: map[topNode]bool{}}
	cursor := sitter.NewTreeCursor(root)
	defer cursor.Close()
	for ok := cursor.GoToFirstChild(); ok; ok = cursor.GoToNextSibling() {
		t.all[asTop(cursor.CurrentNode())] = true
	}
	return t
}

func (t *topLevel) has(n *sitter.Node) bool {
	top := asTop(n)
	return top == t.one || t.all[top]
}
