package vfs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// maxSymlinks is how many links in links are followed where links are followed at all.
const maxSymlinks = 3

// explainLink says why a link has no place of its own in the index.
func (f *Filter) explainLink(abs string) Verdict {
	if !f.options.FollowSymlinks {
		return refused(NotAFile, "symbolic link, not followed")
	}
	rel, _, err := f.resolveLink(abs)
	if err != nil {
		return refused(NotAFile, "symbolic link "+err.Error())
	}
	return refused(NotAFile, "symbolic link to "+rel+", which counts by its own path")
}

// resolveLink returns the real place that a link leads to, relative to the folder. The error says why it is not
// followed: it leads nowhere, out of the watch paths, or through too many links.
func (f *Filter) resolveLink(abs string) (rel string, info fs.FileInfo, err error) {
	for links := 0; ; links++ {
		info, err = os.Lstat(abs)
		if err != nil {
			return "", nil, fmt.Errorf("that leads nowhere: %w", err)
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			break
		}
		if links == maxSymlinks {
			return "", nil, fmt.Errorf("that leads through more than %d links", maxSymlinks)
		}
		target, err := os.Readlink(abs)
		if err != nil {
			return "", nil, fmt.Errorf("that can't be read: %w", err)
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(abs), target)
		}
		abs = filepath.Join(Canonical(filepath.Dir(target)), filepath.Base(target))
	}
	rel, inside := f.folder.relCanonical(Canonical(abs))
	switch {
	case !inside:
		return "", nil, errors.New("that leads out of the workspace folder")
	case !f.scope.holds(rel, info.IsDir()):
		return "", nil, errors.New("that leads out of the watch paths")
	}
	return rel, info, nil
}

// linkTargets are the folders that followed links lead to.
type linkTargets struct {
	mu      sync.Mutex
	folders map[string]bool
}

// add notes that a link leads to the folder rel: who linked it wants it, though its name be that of build output.
func (l *linkTargets) add(rel string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.folders == nil {
		l.folders = map[string]bool{}
	}
	l.folders[rel] = true
}

// leadTo reports whether a link leads to dir, or into it, and to rel; for a folder also when rel is on the way.
func (l *linkTargets) leadTo(dir, rel string, isDir bool) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for target := range l.folders {
		if inScope(dir, target) && (inScope(target, rel) || isDir && inScope(rel, target)) {
			return true
		}
	}
	return false
}

// follow looks at what a link leads to. A folder is walked once, however many links lead to it.
func (s *scanner) follow(ctx context.Context, link string) error {
	if !s.filter.options.FollowSymlinks {
		s.skip(link, refused(NotAFile, "symbolic link, not followed"))
		return nil
	}
	if !s.filter.scope.holds(link, false) {
		s.skip(link, s.filter.scope.refusal())
		return nil
	}
	if v := s.filter.checkPatterns(link, true); !v.Indexed {
		s.skip(link, v)
		return nil
	}
	rel, info, err := s.filter.resolveLink(s.folder.Abs(link))
	if err != nil {
		s.skip(link, refused(NotAFile, "symbolic link "+err.Error()))
		return nil
	}
	if info.IsDir() {
		return s.followDir(ctx, link, rel)
	}
	s.add(rel, info, s.filter.check(ctx, rel, info.Size(), info.Mode()))
	return nil
}

func (s *scanner) followDir(ctx context.Context, link, rel string) error {
	if s.followed[rel] || inScope(rel, link) { // a folder that holds the link is looked into anyway
		return nil
	}
	if s.followed == nil {
		s.followed = map[string]bool{}
	}
	s.followed[rel] = true
	if s.depth == maxSymlinks {
		s.skip(link, refused(NotAFile, fmt.Sprintf("symbolic link in more than %d others", s.depth)))
		return nil
	}
	s.filter.links.add(rel)
	if v := s.filter.CheckDir(ctx, rel); !v.Indexed {
		s.skip(rel, v)
		return nil
	}
	s.depth++
	defer func() { s.depth-- }()
	return s.walk(ctx, rel)
}
