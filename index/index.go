package index

import (
	"log/slog"
	"time"

	"github.com/aurora-sidecar/aurora/index/embed"
	"github.com/aurora-sidecar/aurora/index/moves"
	"github.com/aurora-sidecar/aurora/index/parser"
	"github.com/aurora-sidecar/aurora/index/remotecache"
	"github.com/aurora-sidecar/aurora/index/snapshot"
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
	// Remote is the cache that a team shares; nil for none.
	Remote *remotecache.Cache
	// Parser cuts files and buffers into chunks; nil means parser.Local.
	Parser parser.Parser
}

// What a snapshot shows is defined in package snapshot.
type (
	Snapshot  = snapshot.Snapshot
	State     = snapshot.State
	File      = snapshot.File
	Ref       = snapshot.Ref
	SymbolRef = snapshot.SymbolRef
	Query     = snapshot.Query
	Hit       = snapshot.Hit
	Found     = snapshot.Found
	Direction = snapshot.Direction
	Links     = snapshot.Links
	Move      = moves.Move
)

// MeanCosine is snapshot.MeanCosine.
func MeanCosine(file *File, of func(chunk int) float64) float64 { return snapshot.MeanCosine(file, of) }

// The states of an index.
const (
	Starting = snapshot.Starting
	Indexing = snapshot.Indexing
	Ready    = snapshot.Ready
	Degraded = snapshot.Degraded
)

// A Status is a moment's account of the index.
type Status struct {
	State   State
	Folders []FolderStatus
	Counts
	SizeBytes   int64 // of the store on disk
	LastIndexed time.Time
	Snapshot    uint64
	Pending     []string // paths whose newest text is not in the snapshot yet
	Watcher     string   // "fsnotify", "polling", "off"
	Writer      string   // "this", "other": whose changes reach the store
	Languages   map[string]int
	Jobs        []string // ids of the rebuilds that run
	Embedder    string   // the model whose vectors there are, "" without one
	SharedCache Fetched  // what came of the cache of the team, zero without one
	Warnings    []string
}

// Counts are the files and chunks of an index.
type Counts struct {
	Indexed int // files in the present snapshot
	Total   int // files that the scan found
	Failed  int // files that could not be read or parsed at all
	Chunks  int
}

// A FolderStatus is what became of one workspace folder.
type FolderStatus struct {
	Path    string
	Files   int
	Refused string // why the folder is not indexed, "" when it is
}

// A JobInfo tells of a refresh.
type JobInfo struct {
	ID     string
	Queued int // files
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
