package text

import "testing"

func TestStemJoinsTheFormsOfAWord(t *testing.T) {
	for _, forms := range [][]string{
		{"retry", "retries", "retried", "retrying"}, {"sniff", "sniffs", "sniffing", "sniffed"}, {"backup", "backups"},
		{"approval", "approvals"}, {"cache", "caches", "cached", "caching"}, {"box", "boxes"}, {"randomize", "randomized"},
	} {
		for _, form := range forms[1:] {
			if got, want := Stem(form), Stem(forms[0]); got != want {
				t.Errorf("Stem(%q) = %q, but Stem(%q) = %q", form, got, forms[0], want)
			}
		}
	}
}

func TestStemLeavesNamesAlone(t *testing.T) {
	for _, token := range []string{"", "as", "sha256", "user_ids", "größen", "v2s"} {
		if got := Stem(token); got != token {
			t.Errorf("Stem(%q) = %q, want it as it is", token, got)
		}
	}
}

func TestIsStopWord(t *testing.T) {
	for word, want := range map[string]bool{"do": true, "why": true, "backoff": false, "": false} {
		if got := IsStopWord(word); got != want {
			t.Errorf("IsStopWord(%q) = %v, want %v", word, got, want)
		}
	}
}
