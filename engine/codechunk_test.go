package engine

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/memory/chunkschema"
)

// exchangedChunk is what other programs read of a chunk of code.
type exchangedChunk struct {
	Content struct {
		File         string
		Function     string
		ElementType  string `json:"element_type"`
		LineStart    int    `json:"line_start"`
		LineEnd      int    `json:"line_end"`
		Dependencies []string
		Imports      []string
		Calls        []string
		Summary      struct {
			Complexity      string
			Branches, Loops int
		} `json:"ast_summary"`
	}
	Metadata struct {
		Language     string
		LastModified string `json:"last_modified"`
		GitHash      string `json:"git_hash"`
		Commits      int    `json:"commit_count"`
		Role         string `json:"semantic_role"`
		Keywords     []string
		Domain       string
	}
	Governance struct {
		Policy string `json:"lifespan_policy"`
	}
	Activation *float64
	BaseLevel  *float64 `json:"base_level_activation"`
	Spreading  float64  `json:"spreading_activation"`
}

func TestCodeChunks(t *testing.T) {
	w := openWorkspace(t, shop)
	ctx := context.Background()
	const id = "code:cart/cart.go:Cart.TotalPrice"
	get := func() exchangedChunk {
		t.Helper()
		text, err := w.engine.Code().CodeChunk(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		var c exchangedChunk
		if err := errors.Join(chunkschema.Validate(text), json.Unmarshal(text, &c)); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		return c
	}
	c := get()
	if c.Content.File != "cart/cart.go" || c.Content.Function != "Cart.TotalPrice" || c.Content.ElementType != "method" || c.Content.LineStart != 28 || c.Content.LineEnd != 35 {
		t.Errorf("content %+v", c.Content)
	}
	if !slices.Contains(c.Content.Calls, "WithTax") || !slices.Contains(c.Content.Imports, "example.com/shop/price") ||
		!slices.Contains(c.Content.Dependencies, "code:price/tax.go:WithTax") || c.Content.Summary.Complexity != "low" || c.Content.Summary.Branches != 0 || c.Content.Summary.Loops != 1 {
		t.Errorf("content %+v", c.Content)
	}
	if m := c.Metadata; m.Language != "go" || m.Commits != 1 || m.GitHash == "" || m.LastModified == "" || m.Role == "" || m.Domain == "" || len(m.Keywords) == 0 {
		t.Errorf("metadata %+v", m)
	}
	if c.Activation != nil || c.Governance.Policy != "conditional" {
		t.Errorf("activation %v, governance %+v", c.Activation, c.Governance)
	}
	if err := w.engine.Memory().Use(ctx, []string{id}, "opened", 0); err != nil {
		t.Fatal(err)
	}
	if c := get(); c.Activation == nil {
		t.Error("a use does not count")
	}
	for _, other := range []string{id + ":20-31", "code:cart/cart.go:30", "code:cart/cart.go:29-33"} { // as other programs write them
		text, err := w.engine.Code().CodeChunk(ctx, other)
		if err != nil || !strings.Contains(string(text), `"id":"`+id+`"`) {
			t.Errorf("%s: %v, %s", other, err, text)
		}
	}
	before := *get().Activation
	if err := w.engine.Memory().Use(ctx, []string{id + ":20-31"}, "accepted", 0); err != nil {
		t.Fatal(err)
	}
	if now := get(); *now.Activation <= before || *now.BaseLevel != *now.Activation || now.Spreading != 0 {
		t.Errorf("a use under the id with lines does not count: %v, then %v", before, *now.Activation)
	}
	old := []string{"code:gone.go:F:3-9", "code:gone.go:3-9", "know:gone.go:F:3-9"}
	if got, want := codebase.PresentIDs(w.index.Snapshot(), old), []string{"code:gone.go:F", old[1], old[2]}; !slices.Equal(got, want) {
		t.Errorf("ids that the index does not know became %q, want %q", got, want)
	}
	for _, none := range []string{"code:cart/cart.go:0", "code:nowhere.go:3", "know:cart/cart.go:30", "code:cart/cart.go:99999999999"} {
		if text, err := w.engine.Code().CodeChunk(ctx, none); err == nil {
			t.Errorf("%s is %s", none, text)
		}
	}
	var e *Error
	if _, err := w.engine.Code().CodeChunk(ctx, "code:cart/cart.go:Nobody"); !errors.As(err, &e) || e.Kind != Invalid {
		t.Errorf("of nothing: %v", err)
	}
}
