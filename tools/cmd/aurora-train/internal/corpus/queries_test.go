package corpus

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestMakeQueries draws a query of each kind from a small repository.
func TestMakeQueries(t *testing.T) {
	folder, out := filepath.Join(t.TempDir(), "basket"), t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := writeFile(filepath.Join(folder, filepath.FromSlash(name)), []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", folder, "-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"}, args...)...)
		if report, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args, err, report)
		}
	}
	code := "package basket\n\n// AddItem puts a thing into the basket. It never fails.\nfunc AddItem(list []string, thing string) []string {\n\tfor _, old := range list {\n\t\tif old == thing {\n\t\t\treturn list\n\t\t}\n\t}\n\treturn append(list, thing)\n}\n"
	write("basket.go", code)
	write("example/main.go", "package main\n\n// Show prints all the things of a basket.\nfunc Show() {\n\tprintln(\"nothing is in the basket\")\n}\n")
	write("basket_test.go", "package basket\n\nfunc TestAddItemKeepsOrder(t *testing.T) {\n\tif got := AddItem(nil, \"a\"); len(got) != 1 {\n\t\tt.Fatal(got)\n\t}\n}\n")
	git("init", "-q")
	git("add", ".")
	git("commit", "-qm", "first")
	write("basket.go", strings.Replace(code, "return list\n", "return list // it is there\n", 1))
	git("commit", "-qam", "Keep a thing that is there (#7)")
	queries, err := MakeQueries(folder, out, 5)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, q := range queries {
		got = append(got, q.ID+" in "+q.Repo+": "+q.Query+" > "+q.Answers[0].Path+" "+q.Answers[0].Name)
	}
	want := []string{
		"commit-basket-000 in basket: Keep a thing that is there > basket.go AddItem",
		"doc-basket-000 in basket.nodocs: puts a thing into the basket > basket.go AddItem",
		"test-basket-000 in basket: add item keeps order > basket.go AddItem",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	whole, err1 := os.ReadFile(filepath.Join(out, "basket", "basket.go"))
	bare, err2 := os.ReadFile(filepath.Join(out, "basket.nodocs", "basket.go"))
	if err1 != nil || err2 != nil || !strings.Contains(string(whole), "never fails") || strings.Contains(string(bare), "never fails") || strings.Count(string(bare), "\n") != strings.Count(string(whole), "\n") {
		t.Errorf("%s\n%s\n%v %v", whole, bare, err1, err2)
	}
	if _, err := MakeQueries(filepath.Join(t.TempDir(), "gin"), out, 5); err == nil {
		t.Error("a repository that is held out is drawn from")
	}
}
