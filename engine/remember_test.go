package engine

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
)

func TestRememberASelection(t *testing.T) {
	w := openWorkspace(t, shop)
	ctx := context.Background()
	s := w.selection("cart/cart.go", "sum += price.WithTax(item.Cents)")
	id, created, err := w.engine.Memory().Remember(ctx, RememberRequest{Select: &s})
	if err != nil || !created {
		t.Fatalf("%v, created %v", err, created)
	}
	record, err := w.engine.opts.Memory.Get(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	if record.Content != "sum += price.WithTax(item.Cents)" || record.SourceRef != "cart/cart.go:32" || record.Workspace != w.engine.records.Project(w.dir) ||
		len(record.Citations) != 1 || record.Citations[0].ChunkID != "code:cart/cart.go:Cart.TotalPrice" {
		t.Errorf("record %+v", record)
	}
	again, created, err := w.engine.Memory().Remember(ctx, RememberRequest{Select: &s})
	if err != nil || created || again != id {
		t.Errorf("the same again: %q, created %v, %v", again, created, err)
	}
	if err := w.engine.Memory().Use(ctx, []string{id, "code:cart/cart.go:Describe"}, "Opened", 0); err != nil {
		t.Errorf("use: %v", err)
	}
}

func TestRememberBadInput(t *testing.T) {
	w := openWorkspace(t, shop)
	ctx := context.Background()
	cursor := Selection{Path: w.path("cart/cart.go")}
	for _, tt := range []struct {
		r      RememberRequest
		detail string
	}{
		{RememberRequest{}, "content"},
		{RememberRequest{Content: " \n\t"}, "content"},
		{RememberRequest{Select: &cursor}, "content"},
		{RememberRequest{Content: strings.Repeat("x", 64<<10+1)}, "content"},
		{RememberRequest{Content: "x", Type: "function"}, "type"},
		{RememberRequest{Content: "x", Importance: 2}, "importance"},
		{RememberRequest{Content: "x", Importance: math.NaN()}, "importance"},
	} {
		_, _, err := w.engine.Memory().Remember(ctx, tt.r)
		var e *Error
		if !errors.As(err, &e) || e.Kind != Invalid || e.Detail != tt.detail {
			t.Errorf("%.40v: %#v", tt.r, err)
		}
	}
	for detail, err := range map[string]error{
		"action": w.engine.Memory().Use(ctx, []string{"x"}, "licked", 0),
		"value":  w.engine.Memory().Use(ctx, []string{"x"}, "rated", 7),
	} {
		var e *Error
		if !errors.As(err, &e) || e.Kind != Invalid || e.Detail != detail {
			t.Errorf("use %s: %#v", detail, err)
		}
	}
	if _, err := w.engine.Memory().Forget(ctx, nil); err == nil {
		t.Error("forgetting nothing is no error")
	}
	if _, err := w.engine.Indexing().Refresh(ctx, []string{"/etc/hostname"}, false); err == nil {
		t.Error("refreshing a file elsewhere is no error")
	}
	if job, err := w.engine.Indexing().Refresh(ctx, nil, true); err != nil || job.ID == "" {
		t.Errorf("refresh: %+v, %v", job, err)
	}
	w.wait()
}

// TestRememberKeepsNoSecrets goes through the real store.
func TestRememberKeepsNoSecrets(t *testing.T) {
	w := openWorkspace(t, shop)
	const key = "AKIAIOSFODNN7EXAMPLE"
	if _, _, err := w.engine.Memory().Remember(context.Background(), RememberRequest{Content: "the bucket key is " + key}); err != nil {
		t.Fatal(err)
	}
	for _, h := range w.search(SearchRequest{Query: "bucket key"}).Hits {
		if strings.Contains(h.Text, key) {
			t.Errorf("a secret was stored: %s", h.Text)
		}
	}
}

func TestEditedChunksAreUsed(t *testing.T) {
	w := openWorkspace(t, shop)
	ctx := context.Background()
	total, describe := w.offset("cart/cart.go", "sum += |price").Offset, w.offset("cart/cart.go", "return |fmt").Offset
	if err := w.engine.Memory().Edited(ctx, Place{Path: w.path("cart/cart.go")}, []int{total, total + 1, describe}); err != nil {
		t.Fatal(err)
	}
	levels, err := w.engine.opts.Memory.Activation(ctx, []string{"code:cart/cart.go:Cart.TotalPrice", "code:cart/cart.go:Describe", "code:cart/cart.go:Cart.AddItem"})
	if err != nil || len(levels) != 2 || levels["code:cart/cart.go:Cart.TotalPrice"] > 0.1 { // one use just now is ln 1
		t.Errorf("activations %v, %v", levels, err)
	}
	if err := w.engine.Memory().Edited(ctx, Place{Path: "/absent"}, []int{1}); err != nil {
		t.Errorf("of a file that is not there: %v", err)
	}
}
