package engine

import (
	"strings"
	"testing"
)

func recallOf(w *testWorkspace, query string, atLeast int) *SearchResult {
	w.Helper()
	return w.search(SearchRequest{Query: query, AtLeast: atLeast, Scope: Scope{Types: []string{"knowledge", "reasoning"}}})
}

func TestRecallFindsOtherFormsOfAWord(t *testing.T) {
	w := openMeaning(t)
	retries := w.remember(RememberRequest{Content: "Retries use jitter, since randomized backoff kept clients from coming back together."})
	backups := w.remember(RememberRequest{Content: "Backups need two approvals before the sniffing proxy is switched off."})
	for query, want := range map[string]string{
		"retry": retries, "retrying": retries, "why do we randomize backoff": retries, "randomize backoff": retries,
		"backup": backups, "approval": backups, "sniff": backups, "is the backup approved": backups,
	} {
		if found := recallOf(w, query, 0); len(found.Hits) == 0 || found.Hits[0].ID != want {
			t.Errorf("%q finds %v, notes %q", query, names(found.Hits), found.Notes)
		}
	}
}

func TestRecallMarksWhatIsWeakAndSearchAbstains(t *testing.T) {
	w := openMeaning(t)
	w.remember(RememberRequest{Content: "Invoices are numbered without gaps, as the tax office wants."})
	const query = "which colour does the login button of the mobile app have"
	if found := recallOf(w, query, 0); len(found.Hits) != 0 {
		t.Errorf("a search finds %v", names(found.Hits))
	}
	found := recallOf(w, query, 3)
	if len(found.Hits) != 1 || !found.Hits[0].Weak || !strings.HasPrefix(found.Hits[0].Explanation, "weak: ") {
		t.Errorf("recall finds %+v", found.Hits)
	}
}
