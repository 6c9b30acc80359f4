package moves

import (
	"path/filepath"
	"slices"
	"time"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/snapshot"
)

// A Move tells that a file went on under another path: by a rename, by git mv, or by a copy whose original was then
// deleted. Ids of chunks hold the path, so whatever is kept under an id must follow.
type Move struct {
	Folder   string // of To, absolute
	From, To string // relative paths
	IDs      map[string]string
}

const (
	moveWait  = 10 * time.Minute // between the end of one file and the appearance of the other, either first
	maxMoving = 5000             // files that are remembered for that long
	// A file that has no other of exactly its text is compared with the latest ones, all in all so many in one step.
	maxSimilarTo = 100
	maxCompare   = 2000
	// minSimilarity is the share of chunks that a file which was moved and edited must have kept. git takes half, too.
	minSimilarity = 0.5
)

// A Tracker finds moves among the files that come and go. It is for one goroutine.
type Tracker struct {
	gone, come candidates
	found      []Move
	compared   int // files, since Take
}

// Left notes that a file is no longer at its path.
func (m *Tracker) Left(f *snapshot.File, now time.Time) {
	m.come.expire(now)
	m.come.forget(f.Abs)
	if !followed(f) {
		return
	}
	if p := m.match(&m.come, f); p != nil {
		m.add(f, p.file)
		m.come.forget(p.file.Abs)
		return
	}
	m.gone.remember(f, now)
}

// Came notes that a file is at a path that had none.
func (m *Tracker) Came(f *snapshot.File, now time.Time) {
	m.gone.expire(now)
	m.gone.forget(f.Abs)
	if !followed(f) {
		return
	}
	if p := m.match(&m.gone, f); p != nil {
		m.add(p.file, f)
		m.gone.forget(p.file.Abs)
		return
	}
	m.come.remember(f, now)
}

// Take returns the moves that were found since it was called last.
func (m *Tracker) Take(now time.Time) []Move {
	found := m.found
	m.found, m.compared = nil, 0
	m.gone.expire(now)
	m.come.expire(now)
	return found
}

func (m *Tracker) add(from, to *snapshot.File) {
	if ids := followers(from, to); len(ids) > 0 {
		m.found = append(m.found, Move{Folder: to.Folder, From: from.Path, To: to.Path, IDs: ids})
	}
}

// followed reports whether a file has anything that an id could be followed by: not just a text without structure.
func followed(f *snapshot.File) bool {
	return slices.ContainsFunc(f.Chunks, func(c chunk.Chunk) bool { return c.Name != "" })
}

// match returns the file that f was or became: one with exactly its text, of the same name if there are several, else
// the most similar one of the latest; nil for none.
func (m *Tracker) match(among *candidates, f *snapshot.File) *candidate {
	var best *candidate
	for _, p := range among.byHash[f.Hash] {
		sameName := filepath.Base(p.file.Path) == filepath.Base(f.Path)
		if p.file.Language == f.Language && (best == nil || sameName) {
			best = p
		}
	}
	if best != nil {
		return best
	}
	similarity, chunks := minSimilarity, namedChunks(f)
	for _, p := range among.latest() {
		larger, smaller := max(len(p.file.Chunks), len(f.Chunks)), min(len(p.file.Chunks), len(f.Chunks))
		if p.file.Language != f.Language || smaller*2 < larger || m.compared >= maxCompare {
			continue
		}
		m.compared++
		if s := similar(chunks, p.file); s > similarity || best == nil && s == similarity {
			best, similarity = p, s
		}
	}
	return best
}

// A candidate is a file that came or went, and when.
type candidate struct {
	file *snapshot.File
	at   time.Time
}

// candidates are the files that came, or those that went, within the last moveWait.
type candidates struct {
	byPath map[string]*candidate // absolute
	byHash map[[32]byte][]*candidate
	order  []*candidate // oldest first; those that are not in byPath any more were forgotten
}

func (s *candidates) remember(f *snapshot.File, now time.Time) {
	if s.byPath == nil {
		s.byPath, s.byHash = map[string]*candidate{}, map[[32]byte][]*candidate{}
	}
	s.forget(f.Abs)
	p := &candidate{f, now}
	s.byPath[f.Abs] = p
	s.byHash[f.Hash] = append(s.byHash[f.Hash], p)
	s.order = append(s.order, p)
}

func (s *candidates) forget(abs string) {
	p := s.byPath[abs]
	if p == nil {
		return
	}
	delete(s.byPath, abs)
	rest := slices.DeleteFunc(s.byHash[p.file.Hash], func(q *candidate) bool { return q == p })
	if s.byHash[p.file.Hash] = rest; len(rest) == 0 {
		delete(s.byHash, p.file.Hash)
	}
}

// expire forgets what is too long ago, and the oldest when there are too many.
func (s *candidates) expire(now time.Time) {
	for len(s.order) > 0 {
		p := s.order[0]
		known := s.byPath[p.file.Abs] == p
		if known && now.Sub(p.at) <= moveWait && len(s.order) <= maxMoving {
			return
		}
		if known {
			s.forget(p.file.Abs)
		}
		s.order[0] = nil
		s.order = s.order[1:]
	}
}

// latest returns the files that came or went last.
func (s *candidates) latest() []*candidate {
	var latest []*candidate
	for i := len(s.order) - 1; i >= 0 && len(latest) < maxSimilarTo; i-- {
		if p := s.order[i]; s.byPath[p.file.Abs] == p {
			latest = append(latest, p)
		}
	}
	return latest
}

// namedChunks returns what a file is told by: the hashes of its chunks by their ids without a path.
func namedChunks(f *snapshot.File) map[string]uint64 {
	hashes := map[string]uint64{}
	for i := range f.Chunks {
		if c := &f.Chunks[i]; c.Name != "" {
			hashes[c.ID("")] = c.Hash
		}
	}
	return hashes
}

// similar returns the share of named chunks, 0..1, that a file has in common with another one's. A chunk that changed
// counts half.
func similar(hashes map[string]uint64, f *snapshot.File) float64 {
	common, named := 0.0, 0
	for i := range f.Chunks {
		c := &f.Chunks[i]
		if c.Name == "" {
			continue
		}
		named++
		switch hash, ok := hashes[c.ID("")]; {
		case ok && hash == c.Hash:
			common++
		case ok:
			common += 0.5
		}
	}
	return common / float64(max(len(hashes), named, 1))
}

// followers maps the ids of the chunks of one file to those of the same names in the other.
func followers(from, to *snapshot.File) map[string]string {
	there := map[string]bool{}
	for i := range to.Chunks {
		there[to.Chunks[i].ID("")] = true
	}
	ids := map[string]string{}
	for i := range from.Chunks {
		c := &from.Chunks[i]
		if there[c.ID("")] && from.Path != to.Path {
			ids[c.ID(from.Path)] = c.ID(to.Path)
		}
	}
	return ids
}
