package snippet

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/internal/text"
)

const (
	// SnippetLines is the most lines that Hit.Snippet has.
	MaxLines = 12

	// maxHitText is the most bytes of Hit.Text.
	MaxHitText = 64 << 10
)

// OfChunk shows a chunk as it is in doc. The score fields are left to the caller; see setScore.
func OfChunk(doc *codebase.Document, ref index.Ref) Hit {
	c := ref.Chunk()
	h := Hit{
		ID: ref.ID(), Type: string(c.Type), Source: "disk",
		Symbol: Symbol{
			Kind: string(c.Kind), Name: hitName(ref), Container: c.Container, Language: ref.File.Language,
			Signature: Signature(doc, c), Doc: docParagraph(doc.Excerpt(c.Doc.Start, c.Doc.End)),
		},
		Location: Location{Path: ref.File.Path, Abs: ref.File.Abs},
	}
	h.showSpan(doc, c.Span)
	h.leaveOutDoc(doc, c)
	if !c.NameSpan.Empty() {
		h.NameRange = doc.RangeOf(c.NameSpan)
	}
	if doc.File.Overlay {
		h.Source = "overlay"
	}
	if c.Kind == chunk.KindSection {
		h.Origin = OriginDocs
	}
	return h
}

// showSpan makes a stretch of doc what the hit shows.
func (h *Hit) showSpan(doc *codebase.Document, s chunk.Span) {
	h.Range, h.Above = doc.RangeOf(s), 0
	h.Text = strings.ToValidUTF8(doc.Excerpt(s.Start, min(s.End, s.Start+MaxHitText)), "\uFFFD")
	h.Snippet = wording.HeadLines(h.Text, MaxLines)
	h.Tokens = EstimateTokens(h.Text)
}

// leaveOutDoc lets the range of a definition begin below the comment that stands above it, which remains in Text: who
// looks for a definition wants to be taken there.
func (h *Hit) leaveOutDoc(doc *codebase.Document, c *chunk.Chunk) {
	if c.Type == chunk.Code || c.Doc.Empty() || c.Doc.Start != c.Span.Start || c.Doc.End >= c.Span.End {
		return
	}
	below := c.Span.End - len(strings.TrimLeft(doc.Excerpt(c.Doc.End, c.Span.End), " \t\r\n"))
	start := doc.Lines.Position(below)
	h.Above = start.Line - h.Range.Start.Line
	h.Range = &text.Range{Start: start, End: h.Range.End}
}

// hitName is what a list shows: the name, or the file's name and line for a stretch of code without one.
func hitName(ref index.Ref) string {
	c := ref.Chunk()
	if c.Name != "" {
		return c.Name
	}
	return fmt.Sprintf("%s:%d", codebase.BaseName(ref.File.Path), c.StartLine+1)
}

// Signature is the definition up to its body, on one line.
func Signature(doc *codebase.Document, c *chunk.Chunk) string {
	return wording.OneLine(strings.TrimRight(doc.Excerpt(c.Signature.Start, c.Signature.End), " \t\r\n{:"))
}

// docParagraph is the first paragraph of a doc comment or docstring, without comment marks, on one line.
func docParagraph(doc string) string {
	var words []string
	for line := range strings.Lines(doc) {
		line = stripCommentMarks(line)
		if line == "" || strings.HasPrefix(line, "@") {
			if len(words) > 0 {
				break
			}
			continue
		}
		words = append(words, line)
	}
	return wording.OneLine(strings.Join(words, " "))
}

// stripCommentMarks takes the marks of the languages' comments and docstrings off a line.
func stripCommentMarks(line string) string {
	line = strings.TrimSpace(line)
	for _, mark := range []string{"*/", "*)", "-}", `"""`, `'''`, "-->"} {
		line = strings.TrimSpace(strings.TrimSuffix(line, mark))
	}
	for _, mark := range []string{
		`"""`, `'''`, `r"""`, "///", "//!", "//", "/**", "/*", "<!--", "---", "--", "(**", "(*", "{-|", "{-", ";;",
	} {
		if rest, ok := strings.CutPrefix(line, mark); ok {
			line = rest
			break
		}
	}
	if rest, ok := strings.CutPrefix(line, "*"); ok && !strings.HasPrefix(rest, "*") {
		line = rest
	}
	if rest, ok := strings.CutPrefix(line, "# "); ok || line == "#" {
		line = rest
	}
	return strings.TrimSpace(line)
}

// EstimateTokens is the one token count used everywhere.
func EstimateTokens(s string) int { return text.EstimateTokens(s) }

// OfLocal shows a function inside a chunk as a hit of its own; its id is that of the chunk. When the chunk no longer
// has the function, the chunk is shown.
func OfLocal(doc *codebase.Document, ref index.Ref, name string) Hit {
	hit := OfChunk(doc, ref)
	locals := ref.File.LocalsOf(ref.Index)
	i := slices.IndexFunc(locals, func(l chunk.Local) bool { return l.Name == name })
	if i < 0 {
		return hit
	}
	l := &locals[i]
	hit.Type, hit.Kind = string(chunk.Function), string(chunk.KindFunction)
	hit.Name, hit.Container = l.Name, ref.Chunk().QualifiedName()
	hit.Signature, hit.Doc = wording.OneLine(strings.TrimRight(doc.Excerpt(l.Signature.Start, l.Signature.End), " \t\r\n{:")), ""
	hit.showSpan(doc, l.Span)
	hit.NameRange = nil
	if !l.NameSpan.Empty() {
		hit.NameRange = doc.RangeOf(l.NameSpan)
	}
	return hit
}
