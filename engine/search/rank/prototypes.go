package rank

import (
	"path"
	"strings"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/graph"
)

// markDeclared marks the prototypes among the candidates whose functions were found as well, and variables of headers that a source
// defines: a reader who asks how something is done wants the body, and the header would take the place of another file.
func markDeclared(candidates []*Candidate) {
	bodies, values := map[string]bool{}, map[string]bool{}
	for _, c := range candidates {
		switch {
		case isCFunction(c) && !isPrototype(c):
			bodies[c.Ref.Chunk().Name] = true
		case isCVariable(c) && !isHeader(c):
			values[c.Symbol.Name] = true
		}
	}
	for _, c := range candidates {
		if isCFunction(c) && isPrototype(c) && bodies[c.Ref.Chunk().Name] || isCVariable(c) && isHeader(c) && values[c.Symbol.Name] {
			c.prototype = true
		}
	}
}

func isCVariable(c *Candidate) bool {
	return c.Symbol != nil && c.Record == nil && graph.Family(c.Ref.File.Language) == "c" && c.Symbol.Kind == chunk.Variable
}

func isHeader(c *Candidate) bool { return strings.HasPrefix(path.Ext(c.Ref.File.Path), ".h") }

func isCFunction(c *Candidate) bool {
	if c.Record != nil || graph.Family(c.Ref.File.Language) != "c" {
		return false
	}
	k := c.Ref.Chunk()
	return k.Type == chunk.Function || k.Type == chunk.Method
}

// isPrototype reports whether there is nothing behind the signature but its semicolon.
func isPrototype(c *Candidate) bool {
	k := c.Ref.Chunk()
	return k.Span.End-k.Signature.End <= 2
}
