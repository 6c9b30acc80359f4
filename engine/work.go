package engine

import (
	"bytes"
	"context"
	"maps"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/reason/soar"
)

// work is how far a question came, for the one that goes on from it. It is filled in by Query.
type work struct {
	thread *soar.Thread
	hits   map[string]Hit // behind the thread's sources
}

// take keeps what was found out.
func (w *work) take(s *soar.State, hits map[string]Hit) {
	if w == nil {
		return
	}
	if w.thread, w.hits = s.Thread(), map[string]Hit{}; w.thread == nil {
		return
	}
	for _, source := range w.thread.Sources {
		w.hits[source.Key] = hits[source.Key]
	}
}

// reassessed is the same work, of which nobody knows how hard it was.
func (w *work) reassessed() *work {
	if w.thread == nil {
		return w
	}
	thread := *w.thread
	thread.Assessment = nil
	return &work{&thread, w.hits}
}

// resumed is the request of a question that was left, from where it was.
func (t *turn) resumed() QueryRequest {
	r := t.request
	if t.work != nil && t.work.thread != nil {
		thread := *t.work.thread
		thread.Same = true
		r.before = &work{&thread, t.work.hits}
	}
	return r
}

// thread is what the request goes on from, without findings whose sources no longer say what they said.
func (q *reasoning) thread(ctx context.Context) *soar.Thread {
	w := q.request.before
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
func (q *reasoning) stillSo(ctx context.Context, h Hit) bool {
	switch {
	case h.Origin == OriginLog:
		return true
	case h.Source == "memory":
		record, err := q.engine.opts.Memory.Get(ctx, h.ID)
		return err == nil && strings.HasPrefix(h.Text, record.Content)
	}
	doc, ok := q.library.Docs.At(q.library.Snap, h.Abs)
	return ok && bytes.Contains(doc.Text, []byte(h.Text))
}
