package codeintel

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/codeintel/finding"
	"github.com/aurora-sidecar/aurora/engine/codeintel/testcommand"
	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/git"
	"github.com/aurora-sidecar/aurora/index/graph"
	"github.com/aurora-sidecar/aurora/index/syntax"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

const (
	// sureRemoved is how sure it has to be that a name meant a definition that is gone.
	sureRemoved = 0.8
	// sureOther is how sure it has to be that it means another one now.
	sureOther = 0.3
	// maxRemoved bounds the removed definitions whose uses are looked for, and maxRemovedUses those of one.
	maxRemoved     = 200
	maxRemovedUses = 500
)

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
			if gone += len(c.gone); c.isMoved() {
				gone++
			}
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
		if c.isMoved() {
			w.addLost(c)
		}
	}
}

// byPath are the families of languages whose imports name files.
var byPath = codebase.WordSet("python javascript ruby c")

// isMoved reports whether a file that others import by its path has another path now.
func (c *change) isMoved() bool {
	return c.old != nil && c.now != nil && c.old.File.Path != c.now.File.Path && byPath[graph.Family(c.old.File.Language)]
}

// addLost finds the imports that led to a file before it was moved, and lead nowhere now.
func (w *removal) addLost(c *change) {
	was, is, old := graph.NewNames(w.oldGraph), graph.NewNames(w.graph), w.oldLinks.File(c.old.File)
	from, to := wording.OneLine(c.old.File.Path), wording.OneLine(c.now.File.Path)
	say := func(imports []finding.Place) (message, evidence string) {
		left := wording.Count(len(imports), "file still imports the old path: change it", "files still import the old path: change them")
		return fmt.Sprintf("This change moves %s to %s, and %s.", from, to, left), "nothing else is there that the old path means"
	}
	for _, e := range w.oldGraph.Importers(old) {
		importer := w.oldLinks.Ref(e.To).File
		doc, ok := w.v.docs.At(w.is, importer.Abs)
		if !ok || importer.Folder != w.v.result.Folder || importer.Abs == c.old.File.Abs {
			continue
		}
		for _, imp := range doc.File.Imports {
			files, sure := was.Imported(e.To.File, imp)
			if len(files) != 1 || files[0] != old || sure < sureRemoved || w.v.isAdded(doc.File.Path, imp.Line+1) {
				continue
			}
			if now, _ := is.Imported(w.links.File(doc.File), imp); len(now) > 0 {
				continue
			}
			w.v.found.AddPlace(finding.Finding{Rule: finding.Removed, Severity: "warning", Path: c.now.File.Path}, []string{from, to}, finding.Place{
				Path: doc.File.Path, Line: imp.Line + 1, Message: fmt.Sprintf("%s imports %s", codebase.BaseName(doc.File.Path), wording.OneLine(imp.Path)), Confidence: sure,
			}, []string{doc.File.Path, from}, say)
			break
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

// compare makes the workspace as it was, in the files from which something is gone, and as it is in the texts that are reviewed.
func (w *removal) compare() {
	v := w.v
	old := &reviewedTexts{index: v.intel.Index, unsaved: v.texts.unsaved, files: map[string]*index.File{}}
	var past, present []*index.File
	var renamed, deleted []string
	for _, c := range w.changes {
		if c.isMoved() {
			if _, exists := v.texts.File(c.old.File.Abs); !exists {
				deleted = append(deleted, c.old.File.Abs) // which the index may not know yet
			}
		}
		if c.now != nil {
			if known, ok := v.snap.File(c.now.File.Abs); !ok || known.Hash != c.now.File.Hash {
				present = append(present, c.now.File)
			}
		} else {
			deleted = append(deleted, c.old.File.Abs)
		}
		if len(c.gone) == 0 && !c.isMoved() {
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
	if len(n.edges) >= maxRemovedUses {
		w.v.note(fmt.Sprintf("of the uses of %s only the first %d were looked at", wording.OneLine(d.qualified()), maxRemovedUses))
	}
	gone := &goneName{declaration: d, now: c.renamedTo(d), finding: c.placeOf(d)}
	inFiles := map[string]bool{}
	for _, e := range n.edges {
		if e.Kind != "caller" && !followed[graph.Family(d.ref.File.Language)] {
			continue
		}
		if e.Confidence >= sureRemoved && w.v.result.Folder == folderOf(w.was, e.To.Abs) && w.addUse(gone, &e) {
			inFiles[e.To.Abs] = true
		}
	}
	w.addImports(gone, inFiles)
	w.addDocuments(gone)
}

const (
	// maxNaming bounds the parts of documents with a name that are looked at.
	maxNaming = 50
	// sureNamed is how sure it is that a document means what was removed by a name that nothing else has.
	sureNamed = 0.8
)

// pastFile matches the names of documents that tell of the past, where a name that is gone is right.
var pastFile = lazyregexp.New(`(?i)(^|[/_.-])(change|history|news|release|upgrad|migrat|what'?s.?new|archive|adr|rfc|decision|blog)`)

// addDocuments finds where documents name a declaration that is gone as code: of a name that is no word, and that nothing else has.
func (w *removal) addDocuments(d *goneName) {
	if d.name == strings.ToLower(d.name) && !strings.Contains(d.name, "_") || len(w.is.Symbols(d.name, false)) > 0 ||
		slices.ContainsFunc(w.is.Named(d.name, false), codebase.IsDefinition) {
		return
	}
	name := regexp.QuoteMeta(d.name)
	if d.container != "" {
		name = regexp.QuoteMeta(codebase.LastName(d.container)) + `(?:\.|::|#)` + name
	}
	asCode := regexp.MustCompile("`[~!]?(?:[\\w.:#/]*[.:#/])?" + name + "(?:\\([^`\n]*\\))?`|\\.\\. \\w+:: (?:[\\w.]*\\.)?" + name + `\b`)
	hits, _ := w.is.Search(index.Query{Text: d.name, Limit: maxNaming, Accept: func(f *index.File) bool {
		return f.Folder == w.v.result.Folder && codebase.KindOf(f) == codebase.DocumentFiles && !pastFile.MatchString(f.Path)
	}})
	for _, h := range hits {
		doc, fresh, ok := w.v.docs.Open(h.Ref)
		if !ok {
			continue
		}
		span := fresh.Chunk().Span
		for _, at := range asCode.FindAllIndex(span.In(doc.Text), -1) {
			if line := doc.Lines.Line(span.Start+at[0]) + 1; !w.v.isAdded(doc.File.Path, line) {
				w.find(d, doc.File.Path, line, codebase.BaseName(doc.File.Path), "names", sureNamed)
			}
		}
	}
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

// addUse finds one use in the text as it is; false when the change has taken it out, too, or something else is meant now.
func (w *removal) addUse(d *goneName, e *Edge) bool {
	doc, ok := w.v.docs.At(w.is, e.To.Abs)
	if !ok {
		return false
	}
	at := slices.IndexFunc(doc.File.Chunks, func(c chunk.Chunk) bool { return c.ID(doc.File.Path) == e.To.ID })
	if at < 0 {
		return false
	}
	user := index.Ref{File: doc.File, Index: at}
	span, ok := w.siteOf(doc, user, d.name, e)
	if !ok {
		return false
	}
	line := doc.Lines.Line(span.Start) + 1
	if w.v.isAdded(doc.File.Path, line) || w.isMet(doc, user, span, d.declaration) {
		return false
	}
	verb := "uses"
	if e.Kind == "caller" {
		verb = "calls"
	}
	w.find(d, doc.File.Path, line, nameOfUser(user), verb, e.Confidence)
	if run := testcommand.Of(user); run.Program != "" && syntax.IsTest(doc.File.Path) {
		w.v.tests[run] = append(w.v.tests[run], d.qualified())
	}
	return true
}

// siteOf is where a chunk uses a name.
func (w *removal) siteOf(doc *codebase.Document, user index.Ref, name string, e *Edge) (chunk.Span, bool) {
	if e.At != nil && !w.replaced[doc.File.Abs] {
		start, end := doc.Lines.Start(e.At.Start.Line), doc.Lines.End(e.At.Start.Line)
		if m := wordOf([]string{name}).FindSubmatchIndex(doc.Text[start:end]); m != nil {
			return chunk.Span{Start: start + m[4], End: start + m[5]}, true
		}
	}
	return useOf(doc, user, name)
}

// isMet reports whether a name means something else now.
func (w *removal) isMet(doc *codebase.Document, user index.Ref, span chunk.Span, d *declaration) bool {
	for _, e := range w.graph.Callees(codebase.PresentNode(w.is, w.links, user)) {
		if e.To.Chunk().Name == d.name && e.Confidence >= sureOther {
			return true
		}
	}
	id, ok := nameAt(doc, span.Start)
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

// addImports finds the files that import a declaration that is gone and have no other finding about it.
func (w *removal) addImports(d *goneName, reported map[string]bool) {
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
			if w.addImport(d, ref.File.Abs, imp) {
				break
			}
		}
	}
}

func (w *removal) addImport(d *goneName, abs string, imp chunk.Import) bool {
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
	w.find(d, doc.File.Path, line, codebase.BaseName(doc.File.Path), "imports", 1) // the import leads to the file that had it
	return true
}

// nameOfUser is what people call the code that uses something.
func nameOfUser(ref index.Ref) string {
	if codebase.IsDefinition(ref) {
		return ref.Chunk().QualifiedName()
	}
	return codebase.BaseName(ref.File.Path)
}

// A goneName is a declaration that is gone, with its finding.
type goneName struct {
	*declaration
	now     *declaration // nil unless it is there by another name
	finding finding.Finding
}

func (w *removal) find(d *goneName, path string, line int, user, verb string, confidence float64) {
	name, now := wording.OneLine(d.qualified()), ""
	if d.now != nil {
		now = d.now.name
	}
	w.v.found.AddPlace(d.finding, []string{d.ref.File.Path + ":" + name, now}, finding.Place{
		Path: path, Line: line, Message: fmt.Sprintf("%s %s %s", user, verb, name), Confidence: confidence,
	}, []string{path + ":" + user, d.qualified()}, d.say)
}

func (d *goneName) say(uses []finding.Place) (message, evidence string) {
	name := wording.OneLine(d.qualified())
	evidence = fmt.Sprintf("the %s was in %s; %s", d.kind, d.ref.File.Path, finding.Sureness("use", uses))
	if d.now != nil {
		left := wording.Count(len(uses), "place still uses the old name: change it", "places still use the old name: change them")
		return fmt.Sprintf("This change renames %s to %s, and %s.", name, d.now.name, left), evidence
	}
	left := wording.Count(len(uses), "place still uses: change it, or keep", "places still use: change them, or keep")
	return fmt.Sprintf("This change removes %s, which %s %s.", name, left, d.name), evidence
}
