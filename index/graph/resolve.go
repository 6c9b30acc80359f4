package graph

import (
	"path"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/index/chunk"
)

// The confidences of the signs, see the package comment.
const (
	sureOwn       = 0.95
	sureImported  = 0.9
	sureInherited = 0.85
	sureFolder    = 0.8
	sureLike      = 0.6
	sureGlobal    = 0.5
	sureUnknown   = 0.3
)

// A rating is how strongly one sign speaks for a definition; {} when nothing does.
type rating struct {
	confidence float64
	why        string
}

// winners are the definitions that a name in a place most probably means: those for which the strongest sign speaks.
type winners struct {
	nodes []Node // one of each group, in the order of their paths
	rating
}

// sure is the confidence in each of the winners.
func (w winners) sure() float64 {
	if len(w.nodes) == 0 {
		return 0
	}
	return w.confidence / float64(len(w.nodes))
}

func (w winners) holds(n Node) bool {
	key := groupOf(n)
	return slices.ContainsFunc(w.nodes, func(o Node) bool { return o == n || groupOf(o) == key })
}

// A useKey names a use of a name as far as its meaning goes.
type useKey struct {
	file            *File
	own             string // type around the use
	name, qualifier string
	isType          bool // the name must be a type
}

// resolveCall finds what a call in a chunk means.
func (g *Graph) resolveCall(call chunk.Call, from Node) winners {
	key := useKey{from.File, ownType(from), call.Name, call.Qualifier, false}
	if w, ok := g.winners[key]; ok {
		return w
	}
	g.winners[key] = winners{} // a name that leads back to itself ends here
	w := g.elect(call.Name, from, func(to Node) rating { return g.rateCall(call, from, to) })
	g.winners[key] = w
	return w
}

// resolveType finds the type that a name in a file means.
func (g *Graph) resolveType(name, qualifier string, from Node) winners {
	key := useKey{from.File, "", name, qualifier, true}
	if w, ok := g.winners[key]; ok {
		return w
	}
	g.winners[key] = winners{}
	w := g.elect(name, from, func(to Node) rating {
		if to.Chunk().Type != chunk.Class || to == from {
			return rating{}
		}
		return g.rateType(name, qualifier, from, to)
	})
	g.winners[key] = w
	return w
}

// elect rates every definition of a name and returns the best.
func (g *Graph) elect(name string, from Node, rate func(Node) rating) winners {
	var w winners
	all := g.definitions(name)
	for _, to := range all {
		if Family(to.File.Language) != Family(from.File.Language) {
			continue
		}
		switch r := rate(to); {
		case r.confidence == 0 || r.confidence < w.confidence:
		case r.confidence > w.confidence:
			w = winners{[]Node{to}, r}
		default:
			w.nodes = append(w.nodes, to)
		}
	}
	if Family(from.File.Language) == "c" {
		w.nodes = withBodies(w.nodes, all)
	}
	w.nodes = representatives(w.nodes)
	return w
}

// withBodies turns declarations of C into the definitions of the same name and container, if there are any.
func withBodies(nodes, all []Node) []Node {
	bodies := slices.DeleteFunc(slices.Clone(nodes), func(n Node) bool { return !hasBody(n) })
	if len(bodies) > 0 {
		return bodies
	}
	for _, n := range all {
		isDefinition := func(o Node) bool {
			return o.Chunk().Container == n.Chunk().Container && !slices.Contains(bodies, n)
		}
		if hasBody(n) && Family(n.File.Language) == "c" && slices.ContainsFunc(nodes, isDefinition) {
			bodies = append(bodies, n)
		}
	}
	if len(bodies) > 0 {
		return bodies
	}
	return nodes
}

func hasBody(n Node) bool { return n.Chunk().Signature.End < n.Chunk().Span.End }

// A group names definitions that are one to people: overloads and declarations of one file, and in Go the versions of
// a function for different systems, which share a folder.
type group struct {
	folder, place, container, name string
}

func groupOf(n Node) group {
	c, place := n.Chunk(), n.File.Path
	if n.File.Language == "go" {
		place = path.Dir(place)
	}
	return group{n.File.Folder, place, c.Container, c.Name}
}

// representatives leaves the longest of each group.
func representatives(nodes []Node) []Node {
	if len(nodes) < 2 {
		return nodes
	}
	size := func(n Node) int { return n.Chunk().Span.End - n.Chunk().Span.Start }
	place := make(map[group]int, len(nodes))
	var out []Node
	for _, n := range nodes {
		key := groupOf(n)
		switch i, ok := place[key]; {
		case !ok:
			place[key] = len(out)
			out = append(out, n)
		case out[i].File == n.File && size(n) > size(out[i]):
			out[i] = n
		}
	}
	return out
}

// ownType is the innermost type around a chunk, or the type that it is.
func ownType(n Node) string {
	c := n.Chunk()
	if c.Type == chunk.Class {
		return c.Name
	}
	return last(c.Container)
}

// rateCall weighs one definition for a call.
func (g *Graph) rateCall(call chunk.Call, from, to Node) rating {
	c := to.Chunk()
	if c.Type == chunk.Method && c.Name == last(c.Container) {
		return rating{} // a constructor: its class stands for it
	}
	switch call.Qualifier {
	case "":
		return g.ratePlain(call.Name, from, to)
	case chunk.Self:
		return g.rateOwn(from, to)
	case chunk.Super:
		if c.Type == chunk.Method && g.inherits(from, ownType(from), to) {
			return rating{sureInherited, "inherited from " + last(c.Container)}
		}
		return rating{}
	case chunk.Unknown:
		return g.rateVariable("", from, to)
	}
	return g.rateQualified(call, from, to)
}

// ratePlain weighs a definition for a name that stands alone.
func (g *Graph) ratePlain(name string, from, to Node) rating {
	if to.Chunk().Type != chunk.Method {
		return g.visible(name, from, to)
	}
	if !scopingOf(from.File.Language).implicit {
		return rating{}
	}
	if from.File == to.File && isAround(to.Chunk().Container, from.Chunk().Container) {
		return rating{sureOwn, "a method of a type around it"}
	}
	return g.rateOwn(from, to)
}

// rateOwn weighs a method for a call on the own object.
func (g *Graph) rateOwn(from, to Node) rating {
	own, c := ownType(from), to.Chunk()
	if own == "" || c.Container == "" {
		return rating{}
	}
	if last(c.Container) == own {
		switch {
		case from.File == to.File, from.File.Language == "go" && sameFolder(from.File, to.File):
			return rating{sureOwn, "a method of its own type " + own}
		case samePackage(from.File, to.File):
			return rating{sureFolder, "a method of a type " + own + " in the same folder"}
		}
	}
	if g.inherits(from, own, to) {
		return rating{sureInherited, "inherited from " + last(c.Container)}
	}
	return rating{}
}

// isAround reports whether a type is, or encloses, the type of a chunk.
func isAround(outer, inner string) bool {
	return outer != "" && (inner == outer || strings.HasPrefix(inner, outer+"."))
}

// visible weighs a definition outside of types for a name that stands alone.
func (g *Graph) visible(name string, from, to Node) rating {
	scope := scopingOf(from.File.Language)
	if from.File == to.File {
		return rating{sureOwn, "defined in the same file"}
	}
	for _, imp := range from.File.Imports {
		if bringsIn(imp, name, from.File.Language) && matchImport(imp, from.File, to.File) > 0 && g.isBest(imp, from.File, to.File) {
			return rating{sureImported, "imported from " + imp.Path}
		}
		if bringsIn(imp, name, from.File.Language) && g.passesOn(imp, from.File, to) {
			return rating{sureFolder, "imported from " + imp.Path + ", which passes it on from " + to.File.Path}
		}
	}
	switch {
	case scope.folder && samePackage(from.File, to.File):
		if from.File.Language == "go" {
			return rating{sureOwn, "defined in the same package"}
		}
		return rating{sureFolder, "defined in the same folder or package"}
	case scope.global:
		return rating{sureGlobal, "the language finds this name everywhere"}
	case g.isScript(to.File):
		return rating{sureUnknown, "defined in a script that nothing imports"}
	}
	return rating{}
}

// passesOn reports whether what is imported does itself import a definition and so makes it its own, as the __init__.py
// of a package does.
func (g *Graph) passesOn(imp chunk.Import, from *File, to Node) bool {
	c := to.Chunk()
	if c.Container != "" || Family(from.Language) == "go" {
		return false
	}
	for _, m := range g.matches(imp, from) {
		for _, inner := range m.file.Imports {
			if bringsIn(inner, c.Name, m.file.Language) && m.file != to.File &&
				matchImport(inner, m.file, to.File) > 0 && g.isBest(inner, m.file, to.File) {
				return true
			}
		}
	}
	return false
}

// isScript reports whether a page loads the file as a script, which makes its names global: it is JavaScript, imports
// nothing, and no other file imports it.
func (g *Graph) isScript(f *File) bool {
	if f.Language != "javascript" || len(f.Imports) > 0 {
		return false
	}
	known, ok := g.scripts[f]
	if !ok {
		known = len(g.Importers(f)) == 0
		g.scripts[f] = known
	}
	return known
}

// bringsIn reports whether an import makes a plain name known.
func bringsIn(imp chunk.Import, name, language string) bool {
	switch Family(language) {
	case "go":
		return imp.Name == "."
	case "c", "ruby", "csharp", "swift":
		return true
	case "jvm":
		return imp.Name == "*" || imp.Name == name || imp.Name == "" && last(imp.Path) == name
	case "php":
		return imp.Name == name || imp.Name == "" && path.Base(strings.ReplaceAll(imp.Path, `\`, "/")) == name || strings.HasSuffix(imp.Path, ".php")
	case "rust":
		return imp.Name == "*" || imp.Name == name || imp.Name == "" && path.Base(strings.ReplaceAll(imp.Path, "::", "/")) == name
	}
	return imp.Name == name || imp.Name == "*"
}

// rateQualified weighs a definition for a call on an import, a type or a variable.
func (g *Graph) rateQualified(call chunk.Call, from, to Node) rating {
	c, q := to.Chunk(), call.Qualifier
	known := false
	for _, imp := range g.importsAs(from.File, q) {
		known = true
		switch {
		case c.Container != "" && last(c.Container) != q:
		case g.isBest(imp, from.File, to.File):
			return rating{sureOwn, "called on " + q + ", imported from " + imp.Path}
		case g.passesOn(imp, from.File, to):
			return rating{sureImported, "called on " + q + ", which passes it on from " + to.File.Path}
		}
	}
	if c.Container != "" && last(c.Container) == q {
		return g.rateMember(q, from, to, known)
	}
	if c.Type == chunk.Method && g.inherits(from, q, to) {
		return rating{sureInherited, q + " inherits it from " + last(c.Container)}
	}
	if known {
		return rating{} // of something that was imported, and that is not this
	}
	if c.Container == "" && from.File.Language != "go" && isModule(to.File, q) {
		return rating{sureFolder, "called on the module " + q}
	}
	if isUpper(q) && from.File.Language != "go" {
		return rating{}
	}
	return g.rateVariable(q, from, to)
}

// rateMember weighs a method of the type that the call is made on.
func (g *Graph) rateMember(q string, from, to Node, imported bool) rating {
	why := "a method of " + q
	if r := g.rateType(q, "", from, to); r.confidence > sureGlobal {
		return rating{min(sureImported, r.confidence), why + ", " + r.why}
	}
	if imported {
		return rating{}
	}
	for _, imp := range from.File.Imports {
		if g.isBest(imp, from.File, to.File) {
			return rating{sureFolder, why + ", whose file is imported"}
		}
	}
	switch scope := scopingOf(from.File.Language); {
	case scope.global:
		return rating{sureLike, why}
	case from.File.Language == "go":
		return rating{} // of another package's type, which can't be named without an import
	}
	return rating{sureUnknown, why}
}

// rateVariable weighs a method for a call on something whose type is not known.
func (g *Graph) rateVariable(q string, from, to Node) rating {
	c := to.Chunk()
	if c.Type != chunk.Method || from.File.Language == "go" && !isUpper(c.Name) && !sameFolder(from.File, to.File) {
		return rating{}
	}
	if likeType(q, last(c.Container)) {
		return rating{sureLike, q + " is named like " + last(c.Container)}
	}
	return rating{sureUnknown, "a method of this name"}
}

// likeType reports whether a variable is named like a type: cart and Cart, userStore and Store, snap and Snapshot.
func likeType(variable, typeName string) bool {
	v := strings.ToLower(strings.ReplaceAll(variable, "_", ""))
	t := strings.ToLower(strings.ReplaceAll(typeName, "_", ""))
	if len(v) < 3 || len(t) < 3 {
		return v == t && v != ""
	}
	return strings.HasSuffix(v, t) || strings.HasSuffix(t, v) || strings.HasPrefix(t, v)
}

// isModule reports whether a file is the module of that name.
func isModule(f *File, name string) bool {
	s := stem(f.Path)
	if s == "mod" || s == "lib" || s == "index" || s == "__init__" {
		s = path.Base(path.Dir(f.Path))
	}
	return strings.EqualFold(strings.ReplaceAll(s, "_", ""), strings.ReplaceAll(name, "_", ""))
}

// rateType weighs a type, or a member of it, for the name of a type in a file.
func (g *Graph) rateType(name, qualifier string, from, to Node) rating {
	if qualifier == "" {
		return g.visible(name, from, to)
	}
	known := false
	for _, imp := range g.importsAs(from.File, qualifier) {
		known = true
		if g.isBest(imp, from.File, to.File) {
			return rating{sureOwn, qualifier + " is imported from " + imp.Path}
		}
	}
	switch {
	case last(to.Chunk().Container) == qualifier, isModule(to.File, qualifier) && from.File.Language != "go":
		return rating{sureImported, "a part of " + qualifier}
	case known || from.File.Language == "go":
		return rating{}
	}
	return g.visible(name, from, to)
}

// importsAs returns the imports that a file knows by a name.
func (g *Graph) importsAs(f *File, name string) []chunk.Import {
	byName := g.locals[f]
	if byName == nil {
		byName = make(map[string][]chunk.Import, len(f.Imports))
		for _, imp := range f.Imports {
			local := localName(imp, f.Language)
			byName[local] = append(byName[local], imp)
		}
		g.locals[f] = byName
	}
	return byName[name]
}

// localName is the name under which a file knows an import.
func localName(imp chunk.Import, language string) string {
	if imp.Name != "" {
		return imp.Name
	}
	switch Family(language) {
	case "go":
		return goPackageName(imp.Path)
	case "rust":
		return path.Base(strings.ReplaceAll(imp.Path, "::", "/"))
	case "php":
		return path.Base(strings.ReplaceAll(imp.Path, `\`, "/"))
	case "c", "ruby", "javascript":
		return ""
	}
	return last(imp.Path)
}

// goPackageName guesses the name of a package from its path: the last element that is no version, without the
// decoration that repositories like.
func goPackageName(imported string) string {
	base := path.Base(imported)
	if len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == "" {
		base = path.Base(path.Dir(imported))
	}
	base, _, _ = strings.Cut(base, ".")
	return strings.TrimSuffix(strings.TrimPrefix(base, "go-"), "-go")
}
