package syntax

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// An embeddedParser parses a text in the language of that name, or returns nil when it can't.
type embeddedParser func(language string, src []byte) *Outline

// readNotebook outlines a Jupyter notebook: every cell of text is a section, every cell of code a block that holds what
// the code defines. Outputs and metadata are no part of the outline. All spans are those of the file, in which the
// text of a cell stands as JSON strings.
func readNotebook(src []byte, parse embeddedParser) (*Outline, error) {
	if len(src) > maxSource {
		return nil, ErrTooLarge
	}
	r := notebookReader{jsonReader: newJSONReader(src), language: "python"}
	r.notebook()
	out := &Outline{Sparse: len(r.cells) > 0, HasError: r.failed}
	for i := range r.cells {
		r.cells[i].addTo(out, i+1, r.language, parse)
	}
	return out, nil
}

type notebookReader struct {
	*jsonReader
	language string
	cells    []cell
}

// A cell is a cell's text and, for every byte of it, where it stands in the file.
type cell struct {
	kind string // "markdown", "code", "raw"
	span Span   // of its source
	text []byte
	at   []Span
}

// notebook reads the whole file.
func (r *notebookReader) notebook() {
	r.members(r.next(), func(key string, value json.Token) {
		switch {
		case key == "cells" && value == json.Delim('['):
			for r.more() {
				r.cell()
			}
			r.next()
		case key == "metadata":
			r.members(value, r.metadata)
		default:
			r.skip(value)
		}
	})
}

// members calls yield with every key of the object that value opens and with the first token of what the key holds,
// whose rest yield reads. Any other value is skipped.
func (r *notebookReader) members(value json.Token, yield func(key string, value json.Token)) {
	if value != json.Delim('{') {
		r.skip(value)
		return
	}
	for r.more() {
		key, _ := r.next().(string)
		yield(key, r.next())
	}
	r.next()
}

// metadata learns the language of the notebook's code.
func (r *notebookReader) metadata(key string, value json.Token) {
	if key != "language_info" && key != "kernelspec" {
		r.skip(value)
		return
	}
	r.members(value, func(inner string, value json.Token) {
		if name, ok := value.(string); ok && (key == "language_info" && inner == "name" || inner == "language") {
			r.language = name
		}
		r.skip(value)
	})
}

// cell reads one cell.
func (r *notebookReader) cell() {
	var c cell
	r.members(r.next(), func(key string, value json.Token) {
		switch key {
		case "cell_type":
			c.kind, _ = value.(string)
			r.skip(value)
		case "source":
			r.source(&c, value)
		default:
			r.skip(value)
		}
	})
	if !c.span.Empty() {
		r.cells = append(r.cells, c)
	}
}

// source reads the text of a cell: one string or a list of strings.
func (r *notebookReader) source(c *cell, value json.Token) {
	c.span.Start = r.start
	switch value := value.(type) {
	case string:
		c.add(r.src, Span{r.start, r.end})
	case json.Delim:
		for value == '[' && r.more() {
			line := r.next()
			if _, ok := line.(string); ok {
				c.add(r.src, Span{r.start, r.end})
			} else {
				r.skip(line)
			}
		}
		if value == '[' {
			r.next()
		} else {
			r.skip(value)
		}
	}
	c.span.End = r.end
}

// add appends the text of a JSON string.
func (c *cell) add(src []byte, quoted Span) {
	for i := quoted.Start + 1; i < quoted.End-1; {
		n := 1
		if src[i] == '\\' {
			n = escapeLength(src[i : quoted.End-1])
		}
		text := string(src[i : i+n])
		if n > 1 {
			_ = json.Unmarshal([]byte(`"`+text+`"`), &text) // a valid escape: the decoder has read it
		}
		c.text = append(c.text, text...)
		for range len(text) {
			c.at = append(c.at, Span{i, i + n})
		}
		i += n
	}
}

// escapeLength is the number of bytes of the escape that b begins with; two that make one character count as one.
func escapeLength(b []byte) int {
	if len(b) < 6 || b[1] != 'u' {
		return min(2, len(b))
	}
	if len(b) >= 12 && b[6] == '\\' && b[7] == 'u' && (b[2]|0x20) == 'd' {
		var r string
		if json.Unmarshal([]byte(`"`+string(b[:12])+`"`), &r) == nil && utf8.RuneCountInString(r) == 1 {
			return 12
		}
	}
	return 6
}

// place turns a span of the cell's text into one of the file.
func (c *cell) place(s Span) Span {
	if s.Empty() {
		return Span{}
	}
	return Span{c.at[s.Start].Start, c.at[s.End-1].End}
}

// addTo adds the n-th cell to an outline.
func (c *cell) addTo(out *Outline, n int, language string, parse embeddedParser) {
	start := Span{c.span.Start, c.span.Start} // a cell has no name in the text
	d := Definition{
		Kind: Block, Name: "cell " + strconv.Itoa(n), Parent: -1, Span: c.span, NameSpan: start, Signature: start,
	}
	if c.kind != "code" {
		d.Kind, language = Section, "markdown"
	}
	inner := parse(language, c.text)
	if inner == nil {
		inner = &Outline{}
	}
	if d.Kind == Section {
		if len(inner.Definitions) > 0 {
			d.Name = inner.Definitions[0].Name
		}
		inner = &Outline{}
	}
	parent := len(out.Definitions)
	out.Definitions = append(out.Definitions, d)
	for _, def := range inner.Definitions {
		out.Definitions = append(out.Definitions, c.definition(def, parent))
	}
	for _, call := range inner.Calls {
		out.Calls = append(out.Calls, Call{Name: call.Name, Qualifier: call.Qualifier, Span: c.place(call.Span)})
	}
	for _, imp := range inner.Imports {
		out.Imports = append(out.Imports, Import{Path: imp.Path, Name: imp.Name, Span: c.place(imp.Span)})
	}
	out.HasError = out.HasError || inner.HasError
}

// definition is one of the cell's code as a part of the notebook's outline, in which the cell has the index parent.
func (c *cell) definition(d Definition, parent int) Definition {
	d.Parent += parent + 1
	d.Span, d.NameSpan = c.place(d.Span), c.place(d.NameSpan)
	d.Signature, d.Doc = c.place(d.Signature), c.place(d.Doc)
	return d
}
