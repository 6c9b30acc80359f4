package graph

import (
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/syntax"
)

// member is what stands behind a dot.
func (f flows) member(v value, name string) value {
	f, ok := f.deeper()
	if !ok {
		return value{}
	}
	switch v.kind {
	case function:
		return f.member(f.result(v), name) // a property
	case module:
		return f.exported(v, name)
	case formed:
		return f.ofForm(v, name)
	case outside:
		return value{kind: outside, written: name}
	case instance, class:
		return f.memberOf(v, name)
	}
	return value{}
}

// whole is what a module exports in place of itself.
func (f flows) whole(v value) value {
	if len(v.files) != 1 || Family(v.files[0].Language) != "javascript" {
		return v
	}
	for _, o := range (sources{f.graph}).originsOf(v.files[0], syntax.Default) {
		if v := f.origin(o); v.kind != nothing {
			return v
		}
	}
	return v
}

// exported is what a module has under a name.
func (f flows) exported(v value, name string) value {
	if followed[Family(v.files[0].Language)] {
		for _, file := range v.files {
			for _, o := range (sources{f.graph}).originsOf(file, name) {
				if v := f.origin(o); v.kind != nothing {
					return v
				}
			}
			if v := f.stored(file, name, file, Node{file, -1}); v.kind != nothing {
				return v
			}
		}
		return value{}
	}
	inPackage := func(o *File) bool { return sameFolder(o, v.files[0]) }
	for _, n := range f.graph.definitions(name) {
		if n.Chunk().Container == "" && n.File.Language == "go" && inPackage(n.File) {
			return definition([]Node{n})
		}
	}
	return f.variable(name, inPackage)
}

// memberOf looks for a field, a method or an inner type in a type and those above it.
func (f flows) memberOf(v value, name string) value {
	called := f.called
	f.called = false
	for _, t := range f.chain(v.node) {
		own := t.Chunk().QualifiedName()
		f := genericFlows{f}.seen(t, v)
		if methods := f.methods(t, name); called && len(methods) > 0 {
			return value{kind: function, node: methods[0], own: v.node, given: f.given}
		}
		if m := f.stored(t.File, own+"."+name, t.File, t); m.kind != nothing {
			return m
		}
		if written := t.File.Types.Of(own + "." + name + "()"); written != "" {
			if methods := f.methods(t, name); len(methods) == 0 {
				form := strings.Join(append([]string{written}, arguments(t.File.Types.Of(own+"."+name+"&"))...), ",")
				return value{kind: formed, written: "()<" + form + ">", file: t.File, own: t, given: f.given}
			}
		}
		if methods := f.methods(t, name); len(methods) > 0 {
			return value{kind: function, node: methods[0], own: v.node, given: f.given}
		}
		if inner := f.nested(t, name); inner.kind != nothing {
			return inner
		}
	}
	if other := (genericFlows{f}).alias(v); other.kind != nothing {
		return f.member(other, name)
	}
	switch {
	case called && Family(v.node.File.Language) == "jvm":
		return f.inheritedResult(v, name)
	case v.node.File.Language == "rust":
		return rustFlows{f}.member(v, name)
	case isECMAScript(v.node.File.Language) && ofPromise[name]:
		return value{kind: formed, written: "()<_,()<_," + v.node.Chunk().Name + ">>", file: v.node.File, own: v.node}
	}
	return value{}
}

// inheritedResult is what a method of Java returns that no text of the workspace has: valueOf of an enum, and a setter whose
// result is used, of a type that inherits from elsewhere.
func (f flows) inheritedResult(v value, name string) value {
	setter := len(name) > 3 && strings.HasPrefix(name, "set") && isUpper(name[3:])
	if v.kind == class && name == "valueOf" || setter && slices.ContainsFunc(f.chain(v.node), f.hasForeignSupertype) {
		return value{kind: formed, written: "()<" + v.node.Chunk().Name + ">", file: v.node.File, own: v.node}
	}
	return value{}
}

// hasForeignSupertype reports whether a type inherits from one that the workspace does not have.
func (f flows) hasForeignSupertype(t Node) bool {
	return slices.ContainsFunc(t.File.Inherits, func(h chunk.Inheritance) bool {
		return h.Chunk == t.Index && len(f.supertype(h, t).nodes) == 0
	})
}

// chain is a type and those above it, the nearest first.
func (f flows) chain(t Node) []Node {
	list := []Node{t}
	for _, a := range f.graph.ancestors(t, t.Chunk().Name) {
		list = append(list, a.Node)
	}
	return list
}

// methods are those of a name that a type has itself.
func (f flows) methods(t Node, name string) []Node {
	own := t.Chunk().QualifiedName()
	var found []Node
	for _, m := range f.graph.definitions(name) {
		c := m.Chunk()
		if c.Type == chunk.Class {
			continue
		}
		switch {
		case c.Container == own && (m.File == t.File || t.File.Language == "go" && sameFolder(m.File, t.File)):
			found = append(found, m)
		case t.File.Language == "rust" && m.File != t.File && last(c.Container) == t.Chunk().Name && (sources{f.graph}).means(m.File, origin{t.File, t.Chunk().Name}):
			found = append(found, m)
		}
	}
	return found
}

// call is what calling a value returns.
func (f flows) call(v value) value {
	f, ok := f.deeper()
	if !ok {
		return value{}
	}
	if v.kind == module {
		v = f.whole(v)
	}
	switch v.kind {
	case class:
		v.kind = instance
		return v
	case function:
		return f.result(v)
	case formed:
		if v.file.Language == "rust" && v.written[0] == '(' && v.own.Index >= 0 && !strings.HasPrefix(v.written, "()<") {
			return rustFlows{f}.variant(v)
		}
		if list := arguments(v.written); strings.HasPrefix(v.written, "()<") && len(list) > 0 {
			return f.within(v).typed(list[0], v.file, v.own)
		}
	case instance:
		if v.isSelf {
			return v // cls()
		}
		if other := (genericFlows{f}).alias(v); other.kind != nothing {
			return f.call(other)
		}
		if called := f.memberOf(v, "__call__"); called.kind == function {
			return f.result(called)
		}
	case outside:
		return v
	}
	return value{}
}

// result is what a function returns.
func (f flows) result(v value) value {
	f, ok := f.deeper()
	if !ok || v.kind != function {
		return value{}
	}
	own := ownNode(v.node)
	r := f.within(v).stored(v.node.File, v.node.Chunk().QualifiedName()+"()", v.node.File, own)
	if r.isSelf && v.own.File != nil {
		r.node = v.own
	}
	return r
}

// arguments are those of a written type, at the outermost level.
func arguments(written string) []string {
	open := strings.IndexAny(written, "<(")
	if strings.HasPrefix(written, "()<") {
		open = 2
	}
	if open < 0 || !strings.HasSuffix(written, ">") && !strings.HasSuffix(written, ")") {
		return nil
	}
	var list []string
	depth, from := 0, open+1
	inner := written[:len(written)-1]
	if len(inner) == from {
		return nil
	}
	for i := from; i < len(inner); i++ {
		switch inner[i] {
		case '<', '(':
			depth++
		case '>', ')':
			depth--
		case ',':
			if depth == 0 {
				list = append(list, inner[from:i])
				from = i + 1
			}
		}
	}
	return append(list, inner[from:])
}

// element is the n-th argument of what holds values: 1 for the values, 0 for their keys. special is the method by which a type
// of Python gives them.
func (f flows) element(v value, n int, special string) value {
	f, ok := f.deeper()
	if !ok {
		return value{}
	}
	switch v.kind {
	case formed:
		list := arguments(v.written)
		switch {
		case strings.HasPrefix(v.written, "{}") && len(list) == 2 && v.file.Language == "rust":
			return f.within(v).typed("("+list[0]+","+list[1]+")", v.file, v.own)
		case strings.HasPrefix(v.written, "{}") && len(list) == 2:
			return f.within(v).typed(list[n], v.file, v.own)
		case strings.HasPrefix(v.written, "[]") && len(list) == 1 && n == 1:
			return f.within(v).typed(list[0], v.file, v.own)
		}
	case outside, class, function:
		return v // an instance of something generic
	case instance:
		if other := (genericFlows{f}).alias(v); other.kind != nothing {
			return f.element(other, n, special)
		}
		if special == "" {
			return value{}
		}
		if m := f.memberOf(v, special); m.kind == function {
			r := f.result(m)
			if special == "__iter__" {
				return f.element(r, n, "")
			}
			return r
		}
	}
	return value{}
}

// part is the n-th of several results.
func (f flows) part(v value, n int) value {
	if v.kind == formed && v.written[0] == '(' && !strings.HasPrefix(v.written, "()<") {
		if list := arguments(v.written); n < len(list) {
			return f.within(v).typed(list[n], v.file, v.own)
		}
		return value{}
	}
	if v.kind == outside || n == 0 && (v.kind == instance || v.kind == formed) {
		return v // and whether it was there
	}
	return value{}
}

// entered is what a with statement makes of a value.
func (f flows) entered(v value) value {
	switch v.kind {
	case formed:
		return f.element(v, 1, "")
	case instance:
		for _, special := range []string{"__enter__", "__aenter__"} {
			if m := f.memberOf(v, special); m.kind == function {
				if r := f.result(m); r.kind != nothing && r.kind != outside {
					return r
				}
				return v
			}
		}
		return v
	case outside:
		return v
	}
	return value{}
}

// The methods of what holds values, by what they return.
var (
	ofValues = map[string]bool{
		"get": true, "pop": true, "shift": true, "at": true, "find": true, "setdefault": true, "next": true, "first": true, "last": true,
		"getFirst": true, "getLast": true, "peek": true, "poll": true, "remove": true, "orElse": true, "orElseThrow": true, "orElseGet": true,
		"popleft": true, "put": true, "computeIfAbsent": true, "getOrDefault": true, "popitem": true, "findLast": true,
	}
	sameForm = map[string]bool{
		"filter": true, "slice": true, "reverse": true, "sort": true, "concat": true, "copy": true, "iterator": true, "stream": true,
		"toReversed": true, "toSorted": true, "sorted": true, "distinct": true, "limit": true, "skip": true, "union": true,
	}
)

// fieldOf is a field of a struct without a name.
func (f flows) fieldOf(v value, fields []string, name string) value {
	for _, field := range fields {
		if t, ok := strings.CutPrefix(field, name+"="); ok {
			return f.within(v).typed(t, v.file, v.own)
		}
	}
	return value{}
}

// ofForm is a method of a list or a map.
func (f flows) ofForm(v value, name string) value {
	if v.file.Language == "rust" && !strings.HasPrefix(v.written, "()<") {
		return rustFlows{f}.ofForm(v, name)
	}
	list := arguments(v.written)
	if strings.HasPrefix(v.written, "struct<") {
		return f.fieldOf(v, list, name)
	}
	isMap := strings.HasPrefix(v.written, "{}") && len(list) == 2
	isList := strings.HasPrefix(v.written, "[]") && len(list) == 1
	result := ""
	switch {
	case isMap && name == "items", isMap && name == "entries":
		result = "[]<(" + list[0] + "," + list[1] + ")>"
	case isMap && name == "values":
		result = "[]<" + list[1] + ">"
	case isMap && (name == "keys" || name == "keySet"):
		result = "[]<" + list[0] + ">"
	case isMap && ofValues[name]:
		result = list[1]
	case isList && ofValues[name]:
		result = list[0]
	case (isList || isMap) && sameForm[name]:
		result = v.written
	case v.written[0] == '(' && !strings.HasPrefix(v.written, "()<"):
		return f.member(f.part(v, 0), name)
	case strings.HasPrefix(v.written, "()<"): // a property of an interface
		return f.member(f.call(v), name)
	}
	if isECMAScript(v.file.Language) {
		if takes := callbackOf(v.written, list, name); takes != "" {
			result = orUnknown(result) + "," + takes
		}
	}
	if result == "" {
		return value{kind: outside, written: name}
	}
	return value{kind: formed, written: "()<" + result + ">", file: v.file, own: v.own, given: v.given}
}
