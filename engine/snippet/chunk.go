package snippet

import (
	"fmt"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
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

// showSpan makes a stretch of doc what the hit shows. Its text begins with the indent of its first line, as the lines below do.
func (h *Hit) showSpan(doc *codebase.Document, s chunk.Span) {
	h.Range, h.Above = doc.RangeOf(s), 0
	start := doc.Lines.Start(h.Range.Start.Line)
	if strings.TrimLeft(doc.Excerpt(start, s.Start), " \t") != "" {
		start = s.Start
	}
	h.Text = strings.ToValidUTF8(doc.Excerpt(start, min(s.End, s.Start+MaxHitText)), "\uFFFD")
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
	name := c.Name
	if c.Kind == chunk.KindSection {
		name = withoutLinks(name)
	}
	if name != "" {
		return name
	}
	return fmt.Sprintf("%s:%d", codebase.BaseName(ref.File.Path), c.StartLine+1)
}

// An image and a link of Markdown.
var (
	imageForm = lazyregexp.New(`!\[[^\]]*\]\([^)]*\)`)
	linkForm  = lazyregexp.New(`\[([^\]]*)\]\([^)]*\)`)
)

// withoutLinks takes badges and addresses out of a heading.
func withoutLinks(name string) string {
	if !strings.Contains(name, "](") {
		return name
	}
	return strings.Join(strings.Fields(linkForm.ReplaceAllString(imageForm.ReplaceAllString(name, ""), "$1")), " ")
}

// Signature is the definition up to its body, on one line.
func Signature(doc *codebase.Document, c *chunk.Chunk) string {
	text := strings.TrimRight(doc.Excerpt(c.Signature.Start, c.Signature.End), " \t\r\n{:")
	text = lineAfterOpening.ReplaceAllString(text, "$1")
	return wording.OneLine(lineBeforeClosing.ReplaceAllString(text, "$1"))
}

// Line breaks inside brackets that one line does not need, with the comma before a closing bracket.
var (
	lineAfterOpening  = lazyregexp.New(`([(\[])[ \t]*\r?\n\s*`)
	lineBeforeClosing = lazyregexp.New(`,?[ \t]*\r?\n\s*([)\]])`)
)

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
	if strings.Trim(line, "#") == "" {
		return ""
	}
	return strings.TrimSpace(strings.TrimPrefix(line, "# "))
}

// EstimateTokens is the one token count used everywhere.
func EstimateTokens(s string) int { return text.EstimateTokens(s) }

// OfSymbol shows the symbol of a chunk as a hit of its own; its id is that of the chunk. When the chunk no longer has the
// symbol, the chunk is shown.
func OfSymbol(doc *codebase.Document, ref index.Ref, was chunk.Symbol) Hit {
	hit := OfChunk(doc, ref)
	s, ok := codebase.PresentSymbol(doc, was)
	if !ok {
		return hit
	}
	hit.Type, hit.Kind = string(SymbolType(s.Kind)), SymbolKind(s.Kind)
	hit.Name, hit.Container = s.Name, s.Container
	if s.Kind == chunk.LocalFunction {
		hit.Container = ref.Chunk().QualifiedName()
	}
	hit.Signature, hit.Doc = Declaration(doc, s), symbolDoc(doc, s)
	hit.showSpan(doc, s.Span)
	hit.NameRange = doc.RangeOf(s.NameSpan)
	return hit
}

// SymbolType is the type of the hit that shows a symbol.
func SymbolType(k chunk.SymbolKind) chunk.Type {
	if k == chunk.LocalFunction {
		return chunk.Function
	}
	return chunk.Code
}

// SymbolKind is the kind of a symbol in the manner of the kinds of chunks: CODE_CONSTANT, CODE_ENUM_MEMBER.
func SymbolKind(k chunk.SymbolKind) string {
	return "CODE_" + strings.ToUpper(strings.ReplaceAll(k.String(), " ", "_"))
}

// maxDeclaration is the longest declaration of a symbol that is shown on one line, in bytes.
const maxDeclaration = 200

// Declaration is the line of a symbol that has its name, without what stands on the line around it.
func Declaration(doc *codebase.Document, s chunk.Symbol) string {
	if !s.Signature.Empty() {
		return wording.OneLine(strings.TrimRight(doc.Excerpt(s.Signature.Start, s.Signature.End), " \t\r\n{:"))
	}
	line := doc.Lines.Line(s.NameSpan.Start)
	start, end := max(s.Span.Start, doc.Lines.Start(line)), min(s.Span.End, doc.Lines.End(line))
	return wording.CutBytes(wording.OneLine(strings.TrimRight(doc.Excerpt(start, end), " \t\r\n{:,;([")), maxDeclaration)
}

// symbolDoc is the first paragraph of the comment right above a symbol, else of the one behind it on its line.
func symbolDoc(doc *codebase.Document, s chunk.Symbol) string {
	first := doc.Lines.Line(s.Span.Start)
	top := first
	for top > 0 && isComment(lineOf(doc, top-1)) {
		top--
	}
	if top < first {
		return docParagraph(doc.Excerpt(doc.Lines.Start(top), doc.Lines.End(first-1)))
	}
	behind := strings.TrimLeft(doc.Excerpt(s.Span.End, doc.Lines.End(doc.Lines.Line(s.Span.End))), " \t,;")
	if isComment(behind) {
		return docParagraph(behind)
	}
	return ""
}

func lineOf(doc *codebase.Document, line int) string {
	return doc.Excerpt(doc.Lines.Start(line), doc.Lines.End(line))
}

// isComment reports whether a line begins as comments do in one of the languages.
func isComment(line string) bool {
	line = strings.TrimSpace(line)
	for _, mark := range []string{"//", "/*", "*", "# ", "--", "///", "\"\"\"", "(*", "{-"} {
		if strings.HasPrefix(line, mark) {
			return true
		}
	}
	return false
}
