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

// recordVectors are the vectors of one model for what memory holds, brought up to date by what was written since.
type recordVectors struct {
	mu      sync.Mutex
	space   string // whose vectors these are
	mark    memory.TextMark
	known   map[string]recordVector
	lacking map[string]memory.RecordText // by id: what has no vector yet
}

type recordVector struct {
	title, hash, workspace string
	vec                    embed.Vector
}

// update reads what was written since the last time, and returns the records of it that have no vector.
func (v *recordVectors) update(ctx context.Context, store memory.Store, space string) (fresh []memory.RecordText, err error) {
	if v.space != space {
		v.space, v.mark = space, memory.TextMark{}
		v.known, v.lacking = map[string]recordVector{}, map[string]memory.RecordText{}
	}
	v.mark, err = store.Texts(ctx, v.mark, func(t memory.RecordText) {
		if have, ok := v.known[t.ID]; ok && have.hash == t.ContentHash && have.title == t.Title {
			have.workspace = t.Workspace
			v.known[t.ID] = have
			return
		}
		delete(v.known, t.ID)
		v.lacking[t.ID] = t
		fresh = append(fresh, t)
	})
	return fresh, err
}

// lacks reports whether a record still says this and has no vector.
func (v *recordVectors) lacks(t memory.RecordText) bool {
	now, ok := v.lacking[t.ID]
	return ok && now.Title == t.Title && now.ContentHash == t.ContentHash
}

// put notes the vector of a record that lacks one.
func (v *recordVectors) put(id string, vec embed.Vector) {
	if t, ok := v.lacking[id]; ok {
		v.known[id] = recordVector{t.Title, t.ContentHash, t.Workspace, vec}
		delete(v.lacking, id)
	}
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
// vectors are compared when the question's direction is of the endpoint, else those of the sentence transformer in the program.
func (v *Vectors) NearRecords(ctx context.Context, question string, d Direction, least float64, scope []string) ([]nearRecord, error) {
	if remote, ok := d.(remoteDirection); ok {
		return v.nearByEndpoint(ctx, remote, least, scope)
	}
	return v.own.near(ctx, question, least, scope)
}

func (v *Vectors) nearByEndpoint(ctx context.Context, d remoteDirection, least float64, scope []string) ([]nearRecord, error) {
	v.records.mu.Lock()
	defer v.records.mu.Unlock()
	if _, err := v.records.update(ctx, v.Memory, d.pic.space); err != nil {
		return nil, err
	}
	for id, t := range v.records.lacking {
		if vec := v.remote.recordVector(t); vec != nil {
			v.records.put(id, vec)
		}
	}
	if len(v.records.lacking) > 0 && v.remote.rounds != nil {
		v.remote.rounds.Kick()
	}
	return v.records.near(d.CosineOf, least, scope), nil
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
