package engine

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/memory"
)

// TestBadMemoryInput goes in by the methods that the doors call. Further cases are in packages memory/sqlite (conformance_test.go: circles,
// one id for two texts), memory/sqlite (imports, stores that are damaged, newer, read-only or full), memory/lifespan
// (conditions) and memory/convlog (cut and foreign files).
func TestBadMemoryInput(t *testing.T) {
	w := openWorkspace(t, shop)
	ctx := context.Background()
	huge := strings.Repeat("ten megabytes ", 10<<20/14)
	begin := time.Now()
	_, _, err := w.engine.Memory().Remember(ctx, RememberRequest{Content: huge})
	var e *Error
	if !errors.As(err, &e) || e.Kind != Invalid || e.Detail != "content" || e.Remedy == "" {
		t.Errorf("a record of 10 MB: %#v", err)
	}
	id, _, err := w.engine.Memory().Remember(ctx, RememberRequest{Content: "small"})
	if err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"revised to nothing": func() error {
			empty := " "
			_, err := w.engine.Memory().Revise(ctx, id, Revision{Content: &empty})
			return err
		}(),
		"revised to 10 MB": func() error { _, err := w.engine.Memory().Revise(ctx, id, Revision{Content: &huge}); return err }(),
		"restore nothing":  func() error { _, err := w.engine.Memory().Restore(ctx, nil); return err }(),
		"list from -1":     func() error { _, _, err := w.engine.Memory().Forgotten(ctx, -1); return err }(),
	} {
		if !errors.As(err, &e) || e.Kind != Invalid || e.Detail == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := w.engine.Search(ctx, SearchRequest{Query: huge}); err != nil && !errors.As(err, &e) {
		t.Errorf("a search for 10 MB: %v", err)
	}
	if err := w.engine.Memory().Use(ctx, []string{strings.Repeat("x", 1<<20)}, "opened", 0); err == nil {
		t.Error("an id of 1 MB was used")
	}
	if took := time.Since(begin); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
	var list []memory.Hit
	if err := w.engine.opts.Memory.Records(ctx, func(h memory.Hit) error { list = append(list, h); return nil }); err != nil || len(list) != 1 || list[0].Content != "small" {
		t.Errorf("kept %+v, %v", list, err)
	}
}
