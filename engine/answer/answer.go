package answer

import (
	"context"
	"fmt"
	"time"

	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/index/git"
)

const (
	maxListed  = 10
	maxOutline = 25

	// thin is the confidence of a search below which its citations answer nothing.
	thin = 0.4
)

// A Writer answers questions from what a workspace has.
type Writer struct {
	Library *Workspace
	Now     time.Time
}

// Answer answers a question. It fails only when the workspace does or ctx ends; a question without an answer gets one
// that says so, and whatever no rule knows gets citations.
func (w *Writer) Answer(ctx context.Context, q Question) (*Answer, error) {
	a := &asked{w, q}
	kinds := map[Intent]interface {
		answer(context.Context) (*Answer, error)
	}{
		Definition: definition{a}, Usage: usage{a}, Callees: callees{a}, Importers: importers{a}, Imports: imports{a}, Tests: tests{a},
		Supertypes: inheritance{a, ToSupertypes}, Subtypes: inheritance{a, ToSubtypes}, Changes: newChanges(a), Origin: origin{a},
		Experts: experts{a}, Compare: comparison{a}, Related: related{a}, Listing: listing{a}, Named: named{a},
		Configured: configured{a}, Environment: environment{a}, Together: together{a}, Decisions: decisions{a}, Overview: overview{a},
		Facts: facts{a}, Explanation: explanation{a}, Deprecated: deprecation{a},
	}
	if kind, ok := kinds[q.Intent]; ok {
		return kind.answer(ctx)
	}
	return a.citations(ctx)
}

// citeFile cites a file that is still there.
func (w *Writer) citeFile(ctx context.Context, d *builder, path string) string {
	if p, ok := w.Library.File(ctx, path); ok {
		return " " + d.cite(p)
	}
	return ""
}

// age says when the lines of a citation were changed, by whom and why.
func (w *Writer) age(ctx context.Context, d *builder, p Citation) error {
	h, err := w.Library.History(ctx, p)
	if err != nil {
		return err
	}
	switch {
	case h.State != git.Tracked:
		d.say("%s in %s is not in git %s.", code(p.Name), p.Place(), d.cite(p))
		return nil
	case h.Commits == 0:
		d.say("The lines of %s in %s are not committed yet %s.", code(p.Name), p.Place(), d.cite(p))
		return nil
	}
	first := ""
	if h.Commits > 1 && !h.FirstCommit.IsZero() {
		first = fmt.Sprintf("; the oldest of its lines is from %s", h.FirstCommit.Format("2006-01-02"))
	}
	d.say("%s in %s was last changed %s by %s in %s (commit %s); its lines come from %s%s %s.",
		code(p.Name), p.Place(), w.ago(h.LastModified), h.LastAuthor, quote(h.LastSubject), short(h.LastCommit),
		wording.Count(h.Commits, "commit", "commits"), first, d.cite(p))
	return nil
}

// describeRecords says what is remembered about a citation.
func (w *Writer) describeRecords(ctx context.Context, d *builder, p Citation) error {
	records, err := w.Library.Records(ctx, p)
	if err != nil {
		return err
	}
	for _, r := range records[:min(3, len(records))] {
		d.say("Remembered about it: %s %s.", quote(r.Text), d.cite(r))
	}
	return nil
}

func (w *Writer) ago(t time.Time) string {
	days := int(w.Now.Sub(t) / (24 * time.Hour))
	switch {
	case days < 1:
		return "on " + t.Format("2006-01-02 at 15:04")
	case days < 60:
		return fmt.Sprintf("on %s (%s ago)", t.Format(time.DateOnly), wording.Count(days, "day", "days"))
	}
	return "on " + t.Format(time.DateOnly)
}

func short(hash string) string { return hash[:min(8, len(hash))] }
