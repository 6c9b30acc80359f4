package codeintel

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/index/git"
	"github.com/aurora-sidecar/aurora/internal/text"
	"github.com/aurora-sidecar/aurora/memory"
)

// A WhyRequest asks why lines of a file are as they are.
type WhyRequest struct {
	Path    string // absolute
	Line    int    // one-based
	EndLine int    // 0 means Line
	Own     codebase.Buffers
}

// A WhyResult is what git and memory tell about lines.
type WhyResult struct {
	Path        string // relative to its workspace folder
	Line        int
	EndLine     int
	Commits     []WhyCommit // that the lines come from, most lines first
	Before      *WhyCommit  // the change of these lines before the first of them
	Uncommitted int         // lines that are in no commit yet
	Records     []memory.Hit
	Notes       []string // what could not be told, and why

	now time.Time
}

// A WhyCommit is a commit with links to its pages.
type WhyCommit struct {
	git.LineCommit
	URL        string // "" when the form of the remote's pages is not known
	References []git.Reference
}

// maxWhyLines bounds the lines of one question.
const maxWhyLines = 2000

// Why returns the commits that wrote some lines, through renames, moves and changes of white space, with the issues and pull
// requests that they name, the change before, and what is remembered about the lines.
func (e *Intel) Why(ctx context.Context, r WhyRequest) (*WhyResult, error) {
	doc, ok := codebase.NewDocumentCache(e.Index).Seeing(r.Own).At(e.Index.Snapshot(), r.Path)
	if !ok {
		return nil, codebase.NotIndexed(e.Index, r.Path)
	}
	r.EndLine = cmp.Or(r.EndLine, r.Line)
	if count := doc.Lines.Count(); r.Line < 1 || r.EndLine < r.Line || r.Line > count {
		return nil, &fault.Error{
			Kind: fault.Invalid, Message: fmt.Sprintf("%s has no %s", doc.File.Path, lineRange(r.Line, r.EndLine)), Detail: "line",
			Remedy: fmt.Sprintf("Lines count from 1; it has %d.", count),
		}
	}
	r.EndLine = min(r.EndLine, doc.Lines.Count(), r.Line+maxWhyLines)
	result := &WhyResult{Path: doc.File.Path, Line: r.Line, EndLine: r.EndLine, now: e.Now()}
	if err := e.addLineage(ctx, result, doc); err != nil {
		return nil, err
	}
	return result, e.addRecords(ctx, result, doc)
}

// addLineage asks git. That it has no answer is a note.
func (e *Intel) addLineage(ctx context.Context, result *WhyResult, doc *codebase.Document) error {
	repo, err := e.repos.open(ctx, doc.File.Folder)
	if err != nil {
		result.Notes = append(result.Notes, "git tells nothing here: "+err.Error())
		return ctx.Err()
	}
	var buffer []byte
	if doc.File.Overlay {
		buffer = doc.Text
	}
	lineage, err := repo.Lineage(ctx, doc.File.Path, buffer, result.Line-1, result.EndLine-1)
	if err != nil {
		result.Notes = append(result.Notes, "git can't tell where these lines come from: "+err.Error())
		return ctx.Err()
	}
	remote := repo.Origin(ctx)
	for _, c := range lineage.Commits {
		result.Commits = append(result.Commits, withLinks(c, remote))
	}
	if lineage.Before != nil {
		before := withLinks(*lineage.Before, remote)
		result.Before = &before
	}
	result.Uncommitted = lineage.Uncommitted
	if edge := lineage.Edge; edge != "" {
		result.Notes = append(result.Notes, "this is a shallow clone, which ends at "+edge[:min(10, len(edge))]+": what it has from there may be older, and of other commits. 'git fetch --unshallow' gets them.")
	}
	return nil
}

func withLinks(c git.LineCommit, remote git.Remote) WhyCommit {
	return WhyCommit{LineCommit: c, URL: remote.Commit(c.Hash), References: remote.References(c.Subject, c.Body+"\n"+c.MergedBy)}
}

// addRecords asks memory what is known about the lines and the definition around them.
func (e *Intel) addRecords(ctx context.Context, result *WhyResult, doc *codebase.Document) error {
	start, end := doc.Lines.Start(result.Line-1), doc.Lines.End(result.EndLine-1)
	about := snippet.Hit{Location: snippet.Location{
		Path: doc.File.Path, Abs: doc.File.Abs, Range: &text.Range{Start: doc.Lines.Position(start), End: doc.Lines.Position(end)},
	}}
	lines := doc.Text[start:end]
	inner := codebase.Selection{Start: start + len(lines) - len(bytes.TrimLeft(lines, " \t\r\n")), End: start + len(bytes.TrimRight(lines, " \t\r\n"))}
	inner.End = max(inner.Start, inner.End) // of blank lines
	var ids []string
	if ref, ok := codebase.ChunkAround(doc, inner); ok && codebase.IsDefinition(ref) {
		ids = append(ids, ref.ID())
	}
	for _, ref := range chunksOf(doc.File) { // those that begin there
		if name := ref.Chunk().NameSpan; codebase.IsDefinition(ref) && name.Start >= start && name.Start < end && !slices.Contains(ids, ref.ID()) {
			ids = append(ids, ref.ID())
		}
	}
	records, err := e.Records.Citing(ctx, about, ids)
	if err != nil {
		result.Notes = append(result.Notes, "memory was not asked: "+err.Error())
	}
	result.Records = records[:min(len(records), maxHoverRecords)]
	return ctx.Err()
}

// lineRange is "line 3" or "lines 3 to 5".
func lineRange(first, last int) string {
	if first == last {
		return fmt.Sprintf("line %d", first)
	}
	return fmt.Sprintf("lines %d to %d", first, last)
}
