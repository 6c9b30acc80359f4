package codeintel

import (
	"fmt"
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
		{"pytest", []string{"a.py::test_a", "b.py::T::test_b"}, "pytest a.py::test_a b.py::T::test_b"},
		{"npm test --", []string{"web/a.test.ts"}, "npm test -- web/a.test.ts"},
		{"cargo test rates", []string{""}, "cargo test rates"},
	} {
		if got := testCommand(tt.program, tt.tests); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
		if _, err := testrun.Parse(tt.want); err != nil {
			t.Errorf("a review names what a model may not run: %v", err)
		}
	}
}
