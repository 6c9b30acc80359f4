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

// RecordTexts tells what records say, and keeps their vectors: a memory.RecordStore does.
type RecordTexts interface {
	Texts(ctx context.Context, since memory.TextMark, f func(memory.RecordText)) (memory.TextMark, error)
	Vectors(ctx context.Context, space string, ids []string, f func(id string, vector []int8)) error
	KeepVectors(ctx context.Context, space string, vectors []memory.RecordVector) error
}

// recordVectors are the vectors of one model for what memory holds, brought up to date by what was written since.
type recordVectors struct {
	mu      sync.Mutex
	space   string // whose vectors these are
	mark    memory.TextMark
	known   map[string]int // row of each record that has a vector, by its id
	rows    []recordRow    // as in table
	table   vectorTable
	lacking map[string]memory.RecordText // by id: what has no vector yet
}

// A recordRow is the text of a record of which a row is the vector.
type recordRow struct{ id, title, hash string }

// update reads what was written since the last time, and returns the records of it that have no vector.
func (v *recordVectors) update(ctx context.Context, store RecordTexts, space string) (fresh []memory.RecordText, err error) {
	if v.space != space {
		v.space, v.mark, v.rows, v.table = space, memory.TextMark{}, nil, vectorTable{}
		v.known, v.lacking = map[string]int{}, map[string]memory.RecordText{}
	}
	v.mark, err = store.Texts(ctx, v.mark, func(t memory.RecordText) {
		row, ok := v.known[t.ID]
		if ok && v.rows[row].hash == t.ContentHash && v.rows[row].title == t.Title {
			v.table.place(row, t.Workspace)
			return
		}
		if ok {
			v.drop(row)
		}
		v.lacking[t.ID] = t
		fresh = append(fresh, t)
	})
	return fresh, err
}

// drop takes a row out, in whose place the last one comes.
func (v *recordVectors) drop(row int) {
	last := len(v.rows) - 1
	delete(v.known, v.rows[row].id)
	v.table.drop(row)
	if row != last {
		v.rows[row] = v.rows[last]
		v.known[v.rows[row].id] = row
	}
	v.rows = v.rows[:last]
}

// lacks reports whether a record still says this and has no vector.
func (v *recordVectors) lacks(t memory.RecordText) bool {
	now, ok := v.lacking[t.ID]
	return ok && now.Title == t.Title && now.ContentHash == t.ContentHash
}

// put notes the vector of a record that lacks one.
func (v *recordVectors) put(id string, vec embed.Vector) {
	if t, ok := v.lacking[id]; ok {
		v.known[id] = len(v.rows)
		v.rows = append(v.rows, recordRow{t.ID, t.Title, t.ContentHash})
		v.table.set(v.known[id], vec, t.Workspace)
		delete(v.lacking, id)
	}
}

// A Nearness asks which records mean nearly what was asked.
type Nearness struct {
	Least float64  // the cosine that they have at least
	Scope []string // names of workspaces; records of none are always in scope, without any all are
	Also  []string // ids of records whose cosine is wanted although others may be nearer
}

// A nearRecord is a record that means nearly what was asked.
type nearRecord struct {
	ID     string
	Cosine float64
}

// near returns the nearest records, best first, and those that are wanted besides.
func (v *recordVectors) near(asked embed.Vector, n Nearness) []nearRecord {
	var out []nearRecord
	found := map[int]bool{}
	for _, r := range v.table.nearest(asked, n.Least, n.Scope) {
		found[r.row] = true
		out = append(out, nearRecord{v.rows[r.row].id, r.cosine})
	}
	length := lengthOf(asked)
	for _, id := range n.Also {
		row, known := v.known[id]
		if !known || found[row] || len(asked) != v.table.width {
			continue
		}
		if c := v.table.cosine(row, asked, length); c >= n.Least {
			out = append(out, nearRecord{id, c})
		}
	}
	slices.SortFunc(out, func(a, b nearRecord) int { return cmp.Or(cmp.Compare(b.Cosine, a.Cosine), cmp.Compare(a.ID, b.ID)) })
	return out
}

// recordText is what is embedded of a record.
func recordText(t memory.RecordText) []byte { return []byte(t.Title + "\n" + t.Content) }

// NearRecords are the records that mean nearly what a question asks: the nearest 200, and others that are wanted. The endpoint's
// vectors are compared when the question's direction is of the endpoint, else those of the sentence transformer in the program.
func (v *Vectors) NearRecords(ctx context.Context, question string, d Direction, n Nearness) ([]nearRecord, error) {
	if remote, ok := d.(remoteDirection); ok {
		return v.nearByEndpoint(ctx, remote, n)
	}
	return v.own.near(ctx, question, n)
}

// PrepareRecords does beforehand what NearRecords needs of a question that the endpoint is not asked about.
func (v *Vectors) PrepareRecords(question string) { v.own.prepare(question) }

func (v *Vectors) nearByEndpoint(ctx context.Context, d remoteDirection, n Nearness) ([]nearRecord, error) {
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
	return v.records.near(d.vec, n), nil
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
