package measure

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/aurora-sidecar/aurora/index/embed"
)

func model(t *testing.T) *embed.Static {
	t.Helper()
	m, err := embed.Default()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// tree writes a small repository.
func tree(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range map[string]string{
		"store/files.go": `package store

// removeAll deletes a folder and whatever lies in it.
func removeAll(path string) error {
	return os.RemoveAll(path)
}

// parse reads a number from its decimal digits.
func parse(digits string) (int, error) {
	return strconv.Atoi(digits)
}
`,
		"store/files_test.go": "package store\n\n// helper makes a folder for the test.\nfunc helper(t *testing.T) string {\n\treturn t.TempDir()\n}\n",
	} {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestDocumented(t *testing.T) {
	r, err := Documented(tree(t))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Candidates) != 2 || len(r.Queries) != 2 {
		t.Fatalf("%d candidates, %d queries: tests must be left out", len(r.Candidates), len(r.Queries))
	}
	if q := r.Queries[0]; q.Language != "go" || q.Text != "          deletes a folder and whatever lies in it." || !slices.Equal(q.Answers, []int{0}) {
		t.Errorf("query %+v", q)
	}
	results := Run(model(t), []Repository{r})
	if mean := results[""]; mean.Queries != 2 || mean.MRR[Static] != 1 || mean.MRR[PlacedFused] != 1 {
		t.Errorf("figures %+v", mean)
	}
}

func TestQueries(t *testing.T) {
	root := tree(t)
	file := filepath.Join(t.TempDir(), "queries.jsonl")
	line := `{"repo":"` + filepath.Base(root) + `","lang":"go","query":"read a decimal number","answers":[{"path":"store/files.go","start_line":9,"end_line":11}]}` + "\n"
	if err := os.WriteFile(file, []byte(line), 0o644); err != nil {
		t.Fatal(err)
	}
	repositories, err := Queries(file, filepath.Dir(root))
	if err != nil || len(repositories) != 1 {
		t.Fatalf("%d repositories, %v", len(repositories), err)
	}
	r := repositories[0]
	if len(r.Candidates) != 3 || len(r.Queries) != 1 || len(r.Queries[0].Answers) != 1 || r.Candidates[r.Queries[0].Answers[0]].Name != "parse" {
		t.Errorf("candidates %v, queries %+v", r.Candidates, r.Queries)
	}
}

func TestReciprocal(t *testing.T) {
	tests := []struct {
		scores  []float64
		answers []int
		want    float64
	}{
		{[]float64{3, 2, 1}, []int{0}, 1},
		{[]float64{3, 2, 1}, []int{2}, 1. / 3},
		{[]float64{3, 2, 1}, []int{2, 1}, 1. / 2},
		{[]float64{0, 0, 0}, []int{1}, 1. / 3}, // of equals it comes last
		{[]float64{1, 2}, nil, 0},
		{[]float64{9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 1}, []int{10}, 0},
	}
	for _, test := range tests {
		if got := reciprocal(test.scores, test.answers); got != test.want {
			t.Errorf("%v, answers %v: %v, want %v", test.scores, test.answers, got, test.want)
		}
	}
}

func TestFuse(t *testing.T) {
	got := fuse([]float64{10, 0, 5}, []float64{-.5, .5, .5})
	if want := []float64{.5, .5, .75}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestBM25(t *testing.T) {
	docs := []Candidate{
		{Name: "close", Code: "release every handle of the pool"},
		{Name: "open", Code: "take handles of a pool"},
		{Name: "other", Code: "nothing at all"},
	}
	x := newBM25(docs)
	if scores := x.scores("closing the pools"); scores[0] <= scores[1] || scores[1] <= 0 || scores[2] != 0 {
		t.Errorf("scores %v: the stem of the name counts most, then that of the code", scores)
	}
	if scores := x.scores("of the at"); slices.Max(scores) != 0 {
		t.Errorf("stop words score %v", scores)
	}
}

// TestPublishedFigures measures the embedded model on held-out repositories in the folders below AURORA_HELDOUT.
func TestPublishedFigures(t *testing.T) {
	root := os.Getenv("AURORA_HELDOUT")
	if root == "" {
		t.Skip("AURORA_HELDOUT names no folder with httpx, click, cobra, esbuild, axios, date-fns, clap and gson")
	}
	var repositories []Repository
	for _, name := range []string{"httpx", "click", "cobra", "esbuild", "axios", "date-fns", "clap", "gson"} {
		r, err := Documented(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		repositories = append(repositories, r)
	}
	mean := Run(model(t), repositories)[""]
	for method, least := range map[int]float64{Static: .45, Fused: .46, PlacedFused: .47} {
		if got := mean.MRR[method]; got < least || math.IsNaN(got) {
			t.Errorf("%s: %.3f, want at least %.3f", Methods[method], got, least)
		}
	}
	if gain := mean.MRR[PlacedFused] / mean.MRR[BM25]; gain < 1.15 {
		t.Errorf("vectors gain %.1f %% over BM25, want at least 15 %%", 100*(gain-1))
	}
}
