package recall

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/lifespan"
)

// The views of ListRecords.
const (
	ViewRecent    = "recent"    // everything, the newest first
	ViewDecisions = "decisions" // what was decided
	ViewNotes     = "notes"     // what people wrote, decisions aside
	ViewPatterns  = "patterns"  // what queries made
	ViewStale     = "stale"     // what cites code that has changed or is gone
	ViewPinned    = "pinned"
	ViewReview    = "review" // what a person should look at: see reviewReasons
)

var views = []string{ViewRecent, ViewDecisions, ViewNotes, ViewPatterns, ViewStale, ViewPinned, ViewReview}

// A RecordEntry is a memory record as a list of records shows it.
type RecordEntry struct {
	snippet.Hit
	Pinned   bool
	Decision bool
	Pattern  bool
	Editable bool      // Revise takes another content
	File     bool      // it is the text of a note file, which is where it is edited
	Stale    string    // what has changed since; "" when nothing has
	Expires  time.Time // zero for never
	Uses     int
	Review   []string // why a person should look at it
}

// RecordEntry returns the record with the id. It fails with Invalid when there is none.
func (e *Records) RecordEntry(ctx context.Context, id string) (*RecordEntry, error) {
	hit, err := e.knownRecord(ctx, id)
	if err != nil {
		return nil, err
	}
	hits := []memory.Hit{hit}
	e.CheckCitations(ctx, e.Index.Snapshot(), hits)
	entry := e.newEntry(&hits[0], cmp.Or(e.Lifespan, &lifespan.Policies{}))
	return &entry, nil
}

func (e *Records) knownRecord(ctx context.Context, id string) (memory.Hit, error) {
	if e.Store == nil {
		return memory.Hit{}, &fault.Error{Kind: fault.Storage, Message: "there is no memory"}
	}
	hit, err := e.Store.Get(ctx, id)
	if errors.Is(err, memory.ErrNotFound) {
		return hit, &fault.Error{Kind: fault.NotFound, Message: fmt.Sprintf("no memory record is called %.100q", id), Detail: "id", Remedy: "Search memory for it."}
	}
	if err != nil {
		return hit, fault.OfStore(ctx, "read a record", err)
	}
	return hit, nil
}

// ListRecords returns the records of this workspace and of none, the newest first, at most limit (0 means 10), and how
// many there are in that view. view "" means ViewRecent. It fails with Invalid on an unknown view.
func (e *Records) ListRecords(ctx context.Context, view string, limit int) (entries []RecordEntry, total int, err error) {
	view = cmp.Or(strings.ToLower(view), ViewRecent)
	if !slices.Contains(views, view) {
		return nil, 0, &fault.Error{
			Kind: fault.Invalid, Message: fmt.Sprintf("unknown view %.100q", view), Detail: "view", Remedy: "Use one of " + strings.Join(views, ", ") + ".",
		}
	}
	limit, _, err = fault.CheckLimit(limit)
	if err != nil || e.Store == nil {
		return nil, 0, err
	}
	hits, err := e.allRecords(ctx, view)
	if err != nil {
		return nil, 0, fault.OfStore(ctx, "list records", err)
	}
	slices.SortStableFunc(hits, func(a, b memory.Hit) int { return b.UpdatedAt.Compare(a.UpdatedAt) })
	total = len(hits)
	hits = hits[:min(len(hits), limit)]
	if view != ViewStale && view != ViewReview { // there they were checked to get into the view
		e.CheckCitations(ctx, e.Index.Snapshot(), hits)
	}
	policies := cmp.Or(e.Lifespan, &lifespan.Policies{})
	for i := range hits {
		entries = append(entries, e.newEntry(&hits[i], policies))
	}
	return entries, total, nil
}

// RecordsAbout returns the records that cite a place in a file, by their lines in it, at most limit (0 means 10), and how many
// there are. path is absolute.
func (e *Records) RecordsAbout(ctx context.Context, path string, limit int) (entries []RecordEntry, total int, err error) {
	limit, _, err = fault.CheckLimit(limit)
	if err != nil || e.Store == nil {
		return nil, 0, err
	}
	path = filepath.Clean(path)
	e.SyncNotes(ctx)
	scope := e.Scope(ctx)
	var hits []memory.Hit
	err = e.Store.Records(ctx, func(h memory.Hit) error {
		if inScope(h.Workspace, scope) && lineIn(&h, path) > 0 {
			hits = append(hits, h)
		}
		return ctx.Err()
	})
	if err != nil {
		return nil, 0, fault.OfStore(ctx, "list records", err)
	}
	hits = e.dropDeletedNotes(ctx, hits)
	e.CheckCitations(ctx, e.Index.Snapshot(), hits)
	hits = slices.DeleteFunc(hits, func(h memory.Hit) bool { return lineIn(&h, path) == 0 })
	slices.SortStableFunc(hits, func(a, b memory.Hit) int {
		return cmp.Or(cmp.Compare(lineIn(&a, path), lineIn(&b, path)), b.UpdatedAt.Compare(a.UpdatedAt))
	})
	policies := cmp.Or(e.Lifespan, &lifespan.Policies{})
	for i := range hits[:min(len(hits), limit)] {
		entries = append(entries, e.newEntry(&hits[i], policies))
	}
	return entries, len(hits), nil
}

// lineIn is the first line of a file that a record cites, 0 for none.
func lineIn(h *memory.Hit, path string) int {
	line := 0
	for _, place := range snippet.CitedPlaces(h) {
		if place.Abs == path && (line == 0 || place.Line < line) {
			line = place.Line
		}
	}
	return line
}

// allRecords returns the records of a view, unsorted.
func (e *Records) allRecords(ctx context.Context, view string) ([]memory.Hit, error) {
	e.SyncNotes(ctx)
	scope, snap := e.Scope(ctx), e.Index.Snapshot()
	policies := cmp.Or(e.Lifespan, &lifespan.Policies{})
	var hits []memory.Hit
	err := e.Store.Records(ctx, func(h memory.Hit) error {
		if !inScope(h.Workspace, scope) {
			return ctx.Err()
		}
		one := []memory.Hit{h}
		if view == ViewStale || view == ViewReview {
			e.CheckCitations(ctx, snap, one)
		}
		if inView(&one[0], view) || view == ViewReview && len(reviewReasons(e, &one[0], policies.Decide(one[0], e.Now()))) > 0 {
			hits = append(hits, one[0])
		}
		return ctx.Err()
	})
	return e.dropDeletedNotes(ctx, hits), err
}

func inView(h *memory.Hit, view string) bool {
	pattern := h.Pattern || h.Type == memory.Reasoning
	switch view {
	case ViewDecisions:
		return !pattern && isDecision(h)
	case ViewNotes:
		return !pattern && !isDecision(h)
	case ViewPatterns:
		return pattern
	case ViewStale:
		return snippet.IsStale(h)
	case ViewPinned:
		return lifespan.IsPinned(h.Tags)
	case ViewRecent:
		return true
	}
	return false
}

// decided matches how people write that something was decided.
var decided = lazyregexp.New(`(?i)\b(decision|decided?|decides|chose|chosen|choose|agreed|settled on)\b`)

// isDecision tells a decision by its tags, else by its first line.
func isDecision(h *memory.Hit) bool {
	for _, tag := range h.Tags {
		if strings.EqualFold(tag, "decision") || strings.EqualFold(tag, "adr") {
			return true
		}
	}
	first, _, _ := strings.Cut(strings.TrimSpace(h.Content), "\n")
	return decided.MatchString(h.Title) || decided.MatchString(first)
}

func (e *Records) newEntry(h *memory.Hit, policies *lifespan.Policies) RecordEntry {
	decision := policies.Decide(*h, e.Now())
	hit := snippet.OfRecord(h)
	hit.Text = h.Content
	if snippet.IsNote(*h) {
		hit.Path, hit.Abs = h.SourceRef, filepath.Join(h.Workspace, filepath.FromSlash(h.SourceRef))
	}
	return RecordEntry{
		Hit: hit, Pinned: lifespan.IsPinned(h.Tags), Decision: isDecision(h), Pattern: h.Pattern || h.Type == memory.Reasoning,
		Editable: !snippet.IsNote(*h) && len(h.Chunk) == 0, File: snippet.IsNote(*h), Stale: staleness(h), Expires: decision.Expires, Uses: h.AccessCount,
		Review: reviewReasons(e, h, decision),
	}
}

// staleness says what has changed of what a record cites.
func staleness(h *memory.Hit) string {
	if snippet.IsStale(h) {
		return snippet.CitationWarning(h)
	}
	return ""
}

// A Revision is what to change of a record; what is nil stays.
type Revision struct {
	Content    *string
	Tags       *[]string
	Importance *float64 // 0..1
	Pinned     *bool    // a pinned record does not decay and is never forgotten by a policy
	Agent      string   // who changes the content; "" for a person
	Accept     bool     // a person says that it is right as it is then: see accept
}

// Revise changes a record and returns its id, which is another one when a record with the new content was there
// already: the two become one. It fails with Invalid on an unknown id, on content that is no record, on note files, and
// on the content of what a query made.
func (e *Records) Revise(ctx context.Context, id string, r Revision) (string, error) {
	hit, err := e.knownRecord(ctx, id)
	if err != nil {
		return "", err
	}
	record := hit.Record
	if record.Team && r.Agent != "" {
		return "", &fault.Error{Kind: fault.Invalid, Message: "the record is the team's, and an agent can't change what others read", Detail: "id", Remedy: "A person can: aurora mem edit " + id}
	}
	if snippet.IsNote(hit) {
		return "", &fault.Error{
			Kind: fault.Invalid, Message: "the record is a note file", Detail: "id",
			Remedy: "Edit " + record.SourceRef + ", its tags included; memory follows it.",
		}
	}
	if err := e.revise(&record, r); err != nil {
		return "", err
	}
	if r.Agent != "" {
		record.AgentName = agentName(r.Agent)
		if now := e.Now().Truncate(time.Millisecond); !hit.Standing.Accepted.Before(now) {
			time.Sleep(time.Millisecond) // times are kept in milliseconds, and what comes after the acceptance is to be looked at again
		}
	}
	if r.Accept {
		if err := accept(ctx, e, &hit, &record); err != nil {
			return "", err
		}
	}
	saved, _, err := e.Store.Remember(ctx, record)
	if err != nil {
		return "", fault.OfStore(ctx, "change a record", err)
	}
	if r.Agent == "" { // what a person changes, a person has looked at
		if err := e.Store.Use(ctx, []string{saved.ID}, memory.Accepted, 0); err != nil {
			return "", fault.OfStore(ctx, "change a record", err)
		}
	}
	if saved.ID != id {
		if _, err := e.Store.Forget(ctx, []string{id}); err != nil {
			return "", fault.OfStore(ctx, "change a record", err)
		}
	}
	return saved.ID, nil
}

// revise applies a revision to a record.
func (e *Records) revise(record *memory.Record, r Revision) error {
	if r.Tags != nil {
		record.Tags = slices.Clone(*r.Tags)
	}
	if r.Importance != nil {
		if math.IsNaN(*r.Importance) || *r.Importance < 0 || *r.Importance > 1 {
			return &fault.Error{Kind: fault.Invalid, Message: "importance must lie between 0 and 1", Detail: "importance"}
		}
		record.Importance = *r.Importance
	}
	if r.Pinned != nil {
		record.Tags = lifespan.Pin(record.Tags, *r.Pinned)
	}
	if r.Content == nil || *r.Content == record.Content {
		return nil
	}
	if len(record.Chunk) > 0 {
		return &fault.Error{Kind: fault.Invalid, Message: "the record is what a query made", Detail: "content", Remedy: "Remember what should be known instead, and forget this."}
	}
	record.Content = *r.Content
	record.Title, record.Domain, record.SemanticRole, record.Keywords = "", "", "", nil // they follow from the content
	return e.CheckContent(record)
}
