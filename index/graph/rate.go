package graph

import (
	"path"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/syntax"
)

// rateCall weighs one definition for a call.
func (g *Graph) rateCall(call chunk.Call, from, to Node) rating {
	c := to.Chunk()
	if c.Type == chunk.Method && c.Name == last(c.Container) {
		return rating{} // a constructor: its class stands for it
	}
	if isExtension(to) && call.Qualifier != chunk.Super {
		return rateExtension(g, call, from, to)
	}
	switch call.Qualifier {
	case "":
		return g.ratePlain(call.Name, from, to)
	case chunk.Self:
		return g.rateOwn(from, to)
	case chunk.Super:
		if c.Type == chunk.Method {
			return g.inherited(from, ownType(from), to, "inherited from ")
		}
		return rating{}
	}
	var r rating
	if call.Qualifier == chunk.Unknown {
		r = g.rateVariable("", from, to)
	} else {
		r = g.rateQualified(call, from, to)
	}
	if r.confidence == sureNamed && strings.Contains(call.On, "()") {
		r.confidence = sureUnknown // of what something else returns, where types say too little
	}
	return r
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
		return rating{confidence: sureOwn, why: "a method of a type around it"}
	}
	if r := g.rateOwn(from, to); r.confidence > 0 {
		return r
	}
	if r := rateStatic(g, name, from, to); r.confidence > 0 || !scopingOf(from.File.Language).members {
		return r
	}
	for _, imp := range from.File.Imports {
		if imp.Path == to.Chunk().Container {
			return rating{confidence: sureImported, why: "imported from " + imp.Path}
		}
	}
	return rating{}
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
			return rating{confidence: sureOwn, why: "a method of its own type " + own}
		case samePackage(from.File, to.File):
			return rating{confidence: sureFolder, why: "a method of a type " + own + " in the same folder"}
		}
	}
	return g.inherited(from, own, to, "inherited from ")
}

// isAround reports whether a type is, or encloses, the type of a chunk.
func isAround(outer, inner string) bool {
	return outer != "" && (inner == outer || strings.HasPrefix(inner, outer+"."))
}

// visible weighs a definition outside of types for a name that stands alone.
func (g *Graph) visible(name string, from, to Node) rating {
	scope := scopingOf(from.File.Language)
	if from.File == to.File {
		return rating{confidence: sureOwn, why: "defined in the same file"}
	}
	for _, imp := range from.File.Imports {
		if !bringsIn(imp, name, from.File.Language) || isOfAnother(imp, to) {
			continue
		}
		if r := g.rateImported(imp, name, from.File, to); r.confidence > 0 {
			return r
		}
	}
	switch {
	case scope.folder && samePackage(from.File, to.File):
		if from.File.Language == "go" {
			return rating{confidence: sureOwn, why: "defined in the same package"}
		}
		return rating{confidence: sureFolder, why: "defined in the same folder or package"}
	case scope.global:
		return rating{confidence: sureGlobal, why: "the language finds this name everywhere"}
	case g.isScript(to.File):
		return rating{confidence: sureUnknown, why: "defined in a script that nothing imports"}
	}
	return rating{}
}

// isOfAnother reports whether an import of Java names a type inside another type than the one around a definition.
func isOfAnother(imp chunk.Import, to Node) bool {
	container := last(to.Chunk().Container)
	if container == "" || Family(to.File.Language) != "jvm" || imp.Name != "" {
		return false
	}
	around := last(strings.TrimSuffix(imp.Path, "."+last(imp.Path)))
	return isUpper(around) && around != container
}

// rateImported weighs a definition for a name that an import brings.
func (g *Graph) rateImported(imp chunk.Import, name string, from *File, to Node) rating {
	if followed[Family(from.Language)] {
		if !(sources{g}).comesFrom(imp, name, from, to) {
			return rating{}
		}
		if g.isBest(imp, from, to.File) {
			return rating{confidence: sureOwn, why: "imported from " + imp.Path}
		}
		return rating{confidence: sureOwn, why: "imported from " + imp.Path + ", which passes it on from " + to.File.Path}
	}
	if g.isBest(imp, from, to.File) {
		sure := sureImported
		if Family(from.Language) == "c" {
			sure = sureIncluded
		}
		return rating{confidence: sure, why: "imported from " + imp.Path}
	}
	if g.passesOn(imp, from, to) {
		return rating{confidence: sureFolder, why: "imported from " + imp.Path + ", which passes it on from " + to.File.Path}
	}
	return rating{}
}

// followed are the families in which imports are followed from file to file until they end at a definition.
var followed = map[string]bool{"javascript": true, "python": true, "rust": true}

// passesOn reports whether what is imported does itself import a definition and so makes it its own, as pub use does.
func (g *Graph) passesOn(imp chunk.Import, from *File, to Node) bool {
	name := to.Chunk().Name
	if to.Chunk().Container != "" || Family(from.Language) == "go" {
		return false
	}
	for _, m := range g.matches(imp, from) {
		for _, inner := range m.file.Imports {
			if bringsIn(inner, name, m.file.Language) && m.file != to.File && g.isBest(inner, m.file, to.File) {
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
		if followed[Family(from.File.Language)] {
			if r := g.rateMemberOf(imp, call, from, to); r.confidence > 0 {
				return r
			}
			continue
		}
		switch {
		case c.Container != "" && last(c.Container) != q:
		case g.isBest(imp, from.File, to.File):
			return rating{confidence: sureOwn, why: "called on " + q + ", imported from " + imp.Path}
		case g.passesOn(imp, from.File, to):
			return rating{confidence: sureImported, why: "called on " + q + ", which passes it on from " + to.File.Path}
		}
	}
	if c.Container != "" && last(c.Container) == q {
		return g.rateMember(q, from, to, known)
	}
	if c.Type == chunk.Method {
		if r := g.inherited(from, q, to, q+" inherits it from "); r.confidence > 0 {
			return r
		}
	}
	if r := (descent{g}).rate(q, from, to); r.confidence > 0 {
		return r
	}
	if known {
		return rating{} // of something that was imported, and that is not this
	}
	if c.Container == "" && from.File.Language != "go" && (from.File.Language == "rust" || !followed[Family(from.File.Language)]) && isModule(to.File, q) {
		return rating{confidence: sureFolder, why: "called on the module " + q}
	}
	if isUpper(q) && (from.File.Language != "go" || !g.isType(q)) {
		return rating{} // of a type that is not this one
	}
	return g.rateVariable(q, from, to)
}

// descent follows types from above to those that inherit from them.
type descent struct{ graph *Graph }

// rate weighs a method for a call on a value of a type above its own: where that type only declares the method the call may
// end here; where it has none of the name, the value is known to be of the narrower type.
func (d descent) rate(q string, from, to Node) rating {
	c := to.Chunk()
	owner := last(c.Container)
	if c.Type != chunk.Method || owner == "" || !isUpper(q) {
		return rating{}
	}
	for _, above := range d.graph.ancestors(Node{to.File, -1}, owner) {
		if above.Chunk().Name != q || !(winners{nodes: d.graph.resolveType(q, "", Node{from.File, -1}).nodes}).holds(above.Node) {
			continue
		}
		if declares(above.File, q, c.Name) {
			return rating{confidence: sureUnknown, why: owner + " implements it for " + q}
		}
		return rating{confidence: sureLike, why: "of the " + q + "s, " + owner + " has a method of this name"}
	}
	return rating{}
}

// declares reports whether a type of a file declares a method without a body that is no chunk.
func declares(f *File, typeName, method string) bool {
	for s := range f.Symbols.All() {
		if s.Kind == chunk.Member && s.Name == method && last(s.Container) == typeName {
			return true
		}
	}
	return false
}

// rateMemberOf weighs a definition for a call on something that is imported: a module, a type, or an object.
func (g *Graph) rateMemberOf(imp chunk.Import, call chunk.Call, from, to Node) rating {
	c := to.Chunk()
	why := "called on " + call.Qualifier + ", imported from " + imp.Path
	for _, o := range (sources{g}).importOrigins(imp, from.File) {
		switch {
		case o.name == syntax.All || o.name == syntax.Default:
			if isTopLevel(to.File, c) && slices.Contains((sources{g}).originsOf(o.file, call.Name), origin{to.File, c.Name}) {
				return rating{confidence: sureOwn, why: why}
			}
			if o.name == syntax.Default && o.file == to.File && c.Type == chunk.Method {
				return rating{confidence: sureFolder, why: why} // the object that the file exports
			}
		case o.file == to.File && last(c.Container) == o.name:
			return rating{confidence: sureOwn, why: why}
		case to.File.Language == "rust" && last(c.Container) == o.name && (sources{g}).means(to.File, o):
			return rating{confidence: sureOwn, why: why}
		}
	}
	return rating{}
}

// rateMember weighs a method of the type that the call is made on.
func (g *Graph) rateMember(q string, from, to Node, imported bool) rating {
	why := "a method of " + q
	if r := g.rateType(q, "", from, to); r.confidence > sureGlobal {
		return rating{confidence: min(sureImported, r.confidence), why: why + ", " + r.why}
	}
	if imported {
		return rating{}
	}
	for _, imp := range from.File.Imports {
		if g.isBest(imp, from.File, to.File) {
			return rating{confidence: sureFolder, why: why + ", whose file is imported"}
		}
	}
	switch scope := scopingOf(from.File.Language); {
	case scope.global:
		return rating{confidence: sureLike, why: why}
	case from.File.Language == "go":
		return rating{} // of another package's type, which can't be named without an import
	}
	return rating{confidence: sureUnknown, why: why}
}

// rateVariable weighs a method for a call on something whose type is not known.
func (g *Graph) rateVariable(q string, from, to Node) rating {
	c := to.Chunk()
	if syntax.IsTest(to.File.Path) && !syntax.IsTest(from.File.Path) {
		return rating{} // what ships calls no test's objects
	}
	if c.Type != chunk.Method || from.File.Language == "go" && !isUpper(c.Name) && !sameFolder(from.File, to.File) {
		return rating{}
	}
	if likeType(q, last(c.Container)) {
		return rating{confidence: sureLike, why: q + " is named like " + last(c.Container)}
	}
	if isCommon(c.Name, from.File.Language) {
		return rating{confidence: sureUnknown, why: "a method of this name"}
	}
	return rating{confidence: sureNamed, why: "a method of this name, which the language itself doesn't use"}
}

// isType reports whether the workspace defines a type of this name.
func (g *Graph) isType(name string) bool {
	return slices.ContainsFunc(g.definitions(name), func(n Node) bool { return n.Chunk().Type == chunk.Class })
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
			return rating{confidence: sureOwn, why: qualifier + " is imported from " + imp.Path}
		}
	}
	switch {
	case last(to.Chunk().Container) == qualifier, isModule(to.File, qualifier) && from.File.Language != "go":
		return rating{confidence: sureImported, why: "a part of " + qualifier}
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
