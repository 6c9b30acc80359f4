package eval

import (
	"path/filepath"
	"reflect"
	"testing"
)

func answer(id, repo, category string, ndcg float64) Answer {
	return Answer{ID: id, Query: "q " + id, Repo: repo, Category: category, Hits: []Place{{Path: "x"}}, Metrics: Metrics{NDCG: ndcg}, Millis: 10 * ndcg}
}

func TestReportAveragesOverRepositories(t *testing.T) {
	run := &Run{Answers: []Answer{
		answer("1", "big", "name", 1), answer("2", "big", "name", 1), answer("3", "big", "prose", 0), answer("4", "small", "prose", 0.5),
		{ID: "5", Repo: "small", Abstains: true}, {ID: "6", Repo: "small", Abstains: true, Hits: []Place{{Path: "x"}}}, {ID: "7", Repo: "small"},
	}}
	r := run.Report()
	if want := (2./3 + 0.25) / 2; !near(r.All.NDCG, want) || r.All.Queries != 5 || r.All.Repositories != 2 {
		t.Errorf("all %+v, want %v", r.All, want)
	}
	if want := 2.5 / 5; !near(r.PerQuery.NDCG, want) {
		t.Errorf("mean over queries %v, want %v", r.PerQuery.NDCG, want)
	}
	if got := r.Categories["prose"]; !near(got.NDCG, 0.25) || got.Queries != 2 {
		t.Errorf("prose %+v", got)
	}
	if want := (Abstention{Expected: 2, Kept: 1, Wrong: 1}); r.Abstention != want {
		t.Errorf("abstention %+v, want %+v", r.Abstention, want)
	}
	if r.Latency.P95 != 10 {
		t.Errorf("latency %+v", r.Latency)
	}
}

func TestCompareListsWhatChanged(t *testing.T) {
	before := &Run{Answers: []Answer{answer("same", "r", "", 0.5), answer("up", "r", "", 0.2), answer("down", "r", "", 0.9), answer("far down", "r", "", 1),
		{ID: "abstention", Query: "q", Abstains: true}, answer("gone", "r", "", 1)}}
	after := &Run{Answers: []Answer{answer("same", "r", "", 0.5), answer("up", "r", "", 0.7), answer("down", "r", "", 0.8), answer("far down", "r", "", 0),
		{ID: "abstention", Query: "q", Abstains: true, Hits: []Place{{Path: "x"}}}, answer("new", "r", "", 1)}}
	d := Compare(before, after)
	if d.Queries != 5 || !near(d.Before, 3.6/5) || !near(d.After, 2.0/5) {
		t.Errorf("%+v", d)
	}
	if want := []Change{{"up", "q up", 0.2, 0.7}}; !reflect.DeepEqual(d.Better, want) {
		t.Errorf("better %+v", d.Better)
	}
	if want := []Change{{"abstention", "q", 1, 0}, {"far down", "q far down", 1, 0}, {"down", "q down", 0.9, 0.8}}; !reflect.DeepEqual(d.Worse, want) {
		t.Errorf("worse %+v", d.Worse)
	}
}

func TestSavedRunComesBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.json")
	run := &Run{Answers: []Answer{answer("1", "r", "c", 0.25)}, Missing: []string{"gone"}}
	if err := run.Save(path); err != nil {
		t.Fatal(err)
	}
	got, err := Open(path)
	if err != nil || !reflect.DeepEqual(got, run) {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := Open(path + ".none"); err == nil {
		t.Error("a missing file was opened")
	}
}
