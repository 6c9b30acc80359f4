package vfs

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	w := newTree(t)
	f := w.filter(FilterOptions{Ignore: []string{"Generated/", "*.GEN.go"}, BlockExtensions: []string{"svg"}})
	for _, tt := range []struct {
		rel    string
		size   int64
		mode   fs.FileMode
		reason Reason
		rule   string
	}{
		{"a.go", 1, 0, "", ""},
		{"vendor/x/a.go", 1, 0, "", ""},
		{"build", 1, 0, "", ""},
		{"environment.go", 1, 0, "", ""},
		{"key.go", 1, 0, "", ""},
		{"a.go", DefaultMaxSize, 0, "", ""},
		{"bad\xff\nname.go", 1, 0, "", ""},
		{"a.go", DefaultMaxSize + 1, 0, TooLarge, "larger than 5 MiB"},
		{"../a.go", 1, 0, OutsideFolder, ""},
		{"/etc/passwd", 1, 0, OutsideFolder, ""},
		{"a/./b.go", 1, 0, OutsideFolder, ""},
		{"", 1, 0, OutsideFolder, ""},
		{".", 1, 0, OutsideFolder, ""},
		{"a.go", 1, fs.ModeSymlink, NotAFile, "symbolic link, not followed"},
		{"pipe", 1, fs.ModeNamedPipe, NotAFile, ""},
		{"dir", 1, fs.ModeDir, NotAFile, ""},
		{".git/config", 1, 0, IgnoredFolder, "ignored folder: .git"},
		{".git", 1, 0, IgnoredFolder, ""},
		{"x/Node_Modules/y.js", 1, 0, IgnoredFolder, "ignored folder: Node_Modules"},
		{"build/a.go", 1, 0, IgnoredFolder, "ignored folder: build"},
		{"x/dist/a.js", 1, 0, IgnoredFolder, ""},
		{"target/debug/a.rs", 1, 0, IgnoredFolder, ""},
		{".aurora/notes/x.md", 1, 0, IgnoredFolder, ""},
		{".env", 1, 0, Secret, "secret: .env*"},
		{"x/.env.local", 1, 0, Secret, ""},
		{"server.PEM", 1, 0, Secret, "secret: *.pem"},
		{"id_rsa", 1, 0, Secret, ""},
		{"id_rsa.pub", 1, 0, Secret, ""},
		{"a.p12", 1, 0, Secret, ""},
		{"a.pfx", 1, 0, Secret, ""},
		{"a.private", 1, 0, Secret, ""},
		{"a.secret", 1, 0, Secret, ""},
		{"a.key", 1, 0, Secret, ""},
		{"x/generated/a.go", 1, 0, IgnorePattern, "ignore pattern: Generated/"},
		{"a.gen.go", 1, 0, IgnorePattern, ""},
		{"a.PNG", 1, 0, BlockedExtension, "binary file: .png"},
		{"a.svg", 1, 0, BlockedExtension, "blocked extension: .svg"},
	} {
		v := f.Check(context.Background(), tt.rel, tt.size, tt.mode)
		if v.Reason != tt.reason || v.Indexed != (tt.reason == "") || tt.rule != "" && v.Rule != tt.rule {
			t.Errorf("%q: got %+v, want %q %q", tt.rel, v, tt.reason, tt.rule)
		}
		if !v.Indexed && v.Rule == "" {
			t.Errorf("%q: refused without a word", tt.rel)
		}
	}
	only := w.filter(FilterOptions{Extensions: []string{"go", ".png"}})
	for rel, want := range map[string]bool{"a.go": true, "a.png": true, "a.py": false, "Makefile": false} {
		if v := only.Check(context.Background(), rel, 1, 0); v.Indexed != want {
			t.Errorf("with allowed extensions %q: %+v", rel, v)
		}
	}
}

// ignoreFixture is the same tree with and without git; wanted is what a scan finds in it.
func ignoreFixture(w *tree) (wanted []string) {
	w.write(".gitignore", "*.log\n!keep.log\n/only-root\nout/\n**/deep/*.txt\nwild[!a].c\n# comment\n\\#literal\n")
	w.write("sub/.gitignore", "local.go\n!special.log\n")
	w.write(".contextignore", "docs/private/\n*.draft\n")
	for _, rel := range []string{
		"a.log", "only-root", "out/x.go", "sub/out/y.go", "sub/deep/t.txt", "sub/local.go", "wildb.c", "#literal",
		"docs/private/p.md", "x.draft", "node_modules/m/i.js", ".env",
	} {
		w.write(rel, "x")
	}
	wanted = []string{
		".contextignore", ".gitignore", "a.go", "docs/p.md", "keep.log", "local.go", "sub/.gitignore", "sub/a-b/c.go",
		"sub/a/c.go", "sub/deep/t.go", "sub/only-root", "sub/special.log", "wilda.c",
	}
	for _, rel := range wanted {
		if !strings.HasSuffix(rel, "ignore") {
			w.write(rel, "x")
		}
	}
	return wanted
}

func TestIgnoreFilesWithoutGit(t *testing.T) {
	w := newTree(t)
	want := ignoreFixture(w)
	f := w.filter(FilterOptions{})
	got, report := w.scan(f)
	if !slices.Equal(got, want) || report.Git || f.git != nil {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	checkAgrees(t, w, f, want)
	if v := f.Check(context.Background(), "a.log", 1, 0); v.Rule != "git: *.log in .gitignore:1" {
		t.Errorf("rule %q", v.Rule)
	}
	if v := f.Check(context.Background(), "x.draft", 1, 0); v.Rule != "context: *.draft in .contextignore:2" {
		t.Errorf("rule %q", v.Rule)
	}
	plain := w.filter(FilterOptions{NoGitignore: true})
	if got, _ := w.scan(plain); !slices.Contains(got, "a.log") || slices.Contains(got, "x.draft") || slices.Contains(got, ".env") {
		t.Errorf("without .gitignore: %q", got)
	}
}

func TestIgnoreFilesWithGit(t *testing.T) {
	w := newTree(t)
	want := ignoreFixture(w)
	w.git("", "init", "-q")
	w.git("", "add", "a.go", "sub")
	f := w.filter(FilterOptions{})
	got, report := w.scan(f)
	if !slices.Equal(got, want) || !report.Git || f.git == nil {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	checkAgrees(t, w, f, want)
	if v := f.Check(context.Background(), "a.log", 1, 0); v.Rule != "git: *.log in .gitignore:1" {
		t.Errorf("rule %q", v.Rule)
	}
	w.write(".gitignore", "*.go\n")
	if f.Changed(w.path(".gitignore")) != IgnoreRules || f.Changed(w.path("a.go")) != NoRule {
		t.Error("Changed does not know a rule from a file")
	}
	if v := f.Check(context.Background(), "new.go", 1, 0); v.Reason != Gitignored {
		t.Errorf("after a change of .gitignore: %+v", v)
	}
}

// checkAgrees compares the verdict on each file of the tree with what the scan found.
func checkAgrees(t *testing.T, w *tree, f *Filter, scanned []string) {
	t.Helper()
	err := filepath.WalkDir(w.dir, func(abs string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(w.dir, abs)
		if err != nil {
			t.Fatal(err)
		}
		if v := f.Explain(context.Background(), abs); v.Indexed != slices.Contains(scanned, rel) {
			t.Errorf("%s: the scan and the verdict %+v differ", rel, v)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestOtherExcludes(t *testing.T) {
	for _, git := range []bool{false, true} {
		w := newTree(t)
		if git {
			w.git("", "init", "-q")
		}
		w.write(".git/info/exclude", "info.txt\n")
		personal := filepath.Join(os.Getenv("XDG_CONFIG_HOME"), "git", "ignore")
		if err := os.MkdirAll(filepath.Dir(personal), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(personal, []byte("personal.txt\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, rel := range []string{"info.txt", "personal.txt", "a.txt"} {
			w.write(rel, "x")
		}
		f := w.filter(FilterOptions{})
		if got, _ := w.scan(f); !slices.Equal(got, []string{"a.txt"}) {
			t.Errorf("git %v: got %q", git, got)
		}
	}
}

func TestTrackedOutputFolderIsSource(t *testing.T) {
	w := newTree(t)
	w.git("", "init", "-q")
	w.write("go/build/read.go", "x")
	w.write("build/out.js", "x")
	w.git("", "add", "go")
	w.write("go/build/new.go", "x")
	f := w.filter(FilterOptions{})
	for rel, want := range map[string]bool{"go/build/read.go": true, "go/build/new.go": true, "build/out.js": false} {
		if v := f.Check(context.Background(), rel, 1, 0); v.Indexed != want {
			t.Errorf("%s: %+v", rel, v)
		}
	}
	if got, _ := w.scan(f); !slices.Equal(got, []string{"go/build/new.go", "go/build/read.go"}) {
		t.Errorf("scan: %q", got)
	}
}

func TestNestedRepositories(t *testing.T) {
	w := newTree(t)
	w.git("", "init", "-q")
	w.write("a.go", "x")
	for _, nested := range []string{"lib.nvim", "sub", "sub2/build", "deps/build", "dist"} {
		w.write(nested+"/n.go", "x")
		w.write(nested+"/.gitignore", "*.tmp\n")
		w.write(nested+"/n.tmp", "x")
		w.git(nested, "init", "-q")
		w.git(nested, "add", ".")
		w.git(nested, "commit", "-qm", "one")
	}
	w.git("", "add", "sub", "sub2") // as a submodule is recorded
	f := w.filter(FilterOptions{})
	want := []string{ // not deps/build and dist, which builds leave: no outer repository tracks them
		"a.go", "lib.nvim/.gitignore", "lib.nvim/n.go", "sub/.gitignore", "sub/n.go", "sub2/build/.gitignore", "sub2/build/n.go",
	}
	if got, report := w.scan(f); !slices.Equal(got, want) || len(report.Problems) > 0 {
		t.Errorf("got %q, %+v", got, report)
	}
	for rel, want := range map[string]bool{"sub/n.go": true, "sub/x.tmp": false, "lib.nvim/x.tmp": false, "x.tmp": true} {
		if v := f.Check(context.Background(), rel, 1, 0); v.Indexed != want {
			t.Errorf("%s: %+v", rel, v)
		}
	}
	fresh := w.filter(FilterOptions{}) // has not scanned, so it does not know of the submodule yet
	if v := fresh.Check(context.Background(), "sub/n.tmp", 1, 0); v.Reason != Gitignored {
		t.Errorf("before a scan: %+v", v)
	}
}

func TestFolderThatAnOuterRepositoryIgnores(t *testing.T) {
	w := newTree(t)
	w.git("", "init", "-q")
	w.write(".gitignore", "*\n")
	w.write("project/a.go", "x")
	w.dir = w.path("project")
	f := w.filter(FilterOptions{})
	if got, _ := w.scan(f); !slices.Equal(got, []string{"a.go"}) || f.git != nil {
		t.Errorf("got %q, uses git %v", got, f.git != nil)
	}
}

func TestMissingGitIsSaid(t *testing.T) {
	w := newTree(t)
	w.git("", "init", "-q")
	w.write(".gitignore", "*.log\n")
	w.write("a.log", "x")
	w.write("a.go", "x")
	t.Setenv("PATH", t.TempDir())
	if _, err := exec.LookPath("git"); err == nil {
		t.Skip("git cannot be hidden here")
	}
	f := w.filter(FilterOptions{})
	if len(f.Warnings()) != 1 {
		t.Errorf("warnings %q", f.Warnings())
	}
	if got, _ := w.scan(f); !slices.Equal(got, []string{".gitignore", "a.go"}) {
		t.Errorf("got %q", got)
	}
}

func TestSkipDir(t *testing.T) {
	w := newTree(t)
	w.git("", "init", "-q")
	w.write(".gitignore", "out/\nforced/\n")
	for _, rel := range []string{"out/x", "forced/x", "src/x", "build/x", "node_modules/x"} {
		w.write(rel, "x")
	}
	w.git("", "add", "-f", "forced")
	f := w.filter(FilterOptions{})
	for rel, want := range map[string]bool{
		"": false, "src": false, "forced": false, "out": true, "build": true, "node_modules": true, ".git": true, "../x": true,
	} {
		if got := f.SkipDir(w.path(rel)); got != want {
			t.Errorf("SkipDir(%q) = %v", rel, got)
		}
	}
}
