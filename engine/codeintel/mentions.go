package codeintel

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/graph"
)

// The confidences of mentions: by whether the place is in the file or the package of the declaration.
const (
	nearMention    = 0.7
	distantMention = 0.4
)

// addMentions joins the chunks that mention a symbol to it: who uses a constant or a field is not said by calls.
func (n *neighbours) addMentions() {
	family := graph.Family(n.named.File.Language)
	hits, _ := n.snap.Search(index.Query{
		Text: n.name, Limit: 4 * n.limit, Accept: func(f *index.File) bool { return graph.Family(f.Language) == family },
	})
	refs := make([]index.Ref, 0, len(hits))
	for _, h := range hits {
		refs = append(refs, h.Ref)
	}
	word := regexp.MustCompile(`(^|[^\pL\pN_$])` + regexp.QuoteMeta(n.name) + `($|[^\pL\pN_$])`)
	added := 0
	for _, ref := range codebase.Nearest(refs, n.named.File) {
		if added < n.limit && n.mentions(ref, word) && n.join(ref, n.mention(ref)) {
			added++
		}
	}
}

// mentions reports whether a chunk has the word elsewhere than in the declaration.
func (n *neighbours) mentions(ref index.Ref, word *regexp.Regexp) bool {
	doc, fresh, ok := n.docs.Open(ref)
	if !ok {
		return false
	}
	c := fresh.Chunk()
	text := doc.Excerpt(c.Span.Start, c.Span.End)
	if doc.File.Abs == n.named.File.Abs {
		if s, ok := codebase.PresentSymbol(doc, n.named.Symbol); ok && c.Span.Contains(s.NameSpan.Start) {
			at := s.NameSpan.Start - c.Span.Start
			text = text[:at] + strings.Repeat(" ", len(s.Name)) + text[min(len(text), at+len(s.Name)):]
		}
	}
	return word.MatchString(text)
}

func (n *neighbours) mention(ref index.Ref) Edge {
	confidence := distantMention
	if codebase.DirName(ref.File.Path) == codebase.DirName(n.named.File.Path) ||
		slices.ContainsFunc(ref.File.Imports, func(i chunk.Import) bool { return i.Name == n.name }) {
		confidence = nearMention
	}
	return Edge{From: n.from, Kind: "caller", Weight: confidence, Confidence: confidence, Why: "mentions " + n.name}
}
