package answer

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/aurora-sidecar/aurora/engine/answer/evidence"
	"github.com/aurora-sidecar/aurora/engine/answer/question"
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
	Library *evidence.Workspace
	Now     time.Time
}

// Answer answers a question. It fails only when the workspace does or ctx ends; a question without an answer gets one
// that says so, and whatever no rule knows gets citations.
func (w *Writer) Answer(ctx context.Context, q question.Question) (*Answer, error) {
	a := &asked{w, q}
	kinds := map[question.Intent]interface {
		answer(context.Context) (*Answer, error)
	}{
		question.Definition: definition{a}, question.Usage: usage{a}, question.Callees: callees{a}, question.Importers: importers{a}, question.Imports: imports{a}, question.Tests: tests{a},
		question.Supertypes: inheritance{a, evidence.ToSupertypes}, question.Subtypes: inheritance{a, evidence.ToSubtypes}, question.Changes: newChanges(a), question.Origin: origin{a},
		question.Experts: experts{a}, question.Compare: comparison{a}, question.Related: related{a}, question.Listing: listing{a}, question.Named: named{a},
		question.Members: members{a}, question.Kinds: kinds{a}, question.Configured: configured{a}, question.Environment: environment{a}, question.Together: together{a}, question.Decisions: decisions{a}, question.Overview: overview{a},
		question.Facts: facts{a}, question.Explanation: explanation{a}, question.Deprecated: deprecation{a}, question.Outcome: outcome{a},
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
func (w *Writer) age(ctx context.Context, d *builder, p evidence.Citation) error {
	h, err := w.Library.Past().History(ctx, p)
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
	if h.AtEdge {
		d.say("%s in %s was not changed since %s (commit %s), where this shallow clone begins; what was before it is not known %s.",
			code(p.Name), p.Place(), w.ago(h.LastModified), short(h.LastCommit), d.cite(p))
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
func (w *Writer) describeRecords(ctx context.Context, d *builder, p evidence.Citation) error {
	records, err := w.Library.Records(ctx, p)
	if err != nil {
		return err
	}
	records = slices.DeleteFunc(records, w.Library.IsAnswer) // an answer to another question is no note on this
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
