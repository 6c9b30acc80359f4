package soar

import (
	"context"
	"fmt"
	"strconv"

	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// A Locator is a Library that finds the snippet around a line of a file in the workspace.
type Locator interface {
	At(ctx context.Context, path string, line int) (s Source, ok bool, err error)
}

// agentMark is a citation of the places that an agent names.
var agentMark = lazyregexp.New(`\[A(\d+)\]`)

// maxPlaces is how many places of one answer are looked up.
const maxPlaces = 20

// resolve makes sources of the places that an agent names: their text is read here, so what the agent says of them can
// be checked. Its marks become those of the sources; a mark without a place stays, and is found to be wrong.
// The envelope that it returns is a copy: the recording keeps the agent's own.
func resolve(ctx context.Context, q *query, brought *Envelope, t *Task) (*Envelope, error) {
	locator, ok := q.opts.Library.(Locator)
	if !ok || len(brought.Places) == 0 {
		return brought, nil
	}
	copied := *brought
	e := &copied
	ids := map[int]string{}
	for i, place := range e.Places[:min(len(e.Places), maxPlaces)] {
		found, ok, err := locator.At(ctx, place.Path, place.Line)
		if err != nil {
			return nil, err
		}
		if ok {
			put := q.state.shelf.putFrom(t.Step*placesPerStep, []Source{found})
			ids[i+1] = put[0].ID
			t.Sources = union(t.Sources, put)
		}
	}
	mark := func(text string) string {
		return agentMark.ReplaceAllStringFunc(text, func(m string) string {
			n, _ := strconv.Atoi(m[2 : len(m)-1]) // digits only; one too long is no place
			if id := ids[n]; id != "" {
				return fmt.Sprintf("[%s]", id)
			}
			return fmt.Sprintf("[S%d]", unknownSource+n)
		})
	}
	e.Output.Summary, e.Handoff = mark(e.Output.Summary), mark(e.Handoff)
	return e, nil
}

// placesPerStep keeps the ids of what agents found by themselves apart, so that ids, and with them the prompts, do not
// depend on which agent is faster.
const placesPerStep = 1000

// unknownSource is above the number of any source, so that a citation of a place that is not there is one of a source
// that does not exist.
const unknownSource = 1_000_000
