package graph

import (
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/index/chunk"
)

// target finds what a call on a value means: decided is false when the value is not known.
func (f flows) target(call chunk.Call, from Node, v value) (w winners, decided bool) {
	if v.kind == function {
		v = f.result(v) // a property
	}
	if v.kind == formed && strings.HasPrefix(v.written, "()<") {
		v = f.call(v)
	}
	if v.kind == formed && v.written[0] == '(' && !strings.HasPrefix(v.written, "()<") {
		v = f.part(v, 0)
	}
	switch v.kind {
	case instance, class:
		w := f.methodOf(call, from, v)
		mustBe := call.Qualifier != chunk.Self && from.File.Language != "rust" // a trait of Rust may be implemented for all types
		return w, mustBe || len(w.nodes) > 0 || len(w.below) > 0
	case outside:
		return f.below(call.Name, from, v, winners{}), true
	case formed:
		return winners{}, true
	case module:
		var list []Node
		if m := f.exported(v, call.Name); m.kind == class || m.kind == function {
			list = append(list, m.node)
		}
		return winners{nodes: list, rating: rating{confidence: sureOwn, why: "called on what is imported"}}, len(list) > 0
	}
	return winners{}, false
}

// methodOf finds the method of a type or of the nearest one above it, and those that may be called in its place.
func (f flows) methodOf(call chunk.Call, from Node, v value) winners {
	t, name := v.node, call.Name
	var w winners
	declaredIn := Node{Index: -1}
	for i, owner := range f.chain(t) {
		methods := fitting(call.Args, f.methods(owner, name))
		if len(methods) == 0 {
			if declaredIn.Index < 0 && declares(owner.File, owner.Chunk().Name, name) {
				declaredIn = owner
			}
			continue
		}
		why, sure := "a method of "+owner.Chunk().Name, sureOwn
		if i > 0 {
			why, sure = t.Chunk().Name+" inherits it from "+owner.Chunk().Name, sureImported
		}
		if call.Args == "" {
			methods = representatives(methods)
		}
		w = winners{nodes: methods, rating: rating{confidence: sure, why: why}, exact: call.Args != ""}
		break
	}
	if len(w.nodes) == 0 && declaredIn.Index < 0 {
		if other := (genericFlows{f}).alias(v); other.kind == instance && other.node != t {
			return f.methodOf(call, from, other)
		}
	}
	return f.below(name, from, v, w)
}

// below adds the methods of narrower types, one of which a call on a value may mean.
func (f flows) below(name string, from Node, v value, w winners) winners {
	for _, m := range f.graph.definitions(name) {
		c := m.Chunk()
		if c.Type != chunk.Method || Family(m.File.Language) != Family(from.File.Language) || w.holds(m) {
			continue
		}
		own, ok := f.classOf(ownNode(m))
		if !ok || own == v.node || !f.isBelow(own, v) {
			continue
		}
		w.below = append(w.below, m)
	}
	w.belowSure = implementations[Family(from.File.Language)]
	if w.belowSure == 0 {
		w.belowSure = sureUnknown
	}
	return w
}

// implementations is how sure it is that a call on a value of a type means the method of a narrower one. It is the share of
// such callers that the tool of the language counts.
var implementations = map[string]float64{"go": sureLike, "javascript": sureLike, "rust": 0.1}

// isBelow reports whether a type inherits from the type of a value, or implements it.
func (f flows) isBelow(own Node, v value) bool {
	if v.kind == outside {
		if v.written == "error" && own.File.Language == "go" {
			return f.has(own, "Error")
		}
		return f.inheritsForeign(own, v.written)
	}
	for _, a := range f.graph.ancestors(own, own.Chunk().Name) {
		if a.Node == v.node {
			return true
		}
	}
	return own.File.Language == "go" && v.node.File.Language == "go" && f.satisfies(own, v.node)
}

// inheritsForeign reports whether a type says that it inherits from one that the workspace does not have.
func (f flows) inheritsForeign(own Node, name string) bool {
	for _, t := range f.chain(own) {
		for _, h := range t.File.Inherits {
			if h.Chunk == t.Index && h.Supertype == name {
				return true
			}
		}
	}
	return false
}

// satisfies reports whether a type of Go has all methods that an interface declares, and that declares any. Of one that embeds
// another from elsewhere, whose methods are not known, it must have two, or embed that, too.
func (f flows) satisfies(own, iface Node) bool {
	declared, needed := 0, 1
	for _, t := range f.chain(iface) {
		for _, h := range t.File.Inherits {
			if h.Chunk == t.Index && len(f.supertype(h, t).nodes) == 0 && !f.inheritsForeign(own, h.Supertype) {
				needed = 2
			}
		}
		for s := range t.File.Symbols.All() {
			if s.Kind != chunk.Member || s.Chunk != t.Index {
				continue
			}
			declared++
			if !f.has(own, s.Name) {
				return false
			}
		}
	}
	return declared >= needed
}

// has reports whether a type has a method, by itself or from those above it.
func (f flows) has(own Node, name string) bool {
	return slices.ContainsFunc(f.chain(own), func(t Node) bool {
		return len(f.methods(t, name)) > 0 || declares(t.File, t.Chunk().Name, name)
	})
}
