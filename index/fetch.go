package index

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/git"
	"github.com/aurora-sidecar/aurora/index/remotecache"
	"github.com/aurora-sidecar/aurora/index/snapshot"
	"github.com/aurora-sidecar/aurora/index/store"
	"github.com/aurora-sidecar/aurora/index/syntax"
	"github.com/aurora-sidecar/aurora/index/vfs"
	"github.com/aurora-sidecar/aurora/internal/atomicfile"
	"github.com/aurora-sidecar/aurora/internal/scrub"
)

// What a team shares: a pack for the tree of a commit, which a first scan begins with, and entries for single files.
const (
	// packCommits is how many commits back a pack is looked for.
	packCommits = 50

	// leastShared is the size in bytes of a text from which on its chunks are an entry of their own.
	leastShared = 8 << 10

	fetchedName = "shared-cache.json" // beside the saved snapshot: what came of it last
)

// packKey names the pack of a folder's tree.
func packKey(tree string) remotecache.Key {
	return remotecache.NewKey("pack", strconv.Itoa(snapshot.PackVersion), strconv.Itoa(chunk.Version), tree)
}

// entryKey names the chunks of a text.
func entryKey(key store.Key) remotecache.Key { return remotecache.NewKey("chunks", string(key[:])) }

// A Fetched says what came of a shared cache when a folder was indexed for the first time.
type Fetched struct {
	Time    time.Time `json:"time"`
	Detail  string    `json:"detail"`
	Problem bool      `json:"problem,omitempty"`
}

// fetch begins with the pack that the shared cache has for HEAD, or for a commit before it. Each file counts only when it is
// on disk with the hash that the pack names, and has no secrets. It returns how many do.
func (sc *scanner) fetch(f *folder) (files int) {
	c := sc.x.opts.Remote
	if c == nil {
		return 0
	}
	detail, files, err := sc.takePack(f, c)
	switch {
	case f.ctx.Err() != nil:
		return files
	case errors.Is(err, git.ErrNotRepo), errors.Is(err, git.ErrNoGit), errors.Is(err, git.ErrUntrusted):
		return files
	case errors.Is(err, remotecache.ErrNone):
		detail = fmt.Sprintf("no pack for the last %d commits", packCommits)
	case err != nil:
		detail = "not used: " + remotecache.Explain(err)
	}
	sc.x.log.Info("shared cache", "folder", f.path, "outcome", detail)
	sc.noteFetched(f, Fetched{time.Now().UTC(), detail, err != nil && !errors.Is(err, remotecache.ErrNone)})
	return files
}

func (sc *scanner) takePack(f *folder, c *remotecache.Cache) (detail string, files int, err error) {
	if err := c.Err(); err != nil {
		return "", 0, err
	}
	trees, err := treesOf(f)
	if err != nil {
		return "", 0, err
	}
	keys := make([]remotecache.Key, len(trees))
	for i, t := range trees {
		keys[i] = packKey(t.Tree)
	}
	start := time.Now()
	at, found, err := c.FindPack(f.ctx, keys)
	if err != nil {
		return "", 0, err
	}
	data, err := c.LoadPack(f.ctx, found)
	if err != nil {
		return "", 0, err
	}
	took := time.Since(start)
	pack, err := snapshot.OpenPack(data)
	if err != nil {
		return "", 0, err
	}
	data = nil
	files = sc.take(f, pack)
	return fmt.Sprintf("%d of %d files from the pack of commit %.10s, %.1f MB in %.1f s", files, len(pack.Files), trees[at].Commit,
		float64(found.Size())/1e6, took.Seconds()), files, nil
}

func treesOf(f *folder) ([]git.Tree, error) {
	repo, err := git.Open(f.ctx, f.path)
	if err != nil {
		return nil, err
	}
	defer repo.Close()
	return git.Trees(f.ctx, repo, packCommits)
}

// take puts the files of a pack that are on disk as it has them into the present snapshot.
func (sc *scanner) take(f *folder, pack *snapshot.Pack) int {
	listed := sc.peekListing(f)
	if listed.err != nil {
		return 0 // the scan tells
	}
	entries := make(map[string]vfs.Entry, len(listed.entries))
	for _, e := range listed.entries {
		entries[e.Path] = e
	}
	sc.x.mu.Lock()
	secrets, filter := f.secrets, f.filter
	sc.x.mu.Unlock()
	look := func(p snapshot.PackedFile) (*File, []byte, bool) {
		e, ok := entries[p.Path] // a path that the scan did not find leads nowhere
		if !ok {
			return nil, nil, false
		}
		content, err := filter.Read(e.Abs)
		if err != nil || content.Hash != p.Hash || content.Minified || hasSecrets(secrets, content.Text) {
			return nil, nil, false
		}
		return &File{
			Folder: f.path, Path: e.Path, Abs: e.Abs, Hash: content.Hash, Size: content.Size, ModTime: content.ModTime, Node: content.Node, Secrets: secrets,
		}, content.Text, true
	}
	accept := func(file *File, text []byte) bool {
		return file.Language == languageName(syntax.Detect(file.Abs, text))
	}
	taken, part := pack.Take(f.ctx, sc.x.opts.Embedder, sc.x.opts.Workers, look, accept)
	if len(taken) == 0 {
		return 0
	}
	b := &batch{loaded: true, part: part, built: make([]built, len(taken))}
	rows := store.Batch{}
	for i, t := range taken {
		b.built[i] = built{file: t.File, first: t.First}
		rows.Upserts = append(rows.Upserts, row(t.File))
	}
	sc.x.mu.Lock()
	f.unsaved += resave
	sc.x.mu.Unlock()
	sc.x.writer.apply(b)
	sc.x.writer.store(f, rows)
	return len(taken)
}

func hasSecrets(set *scrub.Set, text []byte) bool {
	_, found := set.Blank(text)
	return len(found) > 0
}

// peekListing returns what there is in the folder. What was listed early stays for the scan.
func (sc *scanner) peekListing(f *folder) listing {
	if f.early == nil {
		return list(f, f.filter)
	}
	l := <-f.early
	again := make(chan listing, 1)
	again <- l
	f.early = again
	return l
}

// noteFetched keeps what came of the shared cache for Status, of later processes, too.
func (sc *scanner) noteFetched(f *folder, note Fetched) {
	sc.x.mu.Lock()
	f.fetched = note
	sc.x.mu.Unlock()
	if f.dir == "" || !f.store.Writer() {
		return
	}
	data, err := json.Marshal(note)
	if err == nil {
		err = atomicfile.Write(filepath.Join(f.dir, fetchedName), data, atomicfile.Private)
	}
	if err != nil {
		sc.x.log.Debug("outcome of the shared cache not noted", "folder", f.path, "err", err)
	}
}

// loadFetched reads what came of the shared cache in an earlier process.
func (f *folder) loadFetched() {
	data, err := os.ReadFile(filepath.Join(f.dir, fetchedName))
	if err == nil {
		_ = json.Unmarshal(data, &f.fetched) // what can't be read is as good as none
	}
}

// sharedCache tells what came of the shared cache: of the first folder that has something to tell, or why it is left alone
// now. It is the zero Fetched without one.
func (fs *folderSet) sharedCache() Fetched {
	x := fs.x
	if x.opts.Remote == nil {
		return Fetched{}
	}
	if at, err := x.opts.Remote.Failed(); err != nil {
		return Fetched{at.UTC(), "not used: " + remotecache.Explain(err), true}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, f := range x.folders.all {
		if f.fetched.Detail != "" {
			return f.fetched
		}
	}
	return Fetched{}
}

// sharedChunks returns the chunks of a text from the shared cache, and how they are encoded; nil when it does not have them, or
// when they are likely to be made in less time than they take to come.
func (q *taskQueue) sharedChunks(t *task, lang *syntax.Language, content vfs.Content, key store.Key) (f *chunk.File, blob []byte) {
	c := q.x.opts.Remote
	if c == nil || lang == nil || len(content.Text) < leastShared || content.Minified || !c.Worth(parseTime(len(content.Text))) {
		return nil, nil
	}
	packed, err := c.Load(t.folder.ctx, entryKey(key))
	if err != nil {
		if !errors.Is(err, remotecache.ErrNone) {
			q.x.log.Debug("shared cache", "path", t.abs, "err", err)
		}
		return nil, nil
	}
	if blob, err = store.UnpackWithin(packed, maxSharedChunks); err == nil {
		f, err = chunk.Decode(blob)
	}
	if err != nil || f.Language != lang.Name || !snapshot.Fits(f, len(content.Text)) {
		return nil, nil
	}
	return f, blob
}

const (
	// maxSharedChunks bounds what an entry may become, in bytes.
	maxSharedChunks = 16 << 20

	// parseRate is how many bytes of text are cut into chunks in a second of one processor.
	parseRate = 4 << 20
)

func parseTime(size int) time.Duration { return time.Duration(size) * time.Second / parseRate }
