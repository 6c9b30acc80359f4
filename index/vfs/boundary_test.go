package vfs

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// expectScan compares a scan with the paths wanted, and every verdict with the scan.
func expectScan(t *testing.T, w *tree, o FilterOptions, want ...string) *Filter {
	t.Helper()
	f := w.filter(o)
	got, report := w.scan(f)
	if !slices.Equal(got, want) || len(report.Problems) > 0 {
		t.Errorf("%+v\ngot  %q\nwant %q\nreport %+v", o, got, want, report)
	}
	checkAgrees(t, w, f, got)
	return f
}

// both runs a test in a folder without git and in a repository.
func both(t *testing.T, test func(t *testing.T, w *tree)) {
	t.Run("without git", func(t *testing.T) { test(t, newTree(t)) })
	t.Run("with git", func(t *testing.T) {
		w := newTree(t)
		w.git("", "init", "-q")
		test(t, w)
	})
}

func TestWatchPaths(t *testing.T) {
	both(t, func(t *testing.T, w *tree) {
		for _, rel := range []string{"src/a.go", "src/main/b.go", "srcs/c.go", "docs/d.md", "build/e.go", ".hidden/f.go", "g.go", "lib/h.go"} {
			w.write(rel, "x")
		}
		expectScan(t, w, FilterOptions{WatchPaths: []string{"src/", w.path("docs")}}, "docs/d.md", "src/a.go", "src/main/b.go")
		expectScan(t, w, FilterOptions{WatchPaths: []string{"."}}, ".hidden/f.go", "docs/d.md", "g.go", "lib/h.go", "src/a.go", "src/main/b.go", "srcs/c.go")
		expectScan(t, w, FilterOptions{WatchPaths: []string{"build", ".hidden", "g.go"}}, ".hidden/f.go", "build/e.go", "g.go")
		expectScan(t, w, FilterOptions{WatchPaths: []string{"auto"}}, "docs/d.md", "g.go", "lib/h.go", "src/a.go", "src/main/b.go", "srcs/c.go")

		f := w.filter(FilterOptions{WatchPaths: []string{"src"}})
		if v := f.Check(context.Background(), "lib/h.go", 1, 0); v.Reason != OutsideWatch || v.Rule != "not below a watch path: src" {
			t.Errorf("verdict %+v", v)
		}
		if !f.SkipDir(w.path("lib")) || f.SkipDir(w.path("src/main")) {
			t.Error("the watcher looks into the wrong folders")
		}
	})
}

func TestWatchPathsAreChecked(t *testing.T) {
	w := newTree(t)
	w.write("src/main/a.go", "x")
	w.write("file.go", "x")
	w.link("/etc", "outer")
	for _, tt := range []struct {
		paths    []string
		warnings []string // a part of each
		fatal    bool
	}{
		{paths: []string{"src"}},
		{paths: []string{"src", "src/main"}, warnings: []string{"watch paths src and src/main overlap: src alone is enough"}},
		{paths: []string{"src", "src/"}, warnings: []string{"watch paths src and src overlap"}},
		{paths: []string{"src", "later"}, warnings: []string{"watch path later does not exist (yet)"}},
		{paths: []string{"src", "auto"}, warnings: []string{`"auto" has to stand alone`}},
		{paths: []string{"src", "~/x"}, warnings: []string{"watch path ~/x is not used: a place in the home folder must be written as an absolute path"}},
		{paths: []string{"src", "$HOME/x"}, warnings: []string{"absolute path"}},
		{paths: []string{"src", "../x"}, warnings: []string{"lies outside of the workspace folder"}},
		{paths: []string{"src", "outer"}, warnings: []string{"it is a system folder"}},
		{paths: []string{"/"}, warnings: []string{"the root of the file system"}, fatal: true},
		{paths: []string{"/etc"}, warnings: []string{"a system folder"}, fatal: true},
		{paths: []string{"nowhere"}, warnings: []string{"does not exist"}, fatal: true},
		{paths: []string{"../a", "../b"}, warnings: []string{"../a", "../b"}, fatal: true},
	} {
		f := w.filter(FilterOptions{WatchPaths: tt.paths})
		got := f.Warnings()
		if len(got) != len(tt.warnings) {
			t.Errorf("%q: warnings %q, want %q", tt.paths, got, tt.warnings)
			continue
		}
		for i := range got {
			if !strings.Contains(got[i], tt.warnings[i]) {
				t.Errorf("%q: warning %q, want %q", tt.paths, got[i], tt.warnings[i])
			}
		}
		if err := f.Err(); (err != nil) != tt.fatal || tt.fatal && !(errors.Is(err, ErrRefused) && strings.Contains(err.Error(), "index.watch_paths")) {
			t.Errorf("%q: error %v", tt.paths, err)
		}
	}
}

// TestAutoKeepsWhatGitTracks: auto leaves out hidden folders and build output, but nothing that git tracks.
func TestAutoKeepsWhatGitTracks(t *testing.T) {
	w := newTree(t)
	w.git("", "init", "-q")
	w.write(".gitignore", "/forced/\n")
	tracked := []string{".config/nvim/init.lua", ".dotfiles/bashrc", ".github/workflows/ci.yml", ".gitignore", "dist/app.js", "forced/x.go", "odd place/a.go", "x.go"}
	for _, rel := range tracked[:len(tracked)-1] {
		if rel != ".gitignore" {
			w.write(rel, "x")
		}
	}
	w.write("x.go", "x")
	w.git("", "add", "-f", ".")
	w.write(".scratch/new.go", "x")
	w.write(".github/new.yml", "x")
	w.write(".dotfiles/zshrc", "x")
	want := append([]string{".dotfiles/zshrc", ".github/new.yml"}, tracked...)
	slices.Sort(want)
	f := expectScan(t, w, FilterOptions{}, want...)
	if v := f.Check(context.Background(), ".scratch/new.go", 1, 0); !strings.HasPrefix(v.Rule, "hidden folder: .scratch") {
		t.Errorf("verdict %+v", v)
	}
}

func TestDetect(t *testing.T) {
	for want, files := range map[string][]string{
		".git":            {".git/HEAD", "go.mod", "src/x"},
		"package.json":    {"package.json", "go.mod"},
		"go.mod":          {"go.mod", "README.md"},
		"src/ and tests/": {"src/a.py", "tests/b.py", "README.md"},
		"build output":    {"target/x"},
		"README.md":       {"README.md"},
		"":                {"notes.txt"},
	} {
		w := newTree(t)
		for _, rel := range files {
			w.write(rel, "x")
		}
		if d := Detect(w.dir); d.By != want || d.String() == "" {
			t.Errorf("%q: detected %+v, want %q", files, d, want)
		}
	}
}

func TestExtensions(t *testing.T) {
	both(t, func(t *testing.T, w *tree) {
		for _, rel := range []string{"a.ts", "a.d.ts", "A.TS", "b.go", "Makefile", "c.png", "d.min.js", "e.js", ".eslintrc"} {
			w.write(rel, "x")
		}
		expectScan(t, w, FilterOptions{}, ".eslintrc", "A.TS", "Makefile", "a.d.ts", "a.ts", "b.go", "d.min.js", "e.js")
		expectScan(t, w, FilterOptions{BlockExtensions: []string{"D.ts", ".min.js"}}, ".eslintrc", "A.TS", "Makefile", "a.ts", "b.go", "e.js")
		expectScan(t, w, FilterOptions{Extensions: []string{"ts", ".png"}, BlockExtensions: []string{".d.ts"}}, "A.TS", "a.ts", "c.png")
	})
}

func TestIgnoreCase(t *testing.T) {
	both(t, func(t *testing.T, w *tree) {
		w.write("Temp/a.go", "x")
		w.write("b.LOG", "x")
		w.write("c.go", "x")
		expectScan(t, w, FilterOptions{Ignore: []string{"temp/", "*.log"}}, "c.go")
	})
}

func TestSizeExceptions(t *testing.T) {
	both(t, func(t *testing.T, w *tree) {
		big := strings.Repeat("select 1;\n", 20)
		for _, rel := range []string{"data/schema.sql", "data/other.sql", "docs/api.md"} {
			w.write(rel, big)
		}
		o := FilterOptions{MaxSize: 100, SizeExceptions: []string{"data/schema.sql", "docs/"}}
		f := expectScan(t, w, o, "data/schema.sql", "docs/api.md")
		if c, err := f.Read(w.path("data/schema.sql")); err != nil || len(c.Text) != len(big) {
			t.Errorf("read an exception: %v", err)
		}
		if _, err := f.Read(w.path("data/other.sql")); !errors.Is(err, ErrTooLarge) {
			t.Errorf("read a file that is too large: %v", err)
		}
	})
}

func TestBinaryDetection(t *testing.T) {
	w := newTree(t)
	files := map[string]string{
		"text.go":   "package a\n",
		"named.png": "package a\n",
		"signed":    "%PDF-1.7 all of it text",
		"bytes":     "a\x00b",
		"odd":       strings.Repeat("a", 80) + strings.Repeat("\x01", 20),
		"BM.txt":    "BM and RIFF open words, too",
	}
	for name, text := range files {
		w.write(name, text)
	}
	f := w.filter(FilterOptions{})
	var texts []string
	paths, _ := w.scan(f)
	for _, rel := range paths {
		if _, err := f.Read(w.path(rel)); err == nil {
			texts = append(texts, rel)
		} else if !errors.Is(err, ErrBinary) {
			t.Error(err)
		}
	}
	if got, want := strings.Join(texts, " "), "BM.txt odd text.go"; got != want {
		t.Errorf("texts %s, want %s", got, want)
	}
}

func TestSymlinks(t *testing.T) {
	both(t, func(t *testing.T, w *tree) {
		outside := t.TempDir()
		if err := os.WriteFile(filepath.Join(outside, "secret.go"), []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
		w.write("src/a.go", "x")
		w.write("build/gen/b.go", "x")
		w.write("build/other.go", "x")
		w.write("lib/c.go", "x")
		w.link("../build/gen", "src/gen") // build output that somebody means
		w.link(outside, "src/outside")
		w.link("../lib/c.go", "src/c.go")
		w.link("..", "src/up")     // a loop
		w.link("self", "src/self") // another
		w.link("nowhere", "src/dangling")
		w.link("../lib", "src/l4")
		for n := 3; n >= 1; n-- {
			w.link("l"+string(rune('0'+n+1)), "src/l"+string(rune('0'+n)))
		}
		expectScan(t, w, FilterOptions{}, "lib/c.go", "src/a.go")
		f := expectScan(t, w, FilterOptions{FollowSymlinks: true}, "build/gen/b.go", "lib/c.go", "src/a.go")
		for link, want := range map[string]string{
			"src/outside":  "symbolic link that leads out of the workspace folder",
			"src/dangling": "symbolic link that leads nowhere",
			"src/self":     "symbolic link that leads through more than 3 links",
			"src/l1":       "symbolic link that leads through more than 3 links",
			"src/l2":       "symbolic link to lib, which counts by its own path",
			"src/c.go":     "symbolic link to lib/c.go, which counts by its own path",
		} {
			if v := f.Explain(context.Background(), w.path(link)); v.Indexed || !strings.HasPrefix(v.Rule, want) {
				t.Errorf("%s: %+v, want %q", link, v, want)
			}
		}
		if f.SkipDir(w.path("build/gen")) || !f.SkipDir(w.path("dist")) {
			t.Error("the watcher does not look where links lead")
		}
		// Nothing outside of the watch paths is reached.
		f = expectScan(t, w, FilterOptions{FollowSymlinks: true, WatchPaths: []string{"src"}}, "src/a.go")
		if v := f.Explain(context.Background(), w.path("src/c.go")); v.Rule != "symbolic link that leads out of the watch paths" {
			t.Errorf("verdict %+v", v)
		}
	})
}

func TestProjects(t *testing.T) {
	both(t, func(t *testing.T, w *tree) {
		for _, rel := range []string{"backend/src/a.go", "backend/src/a.gen.go", "backend/x.go", "frontend/src/b.ts", "frontend/src/b.gen.ts", "frontend/src/kit/c.ts", "top.go"} {
			w.write(rel, "x")
		}
		projects := map[string]Project{
			"backend":  {WatchPaths: []string{"backend/src/"}, Ignore: []string{"*.gen.go"}},
			"frontend": {WatchPaths: []string{"frontend", "/elsewhere"}},
			"kit":      {WatchPaths: []string{"frontend/src/kit"}},
		}
		f := expectScan(t, w, FilterOptions{Projects: projects},
			"backend/src/a.go", "backend/x.go", "frontend/src/b.gen.ts", "frontend/src/b.ts", "frontend/src/kit/c.ts", "top.go")
		for rel, want := range map[string]string{
			"backend/src/a.go": "backend", "backend/x.go": "", "frontend/src/b.ts": "frontend", "frontend/src/kit/c.ts": "kit", "top.go": "",
		} {
			if got := f.Project(rel); got != want {
				t.Errorf("%s belongs to %q, want %q", rel, got, want)
			}
		}
		if v := f.Check(context.Background(), "backend/src/a.gen.go", 1, 0); v.Rule != "ignore pattern of project backend: *.gen.go" {
			t.Errorf("verdict %+v", v)
		}
		if len(f.Warnings()) > 0 {
			t.Errorf("warnings %q", f.Warnings())
		}
		// Watch paths of the folder and of the projects add up.
		expectScan(t, w, FilterOptions{Projects: projects, WatchPaths: []string{"top.go"}},
			"backend/src/a.go", "frontend/src/b.gen.ts", "frontend/src/b.ts", "frontend/src/kit/c.ts", "top.go")
	})
}

// TestBoundaryExamples reproduces the three examples of the specification.
func TestBoundaryExamples(t *testing.T) {
	both(t, func(t *testing.T, w *tree) {
		for _, rel := range []string{
			"src/api.go", "docs/api.md", "build/api.o.txt", "services/a/main.ts", "services/a/main.test.ts", "services/a/node_modules/x/i.js",
			"services/dist/bundle.ts", "shared/lib/u.ts", "shared/other.ts", "tests/t.go", "README.md",
		} {
			w.write(rel, "x")
		}
		expectScan(t, w, FilterOptions{WatchPaths: []string{"src", "docs"}, Ignore: []string{"build", ".git"}}, "docs/api.md", "src/api.go")
		expectScan(t, w, FilterOptions{WatchPaths: []string{"services", "shared/lib"}, Ignore: []string{"node_modules", "*/dist", "*.test.ts"}},
			"services/a/main.ts", "shared/lib/u.ts")
		f := w.filter(FilterOptions{WatchPaths: []string{Auto}})
		got, _ := w.scan(f)
		for _, rel := range []string{"src/api.go", "tests/t.go"} {
			if !slices.Contains(got, rel) {
				t.Errorf("auto does not find %s: %q", rel, got)
			}
		}
	})
}
