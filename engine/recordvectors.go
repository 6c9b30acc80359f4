package engine

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/aurora-sidecar/aurora/engine/embedder"
	"github.com/aurora-sidecar/aurora/index/embed"
	"github.com/aurora-sidecar/aurora/memory"
)

// meantRecords is how many records the vectors propose.
const meantRecords = 50

// Of the model in the program: sixteen records and questions that share hardly a word had cosines from -0.04 to 0.42, nine
// of them the highest of all; 988 questions about nothing here came to 0.196 at most. Endpoints differ, so what only they
// propose never breaks the silence.
var (
	nearBuiltIn  = nearness{least: 0.2, from: 0.1, to: 0.5, sure: 0.3}
	nearEndpoint = nearness{least: minCosine, from: minCosine, to: 1, sure: math.Inf(1)}
)

// A nearness says what the cosines of a model mean for records.
type nearness struct {
	least    float64 // what lies below is not proposed
	from, to float64 // are mapped to 0 and 1
	sure     float64 // from here on a record without a word of the question answers it all the same
}

// of is how near a cosine is, 0..1, in thousandths.
func (n nearness) of(cosine float64) float64 {
	return math.Round(1000*min(1, max(0, (cosine-n.from)/(n.to-n.from)))) / 1000
}

func nearnessOf(d direction) nearness {
	if _, far := d.(farDirection); far {
		return nearEndpoint
	}
	return nearBuiltIn
}

// recordVectors are the vectors of what memory holds. They are derived: made when a search first wants them, brought up to
// date by what was written since, made anew for another model, and never stored; those of an endpoint are in its cache.
type recordVectors struct {
	mu      sync.Mutex
	space   string // whose vectors these are
	mark    memory.TextMark
	known   map[string]recordVector
	lacking map[string]memory.RecordText // by id: what has no vector yet
}

type recordVector struct {
	hash, workspace string
	vec             embed.Vector
}

// A vectorOf returns the vector of a record, nil when there is none yet.
type vectorOf func(memory.RecordText) embed.Vector

// update reads what was written since the last time. It returns how many records have no vector.
func (v *recordVectors) update(ctx context.Context, store memory.Store, space string, vector vectorOf) (int, error) {
	if v.space != space {
		v.space, v.mark = space, memory.TextMark{}
		v.known, v.lacking = map[string]recordVector{}, map[string]memory.RecordText{}
	}
	take := func(t memory.RecordText) {
		if have, ok := v.known[t.ID]; ok && have.hash == t.ContentHash {
			return
		}
		delete(v.known, t.ID)
		if vec := vector(t); vec != nil {
			v.known[t.ID] = recordVector{t.ContentHash, t.Workspace, vec}
			delete(v.lacking, t.ID)
			return
		}
		v.lacking[t.ID] = t
	}
	for _, t := range v.lacking {
		take(t)
	}
	mark, err := store.Texts(ctx, v.mark, take)
	v.mark = mark
	return len(v.lacking), err
}

// A nearRecord is a record that means nearly what was asked.
type nearRecord struct {
	id     string
	cosine float64
}

// near returns the records of a workspace folder, or of none, whose cosine is at least that, best first.
func (v *recordVectors) near(d direction, least float64, folders []string) []nearRecord {
	var out []nearRecord
	for id, r := range v.known {
		if r.workspace != "" && len(folders) > 0 && !slices.Contains(folders, r.workspace) {
			continue
		}
		if c := d.CosineOf(r.vec); c >= least {
			out = append(out, nearRecord{id, c})
		}
	}
	slices.SortFunc(out, func(a, b nearRecord) int { return cmp.Or(cmp.Compare(b.cosine, a.cosine), cmp.Compare(a.id, b.id)) })
	return out
}

// recordText is what is embedded of a record.
func recordText(t memory.RecordText) []byte { return []byte(t.Title + "\n" + t.Content) }

// nearRecords are the records that mean what a question means.
func (e *Engine) nearRecords(ctx context.Context, d direction, s *search) ([]nearRecord, error) {
	space, vector := s.snap.Embedder(), func(t memory.RecordText) embed.Vector { return s.snap.Model().Vector(recordText(t)) }
	if far, ok := d.(farDirection); ok {
		space, vector = far.pic.space, e.far.recordVector
	}
	e.recordVectors.mu.Lock()
	defer e.recordVectors.mu.Unlock()
	lacking, err := e.recordVectors.update(ctx, e.opts.Memory, space, vector)
	if err != nil {
		return nil, err
	}
	if lacking > 0 && e.far != nil && e.far.rounds != nil {
		e.far.rounds.kick()
	}
	return e.recordVectors.near(d, nearnessOf(d).least, e.opts.Index.Folders()), nil
}

// proposeMeantRecords adds the records that mean what was asked, whatever their words, and tells of the others how near they
// are.
func (s *search) proposeMeantRecords(ctx context.Context) error {
	if s.ranking.kind != proseQuery || !s.engine.providers.asks("semantic", s.request) {
		return nil
	}
	d, err := s.direction(ctx)
	if err != nil || d.IsZero() {
		return nil // the provider of meanings has said why
	}
	near, err := s.engine.nearRecords(ctx, d, s)
	if err != nil {
		return err
	}
	s.meaning = true
	scale, byID := nearnessOf(d), map[string]*candidate{}
	for _, c := range s.candidates {
		if c.record != nil {
			byID[c.record.ID] = c
		}
	}
	cosines, ids := map[string]float64{}, []string{}
	for _, n := range near {
		if c := byID[n.id]; c != nil {
			c.cosine, c.closeness = n.cosine, scale.of(n.cosine)
		} else if len(ids) < meantRecords {
			cosines[n.id], ids = n.cosine, append(ids, n.id)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	q := s.memoryQuery()
	q.Text, q.IDs, q.Limit = "", ids, len(ids)
	hits, err := s.engine.recall(ctx, q)
	before := len(s.candidates)
	err = s.addRecords(recordsFound{hits, err})
	for _, c := range s.candidates[before:] {
		c.cosine = cosines[c.record.ID]
		c.closeness, c.meant, c.surely = scale.of(c.cosine), true, c.cosine >= scale.sure
	}
	return err
}

// recordVector is the vector that the endpoint made of a record, if it did.
func (f *embeddings) recordVector(t memory.RecordText) embed.Vector {
	f.open.Lock()
	cache := f.cache
	f.open.Unlock()
	if cache == nil {
		return nil
	}
	vec, _ := cache.Get(recordVectorKey(f.opts.Remote.ID().String(), t))
	return vec
}

func recordVectorKey(space string, t memory.RecordText) embedder.Key {
	return embedder.NewKey(space, "record\x00"+t.Title+"\x00"+t.ContentHash)
}

// fillRecords asks the endpoint for the vectors of records that have none.
func (f *embeddings) fillRecords(ctx context.Context, b *farBatch) error {
	store := f.engine.opts.Memory
	if store == nil {
		return nil
	}
	space := f.opts.Remote.ID().String()
	var missing []memory.RecordText
	_, err := store.Texts(ctx, memory.TextMark{}, func(t memory.RecordText) {
		b.counts.Records++
		if _, known := b.cache.Get(recordVectorKey(space, t)); !known {
			missing = append(missing, t)
		}
	})
	if err != nil {
		return fmt.Errorf("memory got no vectors: %w", err)
	}
	failed := b.counts.Failed
	defer func() { b.counts.Without, b.counts.Failed = b.counts.Failed-failed, failed }()
	for _, t := range missing {
		b.add(recordVectorKey(space, t), t.ID, recordText(t))
		if b.full() {
			if err := b.send(ctx); err != nil {
				return err
			}
		}
	}
	return b.send(ctx)
}
