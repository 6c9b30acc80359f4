package server

import (
	"sync"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/index"
)

// maxEdited is how many places of a buffer are remembered between two saves.
const maxEdited = 64

// edited are the places where buffers were changed since they were last saved, as offsets into their present text.
type edited struct {
	mu sync.Mutex
	at map[string][]int // by path
}

// note moves the known places along and adds those of the edits. A buffer that was replaced as a whole was changed
// nowhere in particular.
func (e *edited) note(path string, edits []index.Edit) {
	e.mu.Lock()
	defer e.mu.Unlock()
	places := e.at[path]
	for _, edit := range edits {
		kept := places[:0]
		for _, at := range places {
			switch {
			case at >= edit.OldEnd:
				kept = append(kept, at+len(edit.New)-(edit.OldEnd-edit.Start))
			case at < edit.Start:
				kept = append(kept, at)
			}
		}
		places = kept
		if len(places) < maxEdited {
			places = append(places, edit.Start)
		}
	}
	if e.at == nil {
		e.at = map[string][]int{}
	}
	e.at[path] = places
}

// take returns the places of a buffer and forgets them.
func (e *edited) take(path string) []int {
	e.mu.Lock()
	defer e.mu.Unlock()
	places := e.at[path]
	delete(e.at, path)
	return places
}

// useEdited notes, behind the read loop, the use of the chunks that were edited before a save.
func (d *openDocuments) useEdited(path string) {
	places := d.edited.take(path)
	if len(places) == 0 {
		return
	}
	d.workers.run(func() {
		if err := d.engine.Memory().Edited(d.ctx, engine.Place{Path: path, Own: d}, places); err != nil && d.ctx.Err() == nil {
			d.log.Warn("note edited code", "path", path, "err", err)
		}
	})
}
