package main

import (
	"path/filepath"
	"testing"

	"github.com/aurora-sidecar/aurora/engine/search/rank"
	"github.com/aurora-sidecar/aurora/tools/eval"
)

// TestWeightsKeepWhatWasLeftOut writes weights with the figures of repositories that were left out, and reads both again.
func TestWeightsKeepWhatWasLeftOut(t *testing.T) {
	var choices []eval.FileChoice
	for _, repo := range []string{"one", "two", "three"} {
		good, bad := make([]float64, len(rank.FileFeatures)), make([]float64, len(rank.FileFeatures))
		bad[0], good[1] = 1, 1 // the rules are wrong, and another feature is right
		choices = append(choices, eval.FileChoice{Repo: repo, Category: "how", Candidates: [][]float64{bad, good}, Relevant: []bool{false, true}, Targets: 1})
	}
	file := filepath.Join(t.TempDir(), "weights.json")
	if err := writeModel(file, rank.Model{Weights: map[string]float64{rank.ActionFeatures[0].Name: 2.5}}, leaveOutFiles(choices)); err != nil {
		t.Fatal(err)
	}
	left, err := eval.LeftOuts(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(left) != 2 || left[0] != (eval.LeftOut{Set: "all", Measure: "NDCG@10", Repositories: 3, Queries: 3, Before: 0.631, Fitted: 1}) || left[1].Set != "how" {
		t.Errorf("%+v", left)
	}
	if weights, err := readActions(file); err != nil || weights[0] != 2.5 {
		t.Errorf("%v, %v", weights, err)
	}
	if left, err := eval.LeftOuts("../../../engine/search/rank/within.json"); err != nil {
		t.Errorf("%v, %v", left, err)
	}
}
