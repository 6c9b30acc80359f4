package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/engine/fault"
)

// rulesOf are "rule path:line" of each finding.
func rulesOf(r *ReviewResult) []string {
	var all []string
	for _, f := range r.Findings {
		all = append(all, fmt.Sprintf("%s %s:%d", f.Rule, f.Path, f.Line))
	}
	return all
}

func (w *testWorkspace) review(r ReviewRequest) *ReviewResult {
	w.Helper()
	result, err := w.engine.Code().Review(context.Background(), r)
	if err != nil {
		w.Fatal(err)
	}
	return result
}

func TestReview(t *testing.T) {
	w := openWorkspace(t, map[string]string{
		"tax/tax.go": "package tax\n\n// Rate is the rate of a `land`.\nfunc Rate(land string) int { return len(land) }\n\n" +
			"// Round rounds.\nfunc Round(n int) int { return n }\n",
		"tax/tax_test.go": "package tax\n\nimport \"testing\"\n\nfunc TestRate(t *testing.T) {\n\tif Rate(\"x\") != 1 {\n\t\tt.Fatal()\n\t}\n}\n",
		"tax/bill.go":     "package tax\n\nfunc Bill() int { return Rate(\"de\") }\n\nfunc Sum() int {\n\treturn 1 +\n\t\tRound(2)\n}\n",
	})
	if r := w.review(ReviewRequest{}); r.Files != 0 || len(r.Findings) != 0 {
		t.Errorf("of nothing: %+v", r)
	}
	if _, _, err := w.engine.Memory().Remember(context.Background(), RememberRequest{Content: "Rates come from the law.", SourceRef: "tax/tax.go:4"}); err != nil {
		t.Fatal(err)
	}
	secret := "ghp_" + strings.Repeat("a1B2c3", 6)
	w.write("tax/tax.go", "package tax\n\n// Rate is the rate of a `land`.\nfunc Rate(code int) int { return code }\n\n"+
		"// Round rounds.\nfunc Round(n, to int) int { return n }\n\nvar token = \""+secret+"\"\n")
	w.write("new.go", "package shop\n")
	w.wait()
	r := w.review(ReviewRequest{})
	got := rulesOf(r)
	for _, want := range []string{
		"secret tax/tax.go:9", "touched-note tax/tax.go:4", "caller-not-updated tax/tax.go:7", "comment-names-removed-parameter tax/tax.go:3",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("%q is not among %q", want, got)
		}
	}
	for _, f := range r.Findings {
		if f.Rule != "caller-not-updated" {
			continue
		}
		if f.Message != "Round takes 2 arguments now, and 1 call still passes another number: change it." || f.Evidence != "it took 1; confidence of the call 0.95" ||
			len(f.Related) != 1 || f.Related[0].Path != "tax/bill.go" || f.Related[0].Line != 7 || f.Related[0].Message != "Sum calls it with 1 argument" || f.Related[0].ID == "" {
			t.Errorf("%+v", f)
		}
	}
	for _, f := range r.Findings {
		if strings.Contains(f.Message+f.Evidence, secret) {
			t.Errorf("a finding tells the secret: %+v", f)
		}
	}
	if len(r.Tests) != 1 || r.Tests[0].Command != "go test ./tax" {
		t.Errorf("tests %+v", r.Tests)
	}
	if !slices.ContainsFunc(r.Notes, func(n string) bool { return strings.HasPrefix(n, "1 new file is not looked at") }) {
		t.Errorf("notes %q", r.Notes)
	}
}

// An example of a password in a document or a test stops nobody's commit; a key of a known form does, wherever it stands.
func TestReviewOfExamplePasswords(t *testing.T) {
	w := openWorkspace(t, map[string]string{"a.go": "package a\n"})
	line := "auth = login(user=\"ada\", password=\"" + "correct-horse-" + "battery9\")\n"
	for path, want := range map[string]string{"docs/guide.md": "note", "tests/test_auth.py": "note", "app/auth.py": "error"} {
		r := w.review(ReviewRequest{Patch: "--- /dev/null\n+++ b/" + path + "\n@@ -0,0 +1,1 @@\n+" + line})
		if len(r.Findings) != 1 || r.Findings[0].Rule != "secret" || r.Findings[0].Severity != want {
			t.Errorf("%s: %+v", path, r.Findings)
		}
	}
	key := "token = \"ghp_" + strings.Repeat("a1B2c3", 6) + "\"\n"
	if r := w.review(ReviewRequest{Patch: "--- /dev/null\n+++ b/docs/guide.md\n@@ -0,0 +1,1 @@\n+" + key}); len(r.Findings) != 1 || r.Findings[0].Severity != "error" {
		t.Errorf("a key in a document: %+v", r.Findings)
	}
}

func TestReviewBodyAlone(t *testing.T) {
	w := openWorkspace(t, map[string]string{
		"a.go": "package a\n\n// F has a `land`.\nfunc F(land string) int { return len(land) }\n\nfunc G() int { return F(\"\") }\n",
	})
	w.write("a.go", "package a\n\n// F has a `land`.\nfunc F(land string) int { return 1 + len(land) }\n\nfunc G() int { return F(\"\") }\n")
	w.wait()
	if r := w.review(ReviewRequest{}); len(r.Findings) != 0 || r.Lines != 2 {
		t.Errorf("the body of F alone was changed: %+v", r)
	}
}

func TestReviewCompanions(t *testing.T) {
	w := openWorkspace(t, map[string]string{"a.go": "package a\n", "a.sql": "-- a\n"})
	for i := range 15 {
		w.write("a.go", fmt.Sprintf("package a\n// %d\n", i))
		w.write("a.sql", fmt.Sprintf("-- %d\n", i))
		w.git("commit", "-q", "-a", "-m", "both")
	}
	w.write("a.go", "package a\n// last\n")
	w.wait()
	r := w.review(ReviewRequest{})
	if got := rulesOf(r); !slices.Equal(got, []string{"usually-changed-together a.sql:0"}) || !strings.Contains(r.Findings[0].Evidence, "16 of 16 commits") {
		t.Errorf("got %q %+v", got, r.Findings)
	}
}

func TestReviewOfPatches(t *testing.T) {
	w := openWorkspace(t, shop)
	unknown := func(path string) string { return "--- a/" + path + "\n+++ b/" + path + "\n@@ -1 +1 @@\n-a\n+b\n" }
	submodule := "diff --git a/sub b/sub\nindex 1111111..2222222 160000\n--- a/sub\n+++ b/sub\n@@ -1 +1 @@\n-Subproject commit 1111111\n+Subproject commit 2222222\n"
	for _, patch := range []string{submodule, "diff --git a/sub b/sub\nnew file mode 160000\nindex 0000000..2222222\n--- /dev/null\n+++ b/sub\n@@ -0,0 +1 @@\n+Subproject commit 2222222\n"} {
		if r := w.review(ReviewRequest{Patch: patch}); r.Files != 0 || len(r.Notes) != 0 {
			t.Errorf("a submodule: %+v", r)
		}
	}
	for name, tt := range map[string]struct{ patch, note string }{
		"outside": {"--- a/../x.go\n+++ b/../x.go\n@@ -1 +1 @@\n-a\n+b\n", "outside of the workspace"},
		"unknown": {"--- a/x.go\n+++ b/x.go\n@@ -1 +1 @@\n-a\n+b\n", "not indexed"},
		"long":    {"--- /dev/null\n+++ b/x.txt\n@@ -0,0 +1,60000 @@\n" + strings.Repeat("+a\n", 60_000), "the diff has 60000 lines"},
		"many unknown": {unknown("x1.go") + unknown("x2.go") + unknown("x3.go") + unknown("x4.go") + unknown("x5.go") + unknown("x6.go"),
			"6 files are not indexed, only secrets were looked for: x1.go, x2.go, x3.go, x4.go, x5.go, …"},
		"binary": {"diff --git a/x b/x\nindex 1111111..2222222 100644\nBinary files a/x and b/x differ\n", "1 binary file is not read"},
	} {
		r := w.review(ReviewRequest{Patch: tt.patch})
		if !slices.ContainsFunc(r.Notes, func(n string) bool { return strings.Contains(n, tt.note) }) {
			t.Errorf("%s: notes %q", name, r.Notes)
		}
	}
	for _, r := range []ReviewRequest{{Patch: "@@ -1 +1 @@\n"}, {Patch: "no diff"}, {Range: "nobody.."}, {Folder: "/nowhere"}} {
		if result, err := w.engine.Code().Review(context.Background(), r); err == nil {
			t.Errorf("%+v is taken: %+v", r, result)
		}
	}
}

// What a person calls not related is never found again, in any review, until that is undone; secrets always are.
func TestDismissedFindings(t *testing.T) {
	w := openWorkspace(t, map[string]string{"a.go": "package a\n", "a.sql": "-- a\n"})
	for i := range 15 {
		w.write("a.go", fmt.Sprintf("package a\n// %d\n", i))
		w.write("a.sql", fmt.Sprintf("-- %d\n", i))
		w.git("commit", "-q", "-a", "-m", "both")
	}
	w.write("a.go", "package a\n\n// F is last.\nfunc F() {}\n\nvar token = \"ghp_"+strings.Repeat("a1B2c3", 6)+"\"\n")
	ctx := context.Background()
	reread := func() {
		if _, err := w.engine.Index().Refresh(ctx, nil, false); err != nil {
			t.Fatal(err)
		}
		w.wait()
	}
	reread()
	if _, _, err := w.engine.Memory().Remember(ctx, RememberRequest{Content: "F stays as it is.", SourceRef: "a.go:4"}); err != nil {
		t.Fatal(err)
	}
	before := w.review(ReviewRequest{})
	var ids []string
	for _, f := range before.Findings {
		if f.ID != "" {
			ids = append(ids, f.ID)
		} else if f.Rule != "secret" {
			t.Errorf("without an id: %+v", f)
		}
	}
	if len(before.Findings) != 3 || len(ids) != 2 {
		t.Fatalf("findings %+v, notes %q", before.Findings, before.Notes)
	}
	if err := w.engine.Code().Dismiss(ctx, ids, false); err != nil {
		t.Fatal(err)
	}
	w.write("a.go", "package a\n\nvar other = 1\n\n// F is last.\nfunc F() { _ = other }\n\nvar token = \"ghp_"+strings.Repeat("a1B2c3", 6)+"\"\n")
	reread()
	if r := w.review(ReviewRequest{}); len(r.Findings) != 1 || r.Findings[0].Rule != "secret" || !slices.Contains(r.Notes, "2 findings left out that you called not related") {
		t.Errorf("after it was dismissed: %+v", r)
	}
	if err := w.engine.Code().Dismiss(ctx, ids[:1], true); err != nil {
		t.Fatal(err)
	}
	if r := w.review(ReviewRequest{}); len(r.Findings) != 2 || r.Findings[1].ID != ids[0] {
		t.Errorf("after that was undone: %+v", r)
	}
	for _, unknown := range []string{"know:x", "f-0123456789abcdef"} {
		var bad *fault.Error
		if err := w.engine.Code().Dismiss(ctx, []string{ids[1], unknown}, false); !errors.As(err, &bad) || bad.Kind != fault.Invalid || !strings.Contains(bad.Message, unknown) || bad.Remedy == "" {
			t.Errorf("%s: %v", unknown, err)
		}
	}
	if r := w.review(ReviewRequest{}); !slices.Equal(r.Dismissed, ids[1:]) {
		t.Errorf("an unknown id among others: %q", r.Dismissed)
	}
}

// An id outlives the process that found it: what is not committed is reviewed again when nothing is known of it.
func TestDismissedWithoutReview(t *testing.T) {
	w := openWorkspace(t, map[string]string{"a/a.go": "package a\n\nfunc Round(n int) int { return n }\n", "a/b.go": "package a\n\nfunc Use() int { return Round(1) }\n"})
	w.write("a/a.go", "package a\n\nfunc Round(n, to int) int { return n }\n")
	w.wait()
	id := w.review(ReviewRequest{}).Findings[0].ID
	w.rewire(func(*Options) {}) // another process
	if err := w.engine.Code().Dismiss(context.Background(), []string{id}, false); err != nil {
		t.Fatal(err)
	}
	if r := w.review(ReviewRequest{}); len(r.Findings) != 0 {
		t.Errorf("found again: %+v", r.Findings)
	}
}

// What is staged is reviewed on its own lines, whatever was written to the file since.
func TestReviewOfStagedThenEdited(t *testing.T) {
	before := "package a\n\n// Rate has a `land`.\nfunc Rate(land string) int { return len(land) }\n\nfunc Bill() int {\n\treturn Rate(\"de\")\n}\n"
	w := openWorkspace(t, map[string]string{"a.go": before})
	if _, _, err := w.engine.Memory().Remember(context.Background(), RememberRequest{Content: "Lands have codes.", SourceRef: "a.go:4"}); err != nil {
		t.Fatal(err)
	}
	staged := strings.Replace(before, "Rate(land string) int { return len(land) }", "Rate(code, way int) int { return code }", 1)
	w.write("a.go", staged)
	w.git("add", "a.go")
	want := []string{"touched-note a.go:4", "caller-not-updated a.go:4", "comment-names-removed-parameter a.go:3"}
	w.wait()
	if got := rulesOf(w.review(ReviewRequest{Staged: true})); !slices.Equal(got, want) {
		t.Errorf("staged: %q", got)
	}
	w.write("a.go", strings.Replace(staged, "package a\n", "package a\n\n// Further.\n// Further.\nvar further = 1\n", 1))
	w.wait()
	if got := rulesOf(w.review(ReviewRequest{Staged: true})); !slices.Equal(got, want) {
		t.Errorf("staged, then edited: %q", got)
	}
}

// What a change takes out and other code still uses is found where it is used; what moved, or what something else stands for, is not.
func TestReviewOfRemovedDefinitions(t *testing.T) {
	w := openWorkspace(t, map[string]string{
		"go.mod":          "module example.com/shop\n\ngo 1.25\n",
		"tax/tax.go":      "package tax\n\nconst Limit = 5\n\nfunc Rate(n int) int { return n }\n\nfunc Round(n int) int {\n\tif n > 3 {\n\t\treturn n * 2\n\t}\n\treturn n\n}\n\nfunc Moved() int { return 1 }\n\ntype Table struct{}\n\nfunc (Table) Row() int { return 1 }\n\nfunc (Table) Col() int { return 2 }\n",
		"tax/bill.go":     "package tax\n\nfunc Bill() int { return Rate(1) + Limit }\n\nfunc Sum(t Table) int {\n\tn := t.Row()\n\treturn n + Round(2)\n}\n\nfunc Other() int { return Moved() }\n",
		"shop/shop.go":    "package shop\n\nimport \"example.com/shop/tax\"\n\nfunc Total() int { return tax.Rate(2) }\n\nfunc Own() int {\n\tRate := func(n int) int { return n }\n\treturn Rate(2)\n}\n",
		"py/rates.py":     "def base(n):\n    return n\n\n\ndef extra(n):\n    return n + 1\n",
		"py/use.py":       "from .rates import base, extra\n\n\ndef total():\n    return extra(1)\n",
		"py/unrelated.py": "def total2(x):\n    return x.base(1)\n",
	})
	w.write("tax/tax.go", "package tax\n\nfunc RoundUp(n int) int {\n\tif n > 3 {\n\t\treturn n * 2\n\t}\n\treturn n\n}\n\ntype Table struct{}\n\nfunc (Table) Col() int { return 2 }\n")
	w.write("tax/moved.go", "package tax\n\nfunc Moved() int { return 1 }\n")
	w.write("py/rates.py", "def extra(n):\n    return n + 1\n")
	w.git("add", "-A")
	w.wait()
	r := w.review(ReviewRequest{})
	got := rulesOf(r)
	want := []string{
		"removed-still-used py/rates.py:1", "removed-still-used tax/tax.go:12", "removed-still-used tax/tax.go:3", "removed-still-used tax/tax.go:3", "removed-still-used tax/tax.go:3",
	}
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	for message, places := range map[string]string{
		"This change renames Round to RoundUp, and 1 place still uses the old name: change it.": "tax/bill.go:7 Sum calls Round",
		"This change removes Limit, which 1 place still uses: change it, or keep Limit.":        "tax/bill.go:3 Bill uses Limit",
		"This change removes Rate, which 2 places still use: change them, or keep Rate.":        "shop/shop.go:5 Total calls Rate, tax/bill.go:3 Bill calls Rate",
		"This change removes Table.Row, which 1 place still uses: change it, or keep Row.":      "tax/bill.go:6 Sum calls Table.Row",
		"This change removes base, which 1 place still uses: change it, or keep base.":          "py/use.py:1 use.py imports base",
	} {
		at := slices.IndexFunc(r.Findings, func(f ReviewFinding) bool { return f.Message == message })
		if at < 0 || placesOf(r.Findings[at]) != places {
			t.Errorf("no finding says %q of %s: %+v", message, places, r.Findings)
		}
	}
}

// placesOf are "path:line message" of each place of a finding.
func placesOf(f ReviewFinding) string {
	var all []string
	for _, p := range f.Related {
		all = append(all, fmt.Sprintf("%s:%d %s", p.Path, p.Line, p.Message))
	}
	return strings.Join(all, ", ")
}

// One changed function is one finding, however many call it; those in tests come last, and what is dismissed is no longer counted.
func TestReviewIsOneFindingForAFunction(t *testing.T) {
	files := map[string]string{"a/a.go": "package a\n\nfunc Round(n int) int { return n }\n"}
	for i := range 60 {
		files[fmt.Sprintf("a/use%02d.go", i)] = fmt.Sprintf("package a\n\nfunc Use%d() int { return Round(%d) }\n", i, i)
	}
	files["a/a_test.go"] = "package a\n\nimport \"testing\"\n\nfunc TestRound(t *testing.T) { Round(1) }\n"
	w := openWorkspace(t, files)
	for change, want := range map[string]string{
		"func Round(n, to int) int { return n }": "Round takes 2 arguments now, and %d calls still pass another number: change them.",
		"func Up(n int) int { return n }":        "This change renames Round to Up, and %d places still use the old name: change them.",
		"":                                       "This change removes Round, which %d places still use: change them, or keep Round.",
	} {
		w.write("a/a.go", "package a\n\n"+change+"\n")
		w.wait()
		r := w.review(ReviewRequest{})
		if len(r.Findings) != 1 || r.Findings[0].Message != fmt.Sprintf(want, 61) || r.Findings[0].Path != "a/a.go" || r.Findings[0].Line != 3 || len(r.Findings[0].Related) != 61 ||
			r.Findings[0].Related[0].Path != "a/use00.go" || r.Findings[0].Related[60].Path != "a/a_test.go" {
			t.Fatalf("%q: %+v %q", change, r.Findings, r.Notes)
		}
		one, all := r.Findings[0].Related[1].ID, r.Findings[0].ID
		for _, tt := range []struct {
			id   string
			left int
		}{{one, 60}, {all, 0}} {
			if err := w.engine.Code().Dismiss(context.Background(), []string{tt.id}, false); err != nil {
				t.Fatal(err)
			}
			r := w.review(ReviewRequest{})
			if tt.left == 0 && len(r.Findings) != 0 || tt.left > 0 && r.Findings[0].Message != fmt.Sprintf(want, tt.left) || !slices.Contains(r.Dismissed, tt.id) {
				t.Errorf("%q: %d left of %+v, %q", change, tt.left, r.Findings, r.Dismissed)
			}
		}
		if err := w.engine.Code().Dismiss(context.Background(), []string{one, all}, true); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.engine.Code().Dismiss(context.Background(), []string{"f-0123456789abcdef"}, true); err == nil {
		t.Error("what nobody dismissed is taken back")
	}
}

// What uses definitions of a deleted file is named where it is used.
func TestReviewOfADeletedFile(t *testing.T) {
	w := openWorkspace(t, map[string]string{
		"tax/tax.go": "package tax\n\nfunc Rate(n int) int { return n }\n", "tax/bill.go": "package tax\n\nfunc Bill() int { return Rate(1) }\n",
	})
	w.git("rm", "-q", "tax/tax.go")
	w.wait()
	r := w.review(ReviewRequest{})
	if len(r.Findings) != 1 || r.Findings[0].Path != "tax/bill.go" || r.Findings[0].Line != 3 || !strings.Contains(r.Findings[0].Evidence, "was in tax/tax.go") {
		t.Errorf("%+v", r.Findings)
	}
}

// Documents that name what is gone as code are named; those that tell of the past, words, and names that something else has are not.
func TestReviewOfDocumentsThatNameWhatIsGone(t *testing.T) {
	w := openWorkspace(t, map[string]string{
		"tax/tax.go":      "package tax\n\nfunc RoundUp(n int) int { return n }\n\nfunc Other(n int) int { return n }\n\nfunc rate() int { return 1 }\n\ntype Table struct{}\n\nfunc (Table) RowOf() int { return 1 }\n",
		"far/far.go":      "package far\n\nfunc Other(n int) int { return n }\n",
		"docs/guide.md":   "# Guide\n\nCall `RoundUp(n)` or `tax.RoundUp`.\n\nOf `Other`, `rate`, RoundUp and `Table.RowOf`, `RowOf` is one.\n",
		"docs/api.rst":    "API\n===\n\n.. autofunction:: RoundUp\n\nSee :func:`~tax.RoundUp`.\n",
		"CHANGELOG.md":    "# Changes\n\n- `RoundUp` is new.\n",
		"docs/upgrade.md": "# Upgrade\n\nUse `RoundUp`.\n",
	})
	w.write("tax/tax.go", "package tax\n\ntype Table struct{}\n")
	w.wait()
	got := map[string]string{}
	for _, f := range w.review(ReviewRequest{}).Findings {
		got[f.Message] = placesOf(f)
	}
	want := map[string]string{
		"This change removes RoundUp, which 3 places still use: change them, or keep RoundUp.": "docs/api.rst:4 api.rst names RoundUp, docs/api.rst:6 api.rst names RoundUp, docs/guide.md:3 guide.md names RoundUp",
		"This change removes Table.RowOf, which 1 place still uses: change it, or keep RowOf.": "docs/guide.md:5 guide.md names Table.RowOf",
	}
	if !maps.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Imports of the path that a file had are named once in each file, unless they lead somewhere as well as before.
func TestReviewOfAMovedFile(t *testing.T) {
	w := openWorkspace(t, map[string]string{
		"app/rates.py":     "def base(n):\n    return n\n\n\ndef extra(n):\n    return n + 1\n",
		"app/use.py":       "from .rates import base\nfrom .rates import extra\n\n\ndef total():\n    return base(1) + extra(1)\n",
		"app/far.py":       "from app.rates import base\n",
		"app/new.py":       "from .rates import base\n",
		"web/a.ts":         "export function a(): number { return 1 }\n\nexport function b(): number { return 2 }\n",
		"web/use.ts":       "import { a } from \"./a\"\n\nexport const c = a()\n",
		"web/dir.ts":       "export function d(): number { return 1 }\n\nexport function e(): number { return 2 }\n",
		"web/usedir.ts":    "import { d } from \"./dir\"\n\nexport const c = d()\n",
		"web/elsewhere.ts": "import { a } from \"a\"\n\nexport const c = a()\n",
		"lib/page.rb":      "module Page\n  def self.all\n    1\n  end\nend\n",
		"lib/book.rb":      "require_relative \"page\"\n",
	})
	w.git("mv", "app/rates.py", "app/taxes.py")
	w.write("app/new.py", "from .taxes import base\n")
	w.git("mv", "web/a.ts", "web/first.ts")
	if err := os.Mkdir(filepath.Join(w.dir, "web/dir"), 0o700); err != nil {
		t.Fatal(err)
	}
	w.git("mv", "web/dir.ts", "web/dir/index.ts")
	w.git("mv", "lib/page.rb", "lib/pages.rb")
	w.wait()
	got := map[string]string{}
	for _, f := range w.review(ReviewRequest{}).Findings {
		got[f.Message] = f.Path + ": " + placesOf(f)
	}
	want := map[string]string{
		"This change moves app/rates.py to app/taxes.py, and 2 files still import the old path: change them.": "app/taxes.py: app/far.py:1 far.py imports app.rates, app/use.py:1 use.py imports .rates",
		"This change moves web/a.ts to web/first.ts, and 1 file still imports the old path: change it.":       "web/first.ts: web/use.ts:1 use.ts imports ./a",
		"This change moves lib/page.rb to lib/pages.rb, and 1 file still imports the old path: change it.":    "lib/pages.rb: lib/book.rb:1 book.rb imports page",
	}
	if !maps.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestReviewNamesTests changes a method of a class that many tests make, one that a test calls by its old name, and a function of a
// package that has tests of other functions.
func TestReviewNamesTests(t *testing.T) {
	var many strings.Builder
	for i := range 8 {
		fmt.Fprintf(&many, "def test_%d():\n    Cart()\n\n\n", i)
	}
	files := map[string]string{
		"go.mod":               "module example.com/shop\n\ngo 1.25\n",
		"tax/tax.go":           "package tax\n\nfunc Rate() int { return 1 }\n\nfunc hidden() int { return 2 }\n",
		"tax/tax_test.go":      "package tax\n\nimport \"testing\"\n\nfunc TestRate(t *testing.T) { Rate() }\n",
		"shop/cart.py":         "class Cart:\n    def total(self):\n        return 1\n\n    def old(self):\n        return 2\n",
		"tests/test_many.py":   "from shop.cart import Cart\n\n\n" + many.String(),
		"tests/test_totals.py": "from shop.cart import Cart\n\n\ndef test_total():\n    assert Cart().total() == 1\n",
		"tests/test_old.py":    "from shop.cart import Cart\n\n\ndef made():\n    return Cart().old()\n",
	}
	for change, want := range map[string]string{
		"return 1": "pytest tests/test_totals.py::test_total",
		"def old":  "pytest tests/test_many.py tests/test_old.py tests/test_totals.py::test_total",
	} {
		w := openWorkspace(t, files)
		w.write("shop/cart.py", strings.Replace(files["shop/cart.py"], change, map[string]string{"return 1": "return 3", "def old": "def new"}[change], 1))
		w.write("tax/tax.go", strings.Replace(files["tax/tax.go"], "return 2", "return 4", 1))
		w.wait()
		var got []string
		for _, test := range w.review(ReviewRequest{}).Tests {
			got = append(got, test.Command)
		}
		if all := []string{"go test ./tax", want}; !slices.Equal(got, all) {
			t.Errorf("%s: %q, want %q", change, got, all)
		}
	}
}

// A call that names a parameter which is gone does not fit, however many arguments there are.
func TestReviewOfParametersThatCallsName(t *testing.T) {
	w := openWorkspace(t, map[string]string{
		"a.py": "def price(item, keys, tax=1):\n    return item\n",
		"b.py": "from a import price\n\n\ndef one():\n    return price(1, keys=2)\n\n\ndef two():\n    return price(1, 2)\n\n\ndef three():\n    return price(1, 2, tax=3)\n",
	})
	for change, want := range map[string]string{
		"def price(item, names, tax=1):": "price has no parameter keys any longer, and 1 call does not fit any longer: change it.",
		"def price(item, tax=1):":        "price has no parameter keys any longer, and 2 calls do not fit any longer: change them.",
		"def price(item, keys, vat=1):":  "price has no parameter tax any longer, and 1 call does not fit any longer: change it.",
		"def price(item, tax=1, **kw):":  "",
		"def price(item, keys, tax=2):":  "",
	} {
		w.write("a.py", change+"\n    return item\n")
		w.wait()
		r := w.review(ReviewRequest{})
		if want == "" && len(r.Findings) != 0 || want != "" && (len(r.Findings) != 1 || r.Findings[0].Message != want) {
			t.Errorf("%s: %+v, %q", change, r.Findings, r.Notes)
		}
	}
}
