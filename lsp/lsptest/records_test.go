package lsptest_test

import (
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/lsp/protocol"
)

func TestRecordsAreListedRevisedAndPinned(t *testing.T) {
	w := newWorld(t)
	e := w.open(shop)
	var saved protocol.RememberResult
	e.Call("aurora/remember", protocol.RememberParams{Content: "We chose carts over baskets", SourceRef: "cart.go:7"}, &saved)
	list := func(view string) *protocol.RecordsResult {
		t.Helper()
		var result protocol.RecordsResult
		e.Call("aurora/records", protocol.RecordsParams{View: view}, &result)
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
	var revised protocol.ReviseResult
	e.Call("aurora/revise", protocol.ReviseParams{ID: saved.ID, Content: &text, Pinned: &pin}, &revised)
	if pinned := list("pinned"); revised.ID != saved.ID || pinned.Total != 1 || pinned.Records[0].Content != text || !pinned.Records[0].Pinned {
		t.Errorf("revised as %s: %+v", revised.ID, pinned)
	}
	var one protocol.RecordsResult
	e.Call("aurora/records", protocol.RecordsParams{ID: saved.ID}, &one)
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

func TestFeedbackOnAnAnswer(t *testing.T) {
	w := newWorld(t)
	e := w.open(shop)
	var answer protocol.QueryResult
	e.Call("aurora/query", protocol.QueryParams{Query: "where is NewCart defined?"}, &answer)
	var result protocol.FeedbackResult
	e.Call("aurora/feedback", protocol.FeedbackParams{QueryID: answer.QueryID, Signal: "positive"}, &result)
	if result.Action != "accepted" || result.Applied != len(answer.Citations) || result.Applied == 0 {
		t.Errorf("feedback %+v on %d citations", result, len(answer.Citations))
	}
	w.activation("code:cart.go:NewCart", func(level float64) bool { return level > -20 })
}
