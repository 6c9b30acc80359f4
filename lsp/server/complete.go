package server

import (
	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/reason"
	"github.com/aurora-sidecar/aurora/internal/api/jsonrpc"
)

// lentModels are those of the client; nil when it has announced none.
func (s *session) lentModels() *engine.Models {
	if !s.client.Load().aurora.Complete {
		return nil
	}
	s.lentOnce.Do(func() {
		models, err := reason.LentModels("editor", jsonrpc.Model(s.conn, "editor"))
		if err != nil {
			s.log.Warn("use the client's model", "err", err)
			return
		}
		s.lent = models
	})
	return s.lent
}
