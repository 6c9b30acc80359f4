package cli

import (
	"strings"
	"testing"
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
	for _, command := range []string{"export", "restore", "audit", "remember x", "show know:x", "use opened know:x", "learn x --score 1", "relate a b", "stats", "forget know:x"} {
		o := p.run(append([]string{"aurora", "mem"}, strings.Fields(command)...)...)
		if strings.Contains(o.err, "panic") || command == "export" && !strings.Contains(o.err, "memory is switched off") {
			t.Errorf("%s: %s", command, o)
		}
	}
	if o := p.run("aurora", "status"); o.code != 0 {
		t.Errorf("status: %s", o)
	}
}
