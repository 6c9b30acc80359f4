package syntax

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// A collector gathers matches and makes an outline of them. Matches come in no order that could be relied on.
type collector struct {
	src   []byte
	names map[string]string // one copy of every name, however often it occurs

	definitions map[int]*found // by the start of their name
	scopes      []*found
	outers      map[Span]Span // what belongs to a definition, by the span of the definition
	inners      map[Span]int  // how many definitions an outer span holds
	leads       []lead
	headings    []heading
	spanLists
	usedNames
	importedNames
	bodies   map[int]Span // those without a name, by their end
	exports  []foundExport
	inherits []Inheritance
	symbols  []foundSymbol
}

// spanLists are stretches of the text that say nothing else.
type spanLists struct {
	insets    []Span
	blocks    []Span
	docs      []Span // documentation strings: of the file, if one stands at its start
	embedded  []Span
	equations []Span // names of definitions that are equations
}

// importedNames are what the text takes from elsewhere.
type importedNames struct {
	imports  []foundImport
	imported map[int]bool // where the names stand
}

// usedNames are what is called, and what gives names their types.
type usedNames struct {
	calls    []Call
	bindings []Binding
}

type foundImport struct {
	Import
	name int // where the name stands, 0 without one
}

type foundExport struct {
	Export
	at Span // of all that was captured
}

// found is a definition or a scope on its way into the outline.
type found struct {
	kind      Kind // 0 for a scope
	methods   bool // functions directly inside are methods
	span      Span
	name      Span
	body      Span // {} when there is none
	doc       Span
	result    Span
	container string // as captured, or by nesting
	text      string // of name
	outer     *found // innermost definition or scope around it
	index     int    // in the outline
}

// A lead is a comment, an attribute or a head that may belong to the definition below it. A head belongs to its
// signature, too.
type lead struct {
	span          Span
	comment, head bool
}

type heading struct {
	span, name Span
	level      int
}

func newCollector(src []byte) *collector {
	return &collector{
		src:         src,
		names:       map[string]string{},
		definitions: map[int]*found{},
		outers:      map[Span]Span{},
		inners:      map[Span]int{},
		bodies:      map[int]Span{},

		importedNames: importedNames{imported: map[int]bool{}},
	}
}

// text returns the bytes of a span as a string that is shared by all equal ones.
func (c *collector) text(s Span) string {
	b := c.src[s.Start:s.End]
	if name, ok := c.names[string(b)]; ok {
		return name
	}
	name := string(b)
	c.names[name] = name
	return name
}

// add takes one match in.
func (c *collector) add(m *match) {
	if call, ok := m.get(roleCall); ok {
		c.addCall(m, call)
		return
	}
	if call, ok := m.get(roleCallToken); ok {
		if call.End < len(c.src) && c.src[call.End] == '(' {
			c.addCall(m, call)
		}
		return
	}
	if names, ok := m.get(roleBind); ok {
		c.addBinding(m, names)
		return
	}
	if supertype, ok := m.get(roleSupertype); ok {
		c.addSupertype(m, supertype)
		return
	}
	if comment, ok := m.get(roleComment); ok {
		c.leads = append(c.leads, lead{span: c.trim(comment), comment: true})
		return
	}
	if attribute, ok := m.get(roleAttribute); ok {
		c.leads = append(c.leads, lead{span: attribute})
		return
	}
	if head, ok := m.get(roleHead); ok {
		c.leads = append(c.leads, lead{span: c.trim(head), head: true})
		return
	}
	if path, ok := m.get(roleImportPath); ok {
		c.addImport(m, path)
		return
	}
	if tree, ok := m.get(roleImportTree); ok {
		c.addUseTree(tree)
		return
	}
	if m.has(roleExportPath) || m.has(roleExportName) || m.has(roleExportOf) {
		c.addExport(m)
		return
	}
	if outer, ok := m.get(roleOuter); ok {
		c.outers[m.spans[roleInner]] = outer
		c.inners[outer]++
		return
	}
	if r := m.kind(roleHeading1, roleHeading6); r != roleNone {
		name := m.spans[roleName]
		if !m.has(roleName) {
			name = Span{m.spans[r].End, m.spans[r].End}
		}
		c.headings = append(c.headings, heading{m.spans[r], name, int(r-roleHeading1) + 1})
		return
	}
	if inset, ok := m.get(roleInset); ok {
		c.insets = append(c.insets, inset)
		return
	}
	if block, ok := m.get(roleBlock); ok {
		c.blocks = append(c.blocks, block)
		return
	}
	if embedded, ok := m.get(roleEmbedded); ok {
		c.embedded = append(c.embedded, embedded)
		return
	}
	if r := m.kind(roleSymbolConstant, roleSymbolInner); r != roleNone {
		c.addSymbol(m, r)
		return
	}
	if m.has(roleName) {
		c.addNamed(m)
	} else if body, ok := m.get(roleBody); ok {
		c.bodies[body.End] = body
	} else if doc, ok := m.get(roleDoc); ok {
		c.docs = append(c.docs, doc)
	}
}

func (c *collector) addImport(m *match, path Span) {
	path = c.importPath(path)
	imp := foundImport{Import: Import{Path: unquote(c.text(path)), Span: path}}
	if of, ok := m.get(roleImportOf); ok {
		imp.Of = unquote(c.text(of))
	}
	for r, of := range map[role]string{roleImportName: imp.Of, roleImportMain: Default, roleImportAll: All} {
		if name, ok := m.get(r); ok {
			imp.Name, imp.name, imp.Of = c.text(name), name.Start, of
			c.imported[name.Start] = true
		}
	}
	c.imports = append(c.imports, imp)
}

func (c *collector) addCall(m *match, call Span) {
	qualifier, on := c.receiver(call.Start)
	if m.has(roleCallOn) {
		on = m.spans[roleCallOn]
	}
	c.calls = append(c.calls, Call{Name: c.text(call), Qualifier: qualifier, Span: call, On: on})
}

// addExport takes in a name that is exported: without one all that the path exports, or the file's chief value.
func (c *collector) addExport(m *match) {
	var e foundExport
	captured := func(r role) string {
		s, ok := m.get(r)
		if !ok {
			return ""
		}
		if e.at.Empty() {
			e.at.Start = s.Start
		}
		e.at = Span{min(e.at.Start, s.Start), max(e.at.End, s.End)}
		return unquote(c.text(s))
	}
	e.Path, e.Name, e.Of = captured(roleExportPath), captured(roleExportName), captured(roleExportOf)
	switch {
	case e.Name == "" && e.Of == "":
		e.Name = All
	case e.Name == "":
		e.Name = Default
	case e.Of == "":
		e.Of = e.Name
	}
	c.exports = append(c.exports, e)
}

// properExports returns the exports in the order of the text.
func (c *collector) properExports() []Export {
	slices.SortFunc(c.exports, func(a, b foundExport) int { return compareSpans(a.at, b.at) })
	var list []Export
	for _, e := range c.exports {
		list = append(list, e.Export)
	}
	return list
}

func unquote(s string) string {
	if len(s) >= 2 && strings.IndexByte("\"'`", s[0]) >= 0 && s[len(s)-1] == s[0] {
		return s[1 : len(s)-1]
	}
	return s
}

// addNamed takes in a definition, a scope, or a part of a definition that another pattern finds.
func (c *collector) addNamed(m *match) {
	name := c.trim(m.spans[roleName])
	r := m.kind(roleFunction, roleScopeType)
	if r == roleScope || r == roleScopeType {
		text := unquote(c.text(name))
		if owner, ok := prototypeOf(c.src[:name.Start], text); ok {
			text = owner // X.prototype = {…}
		}
		c.scopes = append(c.scopes, &found{methods: r == roleScopeType, span: m.spans[r], name: name, text: text})
		return
	}
	d := c.definitions[name.Start]
	if d == nil {
		d = &found{name: name, text: unquote(c.text(name))}
		c.definitions[name.Start] = d
	}
	if r == roleEquation {
		c.equations = append(c.equations, name)
	}
	if r != roleNone && (d.kind == 0 || m.spans[r].Covers(d.span)) {
		d.kind, d.span = kindOf[r], c.trim(m.spans[r])
		d.methods = d.kind == Class
		if d.kind == Block {
			d.text = c.label(m)
		}
	}
	if body, ok := m.get(roleBody); ok && d.body.Empty() {
		d.body = body
	}
	if doc, ok := m.get(roleDoc); ok {
		d.doc = doc
	}
	if result, ok := m.get(roleResult); ok {
		d.result = result
	}
	if container, ok := m.get(roleContainer); ok {
		d.container = c.text(c.trim(container))
	}
	if before, ok := bytes.CutSuffix(c.src[:name.Start], []byte(".")); ok && r == roleFunction {
		if before, ok = bytes.CutSuffix(before, []byte("prototype")); ok {
			if owner, ok := prototypeOf(before, "prototype"); ok {
				d.kind, d.container = Method, owner // X.prototype.y = function…
			}
		}
	}
}

// prototypeOf is the X of X.prototype in JavaScript.
func prototypeOf(before []byte, name string) (string, bool) {
	rest, ok := bytes.CutSuffix(before, []byte("."))
	if name != "prototype" || !ok {
		return "", false
	}
	start := bytes.LastIndexFunc(rest, func(r rune) bool { return r != '_' && r != '$' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return string(rest[start+1:]), start+1 < len(rest)
}

// joinEquations makes one definition of the equations of a name between which nothing but white space stands.
func (c *collector) joinEquations() {
	slices.SortFunc(c.equations, compareSpans)
	var last *found
	for _, name := range slices.Compact(c.equations) {
		d := c.definitions[name.Start]
		if last != nil && d.span.Start < last.span.End {
			continue // inside it
		}
		if last != nil && d.text == last.text && len(bytes.TrimSpace(c.src[last.span.End:d.span.Start])) == 0 {
			last.span.End = d.span.End
			delete(c.definitions, name.Start)
			continue
		}
		last = d
	}
}

var kindOf = map[role]Kind{roleFunction: Function, roleEquation: Function, roleMethod: Method, roleClass: Class, roleLabelled: Block}

// outline assembles everything that was added.
func (c *collector) outline(hasError bool) *Outline {
	list := c.list()
	nested := nest(list)
	out := &Outline{
		Definitions: c.resolve(nested),
		Symbols:     c.properSymbols(nested),
		Calls:       c.properCalls(),
		Bindings:    c.properBindings(),
		Imports:     c.namedImports(),
		Exports:     c.properExports(),
		Inherits:    c.properInherits(),
		Doc:         c.fileDoc(),
		Blocks:      disjoint(c.blocks),
		HasError:    hasError,
	}
	return out
}

// properCalls returns the calls in the order of the text, without the heads of definitions, and the types, that look like calls.
func (c *collector) properCalls() []Call {
	insets := disjoint(c.insets)
	calls := slices.DeleteFunc(c.calls, func(call Call) bool {
		return c.definitions[call.Span.Start] != nil || inside(insets, call.Span.Start)
	})
	slices.SortFunc(calls, func(a, b Call) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	return slices.CompactFunc(calls, func(a, b Call) bool { return a.Span == b.Span })
}

// list returns definitions, scopes and sections with their full spans, in no order.
func (c *collector) list() []*found {
	slices.SortFunc(c.leads, func(a, b lead) int { return cmp.Compare(a.span.Start, b.span.Start) })
	c.joinEquations()
	list := make([]*found, 0, len(c.definitions)+len(c.scopes)+len(c.headings))
	for _, d := range c.definitions {
		if d.kind == 0 {
			continue // only parts of it were found
		}
		if d.body.Empty() {
			d.body = c.bodies[d.span.End]
		}
		c.widen(d)
		c.dropTrailing(d)
		c.attachLeads(d)
		list = append(list, d)
	}
	list = append(list, c.scopes...)
	return append(list, c.sections()...)
}

// widen extends a definition over the statements that hold nothing else.
func (c *collector) widen(d *found) {
	for {
		outer, ok := c.outers[d.span]
		if !ok || outer == d.span || !outer.Covers(d.span) || c.inners[outer] > 1 {
			return
		}
		d.span = outer
	}
}

// namedImports returns the imports in the order of the text. One without a name is left out when another match of
// the same path has one.
func (c *collector) namedImports() []Import {
	slices.SortFunc(c.imports, func(a, b foundImport) int {
		return cmp.Or(cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.name, b.name))
	})
	var list []Import
	for i, imp := range c.imports {
		if i+1 < len(c.imports) {
			next := c.imports[i+1]
			if next.Span == imp.Span && (imp.Name == "" || next.name == imp.name) {
				continue
			}
		}
		list = append(list, imp.Import)
	}
	return list
}

// disjoint sorts spans and drops those that lie in others.
func disjoint(spans []Span) []Span {
	slices.SortFunc(spans, compareSpans)
	var list []Span
	for _, s := range spans {
		if n := len(list); n == 0 || s.Start >= list[n-1].End {
			list = append(list, s)
		}
	}
	return list
}

// inside reports whether an offset is in one of the spans, which disjoint has put in order.
func inside(spans []Span, offset int) bool {
	i, exact := slices.BinarySearchFunc(spans, offset, func(s Span, start int) int { return cmp.Compare(s.Start, start) })
	return exact || i > 0 && offset < spans[i-1].End
}

// compareSpans orders spans by their start, the longer one first.
func compareSpans(a, b Span) int {
	return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End))
}

// attachLeads extends a definition over the attributes and comments right above it. A comment belongs to it when
// nothing but one line break lies between them and nothing but white space before it on its line; an attribute may
// be further away.
func (c *collector) attachLeads(d *found) {
	first, _ := slices.BinarySearchFunc(c.leads, d.span.Start, func(l lead, start int) int {
		return cmp.Compare(l.span.Start, start)
	})
	var comments Span
	for i := first - 1; i >= 0; i-- {
		l := c.leads[i]
		if l.span.End > d.span.Start {
			continue // inside of another one
		}
		end := l.span.Start + len(bytes.TrimRight(c.src[l.span.Start:l.span.End], " \t\r\n"))
		gap := c.src[end:d.span.Start]
		if len(bytes.TrimSpace(gap)) > 0 || l.comment && bytes.Count(gap, newline) > 1 || !c.beginsLine(l.span.Start) {
			break
		}
		d.span.Start = l.span.Start
		if l.comment {
			if comments.Empty() {
				comments.End = end
			}
			comments.Start = l.span.Start
		}
	}
	if d.doc.Empty() {
		d.doc = comments
	}
	if d.doc.Empty() {
		d.doc = c.innerLead(d)
	}
}

var newline = []byte{'\n'}

// beginsLine reports whether only white space precedes the offset on its line.
func (c *collector) beginsLine(offset int) bool {
	for offset > 0 {
		offset--
		switch c.src[offset] {
		case '\n':
			return true
		case ' ', '\t', '\r', '\f', '\v':
		default:
			return false
		}
	}
	return true
}

// sections makes sections of the headings that have a text and lie in no inset. Each one reaches from the comments
// above its heading to the next section of the same or a higher rank.
func (c *collector) sections() []*found {
	if len(c.headings) == 0 {
		return nil
	}
	insets := disjoint(append(c.insets, c.blocks...))
	headings := slices.DeleteFunc(c.headings, func(h heading) bool { return inside(insets, h.span.Start) || h.name.Empty() })
	slices.SortFunc(headings, func(a, b heading) int { return cmp.Compare(a.span.Start, b.span.Start) })

	var list, open []*found
	var levels []int // of open
	for _, h := range headings {
		start := c.leadStart(h.span)
		for n := len(open); n > 0 && levels[n-1] >= h.level; n = len(open) {
			open[n-1].span.End = start
			open, levels = open[:n-1], levels[:n-1]
		}
		section := &found{
			kind: Section, span: Span{start, len(c.src)}, name: h.name, text: title(c.src[h.name.Start:h.name.End]),
			body: Span{h.span.End, len(c.src)},
		}
		list = append(list, section)
		open, levels = append(open, section), append(levels, h.level)
	}
	return list
}

// title is the text of a heading on one line, without closing hashes.
func title(b []byte) string {
	text := strings.Join(strings.Fields(string(b)), " ")
	if open := strings.TrimRight(text, "#"); strings.HasSuffix(open, " ") {
		text = open[:len(open)-1]
	}
	if strings.ContainsAny(text, "`[") {
		text = cmp.Or(plainHeading(imageForm.ReplaceAllString(text, "")), plainHeading(text), text)
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}

// An image and a link of Markdown.
var (
	imageForm = lazyregexp.New(`!\[[^\]]*\]\([^)]*\)`)
	linkForm  = lazyregexp.New(`!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])`)
)

// plainHeading is a heading without the marks of code and the addresses of links.
func plainHeading(text string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(linkForm.ReplaceAllString(text, "$1"), "`", "")), " ")
}
