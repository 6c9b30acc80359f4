package soar

import "context"

// usualBundle is how many snippets a whole query gets.
const usualBundle = 10

// bundleSize is how many snippets the whole query gets.
func (o *Options) bundleSize() int {
	if o.Snippets <= 0 {
		return usualBundle
	}
	return o.Snippets
}

// subgoalSize is how many snippets one subgoal gets: six tenths of what the query does, and at least one.
func (o *Options) subgoalSize() int { return max(1, (6*o.bundleSize()+5)/10) }

// retrieve is phase 2.
func retrieve(ctx context.Context, q *query) (string, error) {
	snippets, err := q.opts.Library.Retrieve(ctx, q.state.Query, q.opts.bundleSize())
	if err != nil {
		return "", err
	}
	takeUp(q)
	q.state.Bundle = q.state.shelf.put(snippets)
	if before := q.state.Request.Before; before != nil && !before.Same { // "and its tests" says too little by itself
		snippets, err := q.opts.Library.Retrieve(ctx, before.Query, max(1, q.opts.bundleSize()/2))
		if err != nil {
			return "", err
		}
		q.state.Bundle = union(q.state.Bundle, q.state.shelf.put(snippets))
	}
	if before := q.state.Request.Before; before != nil && before.Plan != nil {
		q.state.Bundle = union(q.state.Bundle, q.state.shelf.named(before.Plan))
	}
	if len(q.state.Bundle) == 0 {
		q.state.warn("Neither code nor memory has anything on this question.")
	}
	return tell(len(q.state.Bundle), "snippet", "snippets"), nil
}
