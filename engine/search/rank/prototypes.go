package rank

import (
	"path"
	"strings"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/graph"
	"github.com/aurora-sidecar/aurora/index/syntax"
)

// markDeclared marks the prototypes among the candidates whose functions were found as well, variables of headers that a source
// defines, and what a .d.ts file tells of a script: a reader who asks how something is done wants the body, and the header would
// take the place of another file.
func markDeclared(candidates []*Candidate, kinds *fileKinds) {
	bodies, values := map[string]bool{}, map[string]bool{}
	standing, members, support := map[string]bool{}, map[string]bool{}, map[string]bool{} // names in scripts
	for _, c := range candidates {
		switch {
		case isNamedScript(c) && !isTypings(c) && (kinds.of(c.Ref.File) == "" || syntax.TestRoleOf(c.Ref.File.Path) == syntax.TestSupport):
			members[c.declaredName()] = true
			if kinds.of(c.Ref.File) != "" { // as a library's own folder mock
				support[c.declaredName()] = true
			}
			if c.stands() {
				standing[c.declaredName()] = true
			}
		case isCFunction(c) && !isPrototype(c):
			bodies[c.Ref.Chunk().Name] = true
		case isCVariable(c) && !isHeader(c):
			values[c.Symbol.Name] = true
		}
	}
	for _, c := range candidates {
		if isNamedScript(c) && isTypings(c) && (standing[c.declaredName()] || !c.stands() && members[c.declaredName()]) {
			c.prototype = rules.Declared
			if support[c.declaredName()] {
				c.prototype *= rules.Test
			}
		}
		if isCFunction(c) && isPrototype(c) && bodies[c.Ref.Chunk().Name] || isCVariable(c) && isHeader(c) && values[c.Symbol.Name] {
			c.prototype = rules.Declared
		}
	}
}

// isNamedScript reports whether a candidate has exactly the name that was asked for, in JavaScript or TypeScript.
func isNamedScript(c *Candidate) bool {
	return c.Record == nil && c.Tier == Exact && c.certain == 0 && graph.Family(c.Ref.File.Language) == "javascript"
}

// isTypings reports whether a file only tells the types of scripts.
func isTypings(c *Candidate) bool {
	name := c.Ref.File.Path
	return strings.HasSuffix(name, ".d.ts") || strings.HasSuffix(name, ".d.mts") || strings.HasSuffix(name, ".d.cts")
}

// stands reports whether what was found belongs to nothing else: a class, a function, a constant, a variable.
func (c *Candidate) stands() bool {
	if c.Symbol == nil {
		t := c.Ref.Chunk().Type
		return t == chunk.Class || t == chunk.Function
	}
	k := c.Symbol.Kind
	return k == chunk.Constant || k == chunk.Variable || k == chunk.TypeName
}

// declaredName is the name that was found.
func (c *Candidate) declaredName() string {
	if c.Symbol != nil {
		return c.Symbol.Name
	}
	return c.Ref.Chunk().Name
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
