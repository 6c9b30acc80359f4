package eval

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/aurora-sidecar/aurora/index/embed"
)

var update = flag.Bool("update", false, "rewrite the golden figures of the committed query sets")

// A golden is what a committed query set is known to reach.
type golden struct {
	Tolerance  float64            `json:"tolerance"` // of every figure; more than this below is a loss
	NDCG       float64            `json:"ndcg10"`
	MRR        float64            `json:"mrr10"`
	Recall10   float64            `json:"recall10"`
	Recall2000 float64            `json:"recall_2000_tokens"`
	Categories map[string]float64 `json:"ndcg10_by_category"`
	Kept       int                `json:"abstained_rightly"`
	Wrong      int                `json:"abstained_wrongly"`
}

// TestCommittedQueriesKeepTheirFigures asks the committed sets and fails when a change of ranking loses what they reach.
// "go test ./eval -run Committed -update" writes what is reached now; the diff belongs into the change's commit.
func TestCommittedQueriesKeepTheirFigures(t *testing.T) {
	if testing.Short() {
		t.Skip("indexes the whole repository")
	}
	const dir = "../../testdata/ranking"
	sets, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	model, err := embed.Default()
	if err != nil {
		t.Fatal(err)
	}
	goldens := readGoldens(t, dir)
	for name, repos := range map[string]string{"project": filepath.Join(sets, "..", ".."), "fixtures": filepath.Join(sets, "fixtures")} {
		queries, err := Load(filepath.Join(sets, name+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		run, err := Search(context.Background(), queries, Options{Repos: repos, Embedder: model, Leave: []string{sets}})
		if err != nil {
			t.Fatal(err)
		}
		if len(run.Missing) > 0 || len(run.Answers) != len(queries) {
			t.Fatalf("%s: %d of %d answered, missing %q", name, len(run.Answers), len(queries), run.Missing)
		}
		got := goldenOf(run.Report(), goldens[name].Tolerance)
		if *update {
			goldens[name] = got
			continue
		}
		for _, loss := range goldens[name].losses(got) {
			t.Errorf("%s: %s", name, loss)
		}
	}
	if *update {
		writeGoldens(t, dir, goldens)
	}
}

func goldenOf(r Report, tolerance float64) golden {
	g := golden{
		Tolerance: tolerance, NDCG: r.PerQuery.NDCG, MRR: r.PerQuery.MRR, Recall10: r.PerQuery.Recall10, Recall2000: r.PerQuery.Recall2000,
		Kept: r.Abstention.Kept, Wrong: r.Abstention.Wrong, Categories: map[string]float64{},
	}
	for name, group := range r.Categories {
		g.Categories[name] = group.NDCG
	}
	return g
}

// losses names every figure that is lost. A category is small: one query of it may be lost before it counts.
func (g golden) losses(got golden) (list []string) {
	low := func(what string, got, want, tolerance float64) {
		if got < want-tolerance {
			list = append(list, fmt.Sprintf("%s fell from %.3f to %.3f", what, want, got))
		}
	}
	low("NDCG@10", got.NDCG, g.NDCG, g.Tolerance)
	low("MRR@10", got.MRR, g.MRR, g.Tolerance)
	low("recall@10", got.Recall10, g.Recall10, g.Tolerance)
	low("recall within 2000 tokens", got.Recall2000, g.Recall2000, g.Tolerance)
	for _, category := range slices.Sorted(maps.Keys(g.Categories)) {
		low("NDCG@10 of "+category, got.Categories[category], g.Categories[category], 0.15)
	}
	if got.Kept < g.Kept || got.Wrong > g.Wrong+1 {
		list = append(list, fmt.Sprintf("%d rightly abstained and %d wrong, want at least %d and at most %d", got.Kept, got.Wrong, g.Kept, g.Wrong+1))
	}
	return list
}

// TestGoldenNoticesALoss makes sure that the check can fail.
func TestGoldenNoticesALoss(t *testing.T) {
	for name, g := range readGoldens(t, "../../testdata/ranking") {
		if g.NDCG < 0.5 || g.Tolerance <= 0 || g.Tolerance > 0.05 || len(g.Categories) < 5 {
			t.Errorf("%s: %+v is no golden figure", name, g)
		}
		if losses := g.losses(g); len(losses) > 0 {
			t.Errorf("%s: the same figures are a loss: %q", name, losses)
		}
		worse := g
		worse.NDCG -= 2 * g.Tolerance
		worse.Kept--
		if losses := g.losses(worse); len(losses) != 2 {
			t.Errorf("%s: two losses are %q", name, losses)
		}
	}
}

func readGoldens(t *testing.T, dir string) map[string]golden {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "golden.json"))
	if err != nil {
		t.Fatal(err)
	}
	var goldens map[string]golden
	if err := json.Unmarshal(text, &goldens); err != nil {
		t.Fatal(err)
	}
	return goldens
}

func writeGoldens(t *testing.T, dir string, goldens map[string]golden) {
	t.Helper()
	text, err := json.MarshalIndent(goldens, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "golden.json"), append(text, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}
