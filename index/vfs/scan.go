package vfs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// An Entry is a file that is to be indexed.
type Entry struct {
	Path    string // relative to the folder, with '/'
	Abs     string
	Size    int64 // bytes
	ModTime time.Time
	Node    Node
}

// A Problem is a part of the tree that could not be looked at; the rest was.
type Problem struct {
	Path string // relative to the folder
	Err  error
}

// A Report sums up a scan.
type Report struct {
	Files    int            // handed to yield
	Bytes    int64          // in them
	Skipped  map[Reason]int // what the filter refused; what git ignores is not even listed
	Problems []Problem
	Git      bool // git listed the files
}

// Scan hands every file of folder that filter accepts to yield, sorted by path, until yield returns false. A nil filter
// stands for the defaults. Unreadable folders and files that vanish meanwhile end up in the report, not in the error,
// which is the context's or that of the folder itself.
func Scan(ctx context.Context, folder Folder, filter *Filter, yield func(Entry) bool) (Report, error) {
	if filter == nil {
		filter = NewFilter(ctx, folder, FilterOptions{}, nil)
		defer filter.Close()
	}
	s := &scanner{folder: folder, filter: filter, report: Report{Skipped: make(map[Reason]int)}, realDirs: map[string]bool{".": true}}
	if err := s.gather(ctx); err != nil {
		return s.report, fmt.Errorf("scan %s: %w", folder.Path, err)
	}
	slices.SortFunc(s.entries, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
	s.entries = slices.CompactFunc(s.entries, func(a, b Entry) bool { return a.Path == b.Path })
	for _, e := range s.entries {
		s.report.Files++
		s.report.Bytes += e.Size
		if !yield(e) {
			break
		}
	}
	return s.report, nil
}

// A scanner gathers the entries of one folder.
type scanner struct {
	folder   Folder
	filter   *Filter
	entries  []Entry
	report   Report
	realDirs map[string]bool // folders known to be none (false) or no links (true)
	followed map[string]bool // folders that links led to
	depth    int             // of folders that links led to, in one another
}

func (s *scanner) gather(ctx context.Context) error {
	if info, err := os.Stat(s.folder.Path); err != nil {
		return err
	} else if !info.IsDir() {
		return ErrRefused
	}
	if s.filter.git != nil {
		paths, problems, err := s.filter.git.list(ctx)
		if err == nil {
			s.report.Git, s.report.Problems = true, problems
			return s.gatherListed(ctx, paths)
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		s.problem(".", fmt.Errorf("git could not list the files, walking instead: %w", err))
	}
	return s.walk(ctx, ".")
}

// gatherListed looks at the paths that git named.
func (s *scanner) gatherListed(ctx context.Context, paths []string) error {
	for i, rel := range paths {
		if i%256 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		// Git keeps naming tracked files below a folder that has become a link to somewhere else.
		if !s.isReal(path.Dir(rel)) {
			continue
		}
		info, err := os.Lstat(s.folder.Abs(rel))
		if errors.Is(err, fs.ErrNotExist) {
			continue // tracked, but deleted
		}
		if err != nil {
			s.problem(rel, err)
			continue
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			if err := s.follow(ctx, rel); err != nil {
				return err
			}
			continue
		}
		s.add(rel, info, s.filter.checkListed(ctx, rel, info.Size(), info.Mode()))
	}
	return nil
}

// isReal reports whether dir and every folder above it, up to the workspace folder, are no links.
func (s *scanner) isReal(dir string) bool {
	real, known := s.realDirs[dir]
	if !known {
		real = s.isReal(path.Dir(dir)) && isRealDir(s.folder.Abs(dir))
		s.realDirs[dir] = real
	}
	return real
}

// walk reads the folder rel and what the filter lets through below it.
func (s *scanner) walk(ctx context.Context, rel string) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	dir, listing, err := readDir(s.folder.Abs(rel))
	if dir != nil {
		defer dir.Close() // what there is of the listing counts, with an error or without
	}
	if err != nil {
		if rel == "." {
			return err
		}
		s.problem(rel, err) // what was read before the error is still worth having
	}
	if err == nil {
		s.filter.listed(rel, listing)
	}
	prefix := ""
	if rel != "." {
		prefix = rel + "/"
	}
	for _, entry := range listing {
		child := prefix + entry.Name()
		switch {
		case entry.IsDir():
			if v := s.checkWalked(ctx, child, 0, entry.Type()); !v.Indexed {
				s.skip(child, v)
			} else if err := s.walk(ctx, child); err != nil {
				return err
			}
		case entry.Type().IsRegular():
			s.walkFile(ctx, child, dir, entry)
		case entry.Type()&fs.ModeSymlink != 0:
			if err := s.follow(ctx, child); err != nil {
				return err
			}
		default:
			s.skip(child, refused(NotAFile, "not a regular file"))
		}
	}
	return nil
}

// checkWalked judges what a walk meets. Where git has listed the rest of the folder, git is asked.
func (s *scanner) checkWalked(ctx context.Context, rel string, size int64, mode fs.FileMode) Verdict {
	switch {
	case !s.report.Git:
		return s.filter.checkWalked(ctx, rel, size, mode)
	case mode.IsDir():
		return s.filter.CheckDir(ctx, rel)
	}
	return s.filter.check(ctx, rel, size, mode)
}

// readDir opens a folder and lists it, sorted by name.
func readDir(abs string) (*os.File, []fs.DirEntry, error) {
	dir, err := os.Open(abs)
	if err != nil {
		return nil, nil, err
	}
	listing, err := dir.ReadDir(-1)
	slices.SortFunc(listing, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return dir, listing, err
}

func (s *scanner) walkFile(ctx context.Context, rel string, dir *os.File, entry fs.DirEntry) {
	info, err := statIn(dir, entry)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		s.problem(rel, err)
	default:
		s.addFile(rel, info, s.checkWalked(ctx, rel, info.size, info.mode))
	}
}

// A fileState is what a scan wants to know of a file.
type fileState struct {
	size     int64
	mode     fs.FileMode
	modified time.Time
	node     Node
}

func stateOf(info fs.FileInfo) fileState {
	return fileState{info.Size(), info.Mode(), info.ModTime(), nodeOf(info)}
}

func (s *scanner) add(rel string, info fs.FileInfo, v Verdict) { s.addFile(rel, stateOf(info), v) }

func (s *scanner) addFile(rel string, info fileState, v Verdict) {
	if !v.Indexed {
		s.skip(rel, v)
		return
	}
	abs := s.folder.Path + string(filepath.Separator) + filepath.FromSlash(rel)
	s.entries = append(s.entries, Entry{Path: rel, Abs: abs, Size: info.size, ModTime: info.modified, Node: info.node})
}

func (s *scanner) skip(rel string, v Verdict) {
	s.report.Skipped[v.Reason]++
	s.filter.logged(context.Background(), rel, v)
}

func (s *scanner) problem(rel string, err error) {
	s.report.Problems = append(s.report.Problems, Problem{Path: rel, Err: err})
}
