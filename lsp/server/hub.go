package server

import (
	"log/slog"
	"sync"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/vfs"
	"github.com/aurora-sidecar/aurora/internal/api"
)

// DefaultHoverBudget is how long a hover may take before the answer is null. Its work takes some milliseconds; a machine that
// is busy with a build lets it wait, and what a person has remembered must not be lost to that.
const DefaultHoverBudget = 300 * time.Millisecond

// Options are what all connections share.
type Options struct {
	Engine      *engine.Engine // over an index without folders: clients name theirs
	Operations  *api.Registry  // those that are open to clients; nil means api.Standard
	Log         *slog.Logger   // nil discards
	StateDir    string         // folder for texts that are shown as documents; "" when none may be written
	Version     string         // told to clients
	HoverBudget time.Duration  // 0 means DefaultHoverBudget
	// Configure makes settings of a client count for all connections, nested like config.json; nil are those of before,
	// read again. The error says what is wrong with them. nil takes none.
	Configure func(client map[string]any) error
	// Features are those that the settings files switch on; nil are DefaultFeatures. It is asked for each request.
	Features   func() Features
	NoProgress bool // do not show the progress of indexing
}

// A Hub joins the connections to one engine: which folders and documents they have open, and who hears of the
// index's progress.
type Hub struct {
	opts Options
	log  *slog.Logger

	mu      sync.Mutex
	folders map[string]map[*peer]bool          // indexed folders, by their canonical paths, with the connections that have them open
	openers map[string]map[*openDocuments]bool // connections that have a document open, by its canonical path
	owners  map[string]*openDocuments          // whose text of a document the index has, by its canonical path

	configMu sync.Mutex // held while settings are applied

	audience audience
}

// An audience are the clients that hear of what changes. It has a lock of its own, which nobody holds while calling the
// index: the index's goroutines wait for it.
type audience struct {
	mu       sync.Mutex
	peers    map[*peer]bool // the clients that are connected
	progress index.Progress // the latest
}

// NewHub returns a Hub without connections. It follows the engine's index from now on.
func NewHub(opts Options) *Hub {
	if opts.HoverBudget == 0 {
		opts.HoverBudget = DefaultHoverBudget
	}
	if opts.Operations == nil {
		opts.Operations = api.Standard
	}
	h := &Hub{
		opts: opts, log: opts.Log,
		folders: map[string]map[*peer]bool{}, openers: map[string]map[*openDocuments]bool{}, owners: map[string]*openDocuments{},
		audience: audience{peers: map[*peer]bool{}, progress: index.Progress{Finished: true}},
	}
	if h.log == nil {
		h.log = slog.New(slog.DiscardHandler)
	}
	opts.Engine.Index().OnProgress(h.onProgress)
	opts.Engine.Index().OnChange(h.onChange)
	return h
}

// onProgress runs on the index's goroutine.
func (h *Hub) onProgress(p index.Progress) { h.audience.tell(&p) }

// onChange tells every editor that something of all has changed: the index (on whose goroutine it runs then) or memory.
func (h *Hub) onChange() { h.audience.tell(nil) }

func (h *Hub) indexProgress() index.Progress {
	h.audience.mu.Lock()
	defer h.audience.mu.Unlock()
	return h.audience.progress
}

func (h *Hub) join(p *peer) {
	h.audience.mu.Lock()
	defer h.audience.mu.Unlock()
	h.audience.peers[p] = true
}

// tell signals every client; p is the new progress, nil when it is the same.
func (a *audience) tell(p *index.Progress) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if p != nil {
		a.progress = *p
	}
	for client := range a.peers {
		client.news.Signal()
	}
}

// remove forgets a client and returns how many are left.
func (a *audience) remove(p *peer) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.peers, p)
	return len(a.peers)
}

// leave forgets a connection. Folders that only it had open are dropped, but those of the last connection stay
// indexed: editors restart.
func (h *Hub) leave(p *peer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	left := h.audience.remove(p)
	for _, holders := range h.folders {
		delete(holders, p)
	}
	if left > 0 {
		h.dropFoldersLocked()
	}
}

// takeFolders adds the folders of a connection that begins, and drops those that an earlier one left behind.
func (h *Hub) takeFolders(p *peer, paths []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, path := range paths {
		h.addFolderLocked(p, path)
	}
	h.dropFoldersLocked()
}

func (h *Hub) addFolder(p *peer, path string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.addFolderLocked(p, path)
}

func (h *Hub) addFolderLocked(p *peer, path string) {
	path = vfs.Canonical(path)
	if h.folders[path] == nil {
		h.folders[path] = map[*peer]bool{}
	}
	h.folders[path][p] = true
	h.opts.Engine.Index().AddFolder(path)
}

// removeFolder drops a folder when no other connection has it open.
func (h *Hub) removeFolder(p *peer, path string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.folders[vfs.Canonical(path)], p)
	h.dropFoldersLocked()
}

// dropFoldersLocked drops the folders that no connection has open.
func (h *Hub) dropFoldersLocked() {
	for path, holders := range h.folders {
		if len(holders) == 0 {
			delete(h.folders, path)
			h.opts.Engine.Index().RemoveFolder(path)
		}
	}
}

func (h *Hub) opened(d *openDocuments, doc *document) {
	h.mu.Lock()
	defer h.mu.Unlock()
	abs := vfs.Canonical(doc.path)
	if h.openers[abs] == nil {
		h.openers[abs] = map[*openDocuments]bool{}
	}
	h.openers[abs][d] = true
	h.putLocked(d, abs, doc)
}

// putLocked makes the text of one connection the one that the index has, and that others find.
func (h *Hub) putLocked(d *openDocuments, abs string, doc *document) {
	h.owners[abs] = d
	h.opts.Engine.Index().Open(doc.path, doc.language, doc.version, doc.text)
}

// changed hands a new text on. Where connections have different texts of one document the index has that with the newest
// edit; edits that lead from the text of one are not told of the text of another.
func (h *Hub) changed(d *openDocuments, doc *document, edits []index.Edit) {
	h.mu.Lock()
	defer h.mu.Unlock()
	abs := vfs.Canonical(doc.path)
	if h.owners[abs] != d {
		h.putLocked(d, abs, doc)
		return
	}
	h.opts.Engine.Index().Change(doc.path, doc.version, doc.text, edits)
}

// ownerOf is the connection whose text of a document the index has, nil for a document that nobody has open.
func (h *Hub) ownerOf(abs string) *openDocuments {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.owners[abs]
}

// closed drops the overlay of a document, or puts that of another connection in its place.
func (h *Hub) closed(d *openDocuments, path string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	abs := vfs.Canonical(path)
	delete(h.openers[abs], d)
	if len(h.openers[abs]) > 0 && h.owners[abs] != d {
		return
	}
	for other := range h.openers[abs] {
		if doc := other.docs.at(abs); doc != nil {
			h.putLocked(other, abs, doc)
			return
		}
	}
	delete(h.openers, abs)
	delete(h.owners, abs)
	h.opts.Engine.Index().Close(path)
}
