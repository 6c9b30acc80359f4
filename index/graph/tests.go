package graph

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/syntax"
)

// How sure it is that something is a test by its name alone.
const (
	sureTestName = 0.9 // TestParse in the folder of Parse
	sureTestFile = 0.6 // parse_test beside parse
)

// NamedAfterFile begins the Edge.Why of a test file that is one by its name alone; the edge leads to its first
// definition.
const NamedAfterFile = "its file is named after "

// Tests returns the tests of a definition, or, for a test, what it tests; the surest first. A test calls what it
// tests, or is named after it.
func (g *Graph) Tests(n Node) []Edge {
	if syntax.IsTest(n.File.Path) {
		return testFinder{g}.tested(n)
	}
	var edges []Edge
	callers, _ := g.Callers(n)
	for _, e := range callers {
		switch {
		case !syntax.IsTest(e.To.File.Path):
		case slices.Contains(testNames(n.Chunk()), e.To.Chunk().Name):
			edges = append(edges, newEdge(e.To, Test, both(e.Confidence, sureTestName), "calls it and is named after it"))
		default:
			edges = append(edges, newEdge(e.To, Test, e.Confidence, "calls it from a test"))
		}
	}
	edges = append(edges, testFinder{g}.namedTests(n)...)
	edges = append(edges, testFinder{g}.testFiles(n, edges)...)
	return settle(edges)
}

// both is how sure two signs make together that know nothing of each other.
func both(a, b float64) float64 { return 1 - (1-a)*(1-b) }

// A testFinder finds what tests a definition, and what a test is about.
type testFinder struct{ graph *Graph }

// tested returns what a test calls outside of tests, that first which it is named after.
func (g testFinder) tested(n Node) []Edge {
	var edges []Edge
	for _, e := range g.graph.Callees(n) {
		if syntax.IsTest(e.To.File.Path) {
			continue
		}
		confidence, why := e.Confidence, "the test calls it"
		if slices.Contains(testNames(e.To.Chunk()), n.Chunk().Name) {
			confidence, why = both(confidence, sureTestName), "the test calls it and is named after it"
		}
		edges = append(edges, newEdge(e.To, Test, confidence, why))
	}
	for _, subject := range subjects(n.Chunk().Name) {
		for _, to := range g.graph.definitions(subject) {
			if to.Chunk().Type == chunk.Method || !g.near(n.File, to.File) || syntax.IsTest(to.File.Path) {
				continue
			}
			edges = append(edges, newEdge(to, Test, sureTestName, "the test is named after it"))
		}
	}
	return settle(edges)
}

// namedTests returns the tests that are named after a definition and stand near it.
func (g testFinder) namedTests(n Node) []Edge {
	var edges []Edge
	for _, name := range testNames(n.Chunk()) {
		for _, to := range g.graph.definitions(name) {
			if syntax.IsTest(to.File.Path) && g.near(to.File, n.File) {
				edges = append(edges, newEdge(to, Test, sureTestName, "is named after it"))
			}
		}
	}
	return edges
}

// near reports whether a test can well be one of a file: the same folder, an import, or the file's name.
func (g testFinder) near(test, file *File) bool {
	if test.Folder != file.Folder || Family(test.Language) != Family(file.Language) {
		return false
	}
	if samePackage(test, file) || slices.Contains(testStems(file), stem(test.Path)) {
		return true
	}
	return slices.ContainsFunc(test.Imports, func(imp chunk.Import) bool { return g.graph.isBest(imp, test, file) })
}

// testNames are the names that a test of the chunk would have; a chunk without a name has none.
func testNames(c *chunk.Chunk) []string {
	name, own := c.Name, last(c.Container)
	if name == "" {
		return nil
	}
	snake := snakeCase(name)
	names := []string{
		"Test" + upperFirst(name), "Test_" + name, "test_" + snake, "test" + upperFirst(name), name + "Test", name + "Tests", name + "Spec",
	}
	if own != "" {
		names = append(names, "Test"+upperFirst(own)+"_"+name, "Test"+upperFirst(own)+upperFirst(name), "test_"+snakeCase(own)+"_"+snake)
	}
	return names
}

// subjects are what a test of this name would test.
func subjects(test string) []string {
	var out []string
	for _, prefix := range []string{"Test_", "test_", "Test", "test"} {
		if rest, ok := strings.CutPrefix(test, prefix); ok && rest != "" {
			out = append(out, rest)
			if i := strings.LastIndexByte(rest, '_'); i > 0 && isUpper(rest) {
				out = append(out, rest[i+1:], rest[:i])
			}
			break
		}
	}
	for _, ending := range []string{"Tests", "Test", "Spec"} {
		if rest, ok := strings.CutSuffix(test, ending); ok && rest != "" {
			out = append(out, rest)
			break
		}
	}
	for _, s := range slices.Clone(out) {
		r := []rune(s)
		r[0] = unicode.ToLower(r[0])
		out = append(out, string(r))
	}
	return out
}

// testFiles returns the files that are named as tests of the chunk's file, without those that have an edge already.
func (g testFinder) testFiles(n Node, edges []Edge) []Edge {
	var out []Edge
	stems := testStems(n.File)
	for _, f := range g.graph.src.FilesLike(stem(n.File.Path)) {
		if f.Folder != n.File.Folder || Family(f.Language) != Family(n.File.Language) || len(f.Chunks) == 0 ||
			!syntax.IsTest(f.Path) || !slices.Contains(stems, stem(f.Path)) || !related(f, n.File) ||
			slices.ContainsFunc(edges, func(e Edge) bool { return e.To.File == f }) {
			continue
		}
		out = append(out, newEdge(firstDefinition(f), Test, sureTestFile, NamedAfterFile+path.Base(n.File.Path)))
	}
	return out
}

// related reports whether the folders of a test and of a file belong together: the same one, a folder for tests beside
// or in it, or two trees of the same shape (src/main and src/test, src/jvmMain and
// src/jvmTest).
func related(test, file *File) bool {
	inner := func(dir string) string {
		var kept []string
		for _, d := range strings.Split(dir, "/") {
			if !syntax.IsTestFolder(d) && d != "src" && d != "main" && !strings.HasSuffix(d, "Main") && d != "lib" && d != "." && d != "app" {
				kept = append(kept, d)
			}
		}
		return strings.Join(kept, "/")
	}
	a, b := inner(path.Dir(test.Path)), inner(path.Dir(file.Path))
	return a == b || strings.HasSuffix(b, "/"+a) || strings.HasSuffix(a, "/"+b) || a == ""
}

// testStems are the names, without extension, of a file's tests.
func testStems(f *File) []string {
	s := stem(f.Path)
	return []string{s + "_test", "test_" + s, s + ".test", s + ".spec", s + "-test", s + "Test", s + "Tests", s + "Spec", s + "_spec", "spec_" + s}
}

func firstDefinition(f *File) Node {
	for i := range f.Chunks {
		if c := &f.Chunks[i]; c.Name != "" && c.Type != chunk.Code {
			return Node{f, i}
		}
	}
	return Node{f, 0}
}

func upperFirst(name string) string {
	r := []rune(name)
	r[0] = unicode.ToUpper(r[0])
	return string(r)
}

// snakeCase writes loadCart as load_cart.
func snakeCase(name string) string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) {
			if i > 0 && !strings.HasSuffix(b.String(), "_") {
				b.WriteByte('_')
			}
			r = unicode.ToLower(r)
		}
		b.WriteRune(r)
	}
	return b.String()
}
