package graph_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/graph"
)

// A workspace is an index over files in a temporary folder.
type workspace struct {
	snap  *index.Snapshot
	links *index.Links
	graph *graph.Graph
}

// openWorkspace indexes files in groups, one after the other, so that later groups come into a picture that is there.
func openWorkspace(t testing.TB, groups ...[]txtar.File) *workspace {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	x, err := index.Open(ctx, index.Options{Folders: []string{dir}, NoWatch: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := x.Shutdown(); err != nil {
			t.Error(err)
		}
	}()
	for _, files := range groups {
		for _, f := range files {
			path := filepath.Join(dir, filepath.FromSlash(f.Name))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, f.Data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := x.Refresh(ctx, nil, false); err != nil {
			t.Fatal(err)
		}
		if err := x.WaitReady(ctx); err != nil {
			t.Fatal(err)
		}
		if err := x.Flush(ctx); err != nil {
			t.Fatal(err)
		}
	}
	snap := x.Snapshot()
	links := snap.Links()
	return &workspace{snap, links, graph.New(links)}
}

// nodes returns every chunk that has a name.
func (w *workspace) nodes() []graph.Node {
	var nodes []graph.Node
	for f := range w.snap.Files() {
		for i := range f.Chunks {
			if f.Chunks[i].Name != "" {
				nodes = append(nodes, w.links.Node(index.Ref{File: f, Index: i}))
			}
		}
	}
	return nodes
}

func (w *workspace) node(t testing.TB, name string) graph.Node {
	t.Helper()
	for _, n := range w.nodes() {
		if label(n) == name {
			return n
		}
	}
	t.Fatalf("no chunk %s", name)
	return graph.Node{}
}

func label(n graph.Node) string { return n.File.Path + ":" + n.Chunk().QualifiedName() }

func labels(edges []graph.Edge) []string {
	var out []string
	for _, e := range edges {
		out = append(out, label(e.To))
	}
	slices.Sort(out)
	return out
}

// archive splits a fixture into its files and its truth.
func archive(t testing.TB, path string) (files []txtar.File, truth []string) {
	t.Helper()
	a, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range a.Files {
		if f.Name == "truth" {
			truth = strings.Split(strings.TrimSpace(string(f.Data)), "\n")
			continue
		}
		files = append(files, f)
	}
	return files, truth
}

// topCalls returns, for every chunk and every name it calls, the surest edge, as "from to".
func (w *workspace) topCalls() map[string]graph.Edge {
	top := map[string]graph.Edge{}
	for _, from := range w.nodes() {
		seen := map[string]bool{}
		for _, e := range w.graph.Callees(from) { // the surest first
			if name := e.To.Chunk().Name; !seen[name] {
				seen[name] = true
				top[label(from)+" "+label(e.To)] = e
			}
		}
	}
	return top
}

// TestCallsAgainstTruth counts how many of the calls that people marked in testdata/calls the graph finds, and how
// many of the edges it finds are among them.
func TestCallsAgainstTruth(t *testing.T) {
	fixtures, err := filepath.Glob("testdata/calls/*.txtar")
	if err != nil || len(fixtures) == 0 {
		t.Fatal("no fixtures", err)
	}
	right, found, marked := 0, 0, 0
	for _, fixture := range fixtures {
		t.Run(filepath.Base(fixture), func(t *testing.T) {
			files, truth := archive(t, fixture)
			w := openWorkspace(t, files)
			top := w.topCalls()
			marked += len(truth)
			for _, edge := range slices.Sorted(maps.Keys(top)) {
				found++
				if slices.Contains(truth, edge) {
					right++
				} else {
					t.Logf("not marked: %s (%.2f, %s)", edge, top[edge].Confidence, top[edge].Why)
				}
			}
			for _, edge := range truth {
				if _, ok := top[edge]; !ok {
					t.Logf("missing: %s", edge)
				}
			}
		})
	}
	precision, recall := float64(right)/float64(found), float64(right)/float64(marked)
	t.Logf("%d marked calls: precision of the top edge %.3f, recall %.3f", marked, precision, recall)
	if precision < 0.97 || recall < 0.95 {
		t.Errorf("precision %.3f, recall %.3f; want at least 0.97 and 0.95 (run with -v to see which)", precision, recall)
	}
}

// TestCallersMirrorCallees: an edge is the same from both of its ends.
func TestCallersMirrorCallees(t *testing.T) {
	fixtures, err := filepath.Glob("testdata/calls/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, fixture := range fixtures {
		files, _ := archive(t, fixture)
		w := openWorkspace(t, files)
		forth, back := map[string]bool{}, map[string]bool{}
		for _, n := range w.nodes() {
			for _, e := range w.graph.Callees(n) {
				forth[fmt.Sprintf("%s %s %.3f", label(n), label(e.To), e.Confidence)] = true
			}
			edges, more := w.graph.Callers(n)
			if more {
				t.Errorf("%s: too many callers", label(n))
			}
			for _, e := range edges {
				back[fmt.Sprintf("%s %s %.3f", label(e.To), label(n), e.Confidence)] = true
			}
		}
		for edge := range forth {
			if !back[edge] {
				t.Errorf("%s: %s is no caller's edge", fixture, edge)
			}
		}
	}
}

// TestOrderOfIndexingDoesNotMatter indexes the same files in several orders and compares every edge.
func TestOrderOfIndexingDoesNotMatter(t *testing.T) {
	var files []txtar.File
	fixtures, err := filepath.Glob("testdata/calls/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, fixture := range fixtures {
		some, _ := archive(t, fixture)
		for _, f := range some {
			files = append(files, txtar.File{Name: strings.TrimSuffix(filepath.Base(fixture), ".txtar") + "/" + f.Name, Data: f.Data})
		}
	}
	all := openWorkspace(t, files).everything()
	if len(all) < 100 {
		t.Fatalf("only %d edges", len(all))
	}
	for _, step := range []int{3, 7, 13} {
		var groups [][]txtar.File
		for first := range step {
			var group []txtar.File
			for i := len(files) - 1 - first; i >= 0; i -= step {
				group = append(group, files[i])
			}
			groups = append(groups, group)
		}
		got := openWorkspace(t, groups...).everything()
		for i, edge := range all {
			if i >= len(got) || got[i] != edge {
				t.Fatalf("in %d groups edge %d is %q, want %q", step, i, got[min(i, len(got)-1)], edge)
			}
		}
	}
}

// everything lists every edge of a workspace in the order in which questions give them.
func (w *workspace) everything() []string {
	nodes := w.nodes()
	slices.SortFunc(nodes, func(a, b graph.Node) int { return strings.Compare(a.ID(), b.ID()) })
	var out []string
	add := func(n graph.Node, question string, edges []graph.Edge) {
		for _, e := range edges {
			out = append(out, fmt.Sprintf("%s %s %s %.4f %s", question, n.ID(), e.To.ID(), e.Confidence, e.Why))
		}
	}
	for _, n := range nodes {
		callers, _ := w.graph.Callers(n)
		imports, _ := w.graph.Imports(n.File)
		add(n, "callers", callers)
		add(n, "callees", w.graph.Callees(n))
		add(n, "imports", imports)
		add(n, "importers", w.graph.Importers(n.File))
		add(n, "supertypes", w.graph.Supertypes(n))
		add(n, "subtypes", w.graph.Subtypes(n))
		add(n, "tests", w.graph.Tests(n))
	}
	return out
}
