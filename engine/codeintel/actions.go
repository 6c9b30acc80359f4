package codeintel

import (
	"context"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/index"
)

// Actions lists what can be done with a selection or at the cursor. Listing reads one text and nothing else; whatever
// an action needs is found when it is executed. The list is empty for documents that the engine can't read.
func (e *Intel) Actions(ctx context.Context, s codebase.Selection) ([]Action, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	snap := e.Index.Snapshot()
	doc, ok := codebase.NewDocumentCache(e.Index).Seeing(s.Own).At(snap, s.Path)
	if !ok {
		return nil, nil
	}
	s = s.Within(len(doc.Text))
	if s.Empty() && !isOnSymbol(doc, s.Start) {
		return nil, nil
	}
	name := selectedSymbol(snap, doc, s)
	actions := []Action{relatedAction(name), contextAction(name, s), rememberAction(s), historyAction(), askAction(name)}
	for i := range actions {
		actions[i].Select, actions[i].Symbol = s, name
	}
	return actions, nil
}

// isOnSymbol reports whether a name of code stands at an offset.
func isOnSymbol(doc *codebase.Document, offset int) bool {
	id, ok := nameAt(doc, offset)
	return ok && !keywords[id.name] && !codebase.IsProse(doc.Text, doc.File.Language, id.start)
}

// selectedSymbol is the name that the selection is about: the identifier at its start, else the definition around it.
func selectedSymbol(snap *index.Snapshot, doc *codebase.Document, s codebase.Selection) string {
	if id, ok := nameAt(doc, s.Start); ok && !keywords[id.name] {
		if s.Empty() || s.End <= id.end || len(snap.Named(id.name, false)) > 0 {
			return id.name
		}
	}
	if ref, ok := codebase.ChunkAround(doc, s); ok {
		return ref.Chunk().Name
	}
	return ""
}

func relatedAction(name string) Action {
	a := Action{Title: "Find related code: " + name, Kind: "source.aurora.related", ID: "related", Command: "aurora.related"}
	if name == "" {
		a.Title, a.Disabled = "Find related code", "there is no symbol at the cursor"
	}
	return a
}

func contextAction(name string, s codebase.Selection) Action {
	title := "Assemble context for selection"
	if s.Empty() && name != "" {
		title = "Assemble context for " + name
	} else if s.Empty() {
		title = "Assemble context for this place"
	}
	return Action{Title: title, Kind: "source.aurora.context", ID: "context", Command: "aurora.openContext"}
}

func rememberAction(s codebase.Selection) Action {
	title := "Remember this"
	if !s.Empty() {
		title = "Remember this selection"
	}
	return Action{Title: title, Kind: "source.aurora.remember", ID: "remember", Command: "aurora.remember"}
}

func historyAction() Action {
	return Action{Title: "Why is this here? (git history)", Kind: "source.aurora.history", ID: "history", Command: "aurora.why"}
}

func askAction(name string) Action {
	title := "Ask AURORA about this"
	if name != "" {
		title = "Ask AURORA about " + name
	}
	return Action{Title: title, Kind: "source.aurora.ask", ID: "ask", Command: "aurora.query"}
}
