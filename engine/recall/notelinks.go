package recall

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/memory"
)

// noteCitations is the code that a note cites. known are the citations of before: one that has led somewhere is kept, for it is
// followed where the code goes. What leads nowhere is a fault of the note.
func noteCitations(e *Records, folder string, n *note, known []memory.Citation) []memory.Citation {
	citations := []memory.Citation{} // not nil, which would keep those of before
	docs := codebase.NewDocumentCache(e.Index)
	for _, ref := range n.cites {
		before := slices.IndexFunc(known, func(c memory.Citation) bool { return isCitedBy(c, ref.text) })
		if before >= 0 {
			citations = append(citations, known[before])
			continue
		}
		c, found, err := resolveRef(e, docs, folder, ref.text)
		switch {
		case err != nil:
			n.fault(ref.line, withRemedy(err))
		case !found:
			n.fault(ref.line, fmt.Sprintf("the index has no %.200q; write path:line or path:Name", ref.text))
			n.lost = true
		default:
			citations = append(citations, c)
		}
	}
	return citations
}

// withRemedy is what is wrong, and what to do about it.
func withRemedy(err error) string {
	if f := (*fault.Error)(nil); errors.As(err, &f) && f.Remedy != "" {
		return f.Message + ": " + f.Remedy
	}
	return err.Error()
}

// isCitedBy reports whether a citation was made of a reference: of its name, whole or without a container, or of a line that the code
// was on then.
func isCitedBy(c memory.Citation, ref string) bool {
	path, line := snippet.SplitRef(ref)
	return refOf(c) == ref || c.Name != "" && c.Path+":"+c.Name == ref || path == c.Path && line > 0 && c.StartLine <= line && line <= c.EndLine
}

// refOf is how a note cites a place: by the name of the definition, which stays when lines move, else by the line.
func refOf(c memory.Citation) string {
	if rest, ok := strings.CutPrefix(c.ChunkID, "code:"); ok {
		return rest
	}
	return fmt.Sprintf("%s:%d", c.Path, c.StartLine)
}

func samePlace(a, b memory.Citation) bool { return a.Folder == b.Folder && refOf(a) == refOf(b) }

// supersede links a note to what it says to take the place of, and no longer to what it said so of before.
func supersede(ctx context.Context, e *Records, folder string, n *note, id string) error {
	related, err := e.Store.Related(ctx, []string{id})
	if err != nil {
		return err
	}
	gone := map[string]memory.Link{}
	for _, link := range related[id] {
		if link.From == id && link.Type == memory.Supersedes && link.Weight > 0 {
			gone[link.To] = memory.Link{From: id, To: link.To, Type: memory.Supersedes}
		}
	}
	names := noteFiles(folder)
	for _, ref := range n.supersedes {
		older, found := olderRecord(ctx, e, folder, names, ref.text)
		if !found {
			n.fault(ref.line, fmt.Sprintf("there is no note or record %.200q", ref.text))
			continue
		}
		if _, known := gone[older]; known {
			delete(gone, older)
			continue
		}
		if err := e.Store.Relate(ctx, []memory.Link{{From: id, To: older, Type: memory.Supersedes, Weight: 1}}); err != nil {
			n.fault(ref.line, err.Error())
		}
	}
	for _, link := range gone {
		if err := e.Store.Relate(ctx, []memory.Link{link}); err != nil {
			return err
		}
	}
	return nil
}

// olderRecord is the id of what a note supersedes: another note by the name of its file, or a record by its id.
func olderRecord(ctx context.Context, e *Records, folder string, names []string, ref string) (string, bool) {
	for _, name := range []string{ref, ref + ".md"} {
		if slices.Contains(names, name) {
			return noteID(folder, name), true
		}
	}
	_, err := e.Store.Get(ctx, ref)
	return ref, err == nil
}
