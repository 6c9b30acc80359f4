package server

import (
	"log/slog"
	"sync"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/index"
)

// DefaultHoverBudget is how long a hover may take before the answer is null.
const DefaultHoverBudget = 20 * time.Millisecond

// Options are what all connections share.
type Options struct {
	Engine      *engine.Engine
	Log         *slog.Logger  // nil discards
	StateDir    string        // folder for texts that are shown as documents; "" when none may be written
	Version     string        // told to clients
	HoverBudget time.Duration // 0 means DefaultHoverBudget
}

// A Hub joins the connections to one engine: which folders and documents they have open, and who hears of the
// index's progress.
type Hub struct {
	opts Options
	log  *slog.Logger

	mu       sync.Mutex
	sessions map[*session]bool
	folders  map[string]int               // connections that have a folder open
	openers  map[string]map[*session]bool // connections that have a document open
	progress index.Progress               // the latest
}

// NewHub returns a Hub without connections. It follows the engine's index from now on.
func NewHub(opts Options) *Hub {
	if opts.HoverBudget == 0 {
		opts.HoverBudget = DefaultHoverBudget
	}
	h := &Hub{
		opts: opts, log: opts.Log,
		sessions: map[*session]bool{}, folders: map[string]int{}, openers: map[string]map[*session]bool{},
		progress: index.Progress{Finished: true},
	}
	if h.log == nil {
		h.log = slog.New(slog.DiscardHandler)
	}
	opts.Engine.Index().OnProgress(h.onProgress)
	return h
}

// onProgress runs on the index's goroutine.
func (h *Hub) onProgress(p index.Progress) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.progress = p
	for s := range h.sessions {
		s.news.Signal()
	}
}

func (h *Hub) indexProgress() index.Progress {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.progress
}

func (h *Hub) join(s *session) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.sessions[s] = true
}

// leave forgets a connection. Its folders stay indexed: editors restart.
func (h *Hub) leave(s *session, folders []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.sessions, s)
	for _, folder := range folders {
		h.folders[folder]--
	}
}

func (h *Hub) addFolder(path string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.folders[path]++
	h.opts.Engine.Index().AddFolder(path)
}

// removeFolder drops a folder that no connection has open any more.
func (h *Hub) removeFolder(path string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.folders[path]--; h.folders[path] <= 0 {
		delete(h.folders, path)
		h.opts.Engine.Index().RemoveFolder(path)
	}
}

func (h *Hub) opened(s *session, doc *document) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.openers[doc.path] == nil {
		h.openers[doc.path] = map[*session]bool{}
	}
	h.openers[doc.path][s] = true
	h.opts.Engine.Index().Open(doc.path, doc.language, doc.version, doc.text)
}

// closed drops the overlay of a document, or puts that of another connection in its place.
func (h *Hub) closed(s *session, path string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.openers[path], s)
	for other := range h.openers[path] {
		if doc := other.docs.get(path); doc != nil {
			h.opts.Engine.Index().Open(doc.path, doc.language, doc.version, doc.text)
			return
		}
	}
	delete(h.openers, path)
	h.opts.Engine.Index().Close(path)
}
