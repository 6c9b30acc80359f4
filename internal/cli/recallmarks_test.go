package cli

import (
	"strings"
	"testing"
)

// What recall shows besides is marked on every way out, and lists say what speaks against a record.
func TestRecallMarksWhatIsWeakAndWhatIsDoubted(t *testing.T) {
	p := smallProject(t)
	id := strings.Fields(p.mustRun("aurora", "remember", "Invoices are numbered without gaps, as the tax office wants").out)[2]
	p.mustRun("aurora", "mem", "rate", "bad", id)
	const stranger = "which colour does the login button have"
	for _, test := range []struct{ want, args string }{
		{"  weak\n", "search --recall '" + stranger + "'"},
		{`"weak":true`, "search --recall --json '" + stranger + "'"},
		{"note rated badly: -1.0", "search --recall 'invoices without gaps'"},
		{"Note: rated badly: -1.0", "mem 'invoices without gaps'"},
	} {
		args := []string{"aurora"}
		plain, quoted, _ := strings.Cut(test.args, "'")
		args = append(append(args, strings.Fields(plain)...), strings.Trim(quoted, "'"))
		got := p.mustRun(args...).out
		if strings.Contains(test.args, "--json") {
			got = strings.Join(strings.Fields(got), "")
		}
		if !strings.Contains(got, test.want) {
			t.Errorf("%s: %q is missing in\n%s", test.args, test.want, got)
		}
	}
	if got := p.mustRun("aurora", "search", "--recall", "invoices without gaps").out; strings.Contains(got, "weak") {
		t.Errorf("a sure match is marked:\n%s", got)
	}
}

func TestAgentsAreToldWhatIsWeak(t *testing.T) {
	p := sharing(t, 600)
	a := p.agent(p.dir, nil)
	a.gets("remember", with{"content": "Invoices are numbered without gaps, as the tax office wants"}, "Remembered as know:")
	a.gets("search", with{"query": "which colour does the login button have", "in": "memory"}, "(weak: may be about something else)")
	if got := a.gets("search", with{"query": "invoices without gaps", "in": "memory"}, "numbered"); strings.Contains(got, "weak") {
		t.Errorf("a sure match is marked: %s", got)
	}
}
