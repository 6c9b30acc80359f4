package lsp_test

import (
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/internal/api"
)

// activation waits until a subject has been used as reported, and returns its base level.
func (w *world) activation(id string, ok func(float64) bool) {
	w.t.Helper()
	var level float64
	for deadline := time.Now().Add(time.Minute); ; {
		levels, err := w.memory.Activation(w.t.Context(), []string{id})
		if err != nil {
			w.t.Fatal(err)
		}
		used := false
		if level, used = levels[id]; used && ok(level) {
			return
		}
		if time.Now().After(deadline) {
			w.t.Fatalf("activation of %s: %v, used %v", id, level, used)
		}
	}
}

func TestSavedEditsAreUses(t *testing.T) {
	w := newWorld(t)
	e := w.open(shop)
	e.OpenFile("cart.go")
	at := strings.Index(e.Content("cart.go"), "c.items = append")
	e.Edit("cart.go", at, at, "/* in order */ ")
	w.settle()
	e.Notify("textDocument/didSave", map[string]any{"textDocument": map[string]any{"uri": e.URI("cart.go")}})
	w.activation("code:cart.go:Cart.AddItem", func(float64) bool { return true })
	levels, err := w.memory.Activation(t.Context(), []string{"code:cart.go:NewCart"})
	if err != nil || len(levels) != 0 {
		t.Errorf("what was not edited has %v, %v", levels, err)
	}
}

func TestDidUseOfEveryKind(t *testing.T) {
	w := newWorld(t)
	e := w.open(shop)
	for _, action := range []string{"opened", "accepted", "copied", "edited", "cited", "returned"} {
		e.Notify("aurora/didUse", api.DidUseParams{Hits: []api.Use{{ID: "code:cart.go:" + action, Action: action}}})
		w.activation("code:cart.go:"+action, func(level float64) bool { return level > -20 })
	}
	e.Notify("aurora/didUse", api.DidUseParams{Hits: []api.Use{{ID: "x", Action: "licked"}, {ID: "code:cart.go:bad", Action: "rejected"}}})
	w.activation("code:cart.go:bad", func(level float64) bool { return level == -20 })
	e.Notify("aurora/didUse", api.DidUseParams{Hits: []api.Use{{ID: "code:cart.go:rated", Action: "rated", Value: 0.5}}})
	w.activation("code:cart.go:rated", func(level float64) bool { return level > -20 })
}

// A search shows what became of the code that a memory cites, as the buffer has it.
func TestSearchChecksCitations(t *testing.T) {
	w := newWorld(t)
	e := w.open(shop)
	e.OpenFile("cart.go")
	at := strings.Index(e.Content("cart.go"), "func (c *Cart) AddItem")
	place := e.At("cart.go", at)
	var saved api.RememberResult
	e.Call("aurora/remember", map[string]any{"content": "Zebras are counted twice", "textDocument": place["textDocument"],
		"range": map[string]any{"start": place["position"], "end": place["position"]}}, &saved)
	state := func() api.Citation {
		t.Helper()
		e.Search("zebras") // answered behind the edits that were sent before
		w.settle()
		for _, hit := range e.Search("zebras").Hits {
			if hit.ID == saved.ID && len(hit.Citations) == 1 {
				return hit.Citations[0]
			}
		}
		t.Fatal("the memory is not found, or cites nothing")
		return api.Citation{}
	}
	want := api.Citation{State: "valid", URI: e.URI("cart.go"), Path: "cart.go", Line: 7, Name: "AddItem"}
	if got := state(); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	e.Edit("cart.go", at, at+len("func (c *Cart) AddItem"), "func (c *Cart) PutItem")
	want.State, want.Name, want.Was = "moved", "PutItem", "cart.go:7 AddItem"
	if got := state(); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	body := strings.Index(e.Content("cart.go"), "c.items = append(c.items, name)")
	e.Edit("cart.go", body, body+len("c.items = append(c.items, name)"), "panic(name)")
	if got := state(); got.State != "changed" {
		t.Errorf("after another edit %+v", got)
	}
	// A card leaves out what a busy machine does not tell in time.
	card := ""
	for deadline := time.Now().Add(time.Minute); !strings.Contains(card, "has changed since"); {
		if card = e.Hover("cart.go", at+len("func (c *Cart) P")); time.Now().After(deadline) {
			t.Fatalf("hover %s", card)
		}
	}
	if !strings.Contains(card, "Zebras are counted twice") {
		t.Errorf("hover %s", card)
	}
}

func TestFollowUpsOfAConversation(t *testing.T) {
	w := newWorld(t)
	e := w.open(shop)
	ask := func(query string) *api.QueryResult {
		t.Helper()
		var result api.QueryResult
		e.Call("aurora/query", api.QueryParams{Query: query, ConversationID: "c1"}, &result)
		return &result
	}
	if answer := ask("where is NewCart defined?"); len(answer.Citations) == 0 {
		t.Fatalf("answer %+v", answer)
	}
	if reply := ask("perfect, thanks"); !strings.Contains(reply.Answer, "Noted") || len(reply.Citations) != 0 {
		t.Errorf("reply %+v", reply)
	}
	w.activation("code:cart.go:NewCart", func(level float64) bool { return level > -20 })
	if answer := ask("and who calls it?"); !strings.Contains(answer.Answer, "NewCart") || len(answer.Citations) == 0 {
		t.Errorf("a follow-up got %+v", answer)
	}
	if reply := ask("no"); !strings.Contains(reply.Answer, "Can you clarify?") {
		t.Errorf("reply %+v", reply)
	}
	if answer := ask("where is Cart defined?"); !strings.Contains(answer.Answer, "cart.go:4") {
		t.Errorf("a clarification got %+v", answer)
	}
}
