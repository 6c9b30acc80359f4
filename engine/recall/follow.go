package recall

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/memory"
)

const (
	// sameChunkFrom is the likeness from which a changed text under a known id is still what was cited; below it,
	// something else may have taken the name.
	sameChunkFrom = 0.5

	// followFrom is the likeness from which a text elsewhere is what was cited, changed on the way.
	followFrom = 0.7

	maxFollowed   = 10 // chunks that are compared with a citation whose place has another text
	maxCitedWords = 40 // of an excerpt by which they are searched
	maxChecked    = 4096
)

// citedCache keeps what became of citations in one snapshot.
type citedCache struct {
	mu       sync.Mutex
	snapshot uint64
	found    map[string]memory.Citation // by text hash and place
	saving   sync.WaitGroup             // of moves, behind the answers that found them
}

// get returns what became of a citation in a snapshot. It forgets what it knew of another one.
func (c *citedCache) get(snapshot uint64, key string) (memory.Citation, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.found == nil || c.snapshot != snapshot || len(c.found) > maxChecked {
		c.snapshot, c.found = snapshot, map[string]memory.Citation{}
	}
	known, ok := c.found[key]
	return known, ok
}

// put keeps what became of a citation, unless another snapshot has come since.
func (c *citedCache) put(snapshot uint64, key string, found memory.Citation) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.snapshot == snapshot {
		c.found[key] = found
	}
}

// CheckCitations fills in what became of the code that the records cite, in the present text of each file.
func (e *Records) CheckCitations(ctx context.Context, snap *index.Snapshot, hits []memory.Hit) {
	folders := e.Index.Folders()
	docs := codebase.NewDocumentCache(e.Index)
	var moves []memory.Move
	for i := range hits {
		placeCitations(e, &hits[i], folders)
		for j := range hits[i].Citations {
			c := &hits[i].Citations[j]
			if ctx.Err() != nil || !slices.Contains(folders, c.Folder) {
				continue
			}
			before := *c
			*c = e.checkCitation(snap, docs, *c)
			if c.NowPath != before.NowPath || c.NowChunkID != before.NowChunkID {
				moves = append(moves, memory.Move{Record: hits[i].ID, Path: c.Path, ChunkID: c.ChunkID, StartLine: c.StartLine,
					NowPath: c.NowPath, NowChunkID: c.NowChunkID, Name: c.NowName})
			}
		}
	}
	e.saveMoves(moves)
}

// saveMoves notes behind the answer where cited code is now, so that the next look begins there.
func (e *Records) saveMoves(moves []memory.Move) {
	if len(moves) == 0 {
		return
	}
	e.cited.saving.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if err := e.Store.Follow(ctx, moves); err != nil {
			e.Log.Warn("note where cited code moved", "err", err)
		}
	})
}

func (e *Records) checkCitation(snap *index.Snapshot, docs *codebase.DocumentCache, c memory.Citation) memory.Citation {
	key := strings.Join([]string{c.TextHash, c.Folder, c.Path, c.ChunkID, c.NowPath, c.NowChunkID}, "\x00")
	if known, ok := e.cited.get(snap.Number(), key); ok {
		return known
	}
	l := &lookout{records: e, snap: snap, docs: docs, cited: c}
	found := l.look()
	if len(snap.Pending()) == 0 { // else the text may be newer than the snapshot
		e.cited.put(snap.Number(), key, found)
	}
	return found
}

// A lookout looks for the code of one citation.
type lookout struct {
	records *Records
	snap    *index.Snapshot
	docs    *codebase.DocumentCache
	cited   memory.Citation
	words   []string // of the excerpt
}

// look tries the place where the code was seen last, then where it was first, then all places that resemble it.
func (l *lookout) look() memory.Citation {
	l.words = citedWords(l.cited.Excerpt, l.cited.Name)
	if l.cited.ChunkID == "" {
		return l.lookForLines()
	}
	var changed *index.Ref // what has the id but not the text
	var best float64
	for _, id := range []string{l.cited.NowChunkID, l.cited.ChunkID} {
		ref, ok := l.snap.ByID(id)
		if !ok || ref.File.Folder != l.cited.Folder {
			continue
		}
		same, like, fresh, ok := l.compare(ref)
		if same {
			return l.at(fresh, l.stateAt(fresh))
		}
		if ok && (changed == nil || like > best) {
			changed, best = &fresh, like
		}
	}
	if changed != nil && best >= sameChunkFrom {
		return l.at(*changed, memory.Changed)
	}
	if ref, state, ok := l.follow(); ok {
		return l.at(ref, state)
	}
	switch {
	case changed != nil:
		return l.at(*changed, memory.Changed)
	case l.incomplete():
		return l.cited
	}
	l.cited.State = memory.Gone
	return l.cited
}

// incomplete reports whether the index may not have seen the code yet, so that its absence says nothing.
func (l *lookout) incomplete() bool {
	state := l.snap.State()
	return state == index.Starting || state == index.Indexing
}

// stateAt tells the same text where it was from the same text elsewhere or under another name.
func (l *lookout) stateAt(ref index.Ref) memory.CitationState {
	if ref.File.Path == l.cited.Path && ref.ID() == l.cited.ChunkID {
		return memory.Valid
	}
	return memory.Moved
}

// compare compares the present text of a chunk with the cited one.
func (l *lookout) compare(ref index.Ref) (same bool, like float64, fresh index.Ref, ok bool) {
	doc, fresh, ok := l.docs.Open(ref)
	if !ok {
		return false, 0, ref, false
	}
	c := fresh.Chunk()
	text := doc.Excerpt(c.Span.Start, c.Span.End)
	// Comments often keep the old name of what was renamed.
	if citedHash(text, c.Name, l.cited.Name) == l.cited.TextHash {
		return true, 1, fresh, true
	}
	return false, likeness(l.words, citedWords(wording.CutText(text, memory.MaxExcerpt), c.Name, l.cited.Name)), fresh, true
}

// follow looks for the code elsewhere: the same text first, then the one most like it.
func (l *lookout) follow() (ref index.Ref, state memory.CitationState, ok bool) {
	best := followFrom
	for _, candidate := range l.candidates() {
		same, like, fresh, readable := l.compare(candidate)
		if same {
			return fresh, l.stateAt(fresh), true
		}
		if readable && like > best {
			ref, state, ok, best = fresh, memory.Changed, true, like
		}
	}
	return ref, state, ok
}

// candidates are the chunks that have the cited name or share most words with the excerpt, in the same folder.
func (l *lookout) candidates() []index.Ref {
	inFolder := func(f *index.File) bool { return f.Folder == l.cited.Folder }
	refs := codebase.Keep(l.snap.Named(l.cited.Name, false), maxFollowed, func(r index.Ref) bool { return inFolder(r.File) })
	hits, _ := l.snap.Search(index.Query{Text: strings.Join(searched(l.words), " "), Limit: maxFollowed, Accept: inFolder, Chunk: isCitable})
	for _, h := range hits {
		if !slices.Contains(refs, h.Ref) {
			refs = append(refs, h.Ref)
		}
	}
	return refs
}

// at returns the citation as it is at a chunk.
func (l *lookout) at(ref index.Ref, state memory.CitationState) memory.Citation {
	c := l.cited
	c.State, c.NowPath, c.NowChunkID, c.NowName = state, ref.File.Path, ref.ID(), ref.Chunk().Name
	if doc, fresh, ok := l.docs.Open(ref); ok {
		line := doc.Lines.Line(fresh.Chunk().Span.Start)
		if name := fresh.Chunk().NameSpan; !name.Empty() {
			line = doc.Lines.Line(name.Start)
		}
		c.NowLine = line + 1
	}
	return c
}

// lookForLines looks for lines that are in no named chunk: in their file and, when that is gone, in others, where they count only if
// they stand in one place alone, since such text is seldom unique.
func (l *lookout) lookForLines() memory.Citation {
	c := l.cited
	for _, path := range []string{c.NowPath, c.Path} {
		doc, ok := l.docs.At(l.snap, filepath.Join(c.Folder, filepath.FromSlash(path)))
		if path == "" || !ok {
			continue
		}
		c.NowPath, c.State, c.NowLine = path, memory.Valid, c.StartLine
		if !l.standsAt(doc, c.StartLine) {
			lines := l.placesIn(doc)
			if len(lines) == 0 {
				c.State = memory.Changed
				return c
			}
			c.NowLine = lines[0]
		}
		if path != c.Path {
			c.State = memory.Moved
		}
		return c
	}
	if l.incomplete() {
		return c
	}
	if path, line, ok := l.followLines(); ok {
		c.State, c.NowPath, c.NowLine = memory.Moved, path, line
		return c
	}
	c.State = memory.Gone
	return c
}

// placesIn are the lines, one-based, at which a document has the cited text.
func (l *lookout) placesIn(doc *codebase.Document) (lines []int) {
	for line := range doc.Lines.Count() {
		if l.standsAt(doc, line+1) {
			lines = append(lines, line+1)
		}
	}
	return lines
}

// standsAt reports whether a document has the cited text from a line on, one-based.
func (l *lookout) standsAt(doc *codebase.Document, line int) bool {
	first, last := line-1, line-1+l.cited.EndLine-l.cited.StartLine
	return first >= 0 && last < doc.Lines.Count() && citedHash(doc.Excerpt(doc.Lines.Start(first), doc.Lines.End(last))) == l.cited.TextHash
}

// followLines finds the one place in other files that has the cited lines.
func (l *lookout) followLines() (path string, line int, ok bool) {
	hits, _ := l.snap.Search(index.Query{
		Text: strings.Join(searched(l.words), " "), Limit: maxFollowed, Accept: func(f *index.File) bool { return f.Folder == l.cited.Folder },
	})
	seen := map[string]bool{}
	for _, h := range hits {
		if seen[h.Ref.File.Path] {
			continue
		}
		seen[h.Ref.File.Path] = true
		doc, readable := l.docs.At(l.snap, h.Ref.File.Abs)
		if !readable {
			continue
		}
		for _, at := range l.placesIn(doc) {
			if ok {
				return "", 0, false
			}
			path, line, ok = h.Ref.File.Path, at, true
		}
	}
	return path, line, ok
}

// searched are those of the words of an excerpt by which it is searched.
func searched(words []string) (list []string) {
	for _, word := range words {
		if len(word) > 1 && !slices.Contains(list, word) && len(list) < maxCitedWords {
			list = append(list, word)
		}
	}
	return list
}
