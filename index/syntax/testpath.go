package syntax

import (
	"path"
	"slices"
	"strings"
	"unicode"
)

// A TestRole is what a file has to do with tests.
type TestRole int

const (
	NoTest      TestRole = iota
	TestSupport          // of use to tests and benchmarks only: helpers, fixtures, mocks
	HoldsTests           // tests, by the conventions of its language
)

// testEnds are ends of the names of files that hold tests, without extension.
var testEnds = []string{
	"_test", "_tests", ".test", ".tests", "-test", "-tests", "_spec", ".spec", "-spec", ".e2e", ".cy", "Test", "Tests", "TestCase", "Spec", "Specs",
}

// Folders of tests. What is in one of the second is no test itself.
var (
	testFolders    = []string{"test", "tests", "__tests__", "spec", "specs", "testsuite", "testsuites", "e2e", "cypress"}
	supportFolders = []string{
		"testdata", "testing", "testutil", "testutils", "testlib", "testhelpers", "testsupport", "fixture", "fixtures", "__fixtures__", "mock", "mocks",
		"__mocks__", "__snapshots__", "bench", "benches", "benchmark", "benchmarks", "jmh",
	}
	// supportWords follow test in the names of folders.
	supportWords = []string{"util", "utils", "helper", "helpers", "support", "data", "fixtures", "lib", "common", "resources", "files", "dummies", "doubles", "cases", "kit"}
)

// TestRoleOf tells by its path, with slashes, what a file has to do with tests. It is the one rule for that.
func TestRoleOf(file string) TestRole {
	base, dir := path.Base(file), path.Dir(file)
	extension := path.Ext(base)
	stem := strings.TrimSuffix(base, extension)
	if holdsTests(stem, extension) {
		return HoldsTests
	}
	role := NoTest
	if strings.HasSuffix(stem, "_benchmark") || strings.HasSuffix(stem, ".bench") {
		role = TestSupport
	}
	if dir == "." {
		return role
	}
	for i, rest, more := 0, dir, true; more; i++ {
		var folder string
		folder, rest, more = strings.Cut(rest, "/")
		switch lower := strings.ToLower(folder); {
		case slices.Contains(supportFolders, lower), isSupportFolder(folder):
			role = max(role, TestSupport)
		case IsTestFolder(folder), i == 0 && folder == "t": // as Perl has it
			if role = max(role, TestSupport); extension != ".go" && extension != ".py" { // for whose tools the name alone counts
				role = HoldsTests
			}
		}
	}
	return role
}

// IsTest reports whether a file holds tests.
func IsTest(file string) bool { return TestRoleOf(file) == HoldsTests }

// IsTestFolder reports whether a folder of this name is one of tests.
func IsTestFolder(name string) bool {
	return slices.Contains(testFolders, strings.ToLower(name)) || endsInTests(name)
}

func holdsTests(stem, extension string) bool {
	if extension == ".go" {
		return strings.HasSuffix(stem, "_test")
	}
	if stem == "conftest" || stem == "tests" || strings.HasPrefix(stem, "test_") || extension == ".bats" {
		return true
	}
	if slices.ContainsFunc(testEnds, func(end string) bool { return len(stem) > len(end) && strings.HasSuffix(stem, end) }) {
		return true
	}
	switch extension {
	case ".java", ".kt", ".groovy", ".cs", ".php":
		rest, found := strings.CutPrefix(stem, "Test")
		return found && startsUpper(rest) || extension == ".java" && endsInCapital(stem, "IT")
	case ".scala":
		return strings.HasSuffix(stem, "Suite")
	}
	return false
}

// endsInTests reports whether the last word of a folder's name is one for tests: Shop.Tests, integration-tests, androidTest.
func endsInTests(folder string) bool {
	for _, end := range []string{"test", "tests", "Test", "Tests", "Specs"} {
		rest, found := strings.CutSuffix(folder, end)
		if !found || rest == "" {
			continue
		}
		last := rest[len(rest)-1]
		if strings.IndexByte(".-_", last) >= 0 || unicode.IsUpper(rune(end[0])) && end != "Specs" && unicode.IsLower(rune(last)) {
			return true
		}
	}
	return false
}

// isSupportFolder reports whether a folder's name begins with test, and what follows is something that tests use: test-utils,
// TestDummies, Shop.TestUtils; or whether it is one of benchmarks: Shop.Benchmarks.
func isSupportFolder(folder string) bool {
	folder = folder[strings.LastIndexByte(folder, '.')+1:]
	lower := strings.ToLower(folder)
	if lower == "benchmarks" {
		return true
	}
	rest, found := strings.CutPrefix(lower, "test")
	if !found {
		return false
	}
	return slices.Contains(supportWords, strings.TrimLeft(strings.TrimPrefix(rest, "s-"), "-_"))
}

func startsUpper(s string) bool { return s != "" && unicode.IsUpper(rune(s[0])) }

// endsInCapital reports whether a name ends in a word of capitals, behind a small letter or a figure.
func endsInCapital(name, word string) bool {
	rest, found := strings.CutSuffix(name, word)
	return found && rest != "" && !unicode.IsUpper(rune(rest[len(rest)-1]))
}
