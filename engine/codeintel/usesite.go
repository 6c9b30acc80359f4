package codeintel

import (
	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/internal/text"
)

// useSite is where a chunk, without the chunks inside it, calls what has the name: the first place behind which arguments
// begin, else the first one that is code. A constructor is called by the name of its type, which is looked for when the
// name itself is nowhere. nil when the chunk calls it by a name of its own.
func (n *neighbours) useSite(ref index.Ref, name, container string) *text.Range {
	doc, ref, ok := n.docs.Open(ref)
	if !ok {
		return nil
	}
	for _, name := range []string{name, container} {
		if name == "" {
			continue
		}
		if span, ok := useOf(doc, ref, name); ok {
			return doc.RangeOf(span)
		}
	}
	return nil
}

func useOf(doc *codebase.Document, ref index.Ref, name string) (site chunk.Span, ok bool) {
	c, word := ref.Chunk(), wordOf([]string{name})
	body := c.Span.In(doc.Text)
	for at := 0; at < len(body); {
		m := word.FindSubmatchIndex(body[at:])
		if m == nil {
			break
		}
		found := chunk.Span{Start: c.Span.Start + at + m[4], End: c.Span.Start + at + m[5]}
		at += m[5]
		if inner, in := doc.File.At(found.Start); !in || inner.Index != ref.Index || found == c.NameSpan {
			continue
		}
		isCall := calledBehind.Match(doc.Text[found.End:])
		if ok && !isCall || codebase.IsProse(doc.Text, doc.File.Language, found.Start) {
			continue
		}
		site, ok = found, true
		if isCall {
			break
		}
	}
	return site, ok
}
