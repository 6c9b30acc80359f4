package answer

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/answer/evidence"
	"github.com/aurora-sidecar/aurora/engine/search"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/index/git"
	"github.com/aurora-sidecar/aurora/memory"
)

const (
	maxDecisions  = 5
	nearDecisions = 3 // that are shown when nothing is surely about the subject
)

// decisions answers "what did we decide about X" from memory: with the words of each record, its age, who made it and
// what became of the code that it cites.
type decisions struct{ *asked }

func (w decisions) answer(ctx context.Context) (*Answer, error) {
	found, err := w.remembered(ctx)
	if err != nil {
		return nil, err
	}
	weak := func(p evidence.Citation) bool { return w.Library.Hits[p.ID].Weak }
	sure := slices.DeleteFunc(slices.Clone(found), weak)
	d := &builder{}
	if len(sure) == 0 {
		stems := explanation(w).contentOf(w.q.Subject)
		if written := w.written(ctx, d, stems); len(written) > 0 {
			d.say("Nothing is remembered about %s. Documents about decisions have it in their headings:", w.named())
			d.list(written)
			return d.answer(w.q.Intent, 0.7), nil
		}
		d.say("Nothing that is remembered says that anything was decided about %s.", w.named())
		if commits := commitsWith(ctx, w.asked, stems); len(commits) > 0 {
			d.say("Commits whose subjects have the words:")
			d.list(commits)
		}
		if len(found) > 0 {
			d.say("Possibly related:")
			d.list(w.lines(d, found[:min(nearDecisions, len(found))]))
		}
		return d.abstain(w.q.Intent), nil
	}
	d.say("Remembered about %s:", w.named())
	d.list(w.lines(d, sure))
	return d.answer(w.q.Intent, 0.8), nil
}

// maxCommitted is how many commits of words are listed.
const maxCommitted = 5

// written are the headings with all the stems in documents about decisions.
func (w decisions) written(ctx context.Context, d *builder, stems []string) []string {
	var rows []string
	if len(stems) == 0 {
		return nil
	}
	for f := range w.Library.Snap.Listed() {
		folder := "/" + strings.ToLower(folderOf(f.Path)) + "/"
		about := func(name string) bool { return strings.Contains(folder, "/"+name+"/") }
		if !slices.ContainsFunc([]string{"adr", "adrs", "decisions", "rfcs", "rfc"}, about) || evidence.DocumentRank(f.Path) < 0 {
			continue
		}
		for _, s := range evidence.Sections(w.Library, f) {
			if !hasAll(evidence.Stems(s.Title), stems) {
				continue
			}
			if l, ok, err := w.Library.LineAt(ctx, f, s.Line-1); err == nil && ok && len(rows) < maxDecisions {
				rows = append(rows, fmt.Sprintf("%s:%d: %s %s", f.Path, s.Line, quote(s.Title), d.cite(l.Citation)))
			}
		}
	}
	return rows
}

// commitsWith lists the newest commits whose subjects have all the stems. There are none without git.
func commitsWith(ctx context.Context, w *asked, stems []string) []string {
	if len(stems) == 0 {
		return nil
	}
	commits, err := w.Library.Past().Commits(ctx, git.LogOptions{Limit: maxHistory})
	if err != nil {
		return nil
	}
	var rows []string
	for _, c := range commits {
		if hasAll(evidence.Stems(c.Subject), stems) {
			rows = append(rows, fmt.Sprintf("%s by %s %s (commit %s)", quote(c.Subject), c.Author, w.ago(c.Time), short(c.Hash)))
		}
	}
	return withRest(rows[:min(maxCommitted, len(rows))], len(rows))
}

// remembered are the records about the subject, the best first.
func (w decisions) remembered(ctx context.Context) ([]evidence.Citation, error) {
	if w.q.Here {
		if p, ok := w.Library.Here(ctx); ok {
			return w.Library.Records(ctx, p)
		}
		return nil, ctx.Err()
	}
	found, _, err := w.Library.Find(ctx, search.Request{
		Query: w.q.Subject, Limit: maxDecisions, AtLeast: nearDecisions,
		Scope: search.Scope{Types: []string{string(memory.Knowledge), string(memory.Reasoning)}},
	})
	return slices.DeleteFunc(found, w.Library.IsAnswer), err
}

func (w decisions) named() string {
	if w.q.Here {
		return "this"
	}
	return code(w.q.Subject)
}

func (w decisions) lines(d *builder, records []evidence.Citation) []string {
	var lines []string
	for _, p := range records {
		lines = append(lines, w.line(d, p))
	}
	return lines
}

// line is what a record says, when it was made, by whom, and what became of the code that it cites.
func (w decisions) line(d *builder, p evidence.Citation) string {
	h := w.Library.Hits[p.ID]
	line := fmt.Sprintf("%s %s", quote(p.Text), d.cite(p))
	if !h.CreatedAt.IsZero() {
		line += ", remembered " + w.ago(h.CreatedAt)
	}
	if h.Agent != "" {
		line += " by " + code(h.Agent)
	}
	for _, place := range h.Citations {
		line += "; " + fate(place)
	}
	return line
}

// fate says what became of cited code.
func fate(place snippet.CitedPlace) string {
	at := fmt.Sprintf("%s:%d", place.Path, place.Line)
	switch place.State {
	case string(memory.Valid), string(memory.Moved):
		return "the code that it cites in " + at + " is as it was"
	case string(memory.Changed):
		return "the code that it cites in " + at + " has changed since"
	case string(memory.Gone):
		return "the code that it cites is gone"
	}
	return "the code that it cites in " + at + " was not checked"
}
