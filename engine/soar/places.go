package soar

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
)

// A Locator is a Library that finds the passage around a line of a file in the workspace.
type Locator interface {
	At(ctx context.Context, path string, line int) (s Source, ok bool, err error)
}

// agentMark is a citation of the places that an agent names.
var agentMark = regexp.MustCompile(`\[A(\d+)\]`)

// maxPlaces is how many places of one answer are looked up.
const maxPlaces = 20

// resolve makes sources of the places that an agent names: their text is read here, so what the agent says of them can
// be checked. Its marks become those of the sources; a mark without a place stays, and is found to be wrong.
func (q *query) resolve(ctx context.Context, e *Envelope, t *Task) error {
	locator, ok := q.opts.Library.(Locator)
	if !ok || len(e.Places) == 0 {
		return nil
	}
	ids := map[int]string{}
	for i, place := range e.Places[:min(len(e.Places), maxPlaces)] {
		found, ok, err := locator.At(ctx, place.Path, place.Line)
		if err != nil {
			return err
		}
		if ok {
			put := q.shelf.put([]Source{found})
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
	return nil
}

// unknownSource is above the number of any source, so that a citation of a place that is not there is one of a source
// that does not exist.
const unknownSource = 9000
