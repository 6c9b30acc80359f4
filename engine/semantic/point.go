package semantic

import (
	"context"
	"fmt"

	"github.com/aurora-sidecar/aurora/index"
)

// Pointed is what became of embedding a question.
type Pointed struct {
	Direction Direction
	Err       error
	Note      string
	Embedder  string // of the endpoint that made the vector, "" for the model in the program
}

// Point embeds a question: by the endpoint, if there is one, and when that fails by the model in the program.
func (v *Vectors) Point(ctx context.Context, snap *index.Snapshot, words string) *Pointed {
	p := &Pointed{}
	if v.remote == nil {
		if err := v.EndpointError; err != nil {
			p.Note = "the embedding endpoint was not asked: " + err.Error()
		}
		p.Direction, p.Err = snap.Direction(ctx, words)
		return p
	}
	d, err := v.remote.direction(ctx, snap, words)
	if err == nil {
		p.Direction, p.Note, p.Embedder = d, v.remote.lack(), v.remote.opts.Remote.ID().String()
		return p
	}
	near, nearErr := snap.Direction(ctx, words)
	instead := "the model in the program answered instead"
	if nearErr != nil || near.IsZero() {
		instead = "only words were searched"
	}
	p.Direction, p.Err, p.Note = near, nearErr, fmt.Sprintf("%v; %s", err, instead)
	return p
}
