package graph

import (
	"path"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/syntax"
)

// How well a file fits an import. A longer match beats a shorter one: of two packages "text", the one whose folders
// agree further is meant.
const (
	noMatch    = 0
	exactMatch = 1000 // a path relative to the importing file, or the whole path
)

// matchImport says how well to fits an import of from; noMatch when it does not.
func matchImport(imp chunk.Import, from, to *File) int {
	if from.Folder != to.Folder || from == to || Family(from.Language) != Family(to.Language) {
		return noMatch
	}
	switch Family(from.Language) {
	case "go":
		return matchGo(imp.Path, to)
	case "python", "notebook":
		return matchPython(imp, from, to)
	case "javascript":
		return matchAlias(imp.Path, to)
	case "rust":
		return matchRust(imp, from, to)
	case "c":
		return matchInclude(imp.Path, from, to)
	case "ruby", "lua":
		return matchPath(strings.ReplaceAll(strings.TrimSuffix(imp.Path, ".rb"), ".", "/"), from, to)
	case "jvm", "csharp":
		if declared := declaredPackage(to); declared != "" {
			return matchDeclared(imp, declared, to)
		}
		return matchPackage(imp, to)
	case "php":
		if strings.HasSuffix(imp.Path, ".php") {
			return matchInclude(strings.TrimPrefix(imp.Path, "/"), from, to)
		}
		return matchPackage(chunk.Import{Path: strings.ReplaceAll(imp.Path, `\`, "."), Name: imp.Name}, to)
	}
	return matchPath(imp.Path, from, to)
}

// suffix counts the elements of want that the path have ends in, all of them: 0 when it does not.
func suffix(have, want string) int {
	if want == "" || have != want && !strings.HasSuffix(have, "/"+want) {
		return noMatch
	}
	return strings.Count(want, "/") + 1
}

// standardGo are the first elements of the standard library's import paths.
var standardGo = map[string]bool{}

func init() {
	for _, name := range strings.Fields(`archive bufio builtin bytes cmp compress container context crypto database debug
		embed encoding errors expvar flag fmt go hash html image index internal io iter log maps math mime net os path plugin
		reflect regexp runtime slices sort strconv strings structs sync syscall testing text time unicode unique unsafe weak`) {
		standardGo[name] = true
	}
}

// matchGo: the import path ends in the folder, or is the folder by the letter.
func matchGo(imported string, to *File) int {
	dir := path.Dir(to.Path)
	if dir == imported {
		return exactMatch
	}
	first, _, _ := strings.Cut(imported, "/")
	if standardGo[first] {
		return noMatch
	}
	if dir == "." {
		if path.Base(to.Folder) == path.Base(imported) && strings.Contains(imported, "/") {
			return 1
		}
		return noMatch
	}
	return suffix(imported, dir)
}

// matchPython: the dotted module is the file, or the package around it; a name may be a module, too.
func matchPython(imp chunk.Import, from, to *File) int {
	have := pythonModule(to)
	match, p := pythonPath(imp, from)
	if name := nameOf(imp); name != "" && name != "*" {
		if n := match(have, path.Join(p, name)); n > 0 {
			return n + 1
		}
	}
	return match(have, p)
}

// namesModule reports whether the name that an import brings is the file itself.
func namesModule(imp chunk.Import, from, to *File) bool {
	if imp.Of == syntax.All || imp.Name == "" {
		return true
	}
	match, p := pythonPath(imp, from)
	return match(pythonModule(to), path.Join(p, nameOf(imp))) > 0
}

// pythonPath returns the path of the module that an import names, and how files are compared with it.
func pythonPath(imp chunk.Import, from *File) (match func(have, want string) int, p string) {
	module := strings.TrimLeft(imp.Path, ".")
	p = strings.ReplaceAll(module, ".", "/")
	if dots := len(imp.Path) - len(module); dots > 0 {
		return exact, path.Join(path.Dir(from.Path), strings.Repeat("../", dots-1), p)
	}
	return suffix, p
}

// pythonModule is the path of a file as imports name it.
func pythonModule(f *File) string {
	return strings.TrimSuffix(strings.TrimSuffix(f.Path, path.Ext(f.Path)), "/__init__")
}

// nameOf is what an import brings, by the name that it has where it comes from.
func nameOf(imp chunk.Import) string {
	if imp.Of != "" && imp.Of != syntax.All {
		return imp.Of
	}
	if imp.Of == syntax.All {
		return ""
	}
	return imp.Name
}

func exact(have, want string) int {
	if have == want {
		return exactMatch
	}
	return noMatch
}

// matchAlias: a path below the usual aliases of a source folder, where no file says what they stand for.
func matchAlias(imported string, to *File) int {
	have := withoutExtension(to.Path)
	for _, alias := range []string{"@/", "~/", "src/"} {
		if rest, ok := strings.CutPrefix(imported, alias); ok {
			return max(suffix(have, rest), suffix(have, withoutExtension(rest)), suffix(have, rest+"/index"))
		}
	}
	return noMatch
}

var scriptExtensions = []string{".d.ts", ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".svelte", ".vue"}

func withoutExtension(p string) string {
	for _, ext := range scriptExtensions {
		if rest, ok := strings.CutSuffix(p, ext); ok {
			return rest
		}
	}
	return p
}

// matchRust: the file of the module that the path names, or of the module around the item it names. A path that begins
// with neither crate, super nor self begins with a crate or with a module below the file that names it.
func matchRust(imp chunk.Import, from, to *File) int {
	parts := strings.Split(strings.ReplaceAll(imp.Path, " ", ""), "::")
	if !isWithin(parts[0], from, to) {
		return noMatch
	}
	for len(parts) > 0 && (parts[0] == "crate" || parts[0] == "super" || parts[0] == "self") {
		parts = parts[1:]
	}
	if len(parts) > 0 && (parts[0] == "std" || parts[0] == "core" || parts[0] == "alloc") {
		return noMatch
	}
	have := strings.TrimSuffix(to.Path, ".rs")
	for _, module := range []string{"/mod", "/lib", "/main"} {
		have = strings.TrimSuffix(have, module)
	}
	have = strings.TrimSuffix(have, "/src")
	parts = inFolder(parts, have)
	all := parts
	if imp.Name != "" && imp.Name != "*" && !isUpper(imp.Name) {
		all = append(slices.Clone(parts), imp.Name)
	}
	for _, want := range [][]string{all, parts, parts[:max(0, len(parts)-1)]} {
		if n := common(have, want); n > 0 {
			return n
		}
	}
	return noMatch
}

// inFolder puts, in place of the name of a crate at the start of a path, the folder that has it: grep_regex is in crates/regex.
func inFolder(parts []string, have string) []string {
	if len(parts) == 0 {
		return parts
	}
	for _, element := range strings.Split(have, "/") {
		plain := strings.ReplaceAll(element, "-", "_")
		if element != parts[0] && (plain == parts[0] || plain != "" && strings.HasSuffix(parts[0], "_"+plain)) {
			return append([]string{element}, parts[1:]...)
		}
	}
	return parts
}

// isWithin reports whether a path that begins with this name may lead to the file: the name is a keyword, or that of the
// file or of a folder around it, of which a crate's name may have more words, or the workspace is the crate.
func isWithin(first string, from, to *File) bool {
	if first == "crate" || first == "super" || first == "self" {
		return true
	}
	plain := func(s string) string { return strings.ReplaceAll(s, "-", "_") }
	for _, element := range append(strings.Split(strings.TrimSuffix(to.Path, ".rs"), "/"), path.Base(to.Folder)) {
		if e := plain(element); e == first || strings.HasSuffix(first, "_"+e) {
			return true
		}
	}
	// Tests, examples and the program of a crate name its library, whatever the folder is called.
	return !strings.HasPrefix(from.Path, "src/") && strings.HasPrefix(to.Path, "src/") || from.Path == "src/main.rs"
}

// common counts the last elements of want that the path have ends in, at least the last one; a crate's own name and its
// src folder stand between.
func common(have string, want []string) int {
	elements := strings.Split(have, "/")
	n := 0
	for n < len(want) && n < len(elements) && elements[len(elements)-1-n] == want[len(want)-1-n] {
		n++
	}
	return n
}

// matchInclude: the header itself, or the file of the same name that holds what the header declares.
func matchInclude(included string, from, to *File) int {
	included = strings.Trim(included, `<>"`)
	want := withoutAnyExtension(path.Clean(included))
	have := withoutAnyExtension(to.Path)
	if have == path.Join(path.Dir(from.Path), want) {
		return exactMatch
	}
	return suffix(have, strings.TrimPrefix(want, "../"))
}

func withoutAnyExtension(p string) string { return strings.TrimSuffix(p, path.Ext(p)) }

// matchPath: a path relative to the file or to some folder of the workspace.
func matchPath(imported string, from, to *File) int {
	have := withoutAnyExtension(to.Path)
	want := path.Clean(imported)
	if have == path.Join(path.Dir(from.Path), want) || to.Path == path.Join(path.Dir(from.Path), want) {
		return exactMatch
	}
	want = strings.TrimLeft(want, "./")
	return max(suffix(have, want), suffix(to.Path, want))
}

// foreign are the first elements of packages that no workspace defines.
var foreign = map[string]bool{
	"java": true, "javax": true, "kotlin": true, "kotlinx": true, "scala": true, "android": true, "System": true,
}

// matchPackage: a class is in the file of its name below the folders of its package, as far as those are there; a
// package (an import of everything, or of a function) is a folder.
func matchPackage(imp chunk.Import, to *File) int {
	parts := strings.FieldsFunc(imp.Path, func(r rune) bool { return strings.ContainsRune("._* {}", r) })
	if len(parts) == 0 || foreign[parts[0]] {
		return noMatch
	}
	have, dir := withoutAnyExtension(to.Path), path.Dir(to.Path)
	agreeing := agreeing
	if strings.HasSuffix(to.Path, ".java") {
		agreeing = agreeingWholly
	}
	if imp.Name != "*" {
		if n := agreeing(have, parts); n > 0 {
			return n + 1
		}
		if outer := parts[:len(parts)-1]; len(outer) > 0 && isUpper(outer[len(outer)-1]) && Family(to.Language) == "jvm" {
			return agreeing(have, outer) // a class inside another one, or one of its static members
		}
		if isUpper(parts[len(parts)-1]) && Family(to.Language) == "jvm" {
			return agreeing(dir, parts[:len(parts)-1]) // a class in a file of another name
		}
	}
	if n := agreeing(dir, parts); n > 0 || imp.Name == "*" {
		return n
	}
	return agreeing(dir, parts[:len(parts)-1])
}

// agreeing is common, but one element is enough only when there are no others to compare.
func agreeing(have string, want []string) int {
	n := common(have, want)
	if n == 1 && len(want) > 1 && strings.Contains(have, "/") {
		return noMatch
	}
	return n
}

// agreeingWholly is agreeing for Java, whose folders are its packages: all of the name, or of the path when the workspace
// begins inside the packages, must agree.
func agreeingWholly(have string, want []string) int {
	n := common(have, want)
	if n < len(want) && n < strings.Count(have, "/")+1 {
		return noMatch
	}
	return n
}
