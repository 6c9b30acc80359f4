package engine

import (
	"fmt"
	"strings"

	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/internal/text"
)

const (
	// SnippetLines is the most lines that Hit.Snippet has.
	SnippetLines = 12

	// maxHitText is the most bytes of Hit.Text.
	maxHitText = 64 << 10
)

// newHit shows a chunk as it is in doc. The score fields are left to the caller; see setScore.
func newHit(doc *document, ref index.Ref) Hit {
	c := ref.Chunk()
	h := Hit{
		ID: ref.ID(), Type: string(c.Type), Kind: string(c.Kind), Name: hitName(ref), Container: c.Container,
		Language: ref.File.Language, Path: ref.File.Path, Abs: ref.File.Abs,
		Signature: signature(doc, c), Doc: docParagraph(doc.excerpt(c.Doc.Start, c.Doc.End)), Source: "disk",
	}
	h.showSpan(doc, c.Span)
	h.leaveOutDoc(doc, c)
	if !c.NameSpan.Empty() {
		h.NameRange = doc.rangeOf(c.NameSpan)
	}
	if doc.file.Overlay {
		h.Source = "overlay"
	}
	if c.Kind == chunk.KindSection {
		h.Origin = OriginDocs
	}
	return h
}

// showSpan makes a stretch of doc what the hit shows.
func (h *Hit) showSpan(doc *document, s chunk.Span) {
	h.Range, h.Above = doc.rangeOf(s), 0
	h.Text = strings.ToValidUTF8(doc.excerpt(s.Start, min(s.End, s.Start+maxHitText)), "\uFFFD")
	h.Snippet = headLines(h.Text, SnippetLines)
	h.Tokens = estimateTokens(h.Text)
}

// leaveOutDoc lets the range of a definition begin below the comment that stands above it, which remains in Text: who
// looks for a definition wants to be taken there.
func (h *Hit) leaveOutDoc(doc *document, c *chunk.Chunk) {
	if c.Type == chunk.Code || c.Doc.Empty() || c.Doc.Start != c.Span.Start || c.Doc.End >= c.Span.End {
		return
	}
	below := c.Span.End - len(strings.TrimLeft(doc.excerpt(c.Doc.End, c.Span.End), " \t\r\n"))
	start := doc.lines.Position(below)
	h.Above = start.Line - h.Range.Start.Line
	h.Range = &text.Range{Start: start, End: h.Range.End}
}

// FirstLine is the zero-based line of the file where Text begins, 0 for a hit without a place.
func (h *Hit) FirstLine() int {
	if h.Range == nil {
		return 0
	}
	return h.Range.Start.Line - h.Above
}

// hitName is what a list shows: the name, or the file's name and line for a stretch of code without one.
func hitName(ref index.Ref) string {
	c := ref.Chunk()
	if c.Name != "" {
		return c.Name
	}
	return fmt.Sprintf("%s:%d", baseName(ref.File.Path), c.StartLine+1)
}

// Line is the one-based line by which people and citations name the hit: the line of the name in the definition,
// not that of the comment above it. It is 0 for a hit without a place.
func (h *Hit) Line() int {
	switch {
	case h.NameRange != nil:
		return h.NameRange.Start.Line + 1
	case h.Range != nil:
		return h.Range.Start.Line + 1
	}
	return 0
}

// setScore gives the hit its final score and the provenance line that carries it.
func (h *Hit) setScore(final float64, bm25 *float64) {
	h.Score, h.Scores.Final, h.Scores.BM25 = final, final, bm25
	h.Provenance = provenance(h)
}

// provenance is the line by which agents cite a hit: "[Source: {path}:{line} | Score: {score}]" (S1 6).
func provenance(h *Hit) string {
	source := h.ID
	if h.Path != "" {
		source = fmt.Sprintf("%s:%d", h.Path, h.Line())
	}
	return fmt.Sprintf("[Source: %s | Score: %.3f]", source, h.Score)
}

// signature is the definition up to its body, on one line.
func signature(doc *document, c *chunk.Chunk) string {
	return oneLine(strings.TrimRight(doc.excerpt(c.Signature.Start, c.Signature.End), " \t\r\n{:"))
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
	return oneLine(strings.Join(words, " "))
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

// estimateTokens is the one token count used everywhere.
func estimateTokens(s string) int { return text.EstimateTokens(s) }
