package server

import (
	"bytes"
	"context"
	"encoding/json"
	"time"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/api/jsonrpc"
	"github.com/aurora-sidecar/aurora/lsp/progress"
)

// statusEvery is how often a client is told of changes at most.
const statusEvery = 250 * time.Millisecond

// indexingToken names the progress of indexing; one at a time.
const indexingToken = "aurora-indexing"

// A follower tells one client how the index is.
type follower struct {
	s        *session
	indexing *progress.WorkDone         // while the index scans and the client wants to know
	refused  bool                       // the client would not have a progress
	known    map[string]json.RawMessage // the status as the client knows it
}

// follow starts telling the client what it announced it wants to know.
func (s *session) follow() {
	client := s.client.Load()
	if !client.workDone && !client.aurora.Status {
		return
	}
	f := &follower{s: s, refused: !client.workDone || s.hub.opts.NoProgress}
	s.workers.run(func() {
		s.news.Run(s.ctx, statusEvery, func() { f.tell(client.aurora.Status) })
		f.indexing.End("")
	})
	s.workers.run(func() {
		if s.engine.Index().WaitReady(s.ctx) == nil {
			s.news.Signal()
		}
	})
	s.news.Signal()
}

func (f *follower) tell(status bool) {
	defer f.s.containPanic("status")
	f.tellProgress()
	if !status {
		return
	}
	if err := f.tellStatus(); err != nil && f.s.ctx.Err() == nil {
		f.s.log.Warn("tell the status", "err", err)
	}
}

// tellProgress shows a scan as work-done progress, one progress for each scan.
func (f *follower) tellProgress() {
	p := f.s.hub.indexProgress()
	switch {
	case p.Finished:
		f.indexing.End(p.End())
		f.indexing = nil
		return
	case f.indexing == nil && !f.refused:
		ctx, cancel := context.WithTimeout(f.s.ctx, askTimeout)
		defer cancel()
		work, err := progress.Create(ctx, f.s.conn.Client(), indexingToken, "AURORA: indexing")
		if err != nil {
			f.refused = true
			f.s.log.Info("the client takes no progress", "err", err)
			return
		}
		f.indexing = work
		f.s.news.Signal() // the scan may have ended while the client answered
	}
	done := -1.0
	if p.Total > 0 {
		done = float64(p.Done) / float64(p.Total)
	}
	message := p.String()
	if p.Done == 0 {
		message = p.Start()
	}
	f.indexing.Report(message, done)
}

// tellStatus sends the fields that changed since the last time.
func (f *follower) tellStatus() error {
	status, err := f.s.engine.Status(f.s.ctx)
	if err != nil {
		return err
	}
	raw, err := jsonrpc.Encode(api.FromStatus(status))
	if err != nil {
		return err
	}
	var now map[string]json.RawMessage
	if err := json.Unmarshal(raw, &now); err != nil {
		return err
	}
	changed := map[string]json.RawMessage{}
	for field, value := range now {
		if !bytes.Equal(value, f.known[field]) {
			changed[field] = value
		}
	}
	f.known = now
	if len(changed) == 0 {
		return nil
	}
	return f.s.notify(api.MethodDidChangeStatus, changed)
}
