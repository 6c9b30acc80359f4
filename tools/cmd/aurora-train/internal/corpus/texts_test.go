package corpus

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

func TestProse(t *testing.T) {
	root := write(t, "shop", map[string]string{
		"README.md":    "# Shop\n\nPrices are kept in cents, since floats lost money in [rounding](docs/why.md) more than once.\n\n```go\nthis is code and no prose, whatever its length may be in the end\n```\n\n| a table | says nothing that a sentence would say, so it is left out of it |\n",
		"CHANGELOG.md": "Everything in here repeats what the messages of the commits have said before it.\n",
		"main.go":      "package main // source is no prose, even where a long comment stands in it\n",
	})
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", root, "-c", "user.name=T", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q")
	git("add", "-A")
	git("commit", "-q", "-m", "Keep prices in whole cents everywhere\n\nFloats lost money in rounding, and nobody could say where it had gone in the end.\n\nSigned-off-by: T <t@example.com>")
	git("commit", "-q", "--allow-empty", "-m", "A subject without any reason given")
	git("commit", "-q", "--allow-empty", "-m", "Bump the version\n\nA message of a release says nothing that anybody would ask for some months later.")

	texts, err := Prose([]string{root}, 1)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"Keep prices in whole cents everywhere",
		"Floats lost money in rounding, and nobody could say where it had gone in the end.",
		"Prices are kept in cents, since floats lost money in rounding more than once.",
	}
	if !slices.Equal(texts, want) {
		t.Errorf("got %q\nwant %q", texts, want)
	}

	held := filepath.Join(t.TempDir(), "prometheus+prometheus")
	if err := os.Mkdir(held, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := Prose([]string{held}, 1); err == nil {
		t.Error("a repository that is held out was read")
	}
}
