package soar

import "context"

const (
	bundleSize  = 10 // passages for the whole query (SOAR-035)
	subgoalSize = 6  // for one subgoal
)

// retrieve is phase 2.
func (q *query) retrieve(ctx context.Context) (string, error) {
	passages, err := q.opts.Library.Retrieve(ctx, q.Query, bundleSize)
	if err != nil {
		return "", err
	}
	q.takeUp()
	q.Bundle = q.shelf.put(passages)
	if before := q.Request.Before; before != nil && !before.Same { // "and its tests" says too little by itself
		passages, err := q.opts.Library.Retrieve(ctx, before.Query, bundleSize/2)
		if err != nil {
			return "", err
		}
		q.Bundle = union(q.Bundle, q.shelf.put(passages))
	}
	if before := q.Request.Before; before != nil && before.Plan != nil {
		q.Bundle = union(q.Bundle, q.shelf.named(before.Plan))
	}
	if len(q.Bundle) == 0 {
		q.warn("Neither code nor memory has anything on this question.")
	}
	return tell(len(q.Bundle), "passage", "passages"), nil
}
