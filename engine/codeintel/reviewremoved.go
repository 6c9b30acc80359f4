package codeintel

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/git"
	"github.com/aurora-sidecar/aurora/index/graph"
	"github.com/aurora-sidecar/aurora/internal/text"
)

const (
	// sureRemoved is how sure it has to be that a name meant a definition that is gone.
	sureRemoved = 0.8
	// sureOther is how sure it has to be that it means another one now.
	sureOther = 0.3
	// maxRemoved bounds the removed definitions whose uses are looked for, and maxRemovedUses those of one.
	maxRemoved     = 200
	maxRemovedUses = 50
	// sameBody is the share of words in common from which a definition in place of a removed one is that one by another name.
	sameBody = 0.6
)

// A change is what a diff does to one file.
type change struct {
	diff        git.FileDiff
	old, now    *codebase.Document // either may be nil
	gone, added []declaration
}

// A declaration is a definition, or another symbol of the index, in one text.
type declaration struct {
	ref             index.Ref
	symbol          *index.SymbolRef // nil for a definition
	name, container string
	kind            string
	span, nameSpan  chunk.Span
}

func (d *declaration) qualified() string { return strings.TrimPrefix(d.container+"."+d.name, ".") }

// place is the name and the type around it, whichever language joins their names how.
func (d *declaration) place() [2]string { return [2]string{codebase.LastName(d.container), d.name} }

// A removal is what a diff takes out: the workspace with it and without it.
type removal struct {
	v             *review
	changes       []*change
	was, is       *index.Snapshot
	oldDocs       *codebase.DocumentCache
	oldLinks      *index.Links
	oldGraph      *graph.Graph
	links         *index.Links
	graph         *graph.Graph
	resolver      *resolver
	replaced      map[string]bool // by absolute path: files whose text before is in was
	addedAnywhere map[[2]string]bool
}

// addRemoved finds where code that the diff leaves as it is uses a function, a type, a constant or the like that the diff takes out
// or gives another name, and nothing else of that name is meant there now.
func (v *review) addRemoved(ctx context.Context) {
	if v.result.Lines > maxReviewLines {
		return // the texts before can't be reported
	}
	w := &removal{v: v, replaced: map[string]bool{}, addedAnywhere: map[[2]string]bool{}}
	gone := 0
	for _, f := range v.files {
		if c, ok := w.changeOf(f); ok {
			w.changes = append(w.changes, c)
			gone += len(c.gone)
			for _, d := range c.added {
				w.addedAnywhere[[2]string{graph.Family(c.now.File.Language), d.name}] = true
			}
		}
	}
	if gone == 0 || ctx.Err() != nil {
		return
	}
	w.compare()
	asked := 0
	for _, c := range w.changes {
		for i := range c.gone {
			if asked++; asked > maxRemoved || ctx.Err() != nil {
				v.note(fmt.Sprintf("of the removed definitions only the first %d were looked at", maxRemoved))
				return
			}
			w.lookAt(c, &c.gone[i])
		}
	}
}

// changeOf compares what a file defines with what it defined; false when that can't be reported.
func (w *removal) changeOf(f git.FileDiff) (*change, bool) {
	v, c := w.v, &change{diff: f}
	if f.Binary || !filepath.IsLocal(filepath.FromSlash(f.Path)) || !filepath.IsLocal(filepath.FromSlash(cmp.Or(f.Old, f.Path))) {
		return nil, false
	}
	path := filepath.Join(v.result.Folder, filepath.FromSlash(f.Path))
	if f.Kind != git.Deleted {
		file, ok := v.texts.File(path) // which the index may not have read yet
		if !ok || !isCode(file) {
			return nil, false
		}
		c.now = documentOf(file)
	} else if _, exists := v.texts.File(path); exists {
		return nil, false // the patch is not applied
	}
	var removed [][2]int // lines of the text before, from and to
	if f.Kind != git.Added {
		var present string
		if c.now != nil {
			present = string(c.now.Text)
		}
		before, lines, ok := undo(present, f.Hunks)
		if !ok {
			return nil, false
		}
		removed = lines
		abs := filepath.Join(v.result.Folder, filepath.FromSlash(f.Old))
		old := index.FileWith(v.intel.Index, abs, "", 0, []byte(before))
		if !isCode(old) || old.Folder == "" {
			return nil, false
		}
		c.old = documentOf(old)
	}
	c.compare(removed)
	return c, true
}

func isCode(f *index.File) bool {
	kind := codebase.KindOf(f)
	return kind == "" || kind == codebase.TestCode || kind == codebase.ExampleCode
}

func documentOf(f *index.File) *codebase.Document {
	return &codebase.Document{File: f, Text: f.Buffer, Lines: text.NewLines(f.Buffer)}
}

// undo is a text before hunks, and which lines of it, zero-based and half-open, each hunk removed; false when the text is not the one after them.
func undo(present string, hunks []git.Hunk) (before string, removed [][2]int, ok bool) {
	lines := strings.SplitAfter(present, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	var out []string
	at := 0
	for _, h := range hunks {
		from := h.Line - 1
		if from < at || from+len(h.Added) > len(lines) {
			return "", nil, false
		}
		out = append(out, lines[at:from]...)
		for i, line := range h.Added {
			if strings.TrimRight(lines[from+i], "\r\n") != line {
				return "", nil, false
			}
		}
		if n := len(out); n > 0 && !strings.HasSuffix(out[n-1], "\n") {
			out[n-1] += "\n"
		}
		removed = append(removed, [2]int{len(out), len(out) + len(h.Removed)})
		for _, line := range h.Removed {
			out = append(out, line+"\n")
		}
		at = from + len(h.Added)
	}
	return strings.Join(append(out, lines[at:]...), ""), removed, true
}

// compare finds the declarations that are there before and no longer, and those that are new. Members of a type that is gone go with it,
// where uses of the type are found.
func (c *change) compare(removed [][2]int) {
	var before, after []declaration
	known, past := map[[2]string]bool{}, map[[2]string]bool{}
	if c.now != nil {
		after = declarations(c.now.File)
		for i := range after {
			known[after[i].place()] = true
		}
		for _, imp := range c.now.File.Imports {
			known[[2]string{"", cmp.Or(imp.Name, codebase.LastName(strings.ReplaceAll(imp.Path, "::", ".")))}] = true
			known[[2]string{"", imp.Of}] = true
		}
		for _, e := range c.now.File.Exports {
			known[[2]string{"", e.Name}] = true
		}
	}
	if c.old != nil {
		before = declarations(c.old.File)
		for i := range before {
			past[before[i].place()] = true
		}
	}
	types := map[string]bool{}
	for _, d := range before {
		if d.symbol == nil && d.ref.Chunk().Type == chunk.Class && !known[d.place()] && followed[graph.Family(d.ref.File.Language)] {
			types[d.name] = true
		}
	}
	for _, d := range before {
		line := c.old.Lines.Line(d.nameSpan.Start)
		inRemoved := slices.ContainsFunc(removed, func(r [2]int) bool { return r[0] <= line && line < r[1] })
		if known[d.place()] || !inRemoved || types[codebase.LastName(d.container)] || c.now != nil && c.now.File.Errors && c.adds(d.name) {
			continue
		}
		c.gone = append(c.gone, d)
	}
	for _, d := range after {
		if !past[d.place()] {
			c.added = append(c.added, d)
		}
	}
}

// adds reports whether an added line has a word.
func (c *change) adds(name string) bool {
	word := wordOf([]string{name})
	return slices.ContainsFunc(c.diff.Hunks, func(h git.Hunk) bool { return slices.ContainsFunc(h.Added, word.MatchString) })
}

// declarations are what a file defines for others, or for the whole of itself.
func declarations(f *index.File) []declaration {
	var all []declaration
	for i := range f.Chunks {
		c := &f.Chunks[i]
		if ref := (index.Ref{File: f, Index: i}); codebase.IsDefinition(ref) && codebase.IsIdentifier(c.Name) && !c.NameSpan.Empty() {
			all = append(all, declaration{ref: ref, name: c.Name, container: c.Container, kind: string(c.Type), span: c.Span, nameSpan: c.NameSpan})
		}
	}
	for s := range f.Symbols.All() {
		switch s.Kind {
		case chunk.Constant, chunk.Variable, chunk.Field, chunk.Property, chunk.EnumMember, chunk.Macro, chunk.Member, chunk.TypeName:
		default:
			continue
		}
		ref := index.Ref{File: f, Index: s.Chunk}
		if t := ref.Chunk().Type; t == chunk.Function || t == chunk.Method || !codebase.IsIdentifier(s.Name) {
			continue // known in one function
		}
		all = append(all, declaration{
			ref: ref, symbol: &index.SymbolRef{Ref: ref, Symbol: s}, name: s.Name, container: s.Container, kind: s.Kind.String(), span: s.Span, nameSpan: s.NameSpan,
		})
	}
	return all
}

// compare makes the workspace as it was, in the files from which something is gone, and as it is in the texts that are reviewed.
func (w *removal) compare() {
	v := w.v
	old := &reviewedTexts{index: v.intel.Index, unsaved: v.texts.unsaved, files: map[string]*index.File{}}
	var past, present []*index.File
	var renamed, deleted []string
	for _, c := range w.changes {
		if c.now != nil {
			if known, ok := v.snap.File(c.now.File.Abs); !ok || known.Hash != c.now.File.Hash {
				present = append(present, c.now.File)
			}
		} else {
			deleted = append(deleted, c.old.File.Abs)
		}
		if len(c.gone) == 0 {
			continue
		}
		past, old.files[c.old.File.Abs] = append(past, c.old.File), c.old.File
		w.replaced[c.old.File.Abs] = true
		if c.now != nil && c.now.File.Abs != c.old.File.Abs {
			renamed = append(renamed, c.now.File.Abs)
		}
	}
	w.is = index.With(v.snap, present, deleted)
	w.was = index.With(w.is, past, renamed)
	w.oldDocs = codebase.NewDocumentCache(v.intel.Index).Seeing(old)
	w.oldLinks, w.links = w.was.Links(), w.is.Links()
	w.oldGraph, w.graph = graph.New(w.oldLinks), graph.New(w.links)
	w.resolver = v.intel.newResolver(w.is, v.docs)
}

// lookAt finds the uses of one declaration that is gone.
func (w *removal) lookAt(c *change, d *declaration) {
	if w.isElsewhere(c, d) || w.mayBeInherited(d) {
		return
	}
	n := &neighbours{
		intel: w.v.intel, snap: w.was, docs: w.oldDocs, links: w.oldLinks, graph: w.oldGraph, doc: c.old, limit: maxRemovedUses,
		from: d.ref.ID(), name: d.name,
	}
	if d.symbol != nil {
		n.named = d.symbol
	} else {
		n.own = &d.ref
	}
	n.findOfSymbol(func(direction string) bool { return direction == towardsCallers }, 1)
	now := c.renamedTo(d)
	inFiles := map[string]bool{}
	for _, e := range n.edges {
		if e.Kind != "caller" && !followed[graph.Family(d.ref.File.Language)] {
			continue
		}
		if e.Confidence >= sureRemoved && w.v.result.Folder == folderOf(w.was, e.To.Abs) && w.addUse(d, &e, now) {
			inFiles[e.To.Abs] = true
		}
	}
	w.addImports(d, now, inFiles)
}

// followed are the families of languages in which uses other than calls are reported apart well enough.
var followed = codebase.WordSet("go python javascript")

func folderOf(snap *index.Snapshot, abs string) string {
	if f, ok := snap.File(abs); ok {
		return f.Folder
	}
	return ""
}

// isElsewhere reports whether a declaration has moved, or another one stands for it: in the same type, in the same folder where its
// files are one package, or anywhere in a language whose names are known everywhere.
func (w *removal) isElsewhere(c *change, d *declaration) bool {
	family := graph.Family(d.ref.File.Language)
	if w.addedAnywhere[[2]string{family, d.name}] {
		return true
	}
	same := func(f *index.File, container string) bool {
		if graph.Family(f.Language) != family || f.Abs == c.old.File.Abs && c.now == nil {
			return false
		}
		switch {
		case d.container != "" || container != "":
			return codebase.LastName(container) == codebase.LastName(d.container)
		case family == "python" || family == "javascript" || family == "rust" || family == "go":
			return codebase.DirName(f.Path) == codebase.DirName(d.ref.File.Path) && family == "go"
		}
		return true
	}
	for _, ref := range w.is.Named(d.name, false) {
		if ref.Chunk().Name == d.name && codebase.IsDefinition(ref) && same(ref.File, ref.Chunk().Container) {
			return true
		}
	}
	for _, s := range w.is.Symbols(d.name, false) {
		if s.Name == d.name && same(s.File, s.Container) {
			return true
		}
	}
	return false
}

// mayBeInherited reports whether the type around a member inherits from one outside of the workspace, which may have the member, too.
func (w *removal) mayBeInherited(d *declaration) bool {
	if d.container == "" {
		return false
	}
	return w.inheritsForeign(codebase.LastName(d.container), w.oldLinks.File(d.ref.File), 5)
}

// universal are types from which others inherit nothing of a name of their own.
var universal = codebase.WordSet("object Object any Any interface{} ABC Protocol Generic NamedTuple")

func (w *removal) inheritsForeign(name string, file *graph.File, depth int) bool {
	if depth == 0 {
		return true
	}
	names := graph.NewNames(w.oldGraph)
	for _, f := range append([]*graph.File{file}, w.siblings(name, file)...) {
		for _, h := range f.Inherits {
			if h.Subtype != name || universal[h.Supertype] {
				continue
			}
			super, sure := names.TypeNamed(h.Supertype, h.Qualifier, graph.Node{File: f, Index: h.Chunk})
			if sure < sureCaller || w.inheritsForeign(super.Chunk().Name, super.File, depth-1) {
				return true
			}
		}
	}
	return false
}

// siblings are the other files that say what a type of a name inherits from.
func (w *removal) siblings(name string, file *graph.File) []*graph.File {
	var files []*graph.File
	for _, n := range w.oldLinks.Implementing(name) {
		if n.File != file && !slices.Contains(files, n.File) {
			files = append(files, n.File)
		}
	}
	return files
}

// renamedTo is the name of the declaration that stands in place of one that is gone and says the same, "" without one.
func (c *change) renamedTo(d *declaration) string {
	best := c.likest(d, c.added)
	if best == nil || c.likest(best, c.gone) != d {
		return ""
	}
	return best.name
}

// likest is the declaration, of those that are gone or of those that are new, that says most of what one on the other side of the
// same hunk says; nil when none says enough.
func (c *change) likest(d *declaration, all []declaration) *declaration {
	var found *declaration
	best := sameBody
	for i := range all {
		was, is := d, &all[i]
		if d.ref.File == c.now.File {
			was, is = is, was
		}
		if is.kind != was.kind || is.place()[0] != was.place()[0] || !c.replaces(was, is) {
			continue
		}
		share := common(was.span.In(c.old.Text), was.name, is.span.In(c.now.Text), is.name)
		if share > best || share == best && found == nil {
			best, found = share, &all[i]
		}
	}
	return found
}

// replaces reports whether one hunk removes a name and adds another one.
func (c *change) replaces(d, a *declaration) bool {
	was, is := c.old.Lines.Line(d.nameSpan.Start), c.now.Lines.Line(a.nameSpan.Start)
	shift := 0
	for _, h := range c.diff.Hunks {
		from := h.Line - 1
		if first := from - shift; first <= was && was < first+len(h.Removed) {
			return from <= is && is < from+len(h.Added)
		}
		shift += len(h.Added) - len(h.Removed)
	}
	return false
}

// common is the share of words that two texts have in common, their own names left out.
func common(a []byte, aName string, b []byte, bName string) float64 {
	count, n, both := map[string]int{}, 0, 0
	for _, word := range parameterWord.FindAllString(string(a), -1) {
		if word != aName {
			count[word]++
			n++
		}
	}
	for _, word := range parameterWord.FindAllString(string(b), -1) {
		if word == bName {
			continue
		}
		n++
		if count[word] > 0 {
			count[word]--
			both++
		}
	}
	if n == 0 {
		return 1
	}
	return 2 * float64(both) / float64(n)
}

// addUse finds one use in the text as it is; false when the change has taken it out, too, or something else is meant now.
func (w *removal) addUse(d *declaration, e *Edge, now string) bool {
	doc, ok := w.v.docs.At(w.is, e.To.Abs)
	if !ok {
		return false
	}
	at := slices.IndexFunc(doc.File.Chunks, func(c chunk.Chunk) bool { return c.ID(doc.File.Path) == e.To.ID })
	if at < 0 {
		return false
	}
	user := index.Ref{File: doc.File, Index: at}
	span, ok := w.siteOf(doc, user, d, e)
	if !ok {
		return false
	}
	line := doc.Lines.Line(span.Start) + 1
	if w.v.isAdded(doc.File.Path, line) || w.isMet(doc, user, span, d) {
		return false
	}
	verb := "uses"
	if e.Kind == "caller" {
		verb = "calls"
	}
	w.find(d, doc.File.Path, line, nameOfUser(user), verb, now, fmt.Sprintf("confidence of the use %.2f", e.Confidence))
	return true
}

// siteOf is where a chunk uses a name.
func (w *removal) siteOf(doc *codebase.Document, user index.Ref, d *declaration, e *Edge) (chunk.Span, bool) {
	if e.At != nil && !w.replaced[doc.File.Abs] {
		start, end := doc.Lines.Start(e.At.Start.Line), doc.Lines.End(e.At.Start.Line)
		if m := wordOf([]string{d.name}).FindSubmatchIndex(doc.Text[start:end]); m != nil {
			return chunk.Span{Start: start + m[4], End: start + m[5]}, true
		}
	}
	return useOf(doc, user, d.name)
}

// isMet reports whether a name means something else now.
func (w *removal) isMet(doc *codebase.Document, user index.Ref, span chunk.Span, d *declaration) bool {
	for _, e := range w.graph.Callees(codebase.PresentNode(w.is, w.links, user)) {
		if e.To.Chunk().Name == d.name && e.Confidence >= sureOther {
			return true
		}
	}
	id, ok := identifierAt(doc.Text, span.Start)
	if !ok {
		return true
	}
	if _, isMember := receiverBefore(doc.Text, span.Start); !isMember && builtins[graph.Family(doc.File.Language)][d.name] {
		return true
	}
	if w.isImported(doc, d.name) {
		return true
	}
	_, known := w.resolver.resolve(doc, id)
	w.resolver.steps = 0
	return known
}

// isImported reports whether the change has a file import a name, or a crate outside of the workspace has it.
func (w *removal) isImported(doc *codebase.Document, name string) bool {
	for _, imp := range doc.File.Imports {
		if cmp.Or(imp.Name, codebase.LastName(strings.ReplaceAll(imp.Path, "::", "."))) == name && w.v.isAdded(doc.File.Path, imp.Line+1) {
			return true
		}
	}
	if doc.File.Language != "rust" {
		return false
	}
	files, known := graph.NewNames(w.graph).ImportedAs(w.links.File(doc.File), name)
	return known && len(files) == 0
}

// builtins are names that a language has itself, by its family. A definition of the name hides them, and they are meant when it is gone.
var builtins = map[string]map[string]bool{
	"go": codebase.WordSet(`any append bool byte cap clear close comparable complex complex128 complex64 copy delete error false float32 float64 imag
		int int16 int32 int64 int8 iota len make max min new nil panic print println real recover rune string true uint uint16 uint32 uint64 uint8 uintptr`),
	"python": codebase.WordSet(`abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex delattr dict
		dir divmod enumerate eval exec filter float format frozenset getattr globals hasattr hash help hex id input int isinstance issubclass iter
		len list locals map max memoryview min next object oct open ord pow print property range repr reversed round set setattr slice sorted
		staticmethod str sum super tuple type vars zip ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup
		BlockingIOError BrokenPipeError BufferError ConnectionError ConnectionResetError EOFError EnvironmentError Exception ExceptionGroup
		FileExistsError FileNotFoundError IOError ImportError IndexError InterruptedError KeyError KeyboardInterrupt LookupError
		ModuleNotFoundError NotImplementedError OSError OverflowError PermissionError RecursionError ReferenceError ResourceWarning RuntimeError
		StopAsyncIteration StopIteration SyntaxError SystemExit TimeoutError TypeError UnicodeError ValueError Warning ZeroDivisionError`),
	"javascript": codebase.WordSet(`AbortController AbortSignal Array ArrayBuffer Awaited BigInt Blob Boolean Buffer Capitalize CustomEvent DOMException
		Date Error Event EventTarget Exclude Extract File FormData Function Headers Infinity InstanceType Iterable Iterator JSON Map Math
		NaN NonNullable Number Object Omit Parameters Partial Pick Promise PromiseLike Proxy RangeError ReadableStream Readonly Record Reflect RegExp
		Request Required Response ReturnType Set String Symbol SyntaxError TextDecoder TextEncoder TypeError URL URLSearchParams Uint8Array
		WeakMap WeakRef WeakSet WebSocket atob btoa clearInterval clearTimeout console crypto decodeURIComponent encodeURIComponent exports fetch
		global globalThis isFinite isNaN module parseFloat parseInt performance process queueMicrotask require setImmediate setInterval setTimeout
		structuredClone undefined`),
}

// addImports finds the files that import a declaration that is gone and have no other finding about it.
func (w *removal) addImports(d *declaration, now string, reported map[string]bool) {
	if d.container != "" {
		return
	}
	family, home, names := graph.Family(d.ref.File.Language), w.oldLinks.File(d.ref.File), graph.NewNames(w.oldGraph)
	if family != "python" && family != "javascript" {
		return // elsewhere the name of a file's definition and its import are not one
	}
	seen := map[*graph.File]bool{}
	for _, f := range w.oldLinks.Importing(d.name) {
		ref := w.oldLinks.Ref(graph.Node{File: f})
		if seen[f] || f == home || reported[ref.File.Abs] || f.Folder != w.v.result.Folder || graph.Family(f.Language) != family {
			continue
		}
		seen[f] = true
		for _, imp := range f.Imports {
			if imp.Name == "" || cmp.Or(imp.Of, imp.Name) != d.name {
				continue
			}
			if files, _ := names.ImportedAs(f, imp.Name); len(files) != 1 || files[0] != home {
				continue
			}
			if w.addImport(d, ref.File.Abs, imp, now) {
				break
			}
		}
	}
}

func (w *removal) addImport(d *declaration, abs string, imp chunk.Import, now string) bool {
	doc, ok := w.v.docs.At(w.is, abs)
	if !ok {
		return false
	}
	at := slices.IndexFunc(doc.File.Imports, func(i chunk.Import) bool { return i.Path == imp.Path && i.Name == imp.Name && i.Of == imp.Of })
	if at < 0 {
		return false
	}
	line := doc.File.Imports[at].Line + 1
	if w.v.isAdded(doc.File.Path, line) {
		return false
	}
	w.find(d, doc.File.Path, line, codebase.BaseName(doc.File.Path), "imports", now, "the import leads to the file that had it")
	return true
}

// nameOfUser is what people call the code that uses something.
func nameOfUser(ref index.Ref) string {
	if codebase.IsDefinition(ref) {
		return ref.Chunk().QualifiedName()
	}
	return codebase.BaseName(ref.File.Path)
}

func (w *removal) find(d *declaration, path string, line int, user, verb, now, why string) {
	what := "which this change removes"
	if now != "" {
		what = "which this change renames to " + now
	}
	w.v.find(ReviewFinding{
		Rule: RuleRemoved, Severity: "warning", Path: path, Line: line,
		Message:  fmt.Sprintf("%s %s %s, %s.", user, verb, wording.OneLine(d.qualified()), what),
		Evidence: fmt.Sprintf("the %s was in %s; %s", d.kind, d.ref.File.Path, why),
	}, path+":"+user, d.qualified())
}
