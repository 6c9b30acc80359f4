package capture

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/git"
)

const (
	maxPlaces  = 2    // of an offer
	maxFiles   = 20   // of a commit that are looked at for them
	maxBrought = 1000 // commits of a merge
)

// A Place is a definition that an offer is about.
type Place struct {
	Path string // relative to its workspace folder
	Name string
	Line int // one-based, of the definition

	at    codebase.Selection
	lines int // of the commit that are in it
}

// places are the definitions of which a commit wrote most lines that are there now; for a comment the one around it.
func (f *Finder) places(ctx context.Context, repo *git.Repo, folder string, m git.Message, files []git.FileDiff, c comment) ([]Place, error) {
	docs, snap := codebase.NewDocumentCache(f.Index), f.Index.Snapshot()
	if c.line != "" {
		return aroundComment(docs, snap, folder, c), nil
	}
	commits, err := git.Brought(ctx, repo, m, maxBrought)
	if err != nil {
		return nil, err
	}
	var all []Place
	looked := 0
	for _, file := range files {
		doc, ok := docs.At(snap, filepath.Join(folder, filepath.FromSlash(file.Path)))
		if !ok || !isCodeFile(file) || looked == maxFiles {
			continue
		}
		looked++
		all = append(all, changedIn(ctx, repo, doc, commits)...)
	}
	slices.SortStableFunc(all, func(a, b Place) int { return cmp.Compare(b.lines, a.lines) })
	return all[:min(len(all), maxPlaces)], ctx.Err()
}

// changedIn are the definitions of a document that have lines of some commits. What git can't tell has none.
func changedIn(ctx context.Context, repo *git.Repo, doc *codebase.Document, commits []string) []Place {
	var text []byte
	if doc.File.Overlay {
		text = doc.Text
	}
	var all []Place
	for i := range doc.File.Chunks {
		ref := index.Ref{File: doc.File, Index: i}
		if !codebase.IsDefinition(ref) {
			continue
		}
		c := ref.Chunk()
		origins, err := repo.Origins(ctx, doc.File.Path, text, c.StartLine, c.EndLine)
		if err != nil {
			return nil
		}
		place := placeOf(doc, ref)
		for _, o := range origins {
			if slices.Contains(commits, o.Commit) {
				place.lines += o.Lines
			}
		}
		if place.lines > 0 {
			all = append(all, place)
		}
	}
	return all
}

// aroundComment is the definition around a comment, or behind it, as far as the comment is there.
func aroundComment(docs *codebase.DocumentCache, snap *index.Snapshot, folder string, c comment) []Place {
	doc, ok := docs.At(snap, filepath.Join(folder, filepath.FromSlash(c.path)))
	if !ok {
		return nil
	}
	at := strings.Index(string(doc.Text), c.line)
	if at < 0 {
		return nil
	}
	ref, ok := codebase.ChunkAround(doc, codebase.Selection{Path: doc.File.Abs, Start: at, End: at})
	if !ok || !codebase.IsDefinition(ref) {
		return nil
	}
	return []Place{placeOf(doc, ref)}
}

func placeOf(doc *codebase.Document, ref index.Ref) Place {
	c := ref.Chunk()
	at := c.Span.Start
	if !c.NameSpan.Empty() {
		at = c.NameSpan.Start
	}
	return Place{
		Path: doc.File.Path, Name: c.QualifiedName(), Line: doc.Lines.Line(at) + 1,
		at: codebase.Selection{Path: doc.File.Abs, Start: at, End: at},
	}
}
