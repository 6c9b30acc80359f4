package chunk

import (
	"bytes"
	"strings"
)

// bounds are the types that the type parameters of a definition are bound by, as the text writes them: by their names. Those that
// may be any type are left out.
func (f *flow) bounds(c *Chunk) map[string]string {
	list := f.typeParameters(c)
	if f.name == "rust" {
		list = append(list, f.rustBounds(c)...)
	}
	var found map[string]string
	for i, p := range list {
		name := string(flowName(p))
		bound := bytes.TrimSpace(p[len(name):])
		if f.name == "go" {
			for j := i + 1; len(bound) == 0 && j < len(list); j++ { // K, V comparable
				bound = bytes.TrimSpace(list[j][len(flowName(list[j])):])
			}
		} else if after, ok := bytes.CutPrefix(bound, []byte(":")); ok && f.name == "rust" {
			bound = after
		} else if after, ok := bytes.CutPrefix(bound, []byte("extends ")); ok {
			bound, _, _ = bytes.Cut(after, []byte("="))
		} else {
			continue
		}
		if t := f.language.written(bound); name != "" && t != "" && t != "any" && t != "comparable" {
			if found == nil {
				found = map[string]string{}
			}
			found[name] = t
		}
	}
	return found
}

// typeParameters are those of a definition, each as it is written.
func (f *flow) typeParameters(c *Chunk) [][]byte {
	rest := Span{c.NameSpan.End, min(c.Span.End, c.NameSpan.End+maxWritten)}.In(f.src)
	if f.name == "java" && c.Kind == KindFunction { // <T extends X> T name(…)
		head := Span{c.Signature.Start, c.NameSpan.Start}.In(f.src)
		if rest = nil; bytes.IndexByte(head, '<') >= 0 {
			rest = head[bytes.IndexByte(head, '<'):]
		}
	}
	if f.language.prepare != nil {
		rest = f.language.prepare(rest)
	}
	if len(rest) == 0 || rest[0] != f.language.arguments || f.name == "python" {
		return nil
	}
	end := closing(rest)
	if end < 0 {
		return nil
	}
	return split(rest[1:end], ',')
}

// bounded puts, in place of a type that is a type parameter of a function around it, what that is bound by.
func (f *flow) bounded(t string, c *Chunk) string {
	if t == "" || c == nil || c.Kind != KindFunction || strings.IndexByte(t, '.') >= 0 {
		return t
	}
	name := outermost(t)
	if name != t {
		if inner, ok := strings.CutPrefix(t, "[]<"); ok {
			return "[]<" + f.bounded(strings.TrimSuffix(inner, ">"), c) + ">"
		}
		return t
	}
	if b, ok := f.boundsOf(c)[name]; ok {
		return b
	}
	return t
}

// boundsOf is bounds, found once for each chunk.
func (f *flow) boundsOf(c *Chunk) map[string]string {
	if known, ok := f.parametersOf[c]; ok {
		return known
	}
	b := f.bounds(c)
	f.parametersOf[c] = b
	return b
}
