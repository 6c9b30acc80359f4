package graph

import (
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
	given   *given  // the type arguments of an instance; of what only has a form and of a function, those known where it is written
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

// steps are the characters that begin a step of a path.
const steps = ".([@*^%&"

// maxFollowed bounds how many steps one question may take from value to value.
const maxFollowed = 24

// followsTypes are the families whose files have tables of types.
var followsTypes = map[string]bool{"go": true, "javascript": true, "python": true, "jvm": true, "rust": true}

// flows follow values from the calls on them to their types.
type flows struct {
	graph  *Graph
	depth  int
	called bool // a method is looked for rather than a field
	given  *given
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
		if call.Qualifier == chunk.Super && from.File.Language != "rust" || call.Qualifier == chunk.Unknown || call.Qualifier == "" || !followsTypes[Family(from.File.Language)] {
			return value{}
		}
		path = call.Qualifier
	}
	key := flowKey{from.File, from.Chunk().Container, path}
	if isType(from) {
		key.own = from.Chunk().QualifiedName()
	}
	if v, ok := g.values[key]; ok {
		return v
	}
	g.values[key] = value{} // a path that leads back to itself ends here
	v := f.of(path, from.File, ownNode(from))
	if call.On == "" && v.kind != instance && v.kind != formed && !(v.kind == module && from.File.Language == "rust") {
		v = value{} // modules and types are found by their names
	}
	g.values[key] = v
	return v
}

// ownNode is the type around a chunk, in its own file, or a chunk that has the name of it at least.
func ownNode(n Node) Node {
	c := n.Chunk()
	if isType(n) {
		return n
	}
	if c.Container == "" {
		return Node{n.File, -1}
	}
	for i := range n.File.Chunks {
		if o := &n.File.Chunks[i]; o.QualifiedName() == c.Container && isType(Node{n.File, i}) {
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
	if isType(own) {
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
	end := strings.IndexAny(path, steps)
	if end < 0 {
		end = len(path)
	}
	name, rest := path[:end], path[end:]
	isRust := file.Language == "rust"
	switch {
	case name == chunk.Super && isRust:
		return rustFlows{f}.root(name, rest, file, own)
	case name == chunk.Self || name == chunk.Super:
		t, ok := f.classOf(own)
		if !ok && isRust {
			return rustFlows{f}.root(name, rest, file, own)
		}
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
	if isRust {
		return rustFlows{f}.root(name, rest, file, own)
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
			if v := f.stored(to, (sources{g}).nameAbroad(imp, imp.Name, from, to), to, Node{to, -1}); v.kind != nothing {
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
		switch typed := isType(n); {
		case v.kind == nothing && typed:
			v = value{kind: class, node: n}
		case v.kind == nothing:
			v = value{kind: function, node: n}
		case v.kind == class && !typed:
			v = value{kind: function, node: n, also: v.node}
		case v.kind == function && v.also.File == nil && typed:
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
	if written[0] == '[' || written[0] == '{' || written[0] == '(' || strings.HasPrefix(written, "struct<") {
		return value{kind: formed, written: written, file: file, own: own, given: f.given}
	}
	name, list, _ := strings.Cut(written, "<")
	if list == "" {
		if v, ok := (genericFlows{f}).parameter(name, own); ok {
			return v
		}
	}
	if (name == "type" || name == "Type" || name == "typing.Type") && list != "" {
		v := f.typed(strings.TrimSuffix(list, ">"), file, own)
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
	if file.Language == "rust" {
		return rustFlows{f}.typed(parts, file, own)
	}
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
	if v.kind == nothing && len(parts) == 1 {
		if v = f.bound(name, file, own); v.kind != nothing {
			return v
		}
	}
	switch {
	case v.kind == class, v.kind == function && v.also.File != nil:
		if v.kind == function {
			v = value{node: v.also}
		}
		v.kind = instance
		if list != "" {
			v.given = &given{node: v.node, arguments: arguments(written), file: file, own: own, outer: f.given}
		}
		return v
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

// bound is what a type parameter of the type around it is bound by.
func (f flows) bound(name string, file *File, own Node) value {
	if own.Index < 0 || own.File != file {
		return value{}
	}
	around := own.Chunk()
	key := around.QualifiedName()
	if !isType(own) {
		key = around.Container
	}
	if t := own.File.Types.Of(key + "<" + name); t != "" && t != name {
		return f.typed(t, file, own)
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
		end := strings.IndexAny(path[1:], steps)
		if end < 0 {
			end = len(path) - 1
		}
		rest := path[1+end:]
		f.called = strings.HasPrefix(rest, "()") || strings.HasPrefix(rest, "&")
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
	case '&':
		end := 1
		for end < len(path) && path[end] >= '0' && path[end] <= '9' {
			end++
		}
		n, _ := strconv.Atoi(path[1:end])
		return genericFlows{f}.taken(v, n), path[end:]
	}
	return value{}, ""
}
