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

// parameter is what stands for a type parameter that is written inside a type.
func (f flows) parameter(name string, own Node) (value, bool) {
	g := f.given
	if g == nil || g.node != own {
		return value{}, false
	}
	names := strings.Split(g.node.File.Types.Of(g.node.Chunk().QualifiedName()+"<"), ",")
	i := slices.Index(names, name)
	if i < 0 || i >= len(g.arguments) || g.arguments[i] == "_" {
		return value{}, false
	}
	f.given = g.outer
	v := f.typed(g.arguments[i], g.file, g.own)
	return v, v.kind != nothing
}

// within knows the type parameters of what a value is written in.
func (f flows) within(v value) flows {
	f.given = v.given
	return f
}

// seen knows the type parameters of a type that a value is of, or that is above its type.
func (f flows) seen(t Node, v value) flows {
	f.given = nil
	if t.File.Types.Of(t.Chunk().QualifiedName()+"<") != "" {
		f.given = f.givenTo(t, v.node, v.given, maxGeneric)
	}
	return f
}

// givenTo is what a type gives to one above it.
func (f flows) givenTo(t, from Node, known *given, depth int) *given {
	if from == t {
		return known
	}
	for _, h := range from.File.Inherits {
		if h.Chunk != from.Index || depth == 0 {
			continue
		}
		list := arguments(from.File.Types.Of(from.Chunk().QualifiedName() + ":" + h.Supertype))
		for _, up := range f.supertype(h, from).nodes {
			if g := f.givenTo(t, up, &given{up, list, from.File, from, known}, depth-1); g != nil {
				return g
			}
		}
	}
	return nil
}

// alias is what the type of a value is another name of.
func (f flows) alias(v value) value {
	return f.seen(v.node, v).stored(v.node.File, v.node.Chunk().QualifiedName()+"=", v.node.File, v.node)
}

// taken is what the n-th parameter of a value takes when that is called.
func (f flows) taken(v value, n int) value {
	f, ok := f.deeper()
	if !ok {
		return value{}
	}
	switch v.kind {
	case module:
		if v = f.whole(v); v.kind != module {
			return f.taken(v, n)
		}
	case formed:
		if list := arguments(v.written); strings.HasPrefix(v.written, "()<") && len(list) > 1 {
			return f.within(v).nth(list[1:], n, v.file, v.own)
		}
	case function:
		return f.within(v).nth(arguments(v.node.File.Types.Of(v.node.Chunk().QualifiedName()+"&")), n, v.node.File, ownNode(v.node))
	case instance, class:
		for _, t := range f.chain(v.node) {
			for _, key := range []string{"&", ".constructor&"} {
				if list := arguments(t.File.Types.Of(t.Chunk().QualifiedName() + key)); len(list) > 0 {
					return f.seen(t, v).nth(list, n, t.File, t)
				}
			}
		}
		if other := f.alias(v); other.kind != nothing {
			return f.taken(other, n)
		}
	}
	return value{}
}

// nth is the n-th of the types of parameters, of which the last may stand for all that follow.
func (f flows) nth(list []string, n int, file *File, own Node) value {
	if len(list) == 0 {
		return value{}
	}
	t := list[min(n, len(list)-1)]
	rest, isRest := strings.CutPrefix(t, "...")
	switch {
	case isRest:
		return f.element(f.typed(rest, file, own), 1, "")
	case n < len(list) && t != "_":
		return f.typed(t, file, own)
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
