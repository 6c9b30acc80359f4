package testcommand

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/aurora-sidecar/aurora/engine/testrun"
)

func TestTestsAreRunTogether(t *testing.T) {
	var many []string
	for i := range 30 {
		many = append(many, fmt.Sprintf("Test%d", i))
	}
	for _, tt := range []struct {
		program string
		tests   []string
		want    string
	}{
		{"go test .", []string{"TestA"}, "go test . -run '^TestA$'"},
		{"go test ./tax", []string{"TestA", "TestB"}, "go test ./tax -run '^(TestA|TestB)$'"},
		{"go test ./tax", many, "go test ./tax"},
		{"go test -C tools ./fit", []string{"TestA"}, "go test -C tools ./fit -run '^TestA$'"},
		{"pytest", []string{"a.py::test_a", "b.py::T::test_b"}, "pytest a.py::test_a b.py::T::test_b"},
		{"pytest", []string{"a.py::test_a", "a.py::test_b", "a.py::test_c", "a.py::test_d", "b.py::test_b", "c.py", "c.py::test_c"}, "pytest a.py b.py::test_b c.py"},
		{"npm test --", []string{"web/a.test.ts"}, "npm test -- web/a.test.ts"},
		{"cargo test rates", []string{""}, "cargo test rates"},
	} {
		if got := Command(tt.program, tt.tests); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
		if _, err := testrun.Parse(tt.want); err != nil {
			t.Errorf("a review names what a model may not run: %v", err)
		}
	}
}

func TestGoTestsRunInTheirModule(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"tools/go.mod", "tools/fit/fit.go"} {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	check := func(wants map[string]string) {
		t.Helper()
		for dir, want := range wants {
			if got := goProgram(folder, dir); got != want {
				t.Errorf("%s: got %q, want %q", dir, got, want)
			}
		}
	}
	check(map[string]string{".": "go test .", "a/b": "go test ./a/b", "tools": "go test -C tools .", "tools/fit": "go test -C tools ./fit"})
	if err := os.WriteFile(filepath.Join(folder, "go.work"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	check(map[string]string{".": "go test .", "tools/fit": "go test ./tools/fit"})
}
