package snippet

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/memory"
)

// A CitedPlace is a piece of code that a record is about, as it is now.
type CitedPlace struct {
	State string // valid, moved, changed, gone; "" when nobody could look
	Path  string // relative to its workspace folder; where it was, when it is gone
	Abs   string
	Line  int    // one-based
	Name  string // of the chunk; "" for mere lines
	Was   string // "<path>:<line> <name>" as it was remembered, when it moved or is gone
}

// citedPlace shows a citation that was checked.
func citedPlace(c memory.Citation) CitedPlace {
	p := CitedPlace{
		State: string(c.State), Path: cmp.Or(c.NowPath, c.Path), Line: cmp.Or(c.NowLine, c.StartLine), Name: cmp.Or(c.NowName, c.Name),
	}
	if c.State == memory.Gone {
		p.Path, p.Name = c.Path, c.Name
	}
	p.Abs = filepath.Join(c.Folder, filepath.FromSlash(p.Path))
	if p.Path != c.Path || p.Name != c.Name || c.State == memory.Gone {
		p.Was = strings.TrimSpace(fmt.Sprintf("%s:%d %s", c.Path, c.StartLine, c.Name))
	}
	return p
}

// CitedPlaces shows what a record cites.
func CitedPlaces(r *memory.Hit) []CitedPlace {
	var places []CitedPlace
	for _, c := range r.Citations {
		places = append(places, citedPlace(c))
	}
	return places
}

// Warning is what a reader must know of the citation, "" when it is as good as when it was made.
func (p *CitedPlace) Warning() string {
	place := strings.TrimSpace(fmt.Sprintf("%s:%d %s", p.Path, p.Line, p.Name))
	switch memory.CitationState(p.State) {
	case memory.Moved:
		return fmt.Sprintf("the cited code is now %s; it was %s", place, p.Was)
	case memory.Changed:
		if p.Was != "" {
			return fmt.Sprintf("stale: the cited code, now %s, has changed since; it was %s", place, p.Was)
		}
		return fmt.Sprintf("stale: the cited code %s has changed since", place)
	case memory.Gone:
		return fmt.Sprintf("stale: the cited code %s is gone", p.Was)
	}
	return ""
}

// CitationWarning joins what a reader must know of the record's citations.
func CitationWarning(r *memory.Hit) string {
	var warnings []string
	for _, place := range CitedPlaces(r) {
		if w := place.Warning(); w != "" {
			warnings = append(warnings, w)
		}
	}
	return strings.Join(warnings, "; ")
}

// IsStale reports whether code that a record cites is no longer what it was.
func IsStale(r *memory.Hit) bool {
	return slices.ContainsFunc(r.Citations, func(c memory.Citation) bool {
		return c.State == memory.Changed || c.State == memory.Gone
	})
}
