package graph

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Family joins the languages whose files call each other.
func Family(language string) string {
	switch language {
	case "typescript", "tsx", "javascript", "jsx", "svelte", "vue":
		return "javascript"
	case "c", "cpp":
		return "c"
	case "ocaml_interface":
		return "ocaml"
	case "java", "kotlin", "scala", "groovy":
		return "jvm"
	}
	return language
}

// A scoping says where a language finds a plain name.
type scoping struct {
	implicit bool // a plain call may mean a method of the own object
	folder   bool // what the same folder (package) defines needs no import
	global   bool // names are visible everywhere, once something loads them
	members  bool // an import of a module brings its functions
}

var scopings = map[string]scoping{
	"go":         {folder: true},
	"python":     {},
	"notebook":   {},
	"javascript": {},
	"rust":       {},
	"jvm":        {implicit: true, folder: true},
	"csharp":     {implicit: true, folder: true, global: true},
	"c":          {implicit: true, folder: true, global: true},
	"swift":      {implicit: true, folder: true, global: true},
	"ruby":       {implicit: true, folder: true, global: true},
	"elixir":     {implicit: true, global: true, members: true},
}

func scopingOf(language string) scoping {
	if s, ok := scopings[Family(language)]; ok {
		return s
	}
	return scoping{folder: true, global: true}
}

func sameFolder(a, b *File) bool { return a.Folder == b.Folder && path.Dir(a.Path) == path.Dir(b.Path) }

// samePackage is sameFolder, also across the source roots of a build, src/main/java/shop and src/test/java/shop, and whatever the
// folders of files that say of which package they are.
func samePackage(a, b *File) bool {
	if sameFolder(a, b) || sharesPackage(a, b) {
		return true
	}
	return a.Folder == b.Folder && Family(a.Language) == "jvm" && belowRoot(a.Path) != "" && belowRoot(a.Path) == belowRoot(b.Path)
}

// belowRoot is the folder of a file below the source root of its build, "" without one.
func belowRoot(file string) string {
	dir := path.Dir(file)
	for _, root := range []string{"/java/", "/kotlin/", "/scala/", "/groovy/"} {
		if _, rest, ok := strings.Cut(dir, root); ok {
			return rest
		}
	}
	return ""
}

// last is the last part of a dotted name.
func last(qualified string) string { return qualified[strings.LastIndexByte(qualified, '.')+1:] }

// stem is a file's name without extension.
func stem(file string) string {
	base := path.Base(file)
	if ext := path.Ext(base); ext != base {
		return strings.TrimSuffix(base, ext)
	}
	return base
}

func isUpper(name string) bool {
	r, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(r)
}
