package server

import (
	"context"
	"encoding/json"
	"time"

	"github.com/aurora-sidecar/aurora/internal/config"
	lsp "go.lsp.dev/protocol"
)

// askTimeout bounds how long a client may take to answer a request that no person has to think about.
const askTimeout = 5 * time.Second

// configurationParams are the parameters of workspace/didChangeConfiguration.
type configurationParams struct {
	Settings json.RawMessage `json:"settings"`
}

// didChangeConfiguration takes the settings that came along, or asks for them when the client only said that they
// have changed.
func (s *session) didChangeConfiguration(_ context.Context, p *configurationParams) error {
	if sent := newTree(p.Settings); sent.exists() {
		s.configure(sent)
		return nil
	}
	if s.client.Load().configuration {
		s.workers.run(s.pullConfiguration)
	}
	return nil
}

func (s *session) pullConfiguration() {
	ctx, cancel := context.WithTimeout(s.ctx, askTimeout)
	defer cancel()
	section := "aurora"
	values, err := s.conn.Client().Configuration(ctx, &lsp.ConfigurationParams{Items: []lsp.ConfigurationItem{{Section: &section}}})
	if err != nil || len(values) == 0 {
		s.log.Warn("ask the client for its settings", "err", err)
		return
	}
	s.configure(newTree(json.RawMessage(values[0])))
}

func (s *session) configure(sent tree) {
	before := s.features()
	changed := s.settings.Load().with(sent, s.log)
	s.settings.Store(&changed)
	if s.features().CodeLens != before.CodeLens && s.client.Load().lensRefresh {
		s.workers.run(func() {
			if err := s.conn.Client().CodeLensRefresh(s.ctx); err != nil && s.ctx.Err() == nil {
				s.log.Info("the client does not ask for its lenses again", "err", err)
			}
		})
	}
	s.announce(sent)
	if next, isNew := s.takeSettings(sent); isNew {
		s.workers.run(func() { s.configureIndex(next, true) })
	}
}

// announce takes what a client says of the model that it lends, each time: one may come and go while the editor runs.
func (s *session) announce(sent tree) {
	if under := sent.at("aurora"); under.exists() {
		sent = under
	}
	complete := sent.at("client", "complete")
	if !complete.exists() {
		return
	}
	info := *s.client.Load()
	info.aurora.Complete = complete.isTrue()
	s.client.Store(&info)
}

// takeSettings notes what a client sent, and reports whether it has to be applied: who never sends any settings
// leaves those of other clients alone.
func (s *session) takeSettings(sent tree) (next sentSettings, isNew bool) {
	values := sent.settings()
	s.sentMu.Lock()
	defer s.sentMu.Unlock()
	if values == nil || len(values) == 0 && len(s.sent) == 0 {
		return next, false
	}
	s.sent = values
	s.turn++
	return sentSettings{values, s.turn}, true
}

// sentSettings are what a client sent, in their turn.
type sentSettings struct {
	values map[string]any
	turn   uint64
}

// newest reports whether the client has sent nothing else since.
func (s *session) newest(turn uint64) bool {
	s.sentMu.Lock()
	defer s.sentMu.Unlock()
	return s.turn == turn
}

// configureIndex makes settings effective for everybody who shares the index: the client that spoke last counts.
func (s *session) configureIndex(next sentSettings, isNew bool) {
	if !isNew || s.hub.opts.Configure == nil {
		return
	}
	s.hub.configMu.Lock()
	defer s.hub.configMu.Unlock()
	if !s.newest(next.turn) {
		return
	}
	s.tellBadSettings(s.hub.opts.Configure(next.values))
}

// rereadSettings applies a configuration file that was just saved.
func (s *session) rereadSettings(path string) {
	if s.hub.opts.Configure == nil || !config.IsFile(path) {
		return
	}
	s.workers.run(func() {
		s.hub.configMu.Lock()
		defer s.hub.configMu.Unlock()
		s.tellBadSettings(s.hub.opts.Configure(nil))
	})
}

// tellBadSettings shows what is wrong with the settings; the last good ones stay effective.
func (s *session) tellBadSettings(err error) {
	s.news.Signal()
	if err == nil {
		return
	}
	s.log.Warn("bad settings; the last good ones stay effective", "err", err)
	s.workers.run(func() {
		err := s.conn.Client().ShowMessage(s.ctx, &lsp.ShowMessageParams{Type: lsp.MessageTypeWarning, Message: "AURORA: " + err.Error()})
		if err != nil && s.ctx.Err() == nil {
			s.log.Warn("tell bad settings", "err", err)
		}
	})
}
