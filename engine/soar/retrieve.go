package soar

import "context"

// usualBundle is how many passages a whole query gets (SOAR-035, BGT-028).
const usualBundle = 10

// bundleSize is how many passages the whole query gets.
func (o *Options) bundleSize() int {
	if o.Passages <= 0 {
		return usualBundle
	}
	return o.Passages
}

// subgoalSize is how many passages one subgoal gets: six tenths of what the query does, and at least one.
func (o *Options) subgoalSize() int { return max(1, (6*o.bundleSize()+5)/10) }

// retrieve is phase 2.
func (q *query) retrieve(ctx context.Context) (string, error) {
	passages, err := q.opts.Library.Retrieve(ctx, q.Query, q.opts.bundleSize())
	if err != nil {
		return "", err
	}
	q.takeUp()
	q.Bundle = q.shelf.put(passages)
	if before := q.Request.Before; before != nil && !before.Same { // "and its tests" says too little by itself
		passages, err := q.opts.Library.Retrieve(ctx, before.Query, max(1, q.opts.bundleSize()/2))
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
