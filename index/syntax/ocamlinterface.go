package syntax

import "strings"

// The text that makes an OCaml interface the body of a module type, which the grammar of OCaml knows.
const (
	beforeInterface = "module type Interface = sig "
	afterInterface  = "\nend"
)

// readOCamlInterface outlines an interface (.mli) by the grammar of OCaml's implementations: as the body of a module type.
func readOCamlInterface(src []byte, parse embeddedParser) (*Outline, error) {
	if len(src) > maxSource {
		return nil, ErrTooLarge
	}
	text := make([]byte, 0, len(beforeInterface)+len(src)+len(afterInterface))
	text = append(append(append(text, beforeInterface...), src...), afterInterface...)
	whole := parse("ocaml", text)
	if whole == nil {
		return &Outline{HasError: true}, nil
	}
	in := interfaceOf{size: len(src)}
	return in.outline(whole), nil
}

// interfaceOf turns what was found in the module type into what is found in the interface.
type interfaceOf struct{ size int }

func (in interfaceOf) outline(whole *Outline) *Outline {
	out := &Outline{HasError: whole.HasError}
	at := make([]int, len(whole.Definitions)) // where a definition is in out; -1 for the module type
	for i, d := range whole.Definitions {
		at[i] = -1
		if d.NameSpan.Start < len(beforeInterface) {
			continue
		}
		at[i] = len(out.Definitions)
		d.Parent = parentIn(at, d.Parent)
		d.Container = in.container(d.Container)
		d.Span, d.NameSpan = in.place(d.Span), in.place(d.NameSpan)
		d.Signature, d.Doc, d.Result = in.place(d.Signature), in.place(d.Doc), in.place(d.Result)
		if d.Kind == Method && d.Container == "" {
			d.Kind = Function
		}
		out.Definitions = append(out.Definitions, d)
	}
	for _, s := range whole.Symbols {
		s.Container, s.Span, s.NameSpan = in.container(s.Container), in.place(s.Span), in.place(s.NameSpan)
		out.Symbols = append(out.Symbols, s)
	}
	for _, i := range whole.Imports {
		i.Span = in.place(i.Span)
		out.Imports = append(out.Imports, i)
	}
	for _, h := range whole.Inherits {
		h.Span = in.place(h.Span)
		out.Inherits = append(out.Inherits, h)
	}
	return out
}

func parentIn(at []int, parent int) int {
	if parent < 0 {
		return -1
	}
	return at[parent]
}

// place is a span of the interface, of which nothing lies outside of it.
func (in interfaceOf) place(s Span) Span {
	if s.Empty() {
		return Span{}
	}
	return Span{max(0, s.Start-len(beforeInterface)), min(in.size, s.End-len(beforeInterface))}
}

// container is what encloses something, without the module type.
func (in interfaceOf) container(whole string) string {
	rest := strings.TrimPrefix(whole, "Interface")
	return strings.TrimPrefix(rest, ".")
}
