package cli

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// repositoryRoot is the folder of go.mod.
var repositoryRoot = filepath.Join(testDir, "..", "..")

// A requirement is a line of docs/requirements.md.
type requirement struct{ id, state, where, test string }

var requirementPattern = regexp.MustCompile(`(?m)^\| ([A-Z]{3,4}-\d{3}) \| ([a-z]+) \| (.+) \| (.+) \|$`)

// TestRequirements sees that each row has a state, that what is done names a test, and that each test and each place exists.
func TestRequirements(t *testing.T) {
	page := readPage(t, "requirements.md")
	tests := declaredTests(t)
	seen := map[string]bool{}
	counts := map[string]int{}
	for _, m := range requirementPattern.FindAllStringSubmatch(page, -1) {
		r := requirement{m[1], m[2], m[3], m[4]}
		if seen[r.id] {
			t.Errorf("%s stands there twice", r.id)
		}
		seen[r.id] = true
		counts[r.id[:strings.Index(r.id, "-")]+" "+r.state]++
		if !slices.Contains([]string{"done", "built", "part", "waived"}, r.state) {
			t.Errorf("%s: there is no state %q", r.id, r.state)
		}
		group := strings.HasPrefix(r.id, "SYS-") // which is what its groups are
		if r.state == "done" && !group && len(inBackticks(r.test)) == 0 {
			t.Errorf("%s is done, and names no test", r.id)
		}
		for _, name := range inBackticks(r.test) {
			if !tests.has(name) {
				t.Errorf("%s: there is no test %s", r.id, name)
			}
		}
		for _, place := range inBackticks(r.where) {
			if isPlace(place) && !exists(place) {
				t.Errorf("%s: there is no %s", r.id, place)
			}
		}
	}
	if len(seen) < 1300 {
		t.Errorf("only %d rows were found; does the test still see them?", len(seen))
	}
	for _, m := range regexp.MustCompile(`(?m)^\| ([A-Z]{3,4}) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$`).FindAllStringSubmatch(page, -1) {
		for i, state := range []string{"done", "built", "part", "waived"} {
			if got := counts[m[1]+" "+state]; m[i+2] != strconv.Itoa(got) {
				t.Errorf("%s: the table counts %s rows as %s, there are %d", m[1], m[i+2], state, got)
			}
		}
	}
	checkGroups(t, page, counts)
}

// checkGroups compares what rows say of whole groups with the counts of states by group.
func checkGroups(t *testing.T, page string, counts map[string]int) {
	for _, m := range regexp.MustCompile(`\| groups? ([A-Z, ]+): (\d+) of (\d+) rows are part`).FindAllStringSubmatch(page, -1) {
		part, all := 0, 0
		for _, group := range strings.Split(m[1], ", ") {
			part += counts[group+" part"]
			all += counts[group+" done"] + counts[group+" built"] + counts[group+" part"] + counts[group+" waived"]
		}
		if m[2] != strconv.Itoa(part) || m[3] != strconv.Itoa(all) {
			t.Errorf("groups %s: %s of %s rows are said to be part, there are %d of %d", m[1], m[2], m[3], part, all)
		}
	}
}

// TestEveryPackageIsDescribed sees that docs/architecture.md lists the packages that there are, and no others.
func TestEveryPackageIsDescribed(t *testing.T) {
	page := readPage(t, "architecture.md")
	listed := map[string]bool{}
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z][\\w./-]*)` \\|").FindAllStringSubmatch(page, -1) {
		listed[m[1]] = true
		if !exists(m[1]) {
			t.Errorf("docs/architecture.md describes %s, which is not there", m[1])
		}
	}
	const module = "github.com/aurora-sidecar/aurora/"
	list := exec.Command("go", "list", module+"...")
	list.Dir = repositoryRoot
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	for path := range strings.FieldsSeq(string(out)) {
		name := strings.TrimPrefix(path, module)
		if strings.HasPrefix(name, "examples/") || strings.Contains(name, "internal/reference") {
			continue
		}
		if !listed[name] {
			t.Errorf("docs/architecture.md does not describe %s", name)
		}
	}
}

func readPage(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(repositoryRoot, "docs", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// inBackticks are the words of a cell that stand in backticks.
func inBackticks(cell string) []string {
	var words []string
	for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cell, -1) {
		words = append(words, m[1])
	}
	return words
}

// isPlace reports whether a word is the path of something in the repository, rather than a setting, a field or a command.
func isPlace(word string) bool {
	return regexp.MustCompile(`^(cmd|docs|editors|engine|examples|httpapi|index|internal|lsp|mcp|memory|prompts|scripts|testdata|tools)(/[\w.-]+)*$`).MatchString(word)
}

func exists(path string) bool {
	_, err := os.Stat(filepath.Join(repositoryRoot, filepath.FromSlash(path)))
	return err == nil
}

// declared are the names of tests and of the scripts of the command line.
type declared map[string]bool

// has reports whether a test is there: a function, a script behind TestScripts/, a target of make, or a file of tests.
func (d declared) has(name string) bool {
	if strings.HasPrefix(name, "make ") || isPlace(name) {
		return strings.HasPrefix(name, "make ") || exists(name)
	}
	if d[name] {
		return true
	}
	function, _, isPart := strings.Cut(name, "/")
	return isPart && function != "TestScripts" && d[function]
}

func declaredTests(t *testing.T) declared {
	t.Helper()
	found := declared{}
	function := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)\w+)\(`)
	err := filepath.WalkDir(repositoryRoot, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if name := entry.Name(); name == "node_modules" || strings.HasPrefix(name, ".") && strings.Trim(name, ".") != "" {
				return fs.SkipDir
			}
			return nil
		}
		if name, ok := strings.CutSuffix(entry.Name(), ".txtar"); ok && filepath.Base(filepath.Dir(path)) == "script" {
			found["TestScripts/"+name] = true
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, m := range function.FindAllStringSubmatch(string(text), -1) {
			found[m[1]] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
