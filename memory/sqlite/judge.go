package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/aurora-sidecar/aurora/memory"
)

// patternTag is how the record of a good answer is tagged.
const patternTag = "pattern"

// middling is the confidence of a record of which nothing is known.
const middling = 0.5

// Judge implements memory.Store.
func (rs records) Judge(ctx context.Context, id string, j memory.Judgement) error {
	if math.IsNaN(j.Confidence) || math.Abs(j.Confidence) > 1 {
		return fmt.Errorf("judge a record: %w: a change of confidence by %v", memory.ErrInvalid, j.Confidence)
	}
	err := rs.write(ctx, func(tx tx) error {
		known, err := findRow(ctx, tx, `id = ?`, id)
		if errors.Is(err, sql.ErrNoRows) || err == nil && known.forgotten {
			return memory.ErrNotFound
		}
		if err != nil {
			return err
		}
		judge(&known.Record, j)
		if err := rewrite(ctx, tx, known); err != nil {
			return err
		}
		return indexTokens(ctx, tx, known.seq, known.Record)
	})
	if err != nil {
		return fmt.Errorf("judge a record: %w", err)
	}
	return nil
}

func judge(r *memory.Record, j memory.Judgement) {
	without := func(tag string) {
		r.Tags = slices.DeleteFunc(r.Tags, func(t string) bool { return t == tag })
	}
	confidence := middling
	switch {
	case r.Confidence != nil:
		confidence = *r.Confidence
	case r.SuccessScore != nil:
		confidence = *r.SuccessScore
	}
	confidence = max(0, min(1, confidence+j.Confidence))
	if j.Confidence > 0 {
		without(memory.Incorrect)
	}
	if j.Wrong {
		confidence = 0
		without(memory.Incorrect)
		r.Tags = append(r.Tags, memory.Incorrect)
	}
	if j.Wrong || j.Insufficient {
		r.Pattern = false
		without(patternTag)
	}
	if j.Wrong || j.Confidence != 0 {
		r.Confidence = &confidence
	}
}
