package soar

import (
	"cmp"
	"context"
)

// usualBundle is how many hits a whole query gets.
const usualBundle = 10

// How much of a context is filled, in tokens.
const (
	usualWindow   = 32_768 // of a model of which nothing is known
	frame         = 2000   // of a prompt without its data
	smallEvidence = 1000
	mostEvidence  = 20_000 // before any tool call: more costs money, and helps little
)

// hits is how many hits of the search the whole query gets.
func (o *Options) hits() int {
	if o.Snippets <= 0 {
		return usualBundle
	}
	return o.Snippets
}

// room is how many tokens of data fit into a prompt, with the reply behind it.
func (o *Options) room() int {
	window := cmp.Or(o.window, usualWindow)
	return max(smallEvidence, window-min(cmp.Or(o.MaxTokens, usualReply), window/4)-frame)
}

// usualReply is how long a reply may be, in tokens, when nobody says.
const usualReply = 4096

// bundleSize is how much the whole query gets.
func (o *Options) bundleSize() Size {
	return Size{Hits: o.hits(), Tokens: min(max(smallEvidence, o.room()/2), mostEvidence)}
}

// subgoalSize is how much one subgoal gets: six tenths of what the query does, and at least one hit.
func (o *Options) subgoalSize() Size {
	whole := o.bundleSize()
	return Size{Hits: max(1, (6*whole.Hits+5)/10), Tokens: max(smallEvidence, 6*whole.Tokens/10)}
}

// half is half of a size, and at least one hit.
func (s Size) half() Size { return Size{Hits: max(1, s.Hits/2), Tokens: s.Tokens / 2} }

// retrieve is phase 2.
func retrieve(ctx context.Context, q *query) (string, error) {
	snippets, err := q.opts.Library.Retrieve(ctx, q.state.Query, q.opts.bundleSize())
	if err != nil {
		return "", err
	}
	takeUp(q)
	q.state.Bundle = q.state.shelf.put(snippets)
	if before := q.state.Request.Before; before != nil && !before.Same { // "and its tests" says too little by itself
		snippets, err := q.opts.Library.Retrieve(ctx, before.Query, q.opts.bundleSize().half())
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
