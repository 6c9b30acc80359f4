package testcommand

import (
	"cmp"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// plainPath are the paths and names that a shell takes as they are.
var plainPath = lazyregexp.New(`^[\pL\pN_./@+-]+$`)

// A Run is how a test is run: by a program that takes several tests at once.
type Run struct {
	Program string // the command line before the tests
	Test    string // name or place; "" when the program runs one test that its command line names
}

// Of is what runs one test, or the tests of its file; it has no program when that is not known, or the name would need
// quoting.
func Of(test index.Ref) Run {
	file, c := test.File, test.Chunk()
	if !plainPath.MatchString(file.Path) || !plainPath.MatchString(c.Name) || strings.HasPrefix(file.Path, "-") {
		return Run{}
	}
	switch file.Language {
	case "go":
		if strings.HasPrefix(c.Name, "Test") && c.Container == "" {
			return Run{goProgram(file.Folder, path.Dir(file.Path)), c.Name}
		}
		return Run{}
	case "python":
		if strings.HasPrefix(c.Name, "test") && (c.Container == "" || strings.HasPrefix(c.Container, "Test")) {
			return Run{"pytest", file.Path + "::" + strings.ReplaceAll(c.QualifiedName(), ".", "::")}
		}
	case "rust":
		return Run{Program: "cargo test " + c.Name}
	}
	return OfFile(file) // what tests need rather than one
}

// OfFile is what runs the tests of a file, or of its package; it has no program when that is not known.
func OfFile(file *index.File) Run {
	if !plainPath.MatchString(file.Path) || strings.HasPrefix(file.Path, "-") {
		return Run{}
	}
	switch file.Language {
	case "go":
		return Run{Program: goProgram(file.Folder, path.Dir(file.Path))}
	case "python":
		return Run{"pytest", file.Path}
	case "typescript", "tsx", "javascript":
		return Run{"npm test --", file.Path}
	}
	return Run{}
}

const goTest = "go test "

// goProgram runs tests of a package of Go in its module.
func goProgram(folder, dir string) string {
	module, rest := moduleOf(folder, dir)
	program := goTest
	if module != "." {
		program += "-C " + module + " "
	}
	return strings.TrimSuffix(program+"./"+rest, "/.")
}

// moduleOf is the subfolder of the Go module that a file lies in and the rest of its folder's path, both with slashes. Without a
// module of its own, and in a workspace of modules, it is ".".
func moduleOf(folder, dir string) (module, rest string) {
	if isFile(filepath.Join(folder, "go.work")) {
		return ".", dir
	}
	for module = dir; module != "."; module = path.Dir(module) {
		if isFile(filepath.Join(folder, filepath.FromSlash(module), "go.mod")) {
			return module, cmp.Or(strings.TrimPrefix(strings.TrimPrefix(dir, module), "/"), ".")
		}
	}
	return ".", dir
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

const (
	// maxTestNames is how many tests a command names; of more the package is run, or their files, or the first ones.
	maxTestNames = 20
	// maxTestsOfFile is how many tests of one file a command names; of more the file is run.
	maxTestsOfFile = 3
)

// Command runs some tests of one program.
func Command(program string, tests []string) string {
	tests = wholeFiles(tests)
	many := len(tests) > maxTestNames
	tests = tests[:min(maxTestNames, len(tests))]
	switch {
	case tests[0] == "", many && strings.HasPrefix(program, goTest):
		return program
	case !strings.HasPrefix(program, goTest):
		return program + " " + strings.Join(tests, " ")
	case len(tests) == 1:
		return program + " -run '^" + tests[0] + "$'"
	}
	return program + " -run '^(" + strings.Join(tests, "|") + ")$'"
}

// wholeFiles are tests that are named by their files ("a.py::test_a"), with one name for those of a file when there are many.
func wholeFiles(tests []string) []string {
	of := map[string]int{}
	for _, test := range tests {
		file, _, named := strings.Cut(test, "::")
		if of[file]++; !named {
			of[file] += maxTestsOfFile // the file is run anyway
		}
	}
	var list []string
	for _, test := range tests {
		if file, _, _ := strings.Cut(test, "::"); of[file] > maxTestsOfFile {
			test = file
		}
		if !slices.Contains(list, test) {
			list = append(list, test)
		}
	}
	return list
}
