package graph

import (
	"slices"
	"strconv"
	"strings"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/syntax"
)

// A value is what a path of a chunk.Call leads to, as far as declared types and constructors tell.
type value struct {
	kind    valueKind
	node    Node    // the type of an instance, a class itself, a function
	files   []*File // of a module
	written string  // a type that only has a form, as a list; or the name of a foreign one
	file    *File   // in which that is written
	own     Node    // the type around it; of a function, what it is called on
	isSelf  bool    // the own object, or its class
	also    Node    // of a function: the type of the same name
}

type valueKind uint8

const (
	nothing  valueKind = iota // not known
	instance                  // an object of a type
	class
	function
	module
	formed  // of a type such as a list
	outside // something of elsewhere
)

// maxFollowed bounds how many steps one question may take from value to value.
const maxFollowed = 24

// followsTypes are the families whose files have tables of types.
var followsTypes = map[string]bool{"go": true, "javascript": true, "python": true, "jvm": true}

// flows follow values from the calls on them to their types.
type flows struct {
	graph  *Graph
	depth  int
	called bool // a method is looked for rather than a field
}

type flowKey struct {
	file *File
	own  string
	path string
}

// receiver is the value that a call is made on.
func (f flows) receiver(call chunk.Call, from Node) value {
	g := f.graph
	path := call.On
	if path == "" {
		if call.Qualifier == chunk.Super || call.Qualifier == chunk.Unknown || call.Qualifier == "" || !followsTypes[Family(from.File.Language)] {
			return value{}
		}
		path = call.Qualifier
	}
	key := flowKey{from.File, from.Chunk().Container, path}
	if from.Chunk().Type == chunk.Class {
		key.own = from.Chunk().QualifiedName()
	}
	if v, ok := g.values[key]; ok {
		return v
	}
	g.values[key] = value{} // a path that leads back to itself ends here
	v := f.of(path, from.File, ownNode(from))
	if call.On == "" && v.kind != instance && v.kind != formed {
		v = value{} // modules and types are found by their names
	}
	g.values[key] = v
	return v
}

// ownNode is the type around a chunk, in its own file, or a chunk that has the name of it at least.
func ownNode(n Node) Node {
	c := n.Chunk()
	if c.Type == chunk.Class {
		return n
	}
	if c.Container == "" {
		return Node{n.File, -1}
	}
	for i := range n.File.Chunks {
		if o := &n.File.Chunks[i]; o.Type == chunk.Class && o.QualifiedName() == c.Container {
			return Node{n.File, i}
		}
	}
	return n
}

// classOf is the type that a chunk from ownNode stands for.
func (f flows) classOf(own Node) (Node, bool) {
	if own.Index < 0 {
		return Node{}, false
	}
	c := own.Chunk()
	if c.Type == chunk.Class {
		return own, true
	}
	return f.typeNamed(last(c.Container), "", own.File)
}

// typeNamed finds the one type that a name means.
func (f flows) typeNamed(name, qualifier string, file *File) (Node, bool) {
	w := f.graph.resolveType(name, qualifier, Node{file, -1})
	if len(w.nodes) != 1 || w.confidence < sureFolder && !scopingOf(file.Language).global {
		return Node{}, false
	}
	return w.nodes[0], true
}

// deeper spends a step.
func (f flows) deeper() (flows, bool) {
	f.depth--
	return f, f.depth > 0
}

// of follows a path that stands in a file, inside a type.
func (f flows) of(path string, file *File, own Node) value {
	f, ok := f.deeper()
	if !ok {
		return value{}
	}
	v, rest := f.root(path, file, own)
	for rest != "" && v.kind != nothing {
		v, rest = f.step(v, rest)
	}
	return v
}

// root is what a path begins with.
func (f flows) root(path string, file *File, own Node) (value, string) {
	switch path[0] {
	case '?':
		return value{}, ""
	case '\'':
		return value{kind: outside, written: "string"}, path[1:]
	case ';':
		written, rest, _ := strings.Cut(path[1:], ";")
		return f.typed(written, file, own), rest
	}
	end := strings.IndexAny(path, ".([@*^%")
	if end < 0 {
		end = len(path)
	}
	name, rest := path[:end], path[end:]
	switch name {
	case chunk.Self, chunk.Super:
		t, ok := f.classOf(own)
		if !ok {
			return value{}, ""
		}
		if name == chunk.Super {
			above := f.graph.ancestors(Node{t.File, t.Index}, t.Chunk().Name)
			if len(above) == 0 {
				return value{}, ""
			}
			return value{kind: instance, node: above[0].Node}, rest
		}
		return value{kind: instance, node: t, isSelf: true}, rest
	}
	return f.named(name, file, own), rest
}

// named is what a plain name means in a file.
func (f flows) named(name string, file *File, own Node) value {
	g := f.graph
	if imports := g.importsAs(file, name); len(imports) > 0 {
		for _, imp := range imports {
			if v := f.imported(imp, file); v.kind != nothing {
				return v
			}
		}
		if Family(file.Language) != "jvm" {
			return value{kind: outside, written: name}
		}
	}
	if nodes := f.graph.definitionsIn(origin{file, name}); len(nodes) > 0 {
		return definition(nodes)
	}
	if t, ok := f.typeNamed(name, "", file); ok {
		return value{kind: class, node: t}
	}
	if v := f.stored(file, name, file, Node{file, -1}); v.kind != nothing {
		return v
	}
	if w := g.resolveCall(chunk.Call{Name: name}, Node{file, 0}); len(w.nodes) == 1 && w.confidence >= sureFolder {
		return value{kind: function, node: w.nodes[0]}
	}
	if scopingOf(file.Language).folder {
		inPackage := func(o *File) bool { return samePackage(o, file) && Family(o.Language) == Family(file.Language) }
		if v := f.variable(name, inPackage); v.kind != nothing {
			return v
		}
	}
	if t, ok := f.classOf(own); ok && scopingOf(file.Language).implicit {
		return f.member(value{kind: instance, node: t}, name)
	}
	return value{}
}

// variable is one outside of functions and types in some files.
func (f flows) variable(name string, among func(*File) bool) value {
	for _, holder := range f.graph.src.Holding(name) {
		if among(holder.File) {
			if v := f.stored(holder.File, name, holder.File, Node{holder.File, -1}); v.kind != nothing {
				return v
			}
		}
	}
	return value{}
}

// imported is what an import brings.
func (f flows) imported(imp chunk.Import, from *File) value {
	g := f.graph
	if followed[Family(from.Language)] {
		for _, o := range (sources{g}).importOrigins(imp, from) {
			if v := f.origin(o); v.kind != nothing {
				return v
			}
		}
		if imp.Name == "" || imp.Of == syntax.All || len(g.matches(imp, from)) == 0 {
			return value{}
		}
		for _, to := range (sources{g}).filesOf(imp, from) { // a variable, which is no definition
			if v := f.stored(to, nameAbroad(imp, imp.Name, from, to), to, Node{to, -1}); v.kind != nothing {
				return v
			}
		}
		return value{}
	}
	if from.Language == "go" {
		var files []*File
		for _, m := range g.matches(imp, from) {
			files = append(files, m.file)
		}
		if len(files) > 0 {
			return value{kind: module, files: files}
		}
	}
	return value{}
}

// origin is what an import leads to in the end.
func (f flows) origin(o origin) value {
	if o.name == syntax.All {
		return value{kind: module, files: []*File{o.file}}
	}
	nodes := f.graph.definitionsIn(o)
	if len(nodes) == 0 {
		return f.stored(o.file, o.name, o.file, Node{o.file, -1})
	}
	return definition(nodes)
}

// definition is a type or a function as a value, or both if they have the same name.
func definition(nodes []Node) value {
	var v value
	for _, n := range nodes {
		switch isType := n.Chunk().Type == chunk.Class; {
		case v.kind == nothing && isType:
			v = value{kind: class, node: n}
		case v.kind == nothing:
			v = value{kind: function, node: n}
		case v.kind == class && !isType:
			v = value{kind: function, node: n, also: v.node}
		case v.kind == function && v.also.File == nil && isType:
			v.also = n
		}
	}
	return v
}

// stored is the value of something whose type a file's table has.
func (f flows) stored(in *File, key string, file *File, own Node) value {
	t := in.Types.Of(key)
	if t == "" {
		return value{}
	}
	if path, ok := strings.CutPrefix(t, "="); ok {
		return f.of(path, file, own)
	}
	return f.typed(t, file, own)
}

// selfTypes are how a written type names the one around it.
var selfTypes = map[string]bool{"Self": true, "self": true, "this": true, "static": true}

// typed is a value of a type that is written in a file.
func (f flows) typed(written string, file *File, own Node) value {
	f, ok := f.deeper()
	if !ok || written == "" || written[0] == '_' {
		return value{}
	}
	if written[0] == '[' || written[0] == '{' || written[0] == '(' {
		return value{kind: formed, written: written, file: file, own: own}
	}
	name, arguments, _ := strings.Cut(written, "<")
	if (name == "type" || name == "Type" || name == "typing.Type") && arguments != "" {
		v := f.typed(strings.TrimSuffix(arguments, ">"), file, own)
		if v.kind == instance {
			v.kind = class
		}
		return v
	}
	if base := last(name); selfTypes[base] {
		if t, ok := f.classOf(own); ok {
			return value{kind: instance, node: t, isSelf: true}
		}
		return value{}
	}
	parts := strings.Split(name, ".")
	v := f.named(parts[0], file, own)
	if v.kind == nothing && own.Index >= 0 && len(parts) == 1 {
		v = f.nested(own, parts[0])
	}
	for _, p := range parts[1:] {
		v = f.member(v, p)
	}
	if v.kind == module {
		v = f.whole(v)
	}
	switch {
	case v.kind == class:
		v.kind = instance
		return v
	case v.kind == function && v.also.File != nil:
		return value{kind: instance, node: v.also}
	case v.kind == outside:
		v.written = last(name)
		return v
	case v.kind != nothing || vague[name]:
		return value{}
	case file.Language == "go" && len(parts) == 1 && !builtinGo[name], file.Language != "go" && len(name) < 3:
		return value{} // a type parameter
	case !f.graph.isType(last(name)):
		return value{kind: outside, written: last(name)}
	}
	return value{}
}

// vague are types that say nothing.
var vague = map[string]bool{"any": true, "Any": true, "unknown": true, "object": true, "Object": true, "interface": true}

// builtinGo are the types that Go has itself.
var builtinGo = words(`bool byte complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16
	uint32 uint64 uintptr`)

// nested finds a type inside another one.
func (f flows) nested(own Node, name string) value {
	around := own.Chunk().QualifiedName()
	for i := range own.File.Chunks {
		if c := &own.File.Chunks[i]; c.Type == chunk.Class && c.Name == name && c.Container == around {
			return value{kind: class, node: Node{own.File, i}}
		}
	}
	return value{}
}

// step takes one step of a path.
func (f flows) step(v value, path string) (value, string) {
	switch path[0] {
	case '.':
		end := strings.IndexAny(path[1:], ".([@*^%")
		if end < 0 {
			end = len(path) - 1
		}
		rest := path[1+end:]
		f.called = strings.HasPrefix(rest, "()")
		return f.member(v, path[1:1+end]), rest
	case '(':
		return f.call(v), path[2:]
	case '[':
		return f.element(v, 1, "__getitem__"), path[2:]
	case '*':
		return f.element(v, 1, "__iter__"), path[1:]
	case '^':
		return f.element(v, 0, ""), path[1:]
	case '%':
		return f.entered(v), path[1:]
	case '@':
		end := 1
		for end < len(path) && path[end] >= '0' && path[end] <= '9' {
			end++
		}
		n, _ := strconv.Atoi(path[1:end])
		return f.part(v, n), path[end:]
	}
	return value{}, ""
}

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
	if len(v.files) == 1 && followed[Family(v.files[0].Language)] {
		file := v.files[0]
		for _, o := range (sources{f.graph}).originsOf(file, name) {
			if v := f.origin(o); v.kind != nothing {
				return v
			}
		}
		return f.stored(file, name, file, Node{file, -1})
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
		if methods := f.methods(t, name); called && len(methods) > 0 {
			return value{kind: function, node: methods[0], own: v.node}
		}
		if m := f.stored(t.File, own+"."+name, t.File, t); m.kind != nothing {
			return m
		}
		if written := t.File.Types.Of(own + "." + name + "()"); written != "" {
			if methods := f.methods(t, name); len(methods) == 0 {
				return value{kind: formed, written: "()<" + written + ">", file: t.File, own: t}
			}
		}
		if methods := f.methods(t, name); len(methods) > 0 {
			return value{kind: function, node: methods[0], own: v.node}
		}
		if inner := f.nested(t, name); inner.kind != nothing {
			return inner
		}
	}
	if other := f.stored(v.node.File, v.node.Chunk().QualifiedName()+"=", v.node.File, v.node); other.kind != nothing {
		return f.member(other, name)
	}
	return value{}
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
		if c.Type != chunk.Class && c.Container == own && (m.File == t.File || t.File.Language == "go" && sameFolder(m.File, t.File)) {
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
		if inner, ok := strings.CutPrefix(v.written, "()<"); ok {
			return f.typed(strings.TrimSuffix(inner, ">"), v.file, v.own)
		}
	case instance:
		if v.isSelf {
			return v // cls()
		}
		if other := f.stored(v.node.File, v.node.Chunk().QualifiedName()+"=", v.node.File, v.node); other.kind != nothing {
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
	r := f.stored(v.node.File, v.node.Chunk().QualifiedName()+"()", v.node.File, own)
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
		case strings.HasPrefix(v.written, "{}") && len(list) == 2:
			return f.typed(list[n], v.file, v.own)
		case strings.HasPrefix(v.written, "[]") && len(list) == 1 && n == 1:
			return f.typed(list[0], v.file, v.own)
		}
	case outside, class, function:
		return v // an instance of something generic
	case instance:
		if other := f.stored(v.node.File, v.node.Chunk().QualifiedName()+"=", v.node.File, v.node); other.kind != nothing {
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
			return f.typed(list[n], v.file, v.own)
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

// ofForm is a method of a list or a map.
func (f flows) ofForm(v value, name string) value {
	list := arguments(v.written)
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
	if result == "" {
		return value{kind: outside, written: name}
	}
	return value{kind: formed, written: "()<" + result + ">", file: v.file, own: v.own}
}

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
		return w, call.Qualifier != chunk.Self || len(w.nodes) > 0 || len(w.below) > 0
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
		if other := f.stored(t.File, t.Chunk().QualifiedName()+"=", t.File, t); other.kind == instance && other.node != t {
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
var implementations = map[string]float64{"go": sureLike, "javascript": sureLike}

// isBelow reports whether a type inherits from the type of a value, or implements it.
func (f flows) isBelow(own Node, v value) bool {
	if v.kind == outside {
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

// satisfies reports whether a type of Go has all methods that an interface declares, and that declares any.
func (f flows) satisfies(own, iface Node) bool {
	declared := 0
	for _, t := range f.chain(iface) {
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
	return declared > 0
}

// has reports whether a type has a method, by itself or from those above it.
func (f flows) has(own Node, name string) bool {
	return slices.ContainsFunc(f.chain(own), func(t Node) bool {
		return len(f.methods(t, name)) > 0 || declares(t.File, t.Chunk().Name, name)
	})
}
