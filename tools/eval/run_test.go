package eval

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

var twoRepos = map[string]string{
	"one/src/cart.go":  "package cart\n\n// AddItem puts an item into the cart.\nfunc AddItem(name string) {}\n\nfunc Remove(name string) {}\n",
	"one/src/price.go": "package cart\n\n// WithTax adds the tax to a price.\nfunc WithTax(cents int) int { return cents }\n",
	"two/retry.py":     "def retry_request(send):\n    \"\"\"Send again after a failure.\"\"\"\n    return send()\n",
	"bench/repos.json": `[{"name": "one", "language": "go", "benchmark_root": "src"}, {"name": "two", "language": "python"}, {"name": "away", "language": "go"}]`,
	"bench/annotations/one.json": `[{"query": "AddItem", "category": "symbol", "relevant": ["src/cart.go"]},
		{"query": "tax on a price", "category": "semantic", "relevant": ["price.go"], "secondary": ["src/cart.go"]}]`,
	"bench/annotations/two.json":  `[{"query": "send again", "category": "semantic", "relevant": [{"path": "retry.py", "start_line": 2, "end_line": 2}]}]`,
	"bench/annotations/away.json": `[{"query": "x", "category": "symbol", "relevant": ["x.go"]}]`,
}

func TestSearchAnswersEveryQueryInItsRepository(t *testing.T) {
	dir := writeFiles(t, twoRepos)
	run := runBench(t, dir)
	if len(run.Answers) != 3 || len(run.Missing) != 1 || run.Missing[0] != filepath.Join(dir, "away") {
		t.Fatalf("%d answers, missing %q", len(run.Answers), run.Missing)
	}
	first := run.Answers[0].Hits[0]
	if first.Path != "src/cart.go" || first.Name != "AddItem" || first.StartLine != 4 || first.EndLine != 4 || first.Tokens == 0 {
		t.Errorf("first hit %+v", first)
	}
	for _, a := range run.Answers {
		if a.Metrics.MRR != 1 || a.Millis <= 0 {
			t.Errorf("%s: %+v in %v ms", a.ID, a.Metrics, a.Millis)
		}
	}
}

func runBench(t *testing.T, dir string) *Run {
	t.Helper()
	queries, err := Load(filepath.Join(dir, "bench"))
	if err != nil {
		t.Fatal(err)
	}
	run, err := Search(context.Background(), queries, Options{Repos: dir})
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// TestFiguresAreThoseOfTheReferenceScorer lets the public benchmark's own script score the same hits. The script is
// not part of this repository.
func TestFiguresAreThoseOfTheReferenceScorer(t *testing.T) {
	script, err := filepath.Abs("../../../shared/eval/semble-dev/score_semble.py")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(script); err != nil {
		t.Skip("the reference scorer is not there")
	}
	dir := writeFiles(t, twoRepos)
	run := runBench(t, dir)
	out := filepath.Join(dir, "out.json")
	cmd := exec.Command("python3", script, "--bench", filepath.Join(dir, "bench"), "--repo", "one", "--repo", "two", "--hits", writeHits(t, dir, run), "--json", out)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	type group struct {
		NDCG float64 `json:"ndcg"`
	}
	var want struct {
		group
		MeanOverQueries float64          `json:"mean_over_queries"`
		Categories      map[string]group `json:"by_category"`
		Languages       map[string]group `json:"by_language"`
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	got := run.Report()
	check := func(what string, got, want float64) {
		if math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: %v, the reference says %v", what, got, want)
		}
	}
	check("all", got.All.NDCG, want.NDCG)
	check("mean over queries", got.PerQuery.NDCG, want.MeanOverQueries)
	for name, w := range want.Categories {
		check(name, got.Categories[name].NDCG, w.NDCG)
	}
	for name, w := range want.Languages {
		check(name, got.Languages[name].NDCG, w.NDCG)
	}
	if len(want.Categories) != 2 || len(want.Languages) != 2 {
		t.Errorf("the reference scored %+v", want)
	}
}

// writeHits writes the run's hits as the reference scorer reads them, behind one that is wrong, so that not all is
// perfect.
func writeHits(t *testing.T, dir string, run *Run) string {
	t.Helper()
	f, err := os.Create(filepath.Join(dir, "hits.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	queries, _ := Load(filepath.Join(dir, "bench"))
	for i := range run.Answers {
		a := &run.Answers[i]
		a.Hits = append([]Place{{Path: "wrong.go", StartLine: 1, EndLine: 2}}, a.Hits...)
		for _, q := range queries {
			if q.ID == a.ID {
				a.Metrics = score(a.Hits, q.Relevant)
			}
		}
		var number int
		if _, err := fmt.Sscanf(a.ID[len(a.Repo):], "-%d", &number); err != nil {
			t.Fatal(err)
		}
		line, err := json.Marshal(map[string]any{"repo": a.Repo, "query_id": number, "hits": a.Hits})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(f, "%s\n", line)
	}
	return f.Name()
}
