package cli

import (
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
)

// Without memory, searching goes on, and what needs memory says why it can't.
func TestMemorySwitchedOff(t *testing.T) {
	p := newProject(t)
	p.write("main.go", "package main\n\nfunc Zebra() {}\n")
	p.write(".aurora/notes/zebra.md", "Zebra is a note.\n")
	t.Setenv("AURORA_MEMORY_ENABLED", "false")
	if o := p.run("aurora", "mem", "search", "Zebra"); o.code != 0 || !strings.Contains(o.out, "main.go") || strings.Contains(o.out, "know") {
		t.Errorf("search: %s", o)
	}
	for _, command := range []string{"mem export", "forget --undo", "remember x", "mem show know:x", "mem rate opened know:x", "mem relate a b", "forget know:x"} {
		o := p.run(append([]string{"aurora"}, strings.Fields(command)...)...)
		if o.code != app.ExitFailed || !strings.Contains(o.err, "memory is switched off") && !strings.Contains(o.err, "there is no memory") {
			t.Errorf("%s: %s", command, o)
		}
	}
	for _, command := range []string{"stats", "audit"} {
		if o := p.run("aurora", "mem", command); o.code != app.ExitOK || !strings.Contains(o.out, " 0") {
			t.Errorf("%s: %s", command, o)
		}
	}
	if o := p.run("aurora", "status"); o.code != 0 {
		t.Errorf("status: %s", o)
	}
}
