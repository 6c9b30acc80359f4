package engine

import (
	"slices"
	"strings"
	"testing"
)

// TestRecursion tells of a definition that it calls itself, and counts that as no other place. A method that hands on to one of
// the same name is not recursive.
func TestRecursion(t *testing.T) {
	w := openWorkspace(t, map[string]string{
		"go.mod": "module tree\n",
		"tree.go": `package tree

type Node struct{ Left, Right *Node }

// Walk goes through the tree.
//
// From the left to the right.
func (n *Node) Walk() int {
	if n == nil {
		return 0
	}
	return n.Left.Walk() + 1 + n.Right.Walk()
}

type Tree struct{ root *Node }

func (t *Tree) Walk() int { return t.root.Walk() }
`,
	})
	for place, want := range map[string][]string{
		"(n *Node) Wa|lk": {"Walk calls itself"},
		"(t *Tree) Wa|lk": {"2 more places call something called Walk, which is another definition or is not known to be this one",
			"nothing related to Walk was found (callers)"},
	} {
		if got := w.related(RelatedRequest{Place: w.offset("tree.go", place), Direction: "callers"}).Notes; !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", place, got, want)
		}
	}
	if got := w.query(QueryRequest{Query: "who calls Node.Walk?"}).Answer; !strings.Contains(got, "It calls itself, too.") || strings.Contains(got, "more place") {
		t.Errorf("the answer: %s", got)
	}
	got := w.query(QueryRequest{Query: "walking goes through from left to right"}).Answer
	if !strings.Contains(got, "```go\nfunc (n *Node) Walk() int {") || !strings.Contains(got, `"Walk goes through the tree."`) {
		t.Errorf("the comment is quoted, and shown once more: %s", got)
	}
}
