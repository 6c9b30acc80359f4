package recall

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/lifespan"
)

// reviewReasons says why a person should look at a record: an agent made it and nobody has accepted it, its code has changed,
// something is said against it, or it is about to end. Its citations have been checked.
func reviewReasons(e *Records, h *memory.Hit, d lifespan.Decision) []string {
	var reasons []string
	if h.AgentName != "" && h.Type == memory.Knowledge && h.Standing.Accepted.Before(h.UpdatedAt) {
		reasons = append(reasons, "new, by the agent "+h.AgentName)
	}
	if snippet.IsStale(h) {
		reasons = append(reasons, snippet.CitationWarning(h))
	}
	if n := len(h.Standing.Contradicted); n > 0 {
		reasons = append(reasons, "contradicted by "+strings.Join(h.Standing.Contradicted, ", "))
	}
	if !d.Expires.IsZero() && d.Expires.Sub(e.Now()) <= expiringWithin {
		reasons = append(reasons, "ends on "+d.Expires.Format("2006-01-02")+": "+d.Reason)
	}
	return reasons
}

// accept takes a record for right as a person says: the code that it cites is cited as it is now, what is gone no more, and what
// contradicts it no longer does.
func accept(ctx context.Context, e *Records, hit *memory.Hit, record *memory.Record) error {
	checked := []memory.Hit{*hit}
	e.CheckCitations(ctx, e.Index.Snapshot(), checked)
	record.Citations = citedNow(e, checked[0].Citations)
	links := make([]memory.Link, len(hit.Standing.Contradicted))
	for i, other := range hit.Standing.Contradicted {
		links[i] = memory.Link{From: other, To: hit.ID, Type: memory.Contradicts} // without weight it says nothing
	}
	if err := e.Store.Relate(ctx, links); err != nil {
		return fault.OfStore(ctx, "accept a record", err)
	}
	return nil
}

// citedNow cites the code of citations as it is now, without what is gone. What was not checked stays.
func citedNow(e *Records, citations []memory.Citation) []memory.Citation {
	docs, snap := codebase.NewDocumentCache(e.Index), e.Index.Snapshot()
	kept := []memory.Citation{}
	for _, c := range citations {
		switch c.State {
		case memory.Unchecked, memory.Valid:
			kept = append(kept, c)
			continue
		case memory.Gone:
			continue
		}
		doc, ok := docs.At(snap, filepath.Join(c.Folder, filepath.FromSlash(c.NowPath)))
		if !ok || c.NowLine < 1 || c.NowLine > doc.Lines.Count() {
			continue
		}
		at := firstWord(doc, c.NowLine-1)
		if now, ok := citationOf(doc, codebase.Selection{Path: doc.File.Abs, Start: at, End: at}); ok {
			kept = append(kept, now)
		}
	}
	return kept
}
