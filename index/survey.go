package index

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/index/syntax"
	"github.com/aurora-sidecar/aurora/index/vfs"
)

// A Survey is what a scan of a folder would index. Making one reads no file and changes nothing.
type Survey struct {
	Folder    string
	Files     int
	Bytes     int64
	Languages map[string]int // files by language
	Places    map[string]int // files by the first element of their path, "." for those in the folder itself
	Dirs      int            // folders that hold the files
	Skipped   map[string]int // files and folders by the kind of rule that keeps them out; git lists nothing it ignores
	Problems  []string       // places that could not be listed
	Git       bool           // git told what there is
	Auto      bool           // no watch paths are set
	Detected  string         // what tells where the project begins, and where its source is
	Watch     []string       // watch paths as they are set
	Warnings  []string       // about the rules
	Refused   string         // why the rules leave nothing to index
}

// Survey looks at every workspace folder; with paths (absolute), only at what lies below one of them.
func (x *Index) Survey(ctx context.Context, paths []string) ([]Survey, error) {
	wanted := make([]string, len(paths))
	for i, p := range paths {
		wanted[i] = vfs.Canonical(p)
	}
	var all []Survey
	for _, f := range x.folders.live() {
		s, err := x.scans.survey(ctx, f, wanted)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// live returns the folders that are indexed.
func (fs *folderSet) live() []*folder {
	fs.x.mu.Lock()
	defer fs.x.mu.Unlock()
	var live []*folder
	for _, f := range fs.all {
		if f.refused == "" {
			live = append(live, f)
		}
	}
	return live
}

func (sc *scanner) survey(ctx context.Context, f *folder, wanted []string) (Survey, error) {
	s := Survey{Folder: f.path, Languages: map[string]int{}, Places: map[string]int{}, Skipped: map[string]int{}}
	dirs := map[string]bool{}
	report, err := vfs.Scan(ctx, f.root, sc.x.folders.filterOf(f), func(e vfs.Entry) bool {
		if !below(wanted, e.Abs) {
			return true
		}
		s.Files++
		s.Bytes += e.Size
		s.Languages[languageName(syntax.ByPath(e.Path))]++
		place, _, nested := strings.Cut(e.Path, "/")
		if !nested {
			place = "."
		}
		s.Places[place]++
		dirs[filepath.Dir(e.Abs)] = true
		return true
	})
	if err != nil {
		return s, err
	}
	s.Dirs, s.Git = len(dirs), report.Git
	if filter := sc.x.folders.filterOf(f); filter != nil {
		s.describe(filter, f)
	}
	for reason, n := range report.Skipped {
		s.Skipped[string(reason)] = n
	}
	for _, p := range report.Problems {
		s.Problems = append(s.Problems, p.Path+": "+p.Err.Error())
	}
	return s, nil
}

// describe tells of the rules behind a survey.
func (s *Survey) describe(filter *vfs.Filter, f *folder) {
	s.Watch, s.Auto = filter.Options().WatchPaths, filter.Auto()
	s.Detected = vfs.Detect(f.path).String()
	s.Warnings = slices.Concat(f.root.Warnings, filter.Warnings())
	if err := filter.Err(); err != nil {
		s.Refused = err.Error()
	}
	if s.Files > manyFiles {
		s.Warnings = append(s.Warnings, fmt.Sprintf("%d files are very many; index.ignore_patterns and index.watch_paths can make them fewer", s.Files))
	}
}

// filterOf returns the folder's filter, nil (which stands for the defaults) before its first scan.
func (fs *folderSet) filterOf(f *folder) *vfs.Filter {
	fs.x.mu.Lock()
	defer fs.x.mu.Unlock()
	return f.filter
}

// below reports whether abs is one of the paths or lies in one; no paths hold everything.
func below(paths []string, abs string) bool {
	for _, p := range paths {
		if abs == p || within(p, abs) {
			return true
		}
	}
	return len(paths) == 0
}

// Skipped walks the workspace folders and yields every file, and every folder as a whole (with a "/" at its end), that
// is not indexed, with the rule that keeps it out.
func (x *Index) Skipped(ctx context.Context) iter.Seq2[string, string] {
	return func(yield func(path, rule string) bool) {
		for _, f := range x.folders.live() {
			if filter := x.folders.filterOf(f); filter != nil && !x.scans.walkSkipped(ctx, f, filter, yield) {
				return
			}
		}
	}
}

func (sc *scanner) walkSkipped(ctx context.Context, f *folder, filter *vfs.Filter, yield func(path, rule string) bool) bool {
	err := filepath.WalkDir(f.path, func(abs string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return filepath.SkipAll
		case err != nil:
			if !yield(abs, err.Error()) {
				return errStop
			}
			return nil
		case abs == f.path:
			return nil
		case d.IsDir():
			if v := filter.ExplainDir(abs); !v.Indexed {
				if !yield(abs+"/", v.Rule) {
					return errStop
				}
				return filepath.SkipDir
			}
			return nil
		}
		if _, indexed := sc.x.published.Load().Entry(abs); indexed {
			return nil
		}
		if v := sc.x.Explain(abs); !v.Indexed && !yield(abs, v.Rule) {
			return errStop
		}
		return nil
	})
	return err == nil
}

// errStop ends a walk whose reader wants no more.
var errStop = errors.New("stop")

// A Fault is a file that is not in the index as it is on disk.
type Fault struct {
	Path string // absolute
	Why  string
}

// Verify reads every indexed file again and compares it with the index; open buffers are left out. Files that change
// meanwhile may be among the faults: the index is about to take them in.
func (x *Index) Verify(ctx context.Context) (checked int, faults []Fault, err error) {
	for _, e := range x.published.Load().Entries() {
		if err := ctx.Err(); err != nil {
			return checked, faults, err
		}
		if e.File.Overlay {
			continue
		}
		checked++
		if why := x.folders.verify(e.File); why != "" {
			faults = append(faults, Fault{e.File.Abs, why})
		}
	}
	return checked, faults, nil
}

func (fs *folderSet) verify(f *File) string {
	content, err := fs.read(f.Abs)
	switch {
	case err != nil:
		return err.Error()
	case content.Hash != f.Hash:
		return "the file has changed since it was indexed"
	}
	for i := range f.Loaded().Chunks {
		if span := f.Chunks[i].Span; span.Start < 0 || span.End > len(content.Text) || span.Empty() {
			return "a chunk lies outside of the text: " + f.Chunks[i].QualifiedName()
		}
	}
	return ""
}
