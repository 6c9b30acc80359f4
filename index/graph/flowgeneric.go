package graph

import (
	"slices"
	"strings"
)

// A given is what stands for the type parameters of a type, where that is known.
type given struct {
	node      Node     // the type
	arguments []string // as written
	file      *File    // in which they are written
	own       Node     // the type around them
	outer     *given   // what is given to that
}

// maxGeneric bounds through how many types type arguments are followed.
const maxGeneric = 4

// genericFlows follow what depends on type arguments, and what functions take.
type genericFlows struct{ f flows }

// parameter is what stands for a type parameter that is written inside a type.
func (g genericFlows) parameter(name string, own Node) (value, bool) {
	known := g.f.given
	if known == nil || known.node != own {
		return value{}, false
	}
	names := strings.Split(own.File.Types.Of(own.Chunk().QualifiedName()+"<"), ",")
	i := slices.Index(names, name)
	if i < 0 || i >= len(known.arguments) || known.arguments[i] == "_" {
		return value{}, false
	}
	g.f.given = known.outer
	v := g.f.typed(known.arguments[i], known.file, known.own)
	return v, v.kind != nothing
}

// within knows the type parameters of what a value is written in.
func (f flows) within(v value) flows {
	f.given = v.given
	return f
}

// seen knows the type parameters of a type that a value is of, or that is above its type.
func (g genericFlows) seen(t Node, v value) flows {
	g.f.given = nil
	if t.File.Types.Of(t.Chunk().QualifiedName()+"<") != "" {
		g.f.given = g.givenTo(t, v.node, v.given, maxGeneric)
	}
	return g.f
}

// givenTo is what a type gives to one above it.
func (g genericFlows) givenTo(t, from Node, known *given, depth int) *given {
	if from == t {
		return known
	}
	for _, h := range from.File.Inherits {
		if h.Chunk != from.Index || depth == 0 {
			continue
		}
		list := arguments(from.File.Types.Of(from.Chunk().QualifiedName() + ":" + h.Supertype))
		for _, up := range g.f.supertype(h, from).nodes {
			if found := g.givenTo(t, up, &given{up, list, from.File, from, known}, depth-1); found != nil {
				return found
			}
		}
	}
	return nil
}

// alias is what the type of a value is another name of.
func (g genericFlows) alias(v value) value {
	return g.seen(v.node, v).stored(v.node.File, v.node.Chunk().QualifiedName()+"=", v.node.File, v.node)
}

// taken is what the n-th parameter of a value takes when that is called.
func (g genericFlows) taken(v value, n int) value {
	f, ok := g.f.deeper()
	g.f = f
	if !ok {
		return value{}
	}
	switch v.kind {
	case module:
		if v = f.whole(v); v.kind != module {
			return g.taken(v, n)
		}
	case formed:
		if list := arguments(v.written); strings.HasPrefix(v.written, "()<") && len(list) > 1 {
			return genericFlows{f.within(v)}.nth(list[1:], n, v.file, v.own)
		}
	case function:
		return genericFlows{f.within(v)}.nth(arguments(v.node.File.Types.Of(v.node.Chunk().QualifiedName()+"&")), n, v.node.File, ownNode(v.node))
	case instance, class:
		for _, t := range f.chain(v.node) {
			for _, key := range []string{"&", ".constructor&"} {
				if list := arguments(t.File.Types.Of(t.Chunk().QualifiedName() + key)); len(list) > 0 {
					return genericFlows{g.seen(t, v)}.nth(list, n, t.File, t)
				}
			}
		}
		if other := g.alias(v); other.kind != nothing {
			return g.taken(other, n)
		}
	}
	return value{}
}

// nth is the n-th of the types of parameters, of which the last may stand for all that follow.
func (g genericFlows) nth(list []string, n int, file *File, own Node) value {
	if len(list) == 0 {
		return value{}
	}
	t := list[min(n, len(list)-1)]
	rest, isRest := strings.CutPrefix(t, "...")
	switch {
	case isRest:
		return g.f.element(g.f.typed(rest, file, own), 1, "")
	case n < len(list) && t != "_":
		return g.f.typed(t, file, own)
	}
	return value{}
}

// The methods of lists and maps of JavaScript that call what they are given, and those of a promise.
var (
	withElements = words("every filter find findIndex findLast findLastIndex flatMap forEach map some")
	withTwo      = words("sort toSorted")
	withResult   = words("reduce reduceRight")
	ofPromise    = words("then finally")
)

// callbackOf is the form of the function that a method of a list or a map calls, "" for other methods.
func callbackOf(written string, list []string, name string) string {
	isMap := strings.HasPrefix(written, "{}") && len(list) == 2
	isList := strings.HasPrefix(written, "[]") && len(list) == 1
	switch {
	case isMap && name == "forEach":
		return "()<_," + list[1] + "," + list[0] + ">"
	case isList && withElements[name]:
		return "()<_," + list[0] + ">"
	case isList && withTwo[name]:
		return "()<_," + list[0] + "," + list[0] + ">"
	case isList && withResult[name]:
		return "()<_,_," + list[0] + ">"
	case ofPromise[name]:
		return "()<_," + written + ">"
	}
	return ""
}

func orUnknown(t string) string {
	if t == "" {
		return "_"
	}
	return t
}
