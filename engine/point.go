package engine

import (
	"context"
	"fmt"

	"github.com/aurora-sidecar/aurora/index"
)

// pointed is what became of embedding a question.
type pointed struct {
	direction direction
	err       error
	note      string
	embedder  string // of the endpoint that made the vector, "" for the model in the program
}

// point embeds a question: by the endpoint, if there is one, and when that fails by the model in the program.
func (v *vectors) point(ctx context.Context, snap *index.Snapshot, words string) *pointed {
	p := &pointed{}
	if v.remote == nil {
		if err := v.endpointError; err != nil {
			p.note = "the embedding endpoint was not asked: " + err.Error()
		}
		p.direction, p.err = snap.Direction(ctx, words)
		return p
	}
	d, err := v.remote.direction(ctx, snap, words)
	if err == nil {
		p.direction, p.note, p.embedder = d, v.remote.lack(), v.remote.opts.Remote.ID().String()
		return p
	}
	near, nearErr := snap.Direction(ctx, words)
	instead := "the model in the program answered instead"
	if nearErr != nil || near.IsZero() {
		instead = "only words were searched"
	}
	p.direction, p.err, p.note = near, nearErr, fmt.Sprintf("%v; %s", err, instead)
	return p
}
