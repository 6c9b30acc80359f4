package recall

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/internal/text"
	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/chunkschema"
	"github.com/aurora-sidecar/aurora/memory/lifespan"
)

const (
	// unusedAfter is how old a record must be to be told as never used.
	unusedAfter = 30 * 24 * time.Hour

	// expiringWithin is how far ahead an audit looks.
	expiringWithin = 14 * 24 * time.Hour

	// alikeFrom is the share of words from which two records say the same.
	alikeFrom = 0.85

	maxCompared = 50 // records of one bucket of likeness
)

// An Audit is what is wrong with memory, and what maintenance would do about it. Nothing is changed by making one.
type Audit struct {
	Records      int
	Duplicates   []Pair    // the later record first
	Stale        []Finding // the cited code has changed or is gone
	NeverUsed    []Finding // not since they were made
	Contradicted []Pair    // the first by the second
	Expiring     []Finding // within two weeks
	Expired      []Finding // what maintenance forgets
	Inactive     []Finding // decayed by a policy: they come last
	Escalation   []Finding // candidates that a policy flags
	Difficult    []memory.Difficult
	Misplaced    []Misplaced // folders that are gone and still have records
	Notes        []NoteFault // of the notes of the open folders
}

// A Finding is a record with the reason why it is listed.
type Finding struct {
	ID, Title, Reason string
	Policy            string
	Expires           time.Time // zero for never
}

// A Pair is two records with the reason why they are listed together.
type Pair struct {
	ID, Other, Title, Reason string
}

// Audit looks through all of memory. Citations are checked for the folders of the workspace.
func (e *Records) Audit(ctx context.Context) (*Audit, error) {
	a := &auditor{records: e, now: e.Now(), policies: cmp.Or(e.Lifespan, &lifespan.Policies{}), alike: map[uint64]int{}}
	if e.Store == nil {
		return &a.Audit, nil
	}
	e.SyncNotes(ctx)
	err := e.Store.Records(ctx, func(h memory.Hit) error {
		a.look(ctx, h)
		return ctx.Err()
	})
	if err == nil {
		err = a.addContradictions(ctx)
	}
	if err == nil {
		a.Difficult, err = e.Store.Difficult(ctx)
	}
	if err == nil {
		a.Misplaced, err = misplaced(ctx, e)
	}
	if err != nil {
		return nil, fault.OfStore(ctx, "be audited", err)
	}
	a.Notes = noteFaults(e)
	return &a.Audit, nil
}

// Maintain forgets what the audit found expired, and returns how many records that were. They can be restored for 30
// days. What was deleted before then gives its space back.
func (e *Records) Maintain(ctx context.Context, a *Audit) (int, error) {
	if e.Store == nil {
		return 0, nil
	}
	var ids []string
	for _, f := range a.Expired {
		ids = append(ids, f.ID)
	}
	gone, err := e.Store.Forget(ctx, ids)
	if err != nil {
		return 0, fault.OfStore(ctx, "forget what expired", err)
	}
	for _, f := range a.Expired {
		if slices.Contains(gone, f.ID) {
			e.Log.Info("a record has expired and is forgotten", "id", f.ID, "policy", f.Policy, "reason", f.Reason)
		}
	}
	if err := e.Store.Compact(ctx); err != nil {
		return len(gone), fault.OfStore(ctx, "be compacted", err)
	}
	return len(gone), nil
}

// An auditor goes through the records.
type auditor struct {
	Audit
	records  *Records
	now      time.Time
	policies *lifespan.Policies
	alike    map[uint64]int // by what similar records share: the number of the latest listing, from 1
	listed   []listing
	tokens   text.Tokenizer
	ids      []string
}

type audited struct {
	id    string
	words []uint64 // hashes of its words, each once, in order

	comparedWith *audited // the last one
}

// A listing is a record under what it shares with others, and the number of the one before it there; 0 for none.
type listing struct {
	of     *audited
	before int
}

func (a *auditor) look(ctx context.Context, h memory.Hit) {
	a.Records++
	a.ids = append(a.ids, h.ID)
	hits := []memory.Hit{h}
	a.records.CheckCitations(ctx, a.records.Index.Snapshot(), hits)
	h = hits[0]
	if snippet.IsStale(&h) {
		a.Stale = append(a.Stale, Finding{ID: h.ID, Title: h.Title, Reason: snippet.CitationWarning(&h)})
	}
	if h.AccessCount <= 1 && a.now.Sub(h.CreatedAt) >= unusedAfter {
		a.NeverUsed = append(a.NeverUsed, Finding{ID: h.ID, Title: h.Title, Reason: "made " + wording.Ago(a.now, h.CreatedAt)})
	}
	a.judge(h)
	a.compare(h)
}

// judge lists what the policies say of the record.
func (a *auditor) judge(h memory.Hit) {
	d := a.policies.Decide(h, a.now)
	if h.Team {
		d.Expires = time.Time{} // one person's policy forgets nothing that is a team's
	}
	f := Finding{ID: h.ID, Title: h.Title, Policy: d.Policy, Reason: d.Reason, Expires: d.Expires}
	switch left := d.Expires.Sub(a.now); {
	case d.Expires.IsZero():
	case left <= 0:
		a.Expired = append(a.Expired, f)
	case left <= expiringWithin:
		a.Expiring = append(a.Expiring, f)
	}
	if d.Inactive {
		a.Inactive = append(a.Inactive, f)
	}
	if d.Escalation != "" {
		f.Reason = d.Escalation
		a.Escalation = append(a.Escalation, f)
	}
}

// compare looks for an earlier record that says the same. Records that are alike share most words, so their smallest
// digests agree in at least one place of several. Of those that agree in one, the latest maxCompared are looked at.
func (a *auditor) compare(h memory.Hit) {
	own := &audited{id: h.ID, words: a.wordsOf(h.Content)}
	keys := digests(own.words)
	for _, key := range keys {
		at := a.alike[key]
		for n := 0; at > 0 && n < maxCompared; n++ {
			other := &a.listed[at-1]
			if other.of.comparedWith != own {
				other.of.comparedWith = own
				if overlapOf(own.words, other.of.words) >= alikeFrom {
					a.Duplicates = append(a.Duplicates, Pair{ID: h.ID, Other: other.of.id, Title: h.Title, Reason: "nearly the same words"})
					return
				}
			}
			at = other.before
		}
	}
	for _, key := range keys {
		a.listed = append(a.listed, listing{own, a.alike[key]})
		a.alike[key] = len(a.listed)
	}
}

// wordsOf returns the hashes of a text's words, each once, in order.
func (a *auditor) wordsOf(content string) []uint64 {
	var words []uint64
	a.tokens.Each([]byte(content), func(token []byte) {
		words = append(words, hashOf(token))
	})
	slices.Sort(words)
	return slices.Clip(slices.Compact(words))
}

// hashOf is FNV-1a.
func hashOf(token []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, b := range token {
		h = (h ^ uint64(b)) * 1099511628211
	}
	return h
}

// digests are the smallest hash of a set's words by each of several functions: two sets agree in one with the probability of their
// likeness (Broder 1997).
func digests(words []uint64) (list [6]uint64) {
	for f := range list {
		salt := uint64(f+1) * 0x9E3779B97F4A7C15
		list[f] = math.MaxUint64
		for _, word := range words {
			list[f] = min(list[f], mixed(word+salt))
		}
		list[f] += salt // the same by two functions says nothing
	}
	return list
}

// mixed spreads the bits of a hash (the last steps of SplitMix64).
func mixed(h uint64) uint64 {
	h = (h ^ h>>30) * 0xBF58476D1CE4E5B9
	h = (h ^ h>>27) * 0x94D049BB133111EB
	return h ^ h>>31
}

// overlapOf is the share of all words that two sets have in common (Jaccard), or 0 when their sizes alone rule out that they are
// alike.
func overlapOf(a, b []uint64) float64 {
	if len(a) > len(b) {
		a, b = b, a
	}
	if float64(len(a)) < alikeFrom*float64(len(b)) {
		return 0
	}
	both := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			both, i, j = both+1, i+1, j+1
		case a[i] < b[j]:
			i++
		default:
			j++
		}
	}
	if all := len(a) + len(b) - both; all > 0 {
		return float64(both) / float64(all)
	}
	return 1
}

// addContradictions lists the records that another one was linked to as saying the opposite.
func (a *auditor) addContradictions(ctx context.Context) error {
	known := map[string]bool{}
	for _, id := range a.ids {
		known[id] = true
	}
	for chunk := range slices.Chunk(a.ids, 500) {
		links, err := a.records.Store.Related(ctx, chunk)
		if err != nil {
			return err
		}
		for _, list := range links {
			for _, l := range list {
				if l.Type == memory.Contradicts && l.Weight > 0 && known[l.To] {
					a.Contradicted = append(a.Contradicted, Pair{ID: l.To, Other: l.From, Reason: "said to be contradicted"})
				}
			}
		}
	}
	slices.SortFunc(a.Contradicted, func(x, y Pair) int {
		return cmp.Or(strings.Compare(x.ID, y.ID), strings.Compare(x.Other, y.Other))
	})
	return nil
}

// An Account is all that is known of one record: what it is, how active it is and why, and how long it will be kept.
type Account struct {
	memory.Hit
	Decision lifespan.Decision
	Links    []memory.Link
	Versions []memory.Version // what it said before, the latest first
}

// Governance is how the record is governed, as JSON of its chunk. Of a record without a chunk it is what the
// policies decided: indefinite for what is kept, time-based for what expires, conditional for what only decays.
func (a *Account) Governance() json.RawMessage {
	var c struct {
		Governance json.RawMessage `json:"governance"`
	}
	if len(a.Chunk) > 0 && json.Unmarshal(a.Chunk, &c) == nil && len(c.Governance) > 0 {
		return c.Governance
	}
	g := chunkschema.Governance{Tags: append([]string{}, a.Tags...), Policy: "indefinite", Rules: []any{}, Decision: a.Decision.Policy}
	switch {
	case !a.Decision.Expires.IsZero():
		g.Policy = "time-based"
	case a.Decision.Inactive:
		g.Policy = "conditional"
	}
	text, err := json.Marshal(g)
	if err != nil {
		return nil
	}
	return text
}

// Account returns what is known of the record with the id; its citations are checked.
func (e *Records) Account(ctx context.Context, id string) (*Account, error) {
	if e.Store == nil {
		return nil, &fault.Error{Kind: fault.Storage, Message: "there is no memory"}
	}
	hit, err := e.Store.Get(ctx, id)
	if errors.Is(err, memory.ErrNotFound) {
		return nil, &fault.Error{
			Kind: fault.NotFound, Message: "no memory record is called " + id, Detail: "id",
			Remedy: "aurora mem list prints the ids; aurora forget --undo lists what was forgotten.",
		}
	}
	if err != nil {
		return nil, fault.OfStore(ctx, "read a record", err)
	}
	hits := []memory.Hit{hit}
	e.CheckCitations(ctx, e.Index.Snapshot(), hits)
	links, err := e.Store.Related(ctx, []string{id})
	if err != nil {
		return nil, fault.OfStore(ctx, "read links", err)
	}
	versions, err := e.Store.Versions(ctx, id)
	if err != nil {
		return nil, fault.OfStore(ctx, "read the versions of a record", err)
	}
	policies := cmp.Or(e.Lifespan, &lifespan.Policies{})
	return &Account{Hit: hits[0], Decision: policies.Decide(hits[0], e.Now()), Links: links[id], Versions: versions}, nil
}
