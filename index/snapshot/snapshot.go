package snapshot

import (
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/index/embed"
	"github.com/aurora-sidecar/aurora/index/lexical"
	"github.com/aurora-sidecar/aurora/index/vector"
)

// A Snapshot is the workspace at one moment: files, and the parts that hold their chunks. It never changes, holds no C memory,
// and needs no release. The next one is derived with a Builder.
type Snapshot struct {
	number  uint64
	folders []string // canonical
	files   fileTable
	parts   []*Part
	views   []lexical.View // of parts, same order
	vectors []vector.View  // of parts, same order
	chunks  int
	langs   map[string]int // files by language
	model   *embed.Static  // that made the vectors; nil for none

	state   State
	pending []string
}

// Empty returns the snapshot of a workspace without files.
func Empty(number uint64, model *embed.Static) *Snapshot {
	return &Snapshot{number: number, model: model}
}

// As returns the snapshot as it is to be seen in a state, with the paths whose newest text is not in it yet.
func (s *Snapshot) As(state State, pending []string) *Snapshot {
	seen := *s
	seen.state, seen.pending = state, pending
	return &seen
}

// Number grows with every published snapshot.
func (s *Snapshot) Number() uint64 { return s.number }

// Folders are the roots of the workspace, absolute.
func (s *Snapshot) Folders() []string { return s.folders }

// State tells whether the snapshot is the whole workspace.
func (s *Snapshot) State() State { return s.state }

// Counts returns the number of files and of chunks.
func (s *Snapshot) Counts() (files, chunks int) { return s.files.count, s.chunks }

// Languages counts the files of each language. The map must not be changed.
func (s *Snapshot) Languages() map[string]int { return s.langs }

// Pending lists the paths whose newest text is not in the snapshot yet.
func (s *Snapshot) Pending() []string { return s.pending }

// Entry returns what the snapshot has at an absolute path.
func (s *Snapshot) Entry(abs string) (Entry, bool) { return s.files.get(abs) }

// Entries iterates over all there is, by absolute path.
func (s *Snapshot) Entries() iter.Seq2[string, Entry] { return s.files.all() }

// FilesOf counts the files of a folder.
func (s *Snapshot) FilesOf(folder string) (n int) {
	for _, e := range s.files.all() {
		if e.File.Folder == folder {
			n++
		}
	}
	return n
}

// Files iterates over every file, in no particular order.
func (s *Snapshot) Files() iter.Seq[*File] {
	return func(yield func(*File) bool) {
		files := slices.Collect(s.Listed())
		inOrder(files)
		for _, f := range files {
			if !yield(f.Loaded()) {
				return
			}
		}
	}
}

// Listed is Files for those who look at the names of most files only: what is in a file is there after its Loaded was
// called.
func (s *Snapshot) Listed() iter.Seq[*File] {
	return func(yield func(*File) bool) {
		for _, e := range s.files.all() {
			if !yield(e.File) {
				return
			}
		}
	}
}

// File returns the file at an absolute path. Symbolic links on the way to it are followed.
func (s *Snapshot) File(abs string) (*File, bool) {
	if e, ok := s.files.get(abs); ok {
		return e.File.Loaded(), true
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil && real != abs {
		if e, ok := s.files.get(real); ok {
			return e.File.Loaded(), true
		}
	}
	return nil, false
}

// At returns the innermost chunk that holds the byte offset of the file at abs. The end of the last chunk counts as
// inside it, so that a cursor after the last character is somewhere.
func (s *Snapshot) At(abs string, offset int) (Ref, bool) {
	f, ok := s.File(abs)
	if !ok {
		return Ref{}, false
	}
	return f.At(offset)
}

// At returns the innermost chunk of f that holds the byte offset.
func (f *File) At(offset int) (Ref, bool) {
	best, size := -1, 0
	for i := range f.Loaded().Chunks {
		span := f.Chunks[i].Span
		if offset < span.Start || offset > span.End {
			continue
		}
		if n := span.End - span.Start; best < 0 || n <= size && (offset < span.End || n < size) {
			best, size = i, n
		}
	}
	return Ref{File: f, Index: best}, best >= 0
}

// ByID returns the chunk of an id made by Ref.ID.
func (s *Snapshot) ByID(id string) (Ref, bool) {
	rest, ok := strings.CutPrefix(id, "code:")
	if !ok {
		return Ref{}, false
	}
	for _, root := range s.roots() {
		// A path may hold colons: try every split, longest path first.
		for i := strings.LastIndexByte(rest, ':'); i >= 0; i = strings.LastIndexByte(rest[:i], ':') {
			e, ok := s.files.get(filepath.Join(root, filepath.FromSlash(rest[:i])))
			if !ok {
				continue
			}
			if ref, ok := e.File.ByID(id); ok {
				return ref, true
			}
		}
	}
	return Ref{}, false
}

// roots are the places that relative paths start from; open files outside every folder have absolute ones.
func (s *Snapshot) roots() []string { return append(s.folders[:len(s.folders):len(s.folders)], "/") }

// ByID returns the chunk of an id made by Ref.ID.
func (f *File) ByID(id string) (Ref, bool) {
	for i := range f.Loaded().Chunks {
		if f.Chunks[i].ID(f.Path) == id {
			return Ref{File: f, Index: i}, true
		}
	}
	return Ref{}, false
}

// Storage is how a snapshot lies in memory, for diagnosis.
type Storage struct {
	Parts  int
	Mapped bool // vectors lie in a mapped file
	Saved  int  // files that came from a saved snapshot
	Packed int  // of these, files whose chunks nobody has looked at yet
}

// Storage looks at every file and part.
func (s *Snapshot) Storage() Storage {
	is := Storage{Parts: len(s.parts)}
	for _, e := range s.files.all() {
		if k := e.File.packed; k != nil {
			is.Saved++
			if !k.loaded.Load() {
				is.Packed++
			}
		}
	}
	is.Mapped = slices.ContainsFunc(s.parts, func(p *Part) bool { return p.vec != nil && p.vec.Mapped() })
	return is
}
