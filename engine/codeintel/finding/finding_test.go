package finding

import (
	"fmt"
	"slices"
	"testing"
)

// Places stand in the order of code, tests and documents; what is beyond the bound of a rule is counted.
func TestFinish(t *testing.T) {
	var l List
	for i := range maxOfRule + 3 {
		l.Add(Finding{Rule: Secret, Path: "a.go", Line: i})
	}
	l.Add(Finding{Rule: Secret, Path: "a.go", Line: 1}) // once
	for _, path := range []string{"docs/a.md", "z.go", "a_test.go", "b.go", "b.go"} {
		l.AddPlace(Finding{Rule: Caller}, []string{"F"}, Place{Path: path, Line: 3, Confidence: 0.9}, []string{path, "F"}, func(p []Place) (string, string) {
			return fmt.Sprint(len(p)), Sureness("call", p)
		})
	}
	ids := l.Identify(func() string { return "repository" })
	if len(ids) != 5 || len(slices.Compact(slices.Sorted(slices.Values(ids)))) != 5 {
		t.Errorf("ids %q", ids)
	}
	if left := l.LeaveOut(func(id string) bool { return id == ids[2] }); len(left) != 1 { // z.go
		t.Errorf("left out %q", left)
	}
	all, notes := l.Finish()
	last := all[len(all)-1]
	var paths []string
	for _, p := range last.Related {
		paths = append(paths, p.Path)
	}
	if len(all) != maxOfRule+1 || !slices.Equal(notes, []string{"3 more of secret"}) || !slices.Equal(paths, []string{"b.go", "a_test.go", "docs/a.md"}) ||
		last.Message != "3" || last.Evidence != "confidence of the calls 0.90" || last.Path != "b.go" || last.Line != 3 {
		t.Errorf("%d findings, %q, %+v", len(all), notes, last)
	}
}
