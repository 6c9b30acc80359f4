package shared

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/git"
)

// A checkout is a workspace folder that is a repository, or a part of one.
type checkout struct {
	folder string
	place  string // of the folder in its repository, "" or ending in '/'
	names  []string
	commit string // of the server, that differs is about; "" as long as that is not known
	// differs are the files, by their paths from the root of the repository, that are not here as they are in the commit.
	differs map[string]bool
	missing bool // the commit is not here: differs is about HEAD
	sparse  bool
}

// lookAt finds out what a folder is, and how it differs from the commit of the server; whole is for one that is indexed as a whole.
func lookAt(ctx context.Context, folder string, whole bool, commitOf func(names []string) string) (*checkout, error) {
	r, err := git.Open(ctx, folder)
	if errors.Is(err, git.ErrNotRepo) || errors.Is(err, git.ErrNoGit) || errors.Is(err, git.ErrUntrusted) {
		return nil, nil // nothing that a server could have, too
	}
	if err != nil {
		return nil, err
	}
	defer r.Close()
	c := &checkout{folder: folder, place: git.PlaceOf(r), sparse: git.Sparse(ctx, r)}
	names, err := r.Identity(ctx, func() bool { return false })
	if err != nil {
		return nil, err
	}
	c.names = Repositories(names)
	c.commit = commitOf(c.names)
	if c.commit == "" {
		return c, nil
	}
	paths, err := git.Differs(ctx, r, c.commit)
	if errors.Is(err, git.ErrNoCommit) {
		c.missing = true
		head, headErr := r.Head(ctx)
		if headErr != nil {
			return nil, headErr
		}
		if paths, err = git.Differs(ctx, r, head.Commit); errors.Is(err, git.ErrNoCommit) {
			paths, err = nil, nil
		}
	}
	if err != nil {
		return nil, err
	}
	if !whole { // or the index has them
		untracked, err := git.UntrackedFiles(ctx, r)
		if err != nil {
			return nil, err
		}
		paths = append(paths, untracked...)
	}
	c.differs = make(map[string]bool, len(paths))
	for _, p := range paths {
		c.differs[p] = true
	}
	return c, nil
}

// Repositories are the names of the repositories of which names are those of folders.
func Repositories(names []string) []string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i], _, _ = strings.Cut(name, "#")
	}
	return list
}

// local returns the path below the folder of one from the root of the repository.
func (c *checkout) local(fromRoot string) (string, bool) { return strings.CutPrefix(fromRoot, c.place) }

// own says what this process has of the repository: a folder that was indexed as a whole, or single files.
func (c *checkout) own(snap *index.Snapshot, whole bool) (Own, error) {
	o := Own{Names: c.names}
	files := map[string]bool{}
	for p := range c.differs {
		files[p] = true
	}
	if whole && !c.sparse {
		o.Folders = []string{strings.TrimSuffix(c.place, "/")}
		for p := range files {
			if _, inside := c.local(p); inside {
				delete(files, p)
			}
		}
	} else {
		for f := range snap.Listed() {
			if f.Folder == c.folder {
				files[c.place+f.Path] = true
			}
		}
	}
	if len(files) > MaxPaths {
		return o, fmt.Errorf("%s has %d files of its own or that differ from the commit of the server; more than %d are not compared", filepath.Base(c.folder), len(files), MaxPaths)
	}
	for p := range files {
		o.Paths = append(o.Paths, p)
	}
	slices.Sort(o.Paths)
	return o, nil
}

// Digest names what clients have of their own.
func Digest(own []Own) string {
	data, _ := json.Marshal(own) // strings only
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:16])
}

// Has reports whether the client has a file of the repository by itself.
func (o *Own) Has() func(fromRoot string) bool {
	paths := make(map[string]bool, len(o.Paths))
	for _, p := range o.Paths {
		paths[p] = true
	}
	return func(p string) bool {
		return paths[p] || slices.ContainsFunc(o.Folders, func(f string) bool { return f == "" || strings.HasPrefix(p, f+"/") })
	}
}
