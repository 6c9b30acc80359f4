package git

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"github.com/bluekeyes/go-gitdiff/gitdiff"
)

// DiffOptions choose what is compared; the zero value is the work tree against HEAD.
type DiffOptions struct {
	Staged bool   // the index against HEAD
	Range  string // "main.." or "main..topic": what a branch has done since it left the other
}

// A FileDiff is what a diff does to one file.
type FileDiff struct {
	Path   string // relative to the folder; that before, for a deleted file
	Old    string // the path before
	Kind   ChangeKind
	Binary bool
	// Submodule tells that it is none: another commit of a submodule is meant.
	Submodule bool
	Hunks     []Hunk
}

// A Hunk is a run of lines that are replaced; either side may be empty.
type Hunk struct {
	Line    int // one-based, in the new file: the first of Added, or the line before which Removed stood
	Removed []string
	Added   []string
}

// EmptyTree is what the first commit is compared with.
const EmptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

// Diff returns the differences below the folder as git writes them, and the revision that they begin at.
func Diff(ctx context.Context, r *Repo, o DiffOptions) (patch, base string, err error) {
	args := []string{"diff", "--no-ext-diff", "--no-textconv", "--no-color", "--find-renames", "--unified=0", "--relative",
		"--ignore-submodules", "--src-prefix=a/", "--dst-prefix=b/"}
	head, err := r.Head(ctx)
	if err != nil {
		return "", "", fmt.Errorf("diff: %w", err)
	}
	base = cmp.Or(head.Commit, EmptyTree)
	switch {
	case o.Range != "":
		var tip string
		if base, tip, err = branch(ctx, r, o.Range); err != nil {
			return "", "", fmt.Errorf("diff of %q: %w", o.Range, err)
		}
		args = append(args, base, tip)
	case o.Staged:
		args = append(args, "--cached", base)
	default:
		args = append(args, base)
	}
	out, err := r.run(ctx, nil, append(args, "--")...)
	if err != nil {
		return "", "", fmt.Errorf("diff: %w", err)
	}
	return string(out), base, nil
}

// DiffText compares a file of a revision with a text that is not in the work tree. rel is its path below the folder.
func DiffText(ctx context.Context, r *Repo, rev, rel string, text []byte) ([]Hunk, error) {
	out, err := r.run(ctx, nil, "cat-file", "blob", rev+":./"+rel)
	if err != nil {
		return nil, fmt.Errorf("diff of %s: %w", rel, err)
	}
	return DiffLines(out, text), nil
}

// DiffLines compares two texts, but for the form of their line breaks.
func DiffLines(from, to []byte) []Hunk {
	before, after := strings.ReplaceAll(string(from), "\r\n", "\n"), strings.ReplaceAll(string(to), "\r\n", "\n")
	var hunks []Hunk
	offset, line := 0, 1 // of after
	for _, e := range udiff.Lines(before, after) {
		line += strings.Count(before[offset:e.Start], "\n")
		h := Hunk{Line: line, Removed: linesOf(before[e.Start:e.End]), Added: linesOf(e.New)}
		hunks = append(hunks, h)
		offset, line = e.End, line+len(h.Added)
	}
	return hunks
}

// Shifted is where a line, one-based, of the text before hunks is after them. A line that they replace is where its place was.
func Shifted(hunks []Hunk, line int) int {
	by := 0 // lines that the hunks so far have put in, less those that they took out
	for _, h := range hunks {
		first := h.Line - by // of Removed
		if line < first {
			break
		}
		if n := line - first; n < len(h.Removed) {
			return h.Line + min(n, max(0, len(h.Added)-1))
		}
		by += len(h.Added) - len(h.Removed)
	}
	return line + by
}

// StagedTexts are the texts, by their paths below the folder, that are staged and that differ from those in the work tree.
func StagedTexts(ctx context.Context, r *Repo) (map[string][]byte, error) {
	out, err := r.run(ctx, nil, "diff", "--no-ext-diff", "--no-renames", "--relative", "--ignore-submodules", "--name-only", "-z", "--")
	if err != nil {
		return nil, fmt.Errorf("list what is staged: %w", err)
	}
	texts := map[string][]byte{}
	for rel := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if rel == "" {
			continue
		}
		text, err := r.run(ctx, nil, "cat-file", "blob", ":./"+rel)
		if err != nil {
			continue // a conflict has no text of its own
		}
		texts[rel] = text
	}
	return texts, nil
}

// linesOf splits whole lines, the last of which may lack its line break.
func linesOf(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}

// branch finds where a branch left another, and its tip.
func branch(ctx context.Context, r *Repo, between string) (base, tip string, err error) {
	from, to, _ := strings.Cut(between, "..")
	a, err := r.Resolve(ctx, from)
	if err != nil {
		return "", "", err
	}
	b, err := r.Resolve(ctx, cmp.Or(strings.TrimPrefix(to, "."), "HEAD"))
	if err != nil {
		return "", "", err
	}
	out, err := r.run(ctx, nil, "merge-base", a.Commit, b.Commit)
	if err != nil {
		return "", "", fmt.Errorf("they have no common commit (a shallow clone may lack it): %w", err)
	}
	return strings.TrimSpace(string(out)), b.Commit, nil
}

// submoduleMode is what git says of a submodule in place of the mode of a file.
const submoduleMode = 0o160000

// ParseDiff reads a unified diff, with git's headers or without.
func ParseDiff(patch string) ([]FileDiff, error) {
	files, _, err := gitdiff.Parse(strings.NewReader(patch))
	if err != nil {
		return nil, fmt.Errorf("read diff: %w", err)
	}
	prefixed := strings.Contains(patch, "diff --git ") // the parser took a/ and b/ off
	var all []FileDiff
	for _, f := range files {
		before, after := f.OldName, f.NewName
		if !prefixed {
			before, after = withoutSide(before), withoutSide(after)
		}
		d := FileDiff{Path: cmp.Or(after, before), Old: before, Kind: Modified, Binary: f.IsBinary, Submodule: max(f.OldMode, f.NewMode) == submoduleMode}
		switch {
		case f.IsNew:
			d.Kind = Added
		case f.IsDelete:
			d.Kind = Deleted
		}
		for _, fragment := range f.TextFragments {
			d.Hunks = append(d.Hunks, hunksOf(fragment)...)
		}
		all = append(all, d)
	}
	return all, nil
}

// withoutSide takes the a/ or b/ off a path of a header that is not git's.
func withoutSide(path string) string {
	if len(path) > 2 && (path[:2] == "a/" || path[:2] == "b/") {
		return path[2:]
	}
	return path
}

// hunksOf are the runs of changed lines in a fragment, without its context.
func hunksOf(f *gitdiff.TextFragment) []Hunk {
	var hunks []Hunk
	line, open := int(f.NewPosition), false
	if f.NewLines == 0 {
		line++ // git names the line before
	}
	for _, l := range f.Lines {
		if l.Op == gitdiff.OpContext {
			line, open = line+1, false
			continue
		}
		if !open {
			hunks, open = append(hunks, Hunk{Line: line}), true
		}
		h := &hunks[len(hunks)-1]
		content := strings.TrimRight(l.Line, "\r\n")
		if l.Op == gitdiff.OpDelete {
			h.Removed = append(h.Removed, content)
			continue
		}
		h.Added = append(h.Added, content)
		line++
	}
	return hunks
}
