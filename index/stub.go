package index

import (
	"context"
	"errors"
	"iter"
)

var errStub = errors.New("index: being written")

// An Index follows a workspace.
type Index struct{}

// Open starts following opts.Folders. It returns at once; scanning runs behind it.
func Open(ctx context.Context, opts Options) (*Index, error) { return nil, errStub }

func (x *Index) Snapshot() *Snapshot                                          { return nil }
func (x *Index) Open(path, languageID string, version int32, text []byte)     {}
func (x *Index) Change(path string, version int32, text []byte, edits []Edit) {}
func (x *Index) Close(path string)                                            {}
func (x *Index) Saved(path string)                                            {}
func (x *Index) Flush(ctx context.Context) error                              { return errStub }
func (x *Index) WaitReady(ctx context.Context) error                          { return errStub }
func (x *Index) AddFolder(path string)                                        {}
func (x *Index) RemoveFolder(path string)                                     {}
func (x *Index) Refresh(ctx context.Context, paths []string, force bool) (JobInfo, error) {
	return JobInfo{}, errStub
}
func (x *Index) Explain(path string) Verdict { return Verdict{} }
func (x *Index) Status() Status              { return Status{} }
func (x *Index) OnProgress(f func(Progress)) {}
func (x *Index) Shutdown() error             { return nil }

// Read returns the present text of the file of r, and r as it is in that text: when the file changed since the
// snapshot was taken, the file is parsed anew and the chunk of the same identity is returned. ok is false when the
// file or the chunk is gone. The returned File has the present Version, Hash and Overlay.
func (x *Index) Read(r Ref) (text []byte, fresh Ref, ok bool) { return nil, r, false }

// Text returns the present text at an absolute path: the open buffer, else the file on disk. It works for files
// outside the workspace folders only when they are open.
func (x *Index) Text(path string) ([]byte, error) { return nil, errStub }

// Folders returns the absolute, canonical paths of the workspace folders that are indexed.
func (x *Index) Folders() []string { return nil }

// A Snapshot is the workspace at one moment. It never changes.
type Snapshot struct{}

// Number grows with every published snapshot.
func (s *Snapshot) Number() uint64 { return 0 }

// State tells whether the snapshot is the whole workspace.
func (s *Snapshot) State() State { return Starting }

// Counts returns the number of files and of chunks.
func (s *Snapshot) Counts() (files, chunks int) { return 0, 0 }

// Pending lists the relative paths whose newest text is not in the snapshot yet.
func (s *Snapshot) Pending() []string { return nil }

// Files iterates over every file, in no particular order.
func (s *Snapshot) Files() iter.Seq[*File] { return nil }

// File returns the file at an absolute path.
func (s *Snapshot) File(abs string) (*File, bool) { return nil, false }

// Search is the lexical lane: the best chunks by BM25, best first, and how many matched before the cut.
func (s *Snapshot) Search(q Query) (hits []Hit, total int) { return nil, 0 }

// Named returns the chunks with exactly this name (or qualified name "Container.Name"); with fold, in any letter
// case.
func (s *Snapshot) Named(name string, fold bool) []Ref { return nil }

// Callers returns the chunks that call something of this name, at most limit.
func (s *Snapshot) Callers(name string, limit int) []Ref { return nil }

// At returns the innermost chunk that holds the byte offset of the file at abs.
func (s *Snapshot) At(abs string, offset int) (Ref, bool) { return Ref{}, false }

// ByID returns the chunk of an id made by Ref.ID.
func (s *Snapshot) ByID(id string) (Ref, bool) { return Ref{}, false }

// Suggest returns names of the workspace close to word: prefixes, abbreviations and typing errors, best first.
func (s *Snapshot) Suggest(word string, limit int) []string { return nil }
