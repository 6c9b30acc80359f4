package semantic

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/aurora-sidecar/aurora/engine/background"
	"github.com/aurora-sidecar/aurora/engine/embedder"
	"github.com/aurora-sidecar/aurora/index/embed"
	"github.com/aurora-sidecar/aurora/index/embed/sentence"
	"github.com/aurora-sidecar/aurora/memory"
)

const (
	// atOnce is how many records a search makes vectors of before it answers: so that what somebody has just remembered is found.
	atOnce = 4
	// keepTogether is how many vectors are kept in one transaction.
	keepTogether = 16
	// keepWithin bounds how long a search waits for a store that others write.
	keepWithin = time.Second
)

// ownRecords are the vectors of records by the sentence transformer in the program. A vector costs up to a tenth of a second of one
// core, so it is kept beside its record; most are made in the background.
type ownRecords struct {
	store     RecordTexts
	log       *slog.Logger
	vectors   recordVectors
	questions *embedder.MemoryCache
	rounds    *background.Rounds // nil where nothing runs in the background
}

func newOwnRecords(o Options) *ownRecords {
	own := &ownRecords{store: o.Memory, log: o.Log, questions: embedder.NewMemoryCache(1000)}
	if o.Background && o.Memory != nil {
		own.rounds = background.New(own.round)
		own.rounds.Follow(o.Index)
	}
	return own
}

func (o *ownRecords) close() {
	if o.rounds != nil {
		o.rounds.Close()
	}
}

func (o *ownRecords) near(ctx context.Context, question string, n Nearness) ([]nearRecord, error) {
	model, err := sentence.Default()
	if err != nil {
		return nil, fmt.Errorf("memory is searched by words alone: %w", err)
	}
	o.vectors.mu.Lock()
	defer o.vectors.mu.Unlock()
	if err := o.update(ctx, model); err != nil {
		return nil, err
	}
	if o.rounds == nil || len(o.vectors.lacking) <= atOnce {
		o.fillSome(ctx, model)
	}
	if len(o.vectors.lacking) > 0 && o.rounds != nil {
		o.rounds.Kick()
	}
	if len(o.vectors.known) == 0 {
		return nil, nil
	}
	return o.vectors.near(o.question(model, question), n), nil
}

// fillSome makes a few vectors now. Who can't keep them makes them again another time.
func (o *ownRecords) fillSome(ctx context.Context, model *sentence.Model) {
	made := embedRecords(ctx, model, o.some(atOnce))
	if len(made) == 0 {
		return
	}
	for _, v := range made {
		o.vectors.put(v.Of.ID, v.Vector)
	}
	ctx, cancel := context.WithTimeout(ctx, keepWithin)
	defer cancel()
	if err := o.store.KeepVectors(ctx, o.vectors.space, made); err != nil {
		o.log.Debug("vectors of records were not kept", "err", err)
	}
}

// prepare makes the vector of a question, so that near finds it, where there is something to compare it with.
func (o *ownRecords) prepare(question string) {
	o.vectors.mu.Lock()
	some := len(o.vectors.known) > 0
	o.vectors.mu.Unlock()
	if model, err := sentence.Default(); err == nil && some {
		o.question(model, question)
	}
}

func (o *ownRecords) question(model *sentence.Model, text string) embed.Vector {
	key := embedder.NewKey(model.ID().String(), text)
	vec, known := o.questions.Get(key)
	if !known {
		vec = model.Vector(text)
		o.questions.Put(key, vec)
	}
	return vec
}

// update reads what was written, and what is kept of its vectors.
func (o *ownRecords) update(ctx context.Context, model *sentence.Model) error {
	fresh, err := o.vectors.update(ctx, o.store, model.ID().String())
	if err != nil || len(fresh) == 0 {
		return err
	}
	return o.load(ctx, fresh)
}

// load reads the vectors that are kept of some records.
func (o *ownRecords) load(ctx context.Context, texts []memory.RecordText) error {
	ids := make([]string, len(texts))
	for i, t := range texts {
		ids[i] = t.ID
	}
	return o.store.Vectors(ctx, o.vectors.space, ids, func(id string, vec []int8) { o.vectors.put(id, vec) })
}

// some returns so many records without a vector at most.
func (o *ownRecords) some(most int) []memory.RecordText {
	var list []memory.RecordText
	for _, t := range o.vectors.lacking {
		if len(list) == most {
			break
		}
		list = append(list, t)
	}
	return list
}

// FillRecords makes the vectors of all records that have none, by the sentence transformer in the program.
func (v *Vectors) FillRecords(ctx context.Context) error {
	return v.own.fill(ctx, func(time.Duration) {})
}

// fill makes the vectors of all records that have none, and calls pause with how long some of them took.
func (o *ownRecords) fill(ctx context.Context, pause func(time.Duration)) error {
	model, err := sentence.Default()
	if err != nil {
		return err
	}
	for {
		texts, more, err := o.next(ctx, model)
		if err != nil || !more {
			return err
		}
		start := time.Now()
		made := embedRecords(ctx, model, texts)
		if err := o.store.KeepVectors(ctx, model.ID().String(), made); err != nil {
			return err
		}
		o.note(made)
		pause(time.Since(start))
	}
}

// next returns records without a vector, and whether there are any. Vectors that another process made are read instead.
func (o *ownRecords) next(ctx context.Context, model *sentence.Model) (texts []memory.RecordText, more bool, err error) {
	o.vectors.mu.Lock()
	defer o.vectors.mu.Unlock()
	if err := o.update(ctx, model); err != nil {
		return nil, false, err
	}
	texts = o.some(keepTogether)
	more = len(texts) > 0
	if err := o.load(ctx, texts); err != nil {
		return nil, false, err
	}
	return slices.DeleteFunc(texts, func(t memory.RecordText) bool { return !o.vectors.lacks(t) }), more, ctx.Err()
}

func (o *ownRecords) note(made []memory.RecordVector) {
	o.vectors.mu.Lock()
	defer o.vectors.mu.Unlock()
	for _, v := range made {
		if o.vectors.lacks(v.Of) {
			o.vectors.put(v.Of.ID, v.Vector)
		}
	}
}

// round rests as long as it works: it is in no hurry.
func (o *ownRecords) round() {
	ctx := o.rounds.Context()
	err := o.fill(ctx, func(worked time.Duration) {
		select {
		case <-ctx.Done():
		case <-time.After(worked):
		}
	})
	if err != nil && ctx.Err() == nil {
		o.log.Warn("records of memory have no vectors", "err", err)
	}
}

// embedRecords returns the vectors of records; of fewer when ctx ends.
func embedRecords(ctx context.Context, model *sentence.Model, texts []memory.RecordText) []memory.RecordVector {
	var made []memory.RecordVector
	for _, t := range texts {
		if ctx.Err() != nil {
			break
		}
		made = append(made, memory.RecordVector{Of: t, Vector: model.Vector(string(recordText(t)))})
	}
	return made
}
