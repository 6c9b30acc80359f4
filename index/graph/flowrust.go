package graph

import (
	"strconv"
	"strings"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/syntax"
)

// rustFlows follow what only Rust writes so.
type rustFlows struct{ f flows }

// root is what a path of Rust begins with: a type, a function, something that a module holds, or the module.
func (r rustFlows) root(name, rest string, file *File, own Node) (value, string) {
	names := []string{name}
	for !isUpper(name) && strings.HasPrefix(rest, ".") {
		end := strings.IndexAny(rest[1:], steps)
		if end < 0 {
			end = len(rest) - 1
		}
		name, rest = rest[1:1+end], rest[1+end:]
		names = append(names, name)
	}
	switch {
	case name == "Some" || name == "Ok":
		return value{}, ""
	case isUpper(name):
		v := r.typed(names, file, own)
		if v.kind == instance {
			v.kind = class
		}
		return v, rest
	case len(names) == 1 && strings.HasPrefix(rest, "()"):
		if w := r.f.graph.resolveCall(chunk.Call{Name: name}, Node{file, 0}); len(w.nodes) == 1 && w.confidence >= sureFolder {
			return value{kind: function, node: w.nodes[0]}, rest
		}
		return value{}, ""
	}
	return r.named(names, file), rest
}

// named is what a path means.
func (r rustFlows) named(names []string, file *File) value {
	var modules []*File
	for _, p := range r.f.graph.modules.crates.find(strings.Join(names, "::"), file) {
		if p.name == syntax.All {
			modules = append(modules, p.file)
			continue
		}
		for _, o := range (sources{r.f.graph}).originsOf(p.file, p.name) {
			if v := r.f.origin(o); v.kind != nothing {
				return v
			}
		}
	}
	if len(modules) > 0 {
		return value{kind: module, files: modules}
	}
	return value{}
}

// typed is a value of a type, by its path, or what a static or a constant holds.
func (r rustFlows) typed(names []string, file *File, own Node) value {
	name := names[len(names)-1]
	if len(names) == 1 {
		if t, ok := r.f.typeNamed(name, "", file); ok {
			return value{kind: instance, node: t}
		}
		if v := r.held(name, file); v.kind != nothing {
			return v
		}
		if v := r.f.bound(name, file, own); v.kind != nothing {
			return v
		}
	} else if v := r.named(names, file); v.kind == class {
		v.kind = instance
		return v
	} else if v.kind != nothing {
		return v
	}
	if len(name) > 2 && !r.f.graph.isType(name) {
		return value{kind: outside, written: name}
	}
	return value{}
}

// held is a static or a constant of the file, or one that it imports.
func (r rustFlows) held(name string, file *File) value {
	if v := r.f.stored(file, name, file, Node{file, -1}); v.kind != nothing {
		return v
	}
	for _, imp := range r.f.graph.importsAs(file, name) {
		for _, o := range (sources{r.f.graph}).importOrigins(imp, file) {
			if v := r.f.origin(o); v.kind != nothing {
				return v
			}
		}
	}
	return value{}
}

// sameValue are methods of Rust that return what they are called on, or what that holds or guards.
var sameValue = words(`as_mut as_ref borrow borrow_mut by_ref clone deref deref_mut expect get_mut get_ref into_inner iter iter_mut lock make_mut
	read to_owned unwrap unwrap_or unwrap_or_default unwrap_or_else write`)

// member is what a type has that doesn't say so: the variants of an enum, and what every type has.
func (r rustFlows) member(v value, name string) value {
	switch {
	case v.kind == class && isUpper(name):
		v.kind = instance
		return v
	case v.kind == class && (name == "default" || name == "from"):
		return value{kind: formed, written: "()<" + v.node.Chunk().Name + ">", file: v.node.File, own: v.node}
	case v.kind == instance && sameValue[name]:
		return value{kind: formed, written: "()<" + v.node.Chunk().Name + ">", file: v.node.File, own: v.node}
	}
	return value{}
}

// variant is what the constructor of a tuple makes: the enum or the struct that it is of.
func (r rustFlows) variant(v value) value {
	if t, ok := r.f.classOf(v.own); ok {
		return value{kind: instance, node: t}
	}
	return value{}
}

// The methods of what holds values in Rust, by what they return: one of those, one that may be absent, or the same again.
var (
	rustValues = words("expect unwrap unwrap_or unwrap_or_default unwrap_or_else unwrap_unchecked get_or_insert_with get_or_insert insert or_insert or_insert_with or_default swap_remove")
	rustOption = words(`first first_mut get get_mut last last_mut max max_by max_by_key min min_by min_by_key next next_back nth ok peek pop pop_back pop_front
		find take replace back back_mut front front_mut find_mut`)
	rustSame = words(`as_deref as_deref_mut as_mut as_ref as_slice by_ref chain clone cloned context copied drain filter fuse inspect into_boxed_slice into_iter iter iter_mut
		map_err ok_or ok_or_else or or_else peekable rev skip skip_while step_by take take_while to_owned to_vec with_context`)
)

// ofForm is a method of a list, a map, a tuple or of what may be absent.
func (r rustFlows) ofForm(v value, name string) value {
	list := arguments(v.written)
	if n, err := strconv.Atoi(name); err == nil && v.written[0] == '(' {
		return r.f.part(v, n)
	}
	isMap := strings.HasPrefix(v.written, "{}") && len(list) == 2
	isList := strings.HasPrefix(v.written, "[]") && len(list) == 1
	result := ""
	switch {
	case isMap && (name == "keys" || name == "into_keys"):
		result = "[]<" + list[0] + ">"
	case isMap && (name == "values" || name == "values_mut" || name == "into_values"):
		result = "[]<" + list[1] + ">"
	case isMap && (name == "iter" || name == "iter_mut" || name == "into_iter" || name == "drain"):
		result = "[]<(" + list[0] + "," + list[1] + ")>"
	case isMap && (name == "get" || name == "get_mut" || name == "remove" || name == "entry" || name == "insert"):
		result = "[]<" + list[1] + ">"
	case isMap && (name == "clone" || name == "as_ref"):
		result = v.written
	case isList && name == "enumerate":
		result = "[]<(_," + list[0] + ")>"
	case isList && rustValues[name]:
		result = list[0]
	case isList && rustOption[name]:
		result = "[]<" + list[0] + ">"
	case isList && rustSame[name]:
		result = v.written
	}
	if result == "" {
		return value{kind: outside, written: name}
	}
	return value{kind: formed, written: "()<" + result + ">", file: v.file, own: v.own}
}
