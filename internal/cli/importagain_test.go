package cli

import (
	"strings"
	"testing"
)

// TestImportAgain holds that a section that changed updates its note, and that one that a person changed stays.
func TestImportAgain(t *testing.T) {
	p := newProject(t)
	guide := "# Rules\n\n## Money\n\nAmounts are whole cents in every table.\n\n## Retries\n\nA gateway is asked again twice, with a pause that grows.\n"
	p.write("CLAUDE.md", guide)
	imported := func() string {
		t.Helper()
		return strings.TrimSpace(p.mustRun("aurora", "mem", "import", "CLAUDE.md").out)
	}
	if got := imported(); !strings.Contains(got, "notes: 2") {
		t.Errorf("at first: %s", got)
	}
	if got := imported(); !strings.Contains(got, "known: 2") {
		t.Errorf("the same again: %s", got)
	}
	p.write("CLAUDE.md", strings.Replace(guide, "whole cents in every table", "decimals with four digits, since interest is paid by the day", 1))
	if got := imported(); !strings.Contains(got, "updated: 1") || !strings.Contains(got, "known: 1") || strings.Contains(got, "notes") {
		t.Errorf("a changed section: %s", got)
	}
	found := p.mustRun("aurora", "search", "amounts of money", "--recall", "--json").out
	if strings.Contains(found, "whole cents in every table") || !strings.Contains(found, "decimals with four digits") || strings.Contains(found, "\"state\": \"changed\"") {
		t.Errorf("recalled: %s", found)
	}
	if got := imported(); !strings.Contains(got, "known: 2") {
		t.Errorf("the changed one again: %s", got)
	}
}
