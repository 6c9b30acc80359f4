package vfs

import (
	"bytes"
	"context"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// TestIgnoreRulesEqualGit makes folders with ignore files at several depths and compares what the filter says of every
// path in them with what git itself says: the filter that asks git, and the one that reads the files by itself.
func TestIgnoreRulesEqualGit(t *testing.T) {
	const trees = 40
	rng := rand.New(rand.NewPCG(7, 11))
	cases, ignored := 0, 0
	for range trees {
		w := newTree(t)
		w.git("", "init", "-q")
		paths := randomTree(w, rng)
		want := checkIgnore(w, paths)
		withGit := w.filter(FilterOptions{})
		alone := newIgnoreTree(w.dir, ".gitignore", gitPatternsOutsideTree(w.dir))
		for _, rel := range paths {
			cases++
			if want[rel] {
				ignored++
			}
			isDir := isRealDir(w.path(rel))
			if got := alone.match(rel, isDir) != nil; got != want[rel] {
				t.Errorf("%q (folder %v): without git ignored %v, git says %v\n%s", rel, isDir, got, want[rel], rules(w))
			}
			if v := withGit.Check(context.Background(), rel, 1, 0); !isDir && (v.Reason == Gitignored) != want[rel] {
				t.Errorf("%q: with git %+v, git says ignored %v\n%s", rel, v, want[rel], rules(w))
			}
			if t.Failed() {
				return
			}
		}
	}
	t.Logf("%d paths in %d trees, %d of them ignored", cases, trees, ignored)
	if cases < 1000 || ignored < cases/20 || ignored > cases*19/20 {
		t.Errorf("%d cases, %d ignored: too few or too alike to show anything", cases, ignored)
	}
}

// Names and pattern parts that meet each other often. None is a name that the filter refuses by itself.
var (
	nameParts    = []string{"a", "b", "foo", "bar", "a.log", "b.txt", "foo.c", "a b", "ä", "x[1]", "#n", "!n", "A", "foo ", "ab.log", `w\x`, "-"}
	patternParts = []string{
		"a", "b", "foo", "bar", "*.log", "*.txt", "*", "?", "??", "f*", "**", "[ab]", "[!a]", "[^b]*", "[a-c]", "[]a]", "[a-", "a\\b",
		"*.[co]", "[[:alpha:]]", "[[:digit:][:upper:]]", "[[:nope:]]", "ä", "a b", "x\\[1\\]", "x[[]1]", "\\#n", "\\!n", "A", "foo\\ ", "f?o", "***",
		"*a*b*", "[b-]", "\\", "w\\\\x", "[\\]x]", "[--0]",
	}
)

// randomTree writes files and ignore files, and returns the paths of all files and folders.
func randomTree(w *tree, rng *rand.Rand) []string {
	dirs := []string{""}
	for range 4 {
		dirs = append(dirs, path.Join(dirs[rng.IntN(len(dirs))], nameParts[rng.IntN(len(nameParts))], nameParts[rng.IntN(len(nameParts))]))
	}
	for range 45 {
		rel := path.Join(dirs[rng.IntN(len(dirs))], nameParts[rng.IntN(len(nameParts))])
		if _, err := os.Lstat(w.path(rel)); err == nil {
			continue
		}
		if info, err := os.Lstat(w.path(path.Dir(rel))); err == nil && !info.IsDir() {
			continue
		}
		if hasFileOnWay(w, rel) {
			continue
		}
		w.write(rel, "x")
	}
	for _, dir := range dirs {
		if rng.IntN(3) == 0 || hasFileOnWay(w, path.Join(dir, "x")) {
			continue
		}
		var b strings.Builder
		for range 1 + rng.IntN(7) {
			b.WriteString(randomPattern(rng))
		}
		w.write(path.Join(dir, ".gitignore"), b.String())
	}
	var paths []string
	_ = filepath.WalkDir(w.dir, func(abs string, d fs.DirEntry, err error) error {
		if d.Name() == ".git" {
			return filepath.SkipDir
		}
		if rel, _ := filepath.Rel(w.dir, abs); rel != "." {
			paths = append(paths, rel)
		}
		return err
	})
	return paths
}

// hasFileOnWay reports whether a file stands where a folder above rel would have to be.
func hasFileOnWay(w *tree, rel string) bool {
	for dir := path.Dir(rel); dir != "."; dir = path.Dir(dir) {
		if info, err := os.Lstat(w.path(dir)); err == nil && !info.IsDir() {
			return true
		}
	}
	return false
}

// randomPattern is a line with its end.
func randomPattern(rng *rand.Rand) string {
	switch rng.IntN(25) {
	case 0:
		return "# a comment\n"
	case 1:
		return "\n"
	}
	var b strings.Builder
	if rng.IntN(4) == 0 {
		b.WriteByte('!')
	}
	if rng.IntN(4) == 0 {
		b.WriteByte('/')
	}
	for i := range 1 + rng.IntN(3) {
		if i > 0 {
			b.WriteString([]string{"/", "/", "/**/", "//"}[rng.IntN(4)])
		}
		b.WriteString(patternParts[rng.IntN(len(patternParts))])
		if i == 0 && rng.IntN(2) == 0 {
			break
		}
	}
	b.WriteString([]string{"", "", "", "/", "/**", "/*", "  ", "\\ "}[rng.IntN(8)])
	return b.String() + []string{"\n", "\n", "\r\n"}[rng.IntN(3)]
}

// checkIgnore asks git itself which paths are ignored.
func checkIgnore(w *tree, paths []string) map[string]bool {
	w.t.Helper()
	cmd := exec.Command("git", "check-ignore", "--stdin", "-z")
	cmd.Dir = w.dir
	var in bytes.Buffer
	for _, rel := range paths {
		in.WriteString("./" + rel + "\x00") // a leading ":" would be magic
	}
	cmd.Stdin = &in
	out, err := cmd.Output()
	if err != nil && cmd.ProcessState.ExitCode() != 1 { // 1: none is ignored
		w.t.Fatalf("git check-ignore: %v", err)
	}
	ignored := map[string]bool{}
	for name := range strings.SplitSeq(string(out), "\x00") {
		ignored[strings.TrimPrefix(name, "./")] = true
	}
	return ignored
}

// rules shows every ignore file of a tree.
func rules(w *tree) string {
	var b strings.Builder
	_ = filepath.WalkDir(w.dir, func(abs string, d fs.DirEntry, err error) error {
		if d.Name() == ".gitignore" {
			data, _ := os.ReadFile(abs)
			rel, _ := filepath.Rel(w.dir, abs)
			b.WriteString(rel + ":\n")
			for line := range strings.Lines(string(data)) {
				b.WriteString("  " + strings.ReplaceAll(line, "\r", "<CR>"))
			}
		}
		return err
	})
	return b.String()
}
