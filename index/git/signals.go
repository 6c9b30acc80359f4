package git

import (
	"container/list"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// signalBytes bounds what is kept of committed files: a byte count over their blames. It is kept in memory, not on
// disk: a file's entry depends on nothing but its path and blob, Collect makes it again behind everything else, and so
// neither a format nor a second writer of the index's folder is needed.
const signalBytes = 48 << 20

// collectPause is how many times as long as a blame took the collector then rests: a quarter of one core is its share.
const collectPause = 3

// A signalKey names a committed version of a file.
type signalKey struct {
	rel, blob string
	shallow   bool // history ended early when it was read
}

// signals keeps the blames of committed versions of files, the least recently used leave first.
type signals struct {
	limit int // bytes

	mu      sync.Mutex
	entries map[signalKey]*list.Element // of *signal
	recent  *list.List                  // most recently used first
	bytes   int
	head    string // that Collect went through last
	gone    bool   // it went through at all

	companions map[string][]Companion // by the path of the file that they change with
	uses       *Uses                  // nil before they were read
}

type signal struct {
	key   signalKey
	blame *fileBlame
	bytes int
}

func newSignals(limit int) *signals {
	return &signals{limit: limit, entries: map[signalKey]*list.Element{}, recent: list.New()}
}

func (s *signals) get(key signalKey) *fileBlame {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.entries[key]
	if e == nil {
		return nil
	}
	s.recent.MoveToFront(e)
	return e.Value.(*signal).blame
}

// put keeps a blame and reports whether there was room without dropping another one.
func (s *signals) put(key signalKey, b *fileBlame) (room bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.entries[key] != nil {
		return true
	}
	size := 4*len(b.lines) + 200*len(b.commits) + len(key.rel) + 200
	s.entries[key] = s.recent.PushFront(&signal{key, b, size})
	s.bytes += size
	room = s.bytes <= s.limit
	for s.bytes > s.limit && s.recent.Len() > 0 {
		oldest := s.recent.Remove(s.recent.Back()).(*signal)
		delete(s.entries, oldest.key)
		s.bytes -= oldest.bytes
	}
	return room
}

// Collected returns how many committed versions of files have their history at hand.
func (r *Repo) Collected() int {
	r.signals.mu.Lock()
	defer r.signals.mu.Unlock()
	return len(r.signals.entries)
}

// Stale reports whether HEAD has moved since Collect last went through, or it never did. It costs a few system calls.
func (r *Repo) Stale(ctx context.Context) bool {
	head, err := r.Head(ctx)
	r.signals.mu.Lock()
	defer r.signals.mu.Unlock()
	return err == nil && (!r.signals.gone || r.signals.head != head.Commit)
}

// Collect reads which files usually change together, for UsuallyWith, and then the history of files as HEAD has them, one after
// the other and with pauses, and keeps it for History.
// paths tells which ones and in which order; files that HEAD does not have, and versions that are known, cost nothing.
// It ends early with ctx, or when there is no room for more. Stale is false afterwards, unless ctx ended it.
func (r *Repo) Collect(ctx context.Context, paths []string) error {
	head, err := r.Head(ctx)
	if err != nil {
		return err
	}
	if err = collectCompanions(ctx, r, head); err == nil {
		err = r.collectAll(ctx, head, paths)
	}
	if ctx.Err() == nil {
		r.signals.mu.Lock()
		r.signals.head, r.signals.gone = head.Commit, true
		r.signals.mu.Unlock()
	}
	return err
}

func (r *Repo) collectAll(ctx context.Context, head Head, paths []string) error {
	if head.Unborn() {
		return nil
	}
	blobs, err := r.blobs(ctx, head.Commit)
	if err != nil {
		return err
	}
	for _, rel := range paths {
		blob, tracked := blobs[rel]
		if !tracked {
			continue
		}
		if room, err := r.collect(ctx, head, rel, blob); err != nil || !room {
			return err
		}
	}
	return nil
}

// collect reads the history of one file. A file that git can't blame, such as a binary one, is left out.
func (r *Repo) collect(ctx context.Context, head Head, rel, blob string) (room bool, err error) {
	key := signalKey{rel, blob, r.Shallow()}
	if r.signals.get(key) != nil {
		return true, ctx.Err()
	}
	start := time.Now()
	out, err := r.run(ctx, nil, "blame", "--porcelain", "--no-textconv", head.Commit, "--", rel)
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	room = true
	if err == nil {
		b, err := parseBlame(out)
		if err != nil {
			return false, err
		}
		b.state = Tracked
		room = r.signals.put(key, b)
	} else if failed := new(CommandError); !errors.As(err, &failed) {
		return false, err
	}
	select {
	case <-time.After(collectPause * time.Since(start)):
		return room, nil
	case <-ctx.Done():
		return false, ctx.Err()
	}
}

// blobs lists what a commit holds below the folder: object names by path. Submodules are no blobs.
func (r *Repo) blobs(ctx context.Context, commit string) (map[string]string, error) {
	out, err := r.run(ctx, nil, "ls-tree", "-r", "-z", commit)
	if err != nil {
		return nil, fmt.Errorf("list the files of HEAD: %w", err)
	}
	blobs := map[string]string{}
	for _, record := range fields(out) { // "<mode> blob <object>\t<path>"
		facts, path, ok := strings.Cut(record, "\t")
		parts := strings.Fields(facts)
		if ok && len(parts) == 3 && parts[1] == "blob" {
			blobs[path] = parts[2]
		}
	}
	return blobs, nil
}

// collected returns the kept blame of a text if that is a committed version of the file; nil when it is not, or is not
// known. On disk the text of the file counts.
func (r *Repo) collected(head Head, rel string, text []byte, buffer bool) *fileBlame {
	if r.Collected() == 0 || head.Unborn() {
		return nil
	}
	if !buffer {
		data, err := os.ReadFile(filepath.Join(r.dir, filepath.FromSlash(rel)))
		if err != nil {
			return nil
		}
		text = data
	}
	return r.signals.get(signalKey{rel, blobName(text, len(head.Commit)), r.Shallow()})
}

// blobName is git's name for a text; size is the length of names in the repository, 40 or 64.
func blobName(text []byte, size int) string {
	header := fmt.Appendf(nil, "blob %d\x00", len(text))
	if size == 2*sha256.Size {
		h := sha256.New()
		h.Write(header)
		h.Write(text)
		return hex.EncodeToString(h.Sum(nil))
	}
	h := sha1.New()
	h.Write(header)
	h.Write(text)
	return hex.EncodeToString(h.Sum(nil))
}
