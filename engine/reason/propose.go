package reason

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/proposal"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/engine/testrun"
	"github.com/aurora-sidecar/aurora/index/git"
	"github.com/aurora-sidecar/aurora/index/vfs"
)

// propose takes an edit up in what the answer proposes. Only files that the index reads are changed, and new ones lie where it
// would read them.
func propose(ctx context.Context, q *reasoning, a soar.Arguments) (soar.Finding, error) {
	if q.proposed == nil {
		return soar.Finding{}, errors.New("nobody has asked for a change")
	}
	abs, path, src, err := q.fileText(a.Path)
	if err != nil {
		if abs, path, err = newPath(q, a.Path); err != nil {
			return soar.Finding{}, err
		}
	}
	err = q.proposed.Add(proposal.Edit{Path: path, Folder: inRepository(ctx, strings.TrimSuffix(abs, filepath.FromSlash(path))), Find: a.Find, Replace: a.Replace}, abs, func() ([]byte, error) {
		if src == nil {
			return nil, fs.ErrNotExist
		}
		return src, nil
	})
	if err != nil {
		return soar.Finding{}, err
	}
	return soar.Finding{Text: "The edit of " + path + " is taken up.", Outcome: "an edit of " + path}, nil
}

// proposeMove takes up that a file gets another name, or is deleted when that is "".
func proposeMove(ctx context.Context, q *reasoning, a soar.Arguments) (soar.Finding, error) {
	if q.proposed == nil {
		return soar.Finding{}, errors.New("nobody has asked for a change")
	}
	from, abs, src, err := existing(ctx, q, a.Path)
	if err != nil {
		return soar.Finding{}, err
	}
	text := func() ([]byte, error) { return src, nil }
	if strings.TrimSpace(a.To) == "" {
		if err := q.proposed.Remove(from, abs, text); err != nil {
			return soar.Finding{}, err
		}
		return soar.Finding{Text: from.Path + " is to be deleted.", Outcome: "to delete " + from.Path}, nil
	}
	if _, known, _, err := q.fileText(a.To); err == nil && known == filepath.ToSlash(filepath.Clean(filepath.FromSlash(a.To))) {
		return soar.Finding{}, fmt.Errorf("there is a file %s: choose another name", known)
	}
	toAbs, path, err := newPath(q, a.To)
	if err != nil {
		return soar.Finding{}, err
	}
	to := proposal.Edit{Path: path, Folder: inRepository(ctx, strings.TrimSuffix(toAbs, filepath.FromSlash(path)))}
	if err := q.proposed.Move(from, abs, text, to, toAbs); err != nil {
		return soar.Finding{}, err
	}
	return soar.Finding{Text: from.Path + " is to become " + path + ".", Outcome: "to move " + from.Path + " to " + path}, nil
}

// existing is a file that is there, or is proposed. A link is none: what it leads to is a file of its own.
func existing(ctx context.Context, q *reasoning, named string) (e proposal.Edit, abs string, src []byte, err error) {
	abs, path, src, err := q.fileText(named)
	if err != nil {
		for _, f := range q.proposed.Files() {
			if f.Created && f.Path == filepath.ToSlash(filepath.Clean(filepath.FromSlash(named))) {
				return proposal.Edit{Path: f.Path, Folder: f.Folder}, f.Abs, nil, nil
			}
		}
		return e, "", nil, err
	}
	info, err := os.Lstat(abs)
	switch {
	case err != nil:
		return e, "", nil, fmt.Errorf("%s is not saved yet", path)
	case !info.Mode().IsRegular():
		return e, "", nil, fmt.Errorf("%s is no file of its own", path)
	}
	return proposal.Edit{Path: path, Folder: inRepository(ctx, strings.TrimSuffix(abs, filepath.FromSlash(path)))}, abs, src, nil
}

// inRepository is where a folder lies in its repository.
func inRepository(ctx context.Context, folder string) string {
	repo, err := git.Open(ctx, folder)
	if err != nil {
		return "" // patch takes it
	}
	real, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return ""
	}
	rest, err := filepath.Rel(repo.Root(), real)
	if err != nil || rest == "." || !filepath.IsLocal(rest) {
		return ""
	}
	return filepath.ToSlash(rest)
}

// newPath is where a new file may be: in the first folder of the workspace, in a folder that is read, under a name that is no
// secret's.
func newPath(q *reasoning, path string) (abs, relative string, err error) {
	relative = filepath.ToSlash(filepath.Clean(filepath.FromSlash(path)))
	folders := q.reasoner.opts.Facts.Index.Folders()
	if !filepath.IsLocal(filepath.FromSlash(path)) || relative == "." || len(folders) == 0 {
		return "", "", fmt.Errorf("%s is not in the workspace", path)
	}
	for part := range strings.SplitSeq(relative, "/") {
		if slices.ContainsFunc([]string{".git", ".aurora"}, func(own string) bool { return strings.EqualFold(strings.TrimRight(part, ". "), own) }) {
			return "", "", fmt.Errorf("%s can't be changed", path)
		}
	}
	abs = filepath.Join(folders[0], filepath.FromSlash(relative))
	if _, err := os.Lstat(abs); err == nil {
		return "", "", fmt.Errorf("%s can't be changed: it is left out of the index", path)
	}
	if vfs.SecretName(abs) {
		return "", "", fmt.Errorf("%s has the name of a secret", path)
	}
	if !liesReally(abs, folders[0]) {
		return "", "", fmt.Errorf("%s lies behind a link that leads out of the workspace", path)
	}
	return abs, relative, nil
}

// liesReally reports whether what there is of the folders above a path lies in a folder, links followed.
func liesReally(path, folder string) bool {
	above := filepath.Dir(path)
	for above != folder {
		if _, err := os.Lstat(above); err == nil {
			break
		}
		above = filepath.Dir(above)
	}
	real, err := filepath.EvalSymlinks(above)
	realFolder, folderErr := filepath.EvalSymlinks(folder)
	if err != nil || folderErr != nil {
		return false
	}
	rest, err := filepath.Rel(realFolder, real)
	return err == nil && filepath.IsLocal(rest)
}

// proposedTexts are the files as they would be, for tests.
func proposedTexts(q *reasoning) testrun.Changes {
	c := testrun.Changes{Texts: map[string]string{}}
	for _, f := range q.proposed.Files() {
		if f.Deleted {
			c.Removed = append(c.Removed, f.Abs)
			continue
		}
		c.Texts[f.Abs] = f.After
	}
	return c
}
