package index

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/graph"
	"github.com/aurora-sidecar/aurora/internal/text"
)

func hashOf(s string) [32]byte { return sha256.Sum256([]byte(s)) }

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func runGit(dir string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

// words are what names and texts of the playground are made of: few, so that files refer to each other, and so that the last
// file with a word goes now and then.
var playWords = []string{"order", "invoice", "customer", "parse", "render", "kernel", "größe", "naïveté", "账单", "header", "buffer", "cache"}

func (p *playground) name() string {
	return p.pick(playWords[:6]) + strings.ToUpper(p.pick([]string{"x", "y", "z"})) + p.pick(playWords[9:])
}

// declaration is a function that calls another one, in the language of the file.
func (p *playground) declaration(path string) string {
	name, callee, word := p.name(), p.name(), p.pick(playWords)
	switch filepath.Ext(path) {
	case ".go":
		return fmt.Sprintf("\n// %s 😀 %s.\nfunc %s(a int) int {\n\treturn %s(a) // %s\n}\n", name, word, name, callee, word)
	case ".py":
		return fmt.Sprintf("\ndef %s(a):\n    \"\"\"%s 😀\"\"\"\n    return %s(a)\n", name, word, callee)
	case ".ts":
		return fmt.Sprintf("\nexport function %s(a: number) {\r\n  return %s(a) // %s é\r\n}\r\n", name, callee, word)
	case ".java":
		return fmt.Sprintf("\nclass %s extends %s {\n  int %s() { return %s(); } // %s\n}\n", name, p.name(), name, callee, word)
	case ".rs":
		return fmt.Sprintf("\n/// %s\nfn %s(a: u8) -> u8 { %s(a) }\n", word, name, callee)
	case ".cs":
		return fmt.Sprintf("\nclass %s : %s { void %s() { %s(); } } // %s\n", name, p.name(), name, callee, word)
	case ".md":
		return fmt.Sprintf("\n## %s\n\n%s `%s` 😀.\n", name, word, callee)
	}
	return name + " " + word + " 😀\r\n"
}

// content is a whole file: sometimes empty, sometimes no text, sometimes in UTF-16.
func (p *playground) content(path string) []byte {
	var b strings.Builder
	if filepath.Ext(path) == ".go" {
		b.WriteString("package play\n")
	}
	for range p.rng.IntN(5) {
		b.WriteString(p.declaration(path))
	}
	switch p.rng.IntN(20) {
	case 0:
		return []byte("\x00\x01binary\x00\x02")
	case 1:
		out := []byte{0xff, 0xfe}
		for _, u := range utf16.Encode([]rune(b.String())) {
			out = binary.LittleEndian.AppendUint16(out, u)
		}
		return out
	case 2:
		return []byte("\ufeff" + b.String())
	}
	return []byte(b.String())
}

// compare returns how the index differs from one that is made now, with the same buffers open.
func (p *playground) compare() []string {
	fresh, err := Open(p.t.Context(), Options{Folders: []string{p.root}, NoWatch: true, Embedder: model(p.t)})
	if err != nil {
		p.t.Fatal(err)
	}
	defer fresh.Shutdown()
	p.showBuffers(fresh)
	if err := fresh.WaitReady(deadline(p.t)); err != nil {
		p.t.Fatal(err)
	}
	flush(p.t, fresh)
	return compareLists(describe(p.x), describe(fresh))
}

// compareLists returns the lines that only one of them has.
func compareLists(got, want []string) []string {
	has := map[string]int{}
	for _, line := range want {
		has[line]++
	}
	var diffs []string
	for _, line := range got {
		if has[line]--; has[line] < 0 {
			diffs = append(diffs, "- "+line)
		}
	}
	for _, line := range slices.Sorted(maps.Keys(has)) {
		if has[line] > 0 {
			diffs = append(diffs, "+ "+line)
		}
	}
	return diffs
}

// describe returns all that can be asked of an index: what there is, by which words and names it is found, with which scores,
// and how it hangs together.
func describe(x *Index) []string {
	s, status := x.Snapshot(), x.Status()
	status.Counts.Failed = len(x.Failures())
	lines := []string{fmt.Sprintf("counts %+v, languages %v", status.Counts, status.Languages)}
	for _, f := range status.Folders {
		lines = append(lines, fmt.Sprintf("folder %s: %d files %s", f.Path, f.Files, f.Refused))
	}
	words, names := map[string]bool{}, map[string]bool{}
	links := s.Links()
	g := graph.New(links)
	for f := range s.Files() {
		lines = append(lines, describeFile(x, f, words, names)...)
		for i := range f.Chunks {
			lines = append(lines, describeEdges(g, links.Node(Ref{File: f, Index: i}))...)
		}
	}
	for _, w := range sortedKeys(words) {
		lines = append(lines, describeSearch(s, w))
		lines = append(lines, describeNear(s, w)...)
	}
	for _, n := range sortedKeys(names) {
		lines = append(lines, describeNames(s, n))
	}
	for _, q := range []string{"order customer", "where is the invoice rendered", "parseXheader", "größe naïveté cache", "账单 buffer"} {
		lines = append(lines, describeSearch(s, q))
	}
	return lines
}

func describeFile(x *Index, f *File, words, names map[string]bool) []string {
	lines := []string{fmt.Sprintf("file %s %s: %x, %d bytes, open %v %d, %x", f.Folder, f.Path, f.Hash[:4], f.Size, f.Overlay, f.Version, sha256.Sum256(chunk.Encode(f.File)))}
	for i := range f.Chunks {
		c := &f.Chunks[i]
		content, fresh, ok := x.Read(Ref{File: f, Index: i})
		lines = append(lines, fmt.Sprintf("chunk %s: %v %v %q, vector %x", c.ID(f.Path), c.Span, ok, fresh.Chunk().Span.In(content), hashOf(fmt.Sprint(x.Snapshot().Vector(Ref{File: f, Index: i})))))
		names[c.Name] = true
		for _, call := range c.Calls {
			names[call.Name] = true
		}
		for _, w := range text.Tokenize(f.Path + " " + string(c.Span.In(content))) {
			words[w] = true
		}
	}
	for _, w := range playWords {
		words[w] = true
	}
	return lines
}

func describeEdges(g *graph.Graph, n graph.Node) []string {
	callers, more := g.Callers(n)
	var lines []string
	for kind, edges := range map[string][]graph.Edge{"callees": g.Callees(n), "callers": callers, "supertypes": g.Supertypes(n), "subtypes": g.Subtypes(n), "tests": g.Tests(n)} {
		for _, e := range edges {
			lines = append(lines, fmt.Sprintf("%s of %s: %s %.4f %s, more %v", kind, n.ID(), e.To.ID(), e.Confidence, e.Why, more))
		}
	}
	return lines
}

func describeSearch(s *Snapshot, query string) string {
	found := s.Find(Query{Text: query, Limit: 1000})
	slices.SortFunc(found.Hits, func(a, b Hit) int { return cmp.Compare(a.ID(), b.ID()) })
	var b strings.Builder
	fmt.Fprintf(&b, "search %q: %d, unknown %v, idf %.6v:", query, found.Total, found.Unknown, found.IDF)
	for _, h := range found.Hits {
		fmt.Fprintf(&b, " %s %.6f %v;", h.ID(), h.BM25, h.Matched)
	}
	return b.String()
}

// describeNear asks for a word with a typing error.
func describeNear(s *Snapshot, word string) []string {
	runes := []rune(word)
	if len(runes) < 5 {
		return nil
	}
	typo := string(runes[:3]) + "q" + string(runes[4:])
	near, ok := s.NearWord(typo)
	return []string{fmt.Sprintf("near %q: %q %v, names %v", typo, near, ok, s.Near(typo, 10)), fmt.Sprintf("names like %q: %v", word[:2], s.Suggest(word[:2], 10))}
}

func describeNames(s *Snapshot, name string) string {
	var named, callers []string
	for _, r := range s.Named(name, true) {
		named = append(named, r.ID())
	}
	for _, r := range s.Callers(name, 0) {
		callers = append(callers, r.ID())
	}
	slices.Sort(named)
	slices.Sort(callers)
	return fmt.Sprintf("name %s: defined %v, called %v", name, named, callers)
}
