package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
)

// TestCaptures holds what troubleshooting.md shows of a machine where all is well against what the commands print: the same
// lines in the same order, whatever stands behind their labels.
func TestCaptures(t *testing.T) {
	p := smallProject(t)
	p.commit()
	if got := p.run("aurora", "mem", "remember", "Backoff doubles"); got.code != app.ExitOK {
		t.Fatal(got)
	}
	text, err := os.ReadFile(filepath.Join(testDir, "..", "..", "docs", "troubleshooting.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"status", "doctor"} {
		_, shown, found := strings.Cut(string(text), "\n$ aurora "+command+"\n")
		if !found {
			t.Errorf("no capture of aurora %s", command)
			continue
		}
		shown = shown[:min(len(shown), strings.Index(shown+"\n$ ", "\n$ "), strings.Index(shown+"\n```", "\n```"))]
		if got := labels(p.run("aurora", command).out); got != labels(shown) {
			t.Errorf("aurora %s prints\n%s\nbut the page shows\n%s", command, got, labels(shown))
		}
	}
}

// labels are the beginnings of lines up to their colons; lines that go on are left out.
func labels(text string) string {
	var list []string
	for line := range strings.Lines(text) {
		if label, _, found := strings.Cut(line, ":"); found && !strings.HasPrefix(line, " ") {
			list = append(list, label)
		}
	}
	return strings.Join(list, "\n")
}
