package codeintel

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/codeintel/finding"
	"github.com/aurora-sidecar/aurora/engine/codeintel/testcommand"
	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/git"
	"github.com/aurora-sidecar/aurora/index/graph"
)

// A ReviewRequest says which changes are reviewed; by default those of the work tree against HEAD.
type ReviewRequest struct {
	Folder string // absolute; "" means the first workspace folder
	Staged bool
	Range  string // "main..": what a branch has done since it left another
	Patch  string // a unified diff of files of the folder, in place of git's
	// Unsaved are the texts that the editor of the one who asks has open, by absolute path. Those of the work tree are reviewed
	// in place of what is on disk. Of what is staged the findings are on the lines of the staged texts, see StagedLine.
	Unsaved map[string][]byte
}

// A ReviewResult is what a review says of a diff.
type ReviewResult struct {
	Folder   string // absolute; what paths are relative to
	Files    int
	Lines    int // added and removed
	Findings []finding.Finding
	Tests    []ReviewTest
	Notes    []string // what was not looked at, and why
	// Dismissed are the ids of the findings and of their places that were left out, since a person called them not related.
	Dismissed []string
}

// A ReviewTest is a command that runs tests of what was changed.
type ReviewTest struct {
	Command string
	Covers  []string // names of definitions
}

// The bounds of a review; what is beyond them is noted.
const (
	maxReviewBytes       = 16 << 20
	maxReviewLines       = 50_000
	maxReviewDefinitions = 500
)

// Review says what somebody should look at before a change is merged: notes that it touches, files and callers that it leaves
// behind, comments that no longer fit, secrets, and the tests of what it changes. Definitions are those of the index, so a
// branch that is not checked out and a patch that is not applied are compared with the files as they are.
func (e *Intel) Review(ctx context.Context, r ReviewRequest) (*ReviewResult, error) {
	if e.Index.Snapshot().State() == index.Starting {
		if err := e.Index.WaitReady(ctx); err != nil { // right after the editor has started
			return nil, err
		}
	}
	v, err := e.newReview(r)
	if err != nil {
		return nil, err
	}
	patch, err := v.diff(ctx, r)
	if err != nil {
		return nil, err
	}
	if len(patch) > maxReviewBytes {
		return nil, &fault.Error{Kind: fault.Invalid, Message: "the diff is larger than 16 MiB", Detail: "patch", Remedy: "Review a part of it."}
	}
	files, err := git.ParseDiff(patch)
	if err == nil && len(files) == 0 && r.Patch != "" {
		err = errors.New("the patch has no file in it")
	}
	if err != nil {
		return nil, &fault.Error{Kind: fault.Invalid, Message: err.Error(), Detail: "patch", Remedy: "Give a unified diff, such as git diff prints."}
	}
	switch {
	case r.Patch != "" || r.Range != "":
	case r.Staged:
		v.useStaged(ctx)
	default:
		files = v.withUnsaved(ctx, files)
	}
	v.take(files)
	v.addSecrets()
	v.lookAtDefinitions(ctx)
	v.addRemoved(ctx)
	v.addCompanions(ctx)
	v.leaveOutUnrelated(ctx)
	return v.finish(), ctx.Err()
}

// A review is one run of Review.
type review struct {
	intel     *Intel
	snap      *index.Snapshot
	links     *index.Links
	graph     *graph.Graph
	docs      *codebase.DocumentCache
	texts     *reviewedTexts
	repo      *git.Repo // nil without one
	found     finding.List
	base      string // the revision before the change; "" means HEAD
	files     []git.FileDiff
	touched   map[string][]git.Hunk        // by path
	shifted   map[string][]git.Hunk        // by path: what became of a staged text on disk
	tests     map[testcommand.Run][]string // names of definitions
	unindexed []string                     // paths
	result    *ReviewResult
}

func (e *Intel) newReview(r ReviewRequest) (*review, error) {
	snap := e.Index.Snapshot()
	folder := r.Folder
	if folder == "" && len(snap.Folders()) > 0 {
		folder = snap.Folders()[0]
	}
	if !slices.Contains(snap.Folders(), folder) {
		return nil, codebase.NotIndexed(e.Index, folder)
	}
	links := snap.Links()
	texts := &reviewedTexts{index: e.Index, files: map[string]*index.File{}}
	if r.Patch == "" && r.Range == "" && !r.Staged {
		texts.unsaved = r.Unsaved
	}
	return &review{
		intel: e, snap: snap, links: links, graph: graph.New(links), texts: texts, docs: codebase.NewDocumentCache(e.Index).Seeing(texts),
		touched: map[string][]git.Hunk{}, tests: map[testcommand.Run][]string{}, result: &ReviewResult{Folder: folder},
	}, nil
}

// diff is the patch of the request, else git's.
func (v *review) diff(ctx context.Context, r ReviewRequest) (string, error) {
	repo, err := v.intel.repos.open(ctx, v.result.Folder)
	if err == nil {
		v.repo = repo
		if repo.Shallow() {
			v.note("this is a shallow clone: what usually changes together is read from the commits that it has")
		}
	}
	if r.Patch != "" {
		return r.Patch, nil
	}
	if err != nil {
		return "", &fault.Error{Kind: fault.Invalid, Message: "there is no diff: " + err.Error(), Detail: "patch", Remedy: "Ask in a folder under git, or give the diff as a patch."}
	}
	patch, base, err := git.Diff(ctx, repo, git.DiffOptions{Staged: r.Staged, Range: r.Range})
	if err != nil {
		if r.Range == "" {
			return "", fmt.Errorf("review: %w", err)
		}
		return "", &fault.Error{
			Kind: fault.Invalid, Message: err.Error(), Detail: "range", Remedy: "Name a branch, tag or commit, such as main.. or v1..topic.",
		}
	}
	v.base = base
	if !r.Staged && r.Range == "" {
		v.noteUntracked(ctx)
	}
	return patch, nil
}

func (v *review) noteUntracked(ctx context.Context) {
	status, err := v.repo.Status(ctx)
	if err != nil {
		return // the diff, which needs more of git, succeeded
	}
	n := 0
	for _, f := range status {
		if f.Kind == git.New {
			n++
		}
	}
	if n > 0 {
		v.note(wording.Count(n, "new file is", "new files are") + " not looked at before git add")
	}
}

func (v *review) note(s string) { v.result.Notes = append(v.result.Notes, s) }

// take counts the diff and cuts it at the bound.
func (v *review) take(files []git.FileDiff) {
	binary, outside := 0, 0
	for _, f := range files {
		if f.Submodule {
			continue // git's own bookkeeping
		}
		if !filepath.IsLocal(filepath.FromSlash(f.Path)) {
			outside++
			continue
		}
		v.files = append(v.files, f)
		v.result.Files++
		if f.Binary {
			binary++
		}
		for _, h := range f.Hunks {
			if v.result.Lines += len(h.Added) + len(h.Removed); v.result.Lines <= maxReviewLines {
				v.touched[f.Path] = append(v.touched[f.Path], h)
			}
		}
	}
	if binary > 0 {
		v.note(wording.Count(binary, "binary file is", "binary files are") + " not read")
	}
	if outside > 0 {
		v.note(wording.Count(outside, "file is", "files are") + " outside of the workspace and left out")
	}
	if v.result.Lines > maxReviewLines {
		v.note(fmt.Sprintf("the diff has %d lines; only its first %d were read", v.result.Lines, maxReviewLines))
	}
}

// addCompanions names the files that history says belong to the change.
func (v *review) addCompanions(ctx context.Context) {
	if v.repo == nil || len(v.files) == 0 {
		return
	}
	var paths []string
	for _, f := range v.files {
		paths = append(paths, f.Path, cmp.Or(f.Old, f.Path))
	}
	companions, err := git.Companions(ctx, v.repo, v.historyBase(), paths)
	if err != nil {
		v.note("git can't tell what usually changes together: " + err.Error())
		return
	}
	for _, c := range companions {
		v.found.Add(finding.Finding{
			Rule: finding.Companion, Severity: "note", Path: c.Path,
			Message:  fmt.Sprintf("%s usually changes with %s and is not in the diff: see whether it has to change, too.", c.Path, c.With),
			Evidence: fmt.Sprintf("%d of %d commits of %s changed both (confidence %.2f)", c.Together, c.Commits, c.With, c.Confidence()),
		}, c.Path, c.With)
	}
}

// historyBase is the commit whose history counts: the change itself tells nothing.
func (v *review) historyBase() string {
	if v.base == git.EmptyTree {
		return ""
	}
	return v.base
}

func (v *review) finish() *ReviewResult {
	if n := len(v.unindexed); n > 0 {
		names := strings.Join(v.unindexed[:min(n, 5)], ", ")
		if n > 5 {
			names += ", …"
		}
		v.note(wording.Count(n, "file is", "files are") + " not indexed, only secrets were looked for: " + names)
	}
	findings, notes := v.found.Finish()
	v.result.Findings = findings
	v.result.Notes = append(v.result.Notes, notes...)
	v.result.Tests = testsOf(v.tests)
	v.result.Notes = append(v.result.Notes, codebase.IndexNotes(v.intel.Index, v.snap)...)
	return v.result
}

// testsOf makes one command of the tests that a program runs at once.
func testsOf(runs map[testcommand.Run][]string) []ReviewTest {
	names, covers := map[string][]string{}, map[string][]string{}
	for run, of := range runs {
		names[run.Program] = append(names[run.Program], run.Test)
		covers[run.Program] = append(covers[run.Program], of...)
	}
	var list []ReviewTest
	for program, tests := range names {
		slices.Sort(tests)
		slices.Sort(covers[program])
		list = append(list, ReviewTest{Command: testcommand.Command(program, tests), Covers: slices.Compact(covers[program])})
	}
	slices.SortFunc(list, func(a, b ReviewTest) int { return strings.Compare(a.Command, b.Command) })
	return list
}
