package reason

import (
	"bytes"
	"context"
	"maps"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/engine/snippet"
)

// Work is how far a question came, for the one that goes on from it. Query fills it in.
type Work struct {
	thread *soar.Thread
	hits   map[string]snippet.Hit // behind the thread's sources
}

// take keeps what was found out.
func (w *Work) take(s *soar.State, hits map[string]snippet.Hit) {
	if w == nil {
		return
	}
	if w.thread, w.hits = s.Thread(), map[string]snippet.Hit{}; w.thread == nil {
		return
	}
	for _, source := range w.thread.Sources {
		w.hits[source.Key] = hits[source.Key]
	}
}

// Resumed is the same work for the same question.
func (w *Work) Resumed() *Work {
	if w == nil || w.thread == nil {
		return nil
	}
	thread := *w.thread
	thread.Same = true
	return &Work{&thread, w.hits}
}

// thread is what the request goes on from, without findings whose sources no longer say what they said.
func (q *reasoning) thread(ctx context.Context) *soar.Thread {
	w := q.request.Before
	if w == nil || w.thread == nil {
		return nil
	}
	thread := *w.thread
	thread.Keep(func(s soar.Source) bool {
		hit, known := w.hits[s.Key]
		return known && q.stillSo(ctx, hit)
	})
	maps.Copy(q.library.Hits, w.hits)
	return &thread
}

// stillSo reports whether a hit's text is what it was.
func (q *reasoning) stillSo(ctx context.Context, h snippet.Hit) bool {
	switch {
	case h.Origin == snippet.OriginLog:
		return true
	case h.Source == "memory":
		record, err := q.reasoner.opts.Memory.Get(ctx, h.ID)
		return err == nil && strings.HasPrefix(h.Text, record.Content)
	}
	doc, ok := q.library.Docs.At(q.library.Snap, h.Abs)
	return ok && bytes.Contains(doc.Text, []byte(h.Text))
}
