package engine

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/memory"
)

// TestActivationFollowsMovedCode: a file is renamed, and what was done with its functions counts for them still.
func TestActivationFollowsMovedCode(t *testing.T) {
	w := openWorkspace(t, map[string]string{"price/tax.go": taxGo})
	was, is := "code:price/tax.go:WithTax", "code:price/vat.go:WithTax"
	if err := w.engine.opts.Memory.Use(t.Context(), []string{was}, memory.Edited, 0); err != nil {
		t.Fatal(err)
	}
	told := make(chan struct{}) // after the engine, which registered first
	w.index.OnMove(func([]index.Move) { close(told) })
	if err := os.Rename(filepath.Join(w.dir, "price/tax.go"), filepath.Join(w.dir, "price/vat.go")); err != nil {
		t.Fatal(err)
	}
	w.refresh()
	<-told
	w.engine.records.Wait()
	levels, err := w.engine.opts.Memory.Activation(t.Context(), []string{was, is})
	if err != nil {
		t.Fatal(err)
	}
	if _, old := levels[was]; old || len(levels) != 1 {
		t.Errorf("activations %v", levels)
	}
}
