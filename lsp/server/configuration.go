package server

import (
	"context"
	"encoding/json"
	"time"

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
	changed := s.settings.Load().with(sent, s.log)
	s.settings.Store(&changed)
}
