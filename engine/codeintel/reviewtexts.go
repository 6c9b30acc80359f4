package codeintel

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/git"
)

// reviewedTexts are the texts that a diff leads to: what the editor of the one who asks has not saved, or what is staged, else what
// is on disk, whatever other editors have open and the index has not read yet. It implements codebase.Buffers.
type reviewedTexts struct {
	index   *index.Index
	unsaved map[string][]byte      // or staged
	files   map[string]*index.File // cut into chunks, by path
}

func (t *reviewedTexts) File(abs string) (*index.File, bool) {
	if f, ok := t.files[abs]; ok {
		return f, f != nil
	}
	t.files[abs] = nil
	text, open := t.unsaved[abs]
	if !open {
		saved, err := index.SavedText(t.index, abs)
		if err != nil {
			return nil, false // there is no such file
		}
		text = saved
	}
	t.files[abs] = index.FileWith(t.index, abs, "", 0, text)
	return t.files[abs], true
}

// withUnsaved puts what is not saved in place of what git says of the files on disk.
func (v *review) withUnsaved(ctx context.Context, files []git.FileDiff) []git.FileDiff {
	for abs, text := range v.texts.unsaved {
		rel, err := filepath.Rel(v.result.Folder, abs)
		saved, unreadable := index.SavedText(v.intel.Index, abs)
		if err != nil || !filepath.IsLocal(rel) || unreadable != nil || bytes.Equal(saved, text) {
			continue
		}
		path := filepath.ToSlash(rel)
		at := slices.IndexFunc(files, func(f git.FileDiff) bool { return f.Path == path })
		d := git.FileDiff{Path: path, Old: path, Kind: git.Modified}
		if at >= 0 {
			d = files[at]
		}
		switch d.Kind {
		case git.Added:
			d.Hunks = []git.Hunk{{Line: 1, Added: strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")}}
		case git.Modified:
			if d.Hunks, err = git.DiffText(ctx, v.repo, v.base, d.Old, text); err != nil {
				continue // git does not know the file
			}
		}
		if at >= 0 {
			files = slices.Delete(files, at, at+1)
		}
		if d.Kind != git.Modified || d.Binary || len(d.Hunks) > 0 || d.Old != d.Path {
			files = append(files, d)
		}
	}
	slices.SortStableFunc(files, func(a, b git.FileDiff) int { return strings.Compare(a.Path, b.Path) })
	return files
}

// useStaged has the texts reviewed that are staged, where those on disk are others by now.
func (v *review) useStaged(ctx context.Context) {
	staged, err := git.StagedTexts(ctx, v.repo)
	if err != nil {
		v.note("files were read as they are on disk: " + err.Error())
		return
	}
	v.texts.unsaved, v.shifted = map[string][]byte{}, map[string][]git.Hunk{}
	for path, text := range staged {
		abs := filepath.Join(v.result.Folder, filepath.FromSlash(path))
		v.texts.unsaved[abs] = text
		if saved, err := index.SavedText(v.intel.Index, abs); err == nil {
			v.shifted[path] = git.DiffLines(text, saved)
		}
	}
}

// StagedLine returns where the lines of a file as it is staged, one-based, are in a text of it.
func (e *Intel) StagedLine(ctx context.Context, folder, path string, text []byte) (func(line int) int, error) {
	repo, err := e.repos.open(ctx, folder)
	if err != nil {
		return nil, err
	}
	hunks, err := git.DiffText(ctx, repo, "", path, text)
	if err != nil {
		return nil, err
	}
	return func(line int) int {
		if line == 0 { // the file as a whole
			return 0
		}
		return git.Shifted(hunks, line)
	}, nil
}
