package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Whatever stands in a note, its fault is told at its line, and the rest is remembered.
func TestBadNotesAreToldAtTheirLines(t *testing.T) {
	p := smallProject(t)
	for name, text := range map[string]string{
		"good":    "---\ntitle: Good\n# a comment\n---\nGateways retry twice.\n",
		"open":    "---\ntitle: Open\nGateways wait for the harvest.\n",
		"garbage": "---\ntitle: Garbage\n\x00\xff}{ nothing\n---\nGateways log garbage.\n",
		"heavy":   "---\nimportance: 1e308\n---\nGateways weigh a lot.\n",
		"nan":     "---\ntags: [a]\nimportance: NaN\n---\nGateways are no number.\n",
		"huge":    strings.Repeat("Gateways are large. ", 60_000),
		"full":    strings.Repeat("Gateways are full. ", 50_000),
		"future":  "---\ndate: 2099-12-31\n---\nGateways come from the future.\n",
		"binary":  "Gateways are pictures.\x00\x01\n",
		"empty":   "---\ntitle: Empty\n---\n",
		"twin":    "---\ntitle: Twin\nid: retry\n---\nGateways are twins.\n",
		"twin2":   "---\nid: \"retry\"\n---\nGateways are doubles.\n",
	} {
		p.write(".aurora/notes/"+name+".md", text)
	}
	future := filepath.Join(p.dir, ".aurora", "notes", "future.md")
	late := time.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC)
	if err := os.Chtimes(future, late, late); err != nil {
		t.Fatal(err)
	}
	got := p.mustRun("aurora", "mem", "audit").out
	for _, want := range []string{
		"Notes that are not whole (7)", "open.md:1: the front matter", "garbage.md:3: this is no", "binary.md: it is no text", "heavy.md:2: importance lies", "nan.md:3: importance lies", "huge.md: it has 1200000 bytes",
		"twin2.md:2: twin.md has the id retry as well",
	} {
		if !strings.Contains(strings.Join(strings.Fields(got), " "), want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	for words, want := range map[string]string{
		"retry twice": "Good", "wait harvest": "harvest", "log garbage": "Garbage", "weigh lot": "weigh", "number": "no number", "from future": "future", "full": "full",
		"twins": "twins", "doubles": "doubles",
	} {
		if got := p.run("aurora", "search", "gateways "+words, "--type", "knowledge"); !strings.Contains(got.out, want) {
			t.Errorf("%s: %s", words, got)
		}
	}
}
