package semantic

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/aurora-sidecar/aurora/engine/embedder"
	"github.com/aurora-sidecar/aurora/index/embed"
	"github.com/aurora-sidecar/aurora/memory"
)

// recordVectors are the vectors of what memory holds. They are derived: made when a search first wants them, brought up to
// date by what was written since, made again for another model, and never stored; those of an endpoint are in its cache.
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
			have.workspace = t.Workspace
			v.known[t.ID] = have
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
	ID     string
	Cosine float64
}

// near returns the records of the workspaces in scope, or of none, whose cosine is at least that, best first.
func (v *recordVectors) near(cosineOf func([]int8) float64, least float64, scope []string) []nearRecord {
	var out []nearRecord
	for id, r := range v.known {
		if r.workspace != "" && len(scope) > 0 && !slices.Contains(scope, r.workspace) {
			continue
		}
		if c := cosineOf(r.vec); c >= least {
			out = append(out, nearRecord{id, c})
		}
	}
	slices.SortFunc(out, func(a, b nearRecord) int { return cmp.Or(cmp.Compare(b.Cosine, a.Cosine), cmp.Compare(a.ID, b.ID)) })
	return out
}

// recordText is what is embedded of a record.
func recordText(t memory.RecordText) []byte { return []byte(t.Title + "\n" + t.Content) }

// NearRecords are the records of these workspaces, or of none, whose cosine with a question is at least that. The endpoint's
// vectors are compared when the question's direction is of the endpoint, else those of the program's model of prose.
func (v *Vectors) NearRecords(ctx context.Context, question string, d Direction, least float64, scope []string) ([]nearRecord, error) {
	cosineOf, space, vector := d.CosineOf, "", v.remoteRecordVector
	if remote, ok := d.(remoteDirection); ok {
		space = remote.pic.space
	} else {
		prose, err := embed.Prose()
		if err != nil {
			return nil, fmt.Errorf("memory is searched by words alone: %w", err)
		}
		asked := prose.Vector([]byte(question))
		cosineOf, space = func(vec []int8) float64 { return cosine(asked, vec) }, prose.ID().String()
		vector = func(t memory.RecordText) embed.Vector { return prose.Vector(recordText(t)) }
	}
	v.records.mu.Lock()
	defer v.records.mu.Unlock()
	lacking, err := v.records.update(ctx, v.Memory, space, vector)
	if err != nil {
		return nil, err
	}
	if lacking > 0 && v.remote != nil && v.remote.rounds != nil {
		v.remote.rounds.Kick()
	}
	return v.records.near(cosineOf, least, scope), nil
}

func (v *Vectors) remoteRecordVector(t memory.RecordText) embed.Vector {
	return v.remote.recordVector(t)
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
func (f *embeddings) fillRecords(ctx context.Context, b *batch) error {
	store := f.of.Memory
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
