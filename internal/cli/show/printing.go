package show

import (
	"slices"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/api"
)

// AnsweredNothing reports whether the answer is that there is none. Conversations that it points at are no answer.
func AnsweredNothing(q *api.QueryResult) bool {
	return q.Confidence == 0 && !slices.ContainsFunc(q.Citations, func(h api.Hit) bool { return h.Origin != engine.OriginLog })
}
