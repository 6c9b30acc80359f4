package codeintel

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/graph"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

const (
	// sureReference is the confidence of a place that hands a function over as a value: which function it is has been proven by
	// the scopes of the text and its imports.
	sureReference   = 0.95
	referenceWeight = 0.9 // of a certain one, beside 1 for a call
	// maxReferenceChunks bounds the chunks with the word that are looked at.
	maxReferenceChunks = 200
)

// addReferences joins the chunks to a function that hand it over as a value rather than call it: as a callback or a handler, in a
// table of functions, as a decorator. A method reference of Java counts in package graph as a call; here it is what it is.
func (n *neighbours) addReferences(own index.Ref) {
	c, family := own.Chunk(), graph.Family(own.File.Language)
	if c.Type != chunk.Function && c.Type != chunk.Method || !hasScopes(own.File.Language) {
		return
	}
	r := n.intel.newResolver(n.snap, n.docs)
	names := append(r.names.Aliases(codebase.PresentNode(n.snap, r.links, own)), c.Name)
	refs := chunksOf(own.File)
	for _, name := range names {
		hits, _ := n.snap.Search(index.Query{
			Text: name, Limit: maxReferenceChunks,
			Accept: func(f *index.File) bool { return graph.Family(f.Language) == family && hasScopes(f.Language) },
		})
		for _, h := range hits {
			if !slices.Contains(refs, h.Ref) {
				refs = append(refs, h.Ref)
			}
		}
	}
	s := references{n: n, own: own, r: r, word: wordOf(names)}
	added := 0
	for _, ref := range codebase.Nearest(refs, own.File) {
		edge, ok := s.edge(ref)
		if !ok {
			continue
		}
		if at := n.callerAt(ref.ID()); at >= 0 {
			if edge.only {
				e := n.edges[at]
				e.Kind, e.Why, e.At, e.To.Explanation = edge.Kind, edge.Why, edge.At, edge.Why
				n.edges = append(slices.Delete(n.edges, at, at+1), e)
			}
			continue
		}
		if added < n.limit && n.join(edge.ref, edge.Edge) {
			added++
		}
	}
}

// chunksOf are the chunks of a file, in the order of the text.
func chunksOf(f *index.File) []index.Ref {
	refs := make([]index.Ref, len(f.Chunks))
	for i := range refs {
		refs[i] = index.Ref{File: f, Index: i}
	}
	return refs
}

// callerAt is the place of a caller among the edges, -1 without one.
func (n *neighbours) callerAt(id string) int {
	for i := range n.edges {
		if n.edges[i].Kind == "caller" && n.edges[i].To.ID == id {
			return i
		}
	}
	return -1
}

// wordOf matches one of some names as a whole word; the name is its second group.
func wordOf(names []string) *regexp.Regexp {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = regexp.QuoteMeta(name)
	}
	return regexp.MustCompile(`(^|[^\pL\pN_$])(` + strings.Join(quoted, "|") + `)($|[^\pL\pN_$])`)
}

// references finds where one function is handed over.
type references struct {
	n    *neighbours
	own  index.Ref
	r    *resolver
	word *regexp.Regexp
}

// A reference is an edge to a chunk that hands the function over.
type reference struct {
	Edge
	ref  index.Ref
	only bool // nothing in the chunk calls something of that name
}

// edge looks for the function in a chunk, which may be one around the one that hands it over.
func (s *references) edge(ref index.Ref) (reference, bool) {
	doc, fresh, ok := s.n.docs.Open(ref)
	if !ok {
		return reference{}, false
	}
	c := fresh.Chunk()
	text := c.Span.In(doc.Text)
	found, called := chunk.Span{Start: -1}, false
	for at := 0; at < len(text); {
		m := s.word.FindSubmatchIndex(text[at:])
		if m == nil {
			break
		}
		start, end := c.Span.Start+at+m[4], c.Span.Start+at+m[5]
		at += m[5]
		inner, ok := doc.File.At(start)
		if !ok || inner.Index != fresh.Index {
			continue
		}
		if calledBehind.Match(doc.Text[end:]) {
			called = true
		} else if found.Start < 0 && !notValue(doc.Text, start, end) && s.means(doc, start) {
			found = chunk.Span{Start: start, End: end}
		}
	}
	if found.Start < 0 || fresh.ID() == s.own.ID() {
		return reference{}, false
	}
	why := fmt.Sprintf("uses it as a value in line %d", doc.Lines.Line(found.Start)+1)
	return reference{Edge{
		From: s.n.from, Kind: "reference", Weight: referenceWeight * sureReference, Confidence: sureReference, Why: why,
		At: doc.RangeOf(found),
	}, fresh, !called}, true
}

// written is what follows a name that is given a value.
var written = lazyregexp.New(`^\s*=[^=>]`)

// notValue reports whether a name is written to, is the type of something, or is text between tags.
func notValue(text []byte, start, end int) bool {
	before := bytes.TrimRight(text[:start], " \t")
	tags := bytes.HasSuffix(before, []byte(">")) && bytes.HasPrefix(bytes.TrimLeft(text[end:], " \t"), []byte("</"))
	return tags || written.Match(text[end:]) || bytes.HasSuffix(before, []byte(": typeof"))
}

// calledBehind is what follows a name that is called, or that is a template's tag.
var calledBehind = lazyregexp.New("^(?:\\[[^\\]\\n]*\\]|(?:::)?<[^;(){}\\n]*>)?(?:\\?\\.)?!?[ \\t]*[(`]")

// means reports whether the name at an offset is the function, used as a value.
func (s *references) means(doc *codebase.Document, start int) bool {
	id, ok := nameAt(doc, start)
	if !ok || id.start != start || codebase.IsProse(doc.Text, doc.File.Language, start) || inFormat(doc.Text, start) || imports(doc, start) {
		return false
	}
	if _, ok := definitionAt(doc.File, id); ok {
		return false
	}
	if scopes := s.n.intel.scopes.of(doc); scopes == nil {
		return false
	} else if _, ok := scopes.Declares(id.name, start); ok {
		return false
	}
	m, ok := s.r.resolve(doc, id)
	s.r.steps = 0
	return ok && m.isChunk() && (m.ref.ID() == s.own.ID() || s.isOverload(m.ref))
}

// format matches the end of a line that ends inside a formatted string of Python, whose words are seldom values.
var format = lazyregexp.New(`\b[rR]?[fF](?:"(?:[^"\\]|\\.)*|'(?:[^'\\]|\\.)*)$`)

// inFormat reports whether an offset is inside a formatted string of Python that begins in its line.
func inFormat(text []byte, at int) bool {
	return format.Match(text[bytes.LastIndexByte(text[:at], '\n')+1 : at])
}

// isOverload reports whether a definition is another one of the same function. Those of one name in a file of JavaScript are
// functions of different blocks.
func (s *references) isOverload(ref index.Ref) bool {
	return ref.File.Abs == s.own.File.Abs && ref.Chunk().QualifiedName() == s.own.Chunk().QualifiedName() && !isScript(s.own.File.Language)
}

// importWords begin statements that make names known, or known elsewhere, rather than use them.
var importWords = []string{"import ", "import{", "from ", "package ", "use ", "pub use ", "using ", "export {", "export *", "export default ", "} from ", "module.exports", "exports."}

// imports reports whether an offset is in a statement that imports or exports names.
func imports(doc *codebase.Document, at int) bool {
	start := bytes.LastIndexByte(doc.Text[:at], '\n') + 1
	for i := 0; ; i++ {
		line := strings.TrimLeft(string(doc.Text[start:min(len(doc.Text), start+200)]), " \t")
		for _, word := range importWords {
			if strings.HasPrefix(line, word) {
				return true
			}
		}
		inList := line != "" && (codebase.IsIdentifier(strings.TrimRight(firstLine(line), ", \t\r")) || strings.Contains(firstLine(line), " as "))
		if !inList || start == 0 || i > 50 {
			return false
		}
		start = bytes.LastIndexByte(doc.Text[:start-1], '\n') + 1
	}
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
