package reason

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/engine/journal"
	"github.com/aurora-sidecar/aurora/engine/reason/replay"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/memory"
)

// unchanged is why the phases of a question do not run that was answered before.
const unchanged = "it was answered before, and its sources are unchanged"

// maxAlike is how many earlier questions with the words of this one are looked at.
const maxAlike = 20

// repeat answers a question that was asked in the same way before, when that answer was verified, its record is still
// believed, and what it cites and what a search finds for it are as they were. No model is asked. It returns nil when the
// question has to be worked on.
func repeat(ctx context.Context, q *reasoning, as soar.Request, o *soar.Options, sink func(Progress)) (*QueryResult, error) {
	if as.Fresh || as.Changes || as.Before != nil || q.request.Select != nil || q.reasoner.opts.Journal == nil || q.reasoner.opts.Memory == nil {
		return nil, nil
	}
	events := q.reasoner.newEventLog()
	start := time.Now()
	known, err := answered(ctx, q, as)
	if known == nil || err != nil || !sameAgents(known.Recording, o) {
		return nil, err
	}
	fresh, err := isFresh(ctx, q, known)
	if !fresh || err != nil {
		return nil, err
	}
	r := q.result
	r.Answer, r.Confidence, r.Verified, r.Complexity, r.Model = known.Answer, known.Confidence, known.Verified, known.Complexity, known.Model
	r.OverallScore, r.ChunkID, r.Warnings, r.Cached = known.Score, known.ChunkID, known.Warnings, true
	for _, c := range known.Citations {
		r.Citations = append(r.Citations, q.library.Hits[c.ID])
	}
	again := &query{reasoner: q.reasoner, request: q.request, result: r, library: q.library}
	again.run = soar.NewRun(time.Now, again.progress(events.listening(sink)))
	if err := again.run.Do(soar.Retrieve, func() (string, error) {
		return fmt.Sprintf("answered %s, %s unchanged", known.Asked.Format(time.DateOnly), wording.Count(len(r.Citations), "source", "sources")), nil
	}); err != nil {
		return nil, err
	}
	for _, phase := range soar.Phases {
		if phase != soar.Retrieve {
			again.run.Skip(phase, unchanged)
		}
	}
	again.finish()
	r.Total = time.Since(start)
	x := &exchange{request: q.request, asked: r, result: r, library: q.library, events: events}
	q.reasoner.writeDown(ctx, x, q.reasoner.measure(ctx, x, nil))
	return r, ctx.Err()
}

// answered returns the latest work on the same question, nil when there is none that may be used again.
func answered(ctx context.Context, q *reasoning, as soar.Request) (*replay.Record, error) {
	question := soar.WithoutPersonal(as.Query)
	list, _, err := q.reasoner.opts.Journal.List(ctx, journal.Filter{Search: question, Limit: maxAlike})
	if err != nil {
		return nil, ctx.Err() // then the question is worked on
	}
	folder := q.reasoner.opts.Facts.Index.Snapshot().Folders()
	for _, e := range list {
		if e.Question != question || e.Signature == "" || len(folder) == 0 || e.Folder != folder[0] {
			continue
		}
		known, err := replay.Load(ctx, q.reasoner.opts.Journal, e.ID)
		if err != nil || !isUsable(ctx, q, known, as) {
			return nil, ctx.Err()
		}
		return known, nil
	}
	return nil, ctx.Err()
}

// isUsable reports whether work was done as is asked for now, by the same models, and came to an answer that is still believed.
func isUsable(ctx context.Context, q *reasoning, known *replay.Record, as soar.Request) bool {
	was := known.Request
	sameWay := was.Mode == as.Mode && was.Option == as.Option && was.Assess == as.Assess && was.Adaptive == as.Adaptive && was.Before == nil
	sameModels := known.Setup.Tiers == q.models.Tiers && (q.models.Tiers != (soar.Models{}) || known.Model == q.models.Name)
	if !sameWay || !sameModels || !known.Verified || known.Error != "" || known.ChunkID == "" || known.Recording == nil || len(known.Recording.Lookups) == 0 {
		return false
	}
	record, err := q.reasoner.opts.Memory.Get(ctx, known.ChunkID)
	return err == nil && !slices.Contains(record.Tags, memory.Incorrect)
}

// sameAgents reports whether the agents of a question were those that there are now.
func sameAgents(was *soar.Recording, o *soar.Options) bool {
	var before, now []string
	for _, c := range was.Cards {
		before = append(before, c.ID)
	}
	for _, p := range was.Personas {
		before = append(before, p.Card.ID)
	}
	for _, a := range o.Agents {
		now = append(now, a.Card().ID)
	}
	for _, p := range o.Personas {
		now = append(now, p.Card.ID)
	}
	return slices.Equal(before, now)
}

// isFresh reports whether what an answer cites says what it said, at the same lines, and a search for its question finds
// nothing that it did not find then.
func isFresh(ctx context.Context, q *reasoning, known *replay.Record) (bool, error) {
	texts := known.Recording.Texts()
	first := known.Recording.Lookups[0]
	now, err := q.Retrieve(ctx, first.Question, first.Size)
	if err != nil {
		return false, err
	}
	for _, s := range now {
		if text, ok := texts[s.Key]; !s.Pattern && (!ok || text != s.Text) {
			return false, nil
		}
	}
	for _, c := range known.Citations {
		text, ok := texts[c.ID]
		if !ok {
			return false, nil
		}
		if same, err := stillCites(ctx, q, c, text); !same || err != nil {
			return false, err
		}
	}
	return true, nil
}

// stillCites reports whether a citation leads where it led, to the same text.
func stillCites(ctx context.Context, q *reasoning, c replay.Citation, text string) (bool, error) {
	if c.Line > 0 {
		if _, ok, err := q.At(ctx, c.Path, c.Line); !ok || err != nil {
			return false, err
		}
	}
	h, ok := q.library.Hits[c.ID]
	switch {
	case !ok || h.Line() != c.Line || h.Origin == snippet.OriginAnswer:
		return false, nil
	case h.Source == "memory":
		return strings.Contains(h.Text, text), nil
	}
	doc, ok := q.library.Docs.At(q.library.Snap, h.Abs)
	return ok && bytes.Contains(doc.Text, []byte(text)), nil
}
