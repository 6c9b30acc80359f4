package graph

import (
	"strings"

	"github.com/aurora-sidecar/aurora/index/chunk"
)

// declaresPackages are the languages whose files say which package or namespace they are of, whatever folder they are in.
var declaresPackages = map[string]bool{"kotlin": true, "csharp": true}

// declaredPackage is the package or namespace that a file of these languages says it is of, the first one; "" without one.
func declaredPackage(f *File) string {
	if !declaresPackages[f.Language] {
		return ""
	}
	for s := range f.Symbols.All() {
		if s.Kind == chunk.Namespace {
			return s.Name
		}
	}
	return ""
}

// matchDeclared says how well a file of a package fits an import, as the compilers of Kotlin and C# have it: the import names
// the package, or something that the file defines in it.
func matchDeclared(imp chunk.Import, declared string, to *File) int {
	imported := strings.TrimSuffix(imp.Path, ".*")
	if imported == declared {
		return exactMatch
	}
	inside, ok := strings.CutPrefix(imported, declared+".")
	if !ok {
		return noMatch
	}
	name, _, _ := strings.Cut(inside, ".")
	if defines(to, name) || to.Language == "kotlin" && name == stem(to.Path)+"Kt" { // as Java calls the file
		return exactMatch
	}
	return noMatch
}

// defines reports whether a file defines a name outside of types, as a function or a type, or as a property.
func defines(f *File, name string) bool {
	if (sources{}).defines(f, name) {
		return true
	}
	for s := range f.Symbols.Named(name) {
		if s.Container == "" && s.Kind != chunk.Namespace {
			return true
		}
	}
	return false
}

// sharesPackage reports whether what one file declares needs no import in another: they say that they are of one package, or, in C#,
// the other one's namespace is inside of it.
func sharesPackage(from, to *File) bool {
	of, in := declaredPackage(to), declaredPackage(from)
	return of != "" && from.Folder == to.Folder && from.Language == to.Language && (in == of || to.Language == "csharp" && strings.HasPrefix(in, of+"."))
}

// isExtension reports whether a definition is an extension function of Kotlin.
func isExtension(n Node) bool {
	c := n.Chunk()
	return n.File.Language == "kotlin" && c.Type == chunk.Function && c.Container != ""
}

// rateExtension weighs an extension function for a call: as a function outside of types it is known only where it is imported or of
// the same package, whatever it is called on. What that is of is mostly unknown, so that one of another library may be meant.
func rateExtension(g *Graph, call chunk.Call, from, to Node) rating {
	r := g.visible(call.Name, from, to)
	switch {
	case r.confidence == 0 || call.Qualifier == "" || call.Qualifier == chunk.Self || call.Qualifier == last(to.Chunk().Container):
	case libraryExtensions[call.Name]:
		r.confidence = min(r.confidence, sureUnknown)
	default:
		r.confidence = min(r.confidence, sureFolder)
	}
	return r
}
