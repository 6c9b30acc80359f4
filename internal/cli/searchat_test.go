package cli

import (
	"fmt"
	"strings"
	"testing"
)

// TestSearchAt holds that --at brings what usually changes with that file.
func TestSearchAt(t *testing.T) {
	p := newProject(t)
	payout := func(folder string, n int) {
		p.write(folder+"/payout.go", fmt.Sprintf("package %s\n\n// Payout pays the refund out.\nfunc Payout() int { return %d }\n", folder, n))
	}
	payout("a", 9)
	for i := range 4 {
		payout("b", i)
		p.write("open.go", fmt.Sprintf("package shop\n\nconst round = %d\n", i))
		p.commit()
	}
	first := func(args ...string) string {
		t.Helper()
		got := p.run(append([]string{"aurora", "search", "how is the refund paid out", "--no-git"}, args...)...)
		if got.code != 0 {
			t.Fatal(got)
		}
		return got.out[:strings.IndexByte(got.out, '\n')]
	}
	if got := first(); !strings.HasPrefix(got, "a/payout.go:") {
		t.Errorf("from the folder: %s", got)
	}
	if got := first("--at", "open.go"); !strings.HasPrefix(got, "b/payout.go:") {
		t.Errorf("at open.go: %s", got)
	}
}
