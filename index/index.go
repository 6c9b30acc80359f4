package index

import (
	"context"
	"log/slog"
	"time"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/embed"
	"github.com/aurora-sidecar/aurora/index/lexical"
	"github.com/aurora-sidecar/aurora/internal/scrub"
)

// Options says where an Index looks and where it keeps what it derived.
type Options struct {
	Folders  []string      // absolute paths of the workspace folders; may be empty
	StoreDir string        // folder of the disposable store; "" keeps everything in memory
	Log      *slog.Logger  // nil discards
	Workers  int           // parallel readers and parsers; 0 means one per core
	Debounce time.Duration // how long file events are gathered; 0 means 100 ms
	// PollEvery is how often folders that can't be watched are listed, at most; 0 means 30 s.
	PollEvery time.Duration
	NoWatch   bool // do not follow file events (one-shot CLI runs)
	// Embedder makes the vectors of chunks and of queries; nil means that there are none.
	Embedder *embed.Static
	// BatchFiles is how many files are published at once at most; 0 means 2000.
	BatchFiles int
	// CacheBytes bounds the cache of parsed texts that all workspaces share; 0 means DefaultCacheBytes.
	CacheBytes int64
	// Rules says what of a workspace folder (canonical path; "" is what lies in none) is indexed; nil means the
	// defaults. It may be called by several goroutines.
	Rules func(folder string) Rules
}

// State is the life of an Index as a person sees it.
type State string

// The states.
const (
	Starting State = "starting" // nothing scanned yet
	Indexing State = "indexing" // a partial picture answers
	Ready    State = "ready"
	Degraded State = "degraded" // answers, but something is missing; Status.Warnings says what
)

// A Status is a moment's account of the index.
type Status struct {
	State       State
	Folders     []FolderStatus
	Indexed     int // files in the present snapshot
	Total       int // files that the scan found
	Failed      int // files that could not be read or parsed at all
	Chunks      int
	SizeBytes   int64 // of the store on disk
	LastIndexed time.Time
	Snapshot    uint64
	Pending     []string // paths whose newest text is not in the snapshot yet
	Watcher     string   // "fsnotify", "polling", "off"
	Writer      string   // "this", "other": whose changes reach the store
	Languages   map[string]int
	Jobs        []string // ids of the rebuilds that run
	Embedder    string   // the model whose vectors there are, "" without one
	Warnings    []string
}

// A FolderStatus is what became of one workspace folder.
type FolderStatus struct {
	Path    string
	Files   int
	Refused string // why the folder is not indexed, "" when it is
}

// A File is one file as a snapshot knows it. It is immutable.
type File struct {
	Folder  string // absolute, canonical path of the workspace folder
	Path    string // relative to Folder, with '/'
	Abs     string // absolute path
	Hash    [32]byte
	Size    int64
	ModTime time.Time
	Overlay bool  // the text is an unsaved buffer, not the file on disk
	Version int32 // of the buffer, when Overlay
	*chunk.File
	kept    *keptFile  // where the chunks are until Loaded; nil when they are at hand
	text    []byte     // of an overlay
	secrets *scrub.Set // without which its words were made
	cut     string     // chunk.Rules.Tag of its language when it was cut
}

// A Ref names one chunk of one snapshot.
type Ref struct {
	File  *File
	Index int // into File.Chunks
}

// Chunk returns the chunk.
func (r Ref) Chunk() *chunk.Chunk { return &r.File.Chunks[r.Index] }

// ID returns the chunk's identity, see chunk.Chunk.ID.
func (r Ref) ID() string { return r.Chunk().ID(r.File.Path) }

// A Hit is a chunk that the lexical lane proposes.
type Hit struct {
	Ref
	BM25    float64  // raw Okapi score, >= 0; 0 for one that is near
	Cosine  float64  // of the query's vector and the chunk's, -1..1; 0 for a hit of Search
	Matched []string // the query's tokens that occur in the chunk
}

// A Found is the answer of the lexical lane.
type Found struct {
	Hits  []Hit
	Total int                // matches before the cut
	IDF   map[string]float64 // how rare each term of the query is, see lexical.Found
	// Unknown are the terms that no chunk holds.
	Unknown []string
}

// A Query asks the lexical lane.
type Query struct {
	Text   string
	Terms  []lexical.QueryTerm // nil means the tokens of Text
	Limit  int                 // most hits; 0 means 100
	Accept func(*File) bool    // nil accepts every file; applied before the cut. It must not look at what is in the file.
	Chunk  func(Ref) bool      // nil accepts every chunk; applied before the cut
	Params lexical.Params      // the zero value means lexical.DefaultParams
}

// A JobInfo tells of a refresh.
type JobInfo struct {
	ID     string
	Queued int // files
}

// API is what the rest of AURORA uses of an Index; *Index implements it.
type API interface {
	// Snapshot returns the present snapshot. It is immutable and may be kept as long as it is needed.
	Snapshot() *Snapshot
	// Open and Change put an unsaved buffer over the file at the absolute path. Edits may be nil; when given,
	// applying them in order to the previous text yields text. Both return before the buffer is indexed, but a
	// Snapshot taken afterwards names the path in Pending until it is.
	Open(path, languageID string, version int32, text []byte)
	Change(path string, version int32, text []byte, edits []Edit)
	// Close drops the overlay: the file on disk counts again.
	Close(path string)
	// Saved tells that the file at path was just written by the editor.
	Saved(path string)
	// Flush waits until everything asked for so far is in the snapshot.
	Flush(ctx context.Context) error
	// WaitReady waits until the first scan of every folder has ended.
	WaitReady(ctx context.Context) error
	AddFolder(path string)
	RemoveFolder(path string)
	// Refresh re-reads files or folders (absolute paths; none means everything). force re-parses unchanged ones.
	Refresh(ctx context.Context, paths []string, force bool) (JobInfo, error)
	// Explain says whether a file is indexed and, when not, by which rule.
	Explain(path string) Verdict
	Status() Status
	// OnProgress registers f; it is called from the index's own goroutine and must not block.
	OnProgress(f func(Progress))
	// OnChange registers f; it is called from the index's own goroutine after the state, or the number of files, chunks
	// or failures has changed, and must not block.
	OnChange(f func())
	// OnMove registers f; it is told of files that went on under another path, from the index's own goroutine, and
	// must not block.
	OnMove(f func([]Move))
	// Shutdown stops every goroutine and closes the store.
	Shutdown() error
}

// An Edit replaces the bytes [Start, OldEnd) of the text before it by New.
type Edit struct {
	Start, OldEnd int
	New           []byte
}

// A Verdict says why a file is in the index or why it is not.
type Verdict struct {
	Indexed bool
	Rule    string // "git: *.log in .gitignore:3", "larger than 5 MiB", "outside the workspace folders", ...
}
