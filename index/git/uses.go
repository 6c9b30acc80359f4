package git

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Of what counts as a use of a file. As in the replay that docs/memory-measured.md reports.
const (
	useBulk   = 30 // a commit of more files is no session
	useRecent = 16 // the newest uses, which are kept one by one
	useLinks  = 16 // the files that a file changed with most often
)

// A FileUse is what the history says of one file: when it changed, and with what.
type FileUse struct {
	Commits int         // that changed it
	Recent  []time.Time // of the newest of them, newest first; at most 16
	First   time.Time   // of the oldest of them
	With    []UsedWith  // the most frequent first; at most 16
}

// A UsedWith is a file that changed in the same commits.
type UsedWith struct {
	Path  string
	Share float64 // of the commits of the file that it belongs to, 0..1
}

// Uses are the files of a repository by their paths, of one moment. Nobody may change them.
type Uses struct {
	Head  string    // hash of the commit that they end with
	At    time.Time // of the newest commit
	Files map[string]*FileUse
}

// KnownUses returns the uses that were read last, nil when none were. It runs no git. A shallow clone has none.
func KnownUses(r *Repo) *Uses {
	r.signals.mu.Lock()
	defer r.signals.mu.Unlock()
	return r.signals.uses
}

// ReadUses is KnownUses, read from git's history when HEAD has moved since, or nothing was read.
func ReadUses(ctx context.Context, r *Repo) (*Uses, error) {
	head, err := r.Head(ctx)
	if err != nil {
		return nil, fmt.Errorf("uses of files: %w", err)
	}
	if known := KnownUses(r); head.Unborn() || r.Shallow() || known != nil && known.Head == head.Commit {
		return known, nil
	}
	if err := collectCompanions(ctx, r, head); err != nil {
		return nil, err
	}
	return KnownUses(r), nil
}

// UsesOf are the uses that commits tell of, newest first; the first of them is head.
func UsesOf(head string, commits []Commit) *Uses {
	all, together := &Uses{Head: head, Files: map[string]*FileUse{}}, map[string]map[string]int{}
	for _, c := range commits {
		if c.Time.After(all.At) {
			all.At = c.Time
		}
		if len(c.Files) > useBulk {
			continue
		}
		for _, f := range c.Files {
			if all.Files[f.Path] == nil {
				all.Files[f.Path], together[f.Path] = &FileUse{}, map[string]int{}
			}
			all.Files[f.Path].add(c.Time)
			for _, other := range c.Files {
				if other.Path != f.Path {
					together[f.Path][other.Path]++
				}
			}
		}
	}
	for path, use := range all.Files {
		use.With = usedWith(together[path], use.Commits)
	}
	return all
}

// add counts a commit that is older than those before.
func (u *FileUse) add(at time.Time) {
	u.Commits, u.First = u.Commits+1, at
	if len(u.Recent) < useRecent {
		u.Recent = append(u.Recent, at)
	}
}

func usedWith(together map[string]int, commits int) []UsedWith {
	list := make([]UsedWith, 0, len(together))
	for path, n := range together {
		list = append(list, UsedWith{path, float64(n) / float64(commits)})
	}
	slices.SortFunc(list, func(a, b UsedWith) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), strings.Compare(a.Path, b.Path))
	})
	return slices.Clip(list[:min(useLinks, len(list))])
}
