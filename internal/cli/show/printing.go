package show

import (
	"slices"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
)

// Ended is how a command ends that printed an answer: ErrNothing when it is that there is none, a failure when the models gave
// no whole one.
func Ended(q *api.QueryResult) error {
	switch {
	case q.FellBack != "":
		return &app.Exit{Code: app.ExitFailed}
	case answeredNothing(q):
		return app.ErrNothing
	}
	return nil
}

// answeredNothing reports whether the answer is that there is none. Conversations that it points at are no answer.
func answeredNothing(q *api.QueryResult) bool {
	return q.Confidence == 0 && !slices.ContainsFunc(q.Citations, func(h api.Hit) bool { return h.Origin != engine.OriginLog })
}
