package lsp_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/lsp"
)

// TestHoversTellWhatUsuallyChangesTogether has the line in a card, as Markdown and as plain text.
func TestHoversTellWhatUsuallyChangesTogether(t *testing.T) {
	dir := workspace(t, shop)
	for i := range 6 {
		for _, name := range []string{"cart.go", "checkout.go"} {
			f, err := os.OpenFile(filepath.Join(dir, name), os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(f, "// %d\n", i)
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
		}
		for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=Ada", "-c", "user.email=a@b.c", "commit", "-qm", "Change"}} {
			if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
				t.Fatalf("git %v: %v\n%s", args, err, out)
			}
		}
	}
	w := newWorldWith(t, nil, func(o *engine.Options) { o.CollectGit = true })
	for format, want := range map[string]string{
		"markdown":  "The file usually changes with [checkout.go](file://" + dir + "/checkout.go#L1) (6 of 6 commits)",
		"plaintext": "The file usually changes with checkout.go (6 of 6 commits)",
	} {
		e, _ := w.connect(lsp.Config{Dir: dir, Capabilities: map[string]any{
			"textDocument": map[string]any{"hover": map[string]any{"contentFormat": []string{format}}},
		}, Options: map[string]any{}})
		w.settle()
		card, at := "", strings.Index(e.Content("cart.go"), "AddItem(")
		for deadline := time.Now().Add(time.Minute); !strings.Contains(card, want); { // the history is read behind the index
			if card = e.Hover("cart.go", at); time.Now().After(deadline) {
				t.Fatalf("%s: want %s in\n%s", format, want, card)
			}
		}
	}
}
