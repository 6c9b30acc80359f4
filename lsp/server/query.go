package server

import (
	"context"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/lsp/progress"
)

// caller is the client as an operation of the request of ctx knows it. work shows how far it is; nil shows nothing.
func (s *session) caller(ctx context.Context, work *progress.WorkDone) api.Caller {
	c := api.Caller{
		Progress: s.progress(ctx, work), Ask: s.person.ask, Models: s.lentModels(), Confirm: s.person.confirm, Talks: &s.talks, Documents: s,
		Changed: func() { s.hub.onChange(); s.review.memoryChanged() },
	}
	if !s.client.Load().aurora.Restricted {
		c.Approve = s.person.approve
	}
	return c
}
