package rank

import (
	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/graph"
)

// markDeclared marks the prototypes among the candidates whose functions were found as well: a reader who asks how something is
// done wants the body, and the header would take the place of another file.
func markDeclared(candidates []*Candidate) {
	bodies := map[string]bool{}
	for _, c := range candidates {
		if isCFunction(c) && !isPrototype(c) {
			bodies[c.Ref.Chunk().Name] = true
		}
	}
	for _, c := range candidates {
		if isCFunction(c) && isPrototype(c) && bodies[c.Ref.Chunk().Name] {
			c.prototype = true
		}
	}
}

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
