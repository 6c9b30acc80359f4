package chunk

import (
	"bytes"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/index/syntax"
)

// facts are what other files may want to know: the types of fields and variables, and what functions return.
func (f *flow) facts(definitions []syntax.Definition, inherits []givenSupertype) TypeTable {
	if f == nil {
		return ""
	}
	table := map[string]string{}
	put := func(key, t string) {
		if _, known := table[key]; !known && t != "" && t != "?" {
			table[key] = t
		}
	}
	results := map[int]syntax.Span{}
	for _, d := range definitions {
		if !d.Result.Empty() {
			results[d.NameSpan.Start] = d.Result
		}
	}
	for i := range f.chunks {
		c := &f.chunks[i]
		if result, ok := results[c.NameSpan.Start]; ok && !c.NameSpan.Empty() {
			put(c.QualifiedName()+"()", f.bounded(f.language.written(Span(result).In(f.src)), c))
		}
		if c.Type == Class {
			for name, bound := range f.bounds(c) {
				put(c.QualifiedName()+"<"+name, bound)
			}
			put(c.QualifiedName()+"<", f.parameterNames(c))
		}
	}
	for key, t := range (returns{f}).results() {
		put(key, t)
	}
	f.parameters(put)
	f.contexts(put)
	for _, h := range inherits {
		put(h.subtype.QualifiedName()+":"+h.name, f.givenArguments(h.written))
	}
	for _, b := range f.all {
		if key := f.key(b); key != "" {
			put(key, f.fact(b))
		}
	}
	return newTypeTable(table)
}

// fact is what is told of a binding: its type, or "=" and its path.
func (f *flow) fact(b *binding) string {
	p := f.of(b, maxNested)
	if p == "" {
		return ""
	}
	if t, ok := strings.CutPrefix(p, ";"); ok && strings.HasSuffix(t, ";") && strings.Count(t, ";") == 1 {
		return strings.TrimSuffix(t, ";")
	}
	return "=" + p
}

// key is the name under which others know a binding, "" when they don't.
func (f *flow) key(b *binding) string {
	name, own := strings.CutPrefix(b.name, "self.")
	c := &Chunk{}
	if b.inside >= 0 {
		c = &f.chunks[b.inside]
	}
	if own && f.language == ecmaFlow && c.Type == Function && c.Container == "" && isUpper(c.Name) {
		return c.Name + "." + name // of what it constructs
	}
	switch {
	case f.language == ecmaFlow && !b.scope.Empty() && !(constructors[c.Name] && f.isProperty(b)):
		return "" // a parameter
	case c.Type == Class && !own && c.NameSpan.Start == b.at:
		return c.QualifiedName() + "="
	case c.Type == Class && !own && b.calls:
		return c.QualifiedName() + "." + name + "()"
	case c.Type == Class && !own:
		return c.QualifiedName() + "." + name
	case c.Kind == KindFunction && (own || constructors[c.Name] && f.isProperty(b)):
		if c.Container == "" {
			return ""
		}
		return c.Container + "." + name
	case c.Kind != KindFunction && !own && (f.name == "go" || f.indent(b.at) == 0):
		return name
	}
	return ""
}

// isProperty reports whether a parameter of a constructor is a field at once.
func (f *flow) isProperty(b *binding) bool {
	switch string(lastWord(bytes.TrimRight(f.src[:b.at], " "))) {
	case "public", "private", "protected", "readonly":
		return true
	}
	return false
}

// A TypeTable holds the types of a file's names: by the name, with its container before it, "()" behind it for what a function
// returns, "=" for what a type is another name of, "<" and a name for what a type parameter is bound by, "<" alone for the names of
// type parameters, ":" and a name for what a type above it is given in their place, "&" for what parameters take. A type is written as flowLanguage.written has it; "=" and a path, as in
// Call.On, stand for one that isn't written. It is one string, so that a file has one allocation for it.
type TypeTable string

func newTypeTable(types map[string]string) TypeTable {
	if len(types) == 0 {
		return ""
	}
	keys := make([]string, 0, len(types))
	for k := range types {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	var b strings.Builder
	b.WriteByte('\n')
	for _, k := range keys {
		b.WriteString(k)
		b.WriteByte('\t')
		b.WriteString(types[k])
		b.WriteByte('\n')
	}
	return TypeTable(b.String())
}

// Of returns the type of a name, "" when nothing is known of it.
func (t TypeTable) Of(name string) string {
	_, rest, ok := strings.Cut(string(t), "\n"+name+"\t")
	if !ok {
		return ""
	}
	written, _, _ := strings.Cut(rest, "\n")
	return written
}
