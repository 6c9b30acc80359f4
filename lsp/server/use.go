package server

import (
	"context"

	"github.com/aurora-sidecar/aurora/internal/api"
)

// didUse records behind the read loop what a person did with results.
func (s *session) didUse(_ context.Context, p *api.DidUseParams) error {
	s.workers.run(func() {
		for _, use := range p.Hits {
			if err := s.engine.Memory().Use(s.ctx, []string{use.ID}, use.Action, use.Value); err != nil && s.ctx.Err() == nil {
				s.log.Warn("record a use", "id", use.ID, "action", use.Action, "err", err)
			}
		}
	})
	return nil
}
