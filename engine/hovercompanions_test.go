package engine

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"
)

// openTogether has cart.go changed with price/tax.go, its test and a file that is gone later in seven of eight commits. The
// last command of git is for what happens to the repository then.
func openTogether(t *testing.T, last ...string) *testWorkspace {
	w := newWorkspace(t, shop)
	w.collect = true
	w.git("init", "-q", "-b", "main")
	for i := range 8 {
		w.write("cart/cart.go", shop["cart/cart.go"]+fmt.Sprintf("\n// %d\n", i))
		w.git("add", "cart/cart.go")
		if i > 0 {
			for _, name := range []string{"price/tax.go", "cart/cart_test.go"} {
				w.write(name, shop[name]+fmt.Sprintf("\n// %d\n", i))
			}
			w.write("cart/gone.go", fmt.Sprintf("package cart\n\n// %d\n", i))
			w.git("add", "cart", "price")
		}
		w.git("commit", "-q", "-m", "Change the cart")
	}
	w.git("rm", "-q", "cart/gone.go")
	w.git("add", ".")
	w.git("commit", "-q", "-m", "Add the rest")
	if len(last) > 0 {
		w.git(last...)
	}
	w.open()
	w.settle()
	return w
}

func TestHoverTellsWhatUsuallyChangesWithIt(t *testing.T) {
	w := openTogether(t, "checkout", "-q", "--detach")
	h := w.hover("cart/cart.go", "Total|Price() int")
	want := "The file usually changes with [price/tax.go](file://" + w.path("price/tax.go") + "#L1) (7 of 8 commits)"
	if h == nil || !strings.Contains(h.Facts, want+"\n") {
		t.Fatalf("want %s in %+v", want, h)
	}
	order := []string{"Git: changed", "The file usually", "Called by [", "Tested by [TestTotalPrice]"}
	for i := range order[1:] {
		if strings.Index(h.Facts, order[i]) >= strings.Index(h.Facts, order[i+1]) || !strings.Contains(h.Facts, order[i]) {
			t.Errorf("%q is not before %q:\n%s", order[i], order[i+1], h.Facts)
		}
	}
	if h := w.hover("cart/cart.go", "func Desc|ribe"); !strings.Contains(h.Facts, "[cart/cart_test.go](") {
		t.Errorf("no test of Describe is shown, so its file's companion is: %s", h.Facts)
	}
	if h := w.hover("report/report.py", "def describe|_cart"); strings.Contains(h.Facts, "usually") {
		t.Errorf("of a file with one commit: %s", h.Facts)
	}
}

func TestHoverWithoutHistory(t *testing.T) {
	w := openTogether(t)
	shallow := newWorkspace(t, nil)
	shallow.collect = true
	if out, err := exec.Command("git", "clone", "-q", "--depth", "1", "file://"+w.dir, shallow.dir).CombinedOutput(); err != nil {
		t.Fatalf("clone: %v\n%s", err, out)
	}
	shallow.open()
	shallow.settle()
	none := newWorkspace(t, shop)
	none.collect = true
	none.open()
	if _, err := none.engine.Code().Review(t.Context(), ReviewRequest{}); err == nil || !strings.Contains(err.Error(), "not inside a git work tree") {
		t.Errorf("a review without git: %v", err)
	}
	for name, w := range map[string]*testWorkspace{"shallow": shallow, "no repository": none} {
		if h := w.hover("cart/cart.go", "Total|Price() int"); h == nil || strings.Contains(h.Facts, "usually") {
			t.Errorf("%s: %+v", name, h)
		}
		if h := w.hover("cart/cart.go", "Total|Price() int"); strings.Contains(h.Facts, "where this shallow clone begins") != (name == "shallow") || strings.Contains(h.Facts, "Git: changed") {
			t.Errorf("%s: who changed it is not known: %s", name, h.Facts)
		}
	}
}
