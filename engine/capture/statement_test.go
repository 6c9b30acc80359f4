package capture

import (
	"strings"
	"testing"
)

func TestStatement(t *testing.T) {
	reason := "We keep the lock while the file is written, because a second writer would tear it."
	for _, c := range []struct{ name, message, want string }{
		{"no body", "Add a lock", ""},
		{"no reason", "Add a lock\n\nThe lock is taken before the file is written and released afterwards.", ""},
		{"a reason", "store: hold the lock\n\n" + reason, "store: hold the lock\n\n" + reason},
		{"in the subject", "Use one connection on purpose, because the server counts them all", "Use one connection on purpose, because the server counts them all"},
		{"wrapped, CRLF", "store: hold the lock\r\n\r\nWe keep the lock while the file is written,\r\nbecause a second writer would tear it.\r\n", "store: hold the lock\n\n" + reason},
		{"an item of a list", "store: hold the lock\n\n* rename f\n* " + reason + "\n", "store: hold the lock\n\n" + reason},
		{"other languages' letters", "größe: prüfen\n\nWe chose UTF-8 für Größen, because 日本語 names must survive the round trip.", "größe: prüfen\n\nWe chose UTF-8 für Größen, because 日本語 names must survive the round trip."},
		{"a merge of a pull request", "Merge pull request #3 from a/b\n\nstore: hold the lock\n\n" + reason, "store: hold the lock\n\n" + reason},
		{"a merge of a branch", "Merge branch 'topic' because of all the reasons that we know of", ""},
		{"a release", "Release 1.2\n\n" + reason, ""},
		{"documents", "docs: say why\n\n" + reason, ""},
		{"trailers", "store: hold the lock\n\nSigned-off-by: A <a@example.com> because this line has more words than nine of them", ""},
		{"code", "store: hold the lock\n\n    x := y // because the first of the two was not what we wanted here\n", ""},
		{"fenced", "store: hold the lock\n\n```\n" + reason + "\n```\n", ""},
		{"about the work", "store: hold the lock\n\nWe keep the old name in this pull request because the reviewer asked for it.", ""},
		{"what went wrong before", "store: hold the lock\n\nPreviously the file was torn because two writers wrote it at the same time.", ""},
		{"terminal sequences", "\x1b[31mred\x1b[0m: hold\n\nWe keep the \x1b]0;evil\x07lock\u202e while writing, because a second writer would tear it.", "[31mred [0m: hold\n\nWe keep the ]0;evil lock while writing, because a second writer would tear it."},
		{"empty", "", ""},
		{"white space", " \r\n\t\r\n ", ""},
		{"not UTF-8", "a: b\n\n\xff\xfe because because because because because because because because because\xff", "a: b\n\n\uFFFD because because because because because because because because because\uFFFD"},
	} {
		if got, ok := Statement(c.message); got != c.want || ok != (c.want != "") {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestStatementIsShort(t *testing.T) {
	long := strings.Repeat("We keep the lock here because a second writer would tear the file. ", 20_000)
	for _, message := range []string{"subject\n\n" + long, long, "s\n\n" + strings.Repeat("because ", 100_000), "s\n\n" + strings.Repeat("- a\n", 100_000), strings.Repeat("(", 1<<20)} {
		if got, _ := Statement(message); len(got) > maxText+10 {
			t.Errorf("%d bytes", len(got))
		}
	}
}

func TestMarkedText(t *testing.T) {
	for _, c := range []struct {
		lines []string
		want  string
	}{
		{[]string{"\t// DECISION: prices are in cents.", "\t// Never in euros.", "\tx := 1", "// more"}, "prices are in cents. Never in euros."},
		{[]string{"# HACK(bob): sleep here, because the server answers too early"}, "sleep here, because the server answers too early"},
		{[]string{"# NOTE: the list is sorted by name and by age"}, ""},
		{[]string{"/* NOTE: sorted on purpose, the caller searches it */"}, "sorted on purpose, the caller searches it"},
		{[]string{`s := "DECISION: none"`}, ""},
		{[]string{"// TODO: decide, because nobody has"}, ""},
	} {
		if got, ok := markedText(c.lines); got != c.want && ok || ok != (c.want != "") {
			t.Errorf("%q: %q, want %q", c.lines, got, c.want)
		}
	}
}
