package engine

import (
	"strings"
	"testing"
)

func TestDecisionsAreAnsweredFromMemory(t *testing.T) {
	w := openMeaning(t)
	w.remember(RememberRequest{Content: "Taxes are rounded down, since the law says so.", SourceRef: "price/tax.go:4"})
	w.remember(RememberRequest{Content: "Deploys are frozen on Fridays after 3 pm."})
	for _, question := range []string{
		"what did we decide about rounding taxes?", "why did we decide to round taxes down", "is there a decision on tax rounding?",
		"what was decided about rounding of taxes", "decisions about rounded taxes",
	} {
		r := w.query(QueryRequest{Query: question})
		if r.Abstained || !strings.Contains(r.Answer, `"Taxes are rounded down`) || !strings.Contains(r.Answer, "[1], remembered on ") ||
			!strings.Contains(r.Answer, "the code that it cites in price/tax.go:4 is as it was") || strings.Contains(r.Answer, "Fridays") {
			t.Errorf("%s\n%s", question, r.Answer)
		}
	}
	r := w.query(QueryRequest{Query: "what did we decide about the colour of the login button?"})
	if !r.Abstained || !strings.HasPrefix(r.Answer, "Nothing that is remembered says that anything was decided about `colour of the login button`.") ||
		!strings.Contains(r.Answer, "Possibly related:") {
		t.Errorf("nothing was decided:\n%s", r.Answer)
	}
}

// TestLogsAreNoDecisions: what AURORA itself answered earlier is not what people decided.
func TestLogsAreNoDecisions(t *testing.T) {
	w := openWorkspace(t, shop)
	book := w.keepLogs()
	told(t, book, w.dir, "Why did the kangaroo exporter stall?", "Its mutex was held over the upload.", 0.8)
	r := w.query(QueryRequest{Query: "what did we decide about the kangaroo exporter?"})
	if !r.Abstained || strings.Contains(r.Answer, "Remembered about") || !strings.HasPrefix(r.Answer, "Nothing that is remembered") {
		t.Errorf("%s", r.Answer)
	}
}
