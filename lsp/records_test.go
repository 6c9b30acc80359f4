package lsp_test

import (
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/api"
)

func TestRecordsAreListedRevisedAndPinned(t *testing.T) {
	w := newWorld(t)
	e := w.open(shop)
	var saved api.RememberResult
	e.Call("aurora/remember", api.RememberParams{Content: "We chose carts over baskets", SourceRef: "cart.go:7"}, &saved)
	list := func(view string) *api.RecordsResult {
		t.Helper()
		var result api.RecordsResult
		e.Call("aurora/records", api.RecordsParams{View: view}, &result)
		return &result
	}
	all := list("")
	if all.Total != 1 || len(all.Records) != 1 || !all.Records[0].Decision || all.Records[0].Hit.Citations[0].Path != "cart.go" {
		t.Fatalf("records %+v", all)
	}
	if none := list("pinned"); none.Total != 0 || none.Records == nil {
		t.Errorf("pinned %+v", none)
	}
	text, pin := "We chose carts over baskets: they have wheels", true
	var revised api.ReviseResult
	e.Call("aurora/revise", api.ReviseParams{ID: saved.ID, Content: &text, Pinned: &pin}, &revised)
	if pinned := list("pinned"); revised.ID != saved.ID || pinned.Total != 1 || pinned.Records[0].Content != text || !pinned.Records[0].Pinned {
		t.Errorf("revised as %s: %+v", revised.ID, pinned)
	}
	var one api.RecordsResult
	e.Call("aurora/records", api.RecordsParams{ID: saved.ID}, &one)
	if one.Total != 1 || one.Records[0].Content != text || !one.Records[0].Editable {
		t.Errorf("by its id: %+v", one)
	}
	for method, params := range map[string]any{
		"aurora/records":  map[string]any{"view": "latest"},
		"aurora/revise":   map[string]any{"id": "know:nothing"},
		"aurora/feedback": map[string]any{},
	} {
		if err := e.Try(method, params, nil); err == nil || !strings.Contains(err.Error(), "view") && !strings.Contains(err.Error(), "no memory record") && !strings.Contains(err.Error(), "neither") {
			t.Errorf("%s: %v", method, err)
		}
	}
}

// What is known about a file are the notes that cite it, by their lines, whatever their words.
func TestRecordsAboutAFile(t *testing.T) {
	w := newWorld(t)
	e := w.open(shop)
	for _, note := range []api.RememberParams{
		{Content: "Wheels are oiled in spring", SourceRef: "cart.go:7"},
		{Content: "One line says all", SourceRef: "cart.go:1"},
		{Content: "cart.go was written in a night"}, // its name, and no place
		{Content: "The till is locked", SourceRef: "main.go:1"},
	} {
		e.Call("aurora/remember", note, nil)
	}
	about := func(name string, limit int) (said []string, total int) {
		t.Helper()
		var result api.RecordsResult
		e.Call("aurora/records", api.RecordsParams{URI: e.URI(name), Limit: limit}, &result)
		for _, r := range result.Records {
			said = append(said, r.Content)
		}
		return said, result.Total
	}
	if said, total := about("cart.go", 0); total != 2 || strings.Join(said, "; ") != "One line says all; Wheels are oiled in spring" {
		t.Errorf("%d about cart.go: %q", total, said)
	}
	if said, total := about("cart.go", 1); total != 2 || len(said) != 1 {
		t.Errorf("with a limit %d: %q", total, said)
	}
	if said, total := about("nothing.go", 0); total != 0 || len(said) != 0 {
		t.Errorf("about a file that is not there: %q", said)
	}
	if err := e.Try("aurora/records", api.RecordsParams{URI: "untitled:1"}, nil); err == nil {
		t.Error("a document without a file has records")
	}
}

func TestFeedbackOnAnAnswer(t *testing.T) {
	w := newWorld(t)
	e := w.open(shop)
	var answer api.QueryResult
	e.Call("aurora/query", api.QueryParams{Query: "where is NewCart defined?"}, &answer)
	var result api.FeedbackResult
	e.Call("aurora/feedback", api.FeedbackParams{QueryID: answer.QueryID, Signal: "positive"}, &result)
	if result.Action != "accepted" || result.Applied != len(answer.Citations) || result.Applied == 0 {
		t.Errorf("feedback %+v on %d citations", result, len(answer.Citations))
	}
	w.activation("code:cart.go:NewCart", func(level float64) bool { return level > -20 })
}
