package codeintel

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/git"
)

// maxHoverCompanions is the most files that a card says change with the definition's.
const maxHoverCompanions = 2

// A companion is a file of the workspace that usually changes with another one.
type companion struct {
	git.Companion
	abs string
}

// hoverCompanions returns the files that usually change with that of a definition, by what has been read of git's history
// before. Those in seen, which the card shows already, are left out.
func (e *Intel) hoverCompanions(ctx context.Context, snap *index.Snapshot, def snippet.Hit, seen []snippet.Hit) (list []companion) {
	file, ok := snap.File(def.Abs)
	if !ok || file.Folder == "" {
		return nil
	}
	repo, err := e.repos.open(ctx, file.Folder)
	if err != nil {
		return nil // the log says why there is none
	}
	for _, c := range git.UsuallyWith(repo, file.Path) {
		other, ok := snap.File(filepath.Join(file.Folder, filepath.FromSlash(c.Path)))
		shown := ok && slices.ContainsFunc(seen, func(h snippet.Hit) bool { return h.Abs == other.Abs })
		if ok && !shown && len(list) < maxHoverCompanions {
			list = append(list, companion{c, other.Abs})
		}
	}
	return list
}

// changesWith names the files that usually change with the definition's.
func (c *card) changesWith() string {
	var names []string
	for i := range c.companions {
		o := &c.companions[i]
		names = append(names, fmt.Sprintf("%s (%d of %s)", wording.Link(o.Path, o.abs, 1), o.Together, wording.Count(o.Commits, "commit", "commits")))
	}
	if len(names) == 0 {
		return ""
	}
	return "The file usually changes with " + strings.Join(names, ", ")
}
