package engine

import (
	"path"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/index"
)

// addImports adds one edge for each import of the document's file that lies in the workspace, and names the others.
func (n *neighbours) addImports() {
	if len(n.doc.file.Imports) == 0 {
		return
	}
	resolver := newImportResolver(n.snap)
	var found []index.Ref
	var elsewhere []string
	for _, imp := range n.doc.file.Imports {
		if ref, ok := resolver.resolve(n.doc.file, imp.Path); ok {
			found = append(found, ref)
		} else {
			elsewhere = append(elsewhere, imp.Path)
		}
	}
	n.add(found, "import", n.limit)
	if elsewhere = unique(elsewhere); len(elsewhere) > 0 {
		n.note("imports from outside the workspace: " + strings.Join(elsewhere[:min(8, len(elsewhere))], ", "))
	}
}

// An importResolver finds the files of the workspace that imports mean, by their paths alone.
type importResolver struct {
	byPath   map[string]*index.File   // relative path without extension, lower-cased
	byFolder map[string][]*index.File // relative folder
}

func newImportResolver(snap *index.Snapshot) *importResolver {
	r := &importResolver{byPath: map[string]*index.File{}, byFolder: map[string][]*index.File{}}
	for f := range snap.Files() {
		if len(f.Chunks) == 0 {
			continue
		}
		stem := strings.TrimSuffix(f.Path, path.Ext(f.Path))
		r.byPath[stem] = f
		r.byFolder[dirName(f.Path)] = append(r.byFolder[dirName(f.Path)], f)
	}
	return r
}

// resolve returns the first chunk of the file, or of the chief file of the package, that the import names.
func (r *importResolver) resolve(from *index.File, imported string) (index.Ref, bool) {
	switch languageFamily(from.Language) {
	case "go":
		return r.goPackage(from, imported)
	case "python":
		return r.module(r.pythonPath(from, imported))
	case "javascript":
		if strings.HasPrefix(imported, ".") {
			return r.module(path.Join(dirName(from.Path), imported))
		}
	}
	return index.Ref{}, false
}

// goPackage finds the longest folder that the import path ends in.
func (r *importResolver) goPackage(from *index.File, imported string) (index.Ref, bool) {
	if !strings.Contains(strings.Split(imported, "/")[0], ".") {
		// Without a dot in its first element it is the standard library, unless the folder is there by the letter.
		return r.folder(imported, from.Language)
	}
	for rest := imported; ; {
		i := strings.IndexByte(rest, '/')
		if i < 0 {
			return index.Ref{}, false
		}
		rest = rest[i+1:]
		if ref, ok := r.folder(rest, from.Language); ok {
			return ref, true
		}
	}
}

// folder returns the chief file of a package: doc.go, or the one named like the folder, or the first.
func (r *importResolver) folder(dir, language string) (index.Ref, bool) {
	var files []*index.File
	for _, f := range r.byFolder[dir] {
		if f.Language == language && !isTestFile(strings.ToLower(baseName(f.Path))) {
			files = append(files, f)
		}
	}
	if len(files) == 0 {
		return index.Ref{}, false
	}
	chief := func(f *index.File) string {
		switch stem := strings.TrimSuffix(baseName(f.Path), path.Ext(f.Path)); stem {
		case "doc":
			return "0"
		case path.Base(dir):
			return "1"
		}
		return "2" + f.Path
	}
	return index.Ref{File: slices.MinFunc(files, func(a, b *index.File) int { return strings.Compare(chief(a), chief(b)) })}, true
}

// pythonPath turns a dotted module into a path; leading dots are relative to the file.
func (r *importResolver) pythonPath(from *index.File, imported string) string {
	rest := strings.TrimLeft(imported, ".")
	p := strings.ReplaceAll(rest, ".", "/")
	if dots := len(imported) - len(rest); dots > 0 {
		return path.Join(dirName(from.Path), strings.Repeat("../", dots-1), p)
	}
	return p
}

// module returns the file at a path without extension, or the index of a folder. Names of a module (a.b.name) may end
// the path, so the folder above is tried, too.
func (r *importResolver) module(p string) (index.Ref, bool) {
	stem := strings.TrimSuffix(p, path.Ext(p))
	for _, candidate := range []string{p, stem, p + "/index", p + "/__init__", dirName(p)} {
		for _, root := range []string{"", "src/", "lib/"} {
			if f := r.byPath[root+candidate]; f != nil && candidate != "" {
				return index.Ref{File: f}, true
			}
		}
	}
	return index.Ref{}, false
}
