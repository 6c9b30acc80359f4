package recall

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/memory"
)

const (
	// notesFolder is where a team keeps notes that it commits, below each workspace folder.
	notesFolder = ".aurora/notes"

	maxNotes    = 1000    // of one folder
	maxNoteSize = 1 << 20 // bytes
)

// A noteKeeper keeps memory in step with the notes of the workspace folders. It looks at them when memory is asked, so
// that nothing has to watch them.
type noteKeeper struct {
	mu   sync.Mutex
	seen map[string]noteStamp // by absolute path

	faults map[string][]NoteFault // by absolute path, of those that are there
	there  []string               // absolute paths of those that were read, in order
}

// A noteStamp tells whether a note was changed.
type noteStamp struct {
	size     int64
	modTime  time.Time
	snapshot uint64 // of the code in which something that it cites was not found; 0 when all was
	id       reference
}

// isCurrent reports whether a note that was read then says the same now.
func (s noteStamp) isCurrent(info fs.FileInfo, snapshot uint64) bool {
	return s.size == info.Size() && s.modTime.Equal(info.ModTime()) && (s.snapshot == 0 || s.snapshot == snapshot)
}

// SyncNotes remembers notes that are new or changed. A note that can't be read or kept is logged once and left.
func (e *Records) SyncNotes(ctx context.Context) {
	e.notes.mu.Lock()
	defer e.notes.mu.Unlock()
	if e.notes.seen == nil {
		e.notes.seen = map[string]noteStamp{}
	}
	before := e.notes.faults
	e.notes.faults, e.notes.there = map[string][]NoteFault{}, nil
	for _, folder := range e.Index.Folders() {
		syncFolder(ctx, e, folder, before)
	}
}

// sameIDs are the notes of one folder that call themselves as one before them does, in the order of their names. Both are kept.
func (k *noteKeeper) sameIDs() []NoteFault {
	var list []NoteFault
	first := map[string]string{} // by folder and id
	for _, abs := range k.there {
		id := k.seen[abs].id
		if id.text == "" {
			continue
		}
		key := filepath.Dir(abs) + "\x00" + id.text
		if other, taken := first[key]; taken {
			list = append(list, NoteFault{Path: abs, Line: id.line, Message: fmt.Sprintf("%s has the id %.80s as well; both are kept: give one another id, or let it supersede the other", filepath.Base(other), id.text)})
			continue
		}
		first[key] = abs
	}
	return list
}

// noteFaults lists what could not be taken of the notes that are there, as of the last look.
func noteFaults(e *Records) []NoteFault {
	e.notes.mu.Lock()
	defer e.notes.mu.Unlock()
	var list []NoteFault
	for _, path := range slices.Sorted(maps.Keys(e.notes.faults)) {
		list = append(list, e.notes.faults[path]...)
	}
	return append(list, e.notes.sameIDs()...)
}

// syncFolder remembers the notes of a folder. before are the faults of notes that have not changed since.
func syncFolder(ctx context.Context, e *Records, folder string, before map[string][]NoteFault) {
	for _, name := range noteFiles(folder) {
		abs := filepath.Join(folder, filepath.FromSlash(notesFolder), name)
		info, err := os.Lstat(abs)
		switch {
		case err != nil:
			continue
		case !info.Mode().IsRegular(): // a link may lead anywhere
			e.notes.faults[abs] = []NoteFault{{Path: abs, Message: "it is no regular file, and left out"}}
			continue
		case info.Size() > maxNoteSize:
			e.notes.faults[abs] = []NoteFault{{Path: abs, Message: fmt.Sprintf("it has %d bytes and is left out; at most %d are read", info.Size(), maxNoteSize)}}
			continue
		}
		e.notes.there = append(e.notes.there, abs)
		snap := e.Index.Snapshot()
		if known, ok := e.notes.seen[abs]; ok && known.isCurrent(info, snap.Number()) {
			if faults := before[abs]; faults != nil {
				e.notes.faults[abs] = faults
			}
			continue
		}
		note, err := rememberNote(ctx, e, folder, name, abs)
		if ctx.Err() != nil {
			return // next time
		}
		if err != nil {
			e.Log.Warn("a note is not remembered", "path", abs, "err", err)
			note.faults = append(note.faults, NoteFault{Path: abs, Message: "it is not remembered: " + err.Error()})
		}
		if len(note.faults) > 0 {
			e.notes.faults[abs] = note.faults
		}
		stamp := noteStamp{size: info.Size(), modTime: info.ModTime(), id: note.id}
		if note.lost {
			stamp.snapshot = snap.Number()
		}
		e.notes.seen[abs] = stamp
	}
}

// noteFiles lists the names of the notes of a folder, in order; none when their folder lies elsewhere.
func noteFiles(folder string) []string {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil
	}
	defer root.Close()
	entries, err := fs.ReadDir(root.FS(), notesFolder)
	if err != nil {
		return nil
	}
	var names []string
	for _, entry := range entries {
		if strings.EqualFold(path.Ext(entry.Name()), ".md") && len(names) < maxNotes {
			names = append(names, entry.Name())
		}
	}
	return names
}

// rememberNote remembers a note, with what could not be taken of it as its faults.
func rememberNote(ctx context.Context, e *Records, folder, name, abs string) (note, error) {
	text, err := os.ReadFile(abs)
	if err != nil {
		return note{}, err
	}
	n := parseNote(string(text))
	record := memory.Record{
		ID: noteID(folder, name), Type: memory.Knowledge, Title: n.title, Content: n.body, Tags: n.tags, Subject: memory.Subject{Domain: n.domain},
		Importance: n.importance, SourceType: "file", SourceRef: notesFolder + "/" + name, Workspace: folder,
	}
	switch {
	case strings.ContainsRune(n.body, 0):
		n.faults = append(n.faults, NoteFault{Message: "it is no text, and left out"})
		err = dropNote(ctx, e, record.ID)
	case strings.TrimSpace(n.body) == "": // an empty file says nothing
		err = dropNote(ctx, e, record.ID)
	default:
		err = storeNote(ctx, e, folder, &n, record)
	}
	for i := range n.faults {
		n.faults[i].Path = abs
	}
	return n, err
}

// dropNote forgets what a file said before.
func dropNote(ctx context.Context, e *Records, id string) error {
	if _, err := e.Store.Get(ctx, id); errors.Is(err, memory.ErrNotFound) {
		return nil
	}
	_, err := e.Store.Forget(ctx, []string{id})
	return err
}

func storeNote(ctx context.Context, e *Records, folder string, n *note, record memory.Record) error {
	record, err := memory.Prepare(record)
	if err != nil {
		return err
	}
	known, err := e.Store.Get(ctx, record.ID)
	record.Citations = noteCitations(e, folder, n, known.Citations)
	if err != nil || !sameNote(known.Record, record) { // else another process, or this one before, has read it
		saved, _, err := e.Store.Remember(ctx, record)
		if err != nil {
			return err
		}
		record.ID = saved.ID // a record that says the same keeps its own
	}
	return supersede(ctx, e, folder, n, record.ID)
}

// sameNote reports whether a note says what is remembered of it.
func sameNote(known, note memory.Record) bool {
	return known.ContentHash == note.ContentHash && known.Title == note.Title && known.Domain == note.Domain &&
		known.Importance == note.Importance && slices.Equal(known.Tags, note.Tags) && slices.EqualFunc(known.Citations, note.Citations, samePlace)
}

// noteID is the same for every version of a note.
func noteID(folder, name string) string {
	sum := citedHash(folder)
	return fmt.Sprintf("%s%s-%s", snippet.NotePrefix, sum[:8], strings.TrimSuffix(name, path.Ext(name)))
}

// dropDeletedNotes leaves out the records of notes whose file is no longer there, and forgets them.
func (e *Records) dropDeletedNotes(ctx context.Context, hits []memory.Hit) []memory.Hit {
	var gone []string
	kept := hits[:0]
	for _, hit := range hits {
		if snippet.IsNote(hit) {
			if _, err := os.Lstat(filepath.Join(hit.Workspace, filepath.FromSlash(hit.SourceRef))); errors.Is(err, fs.ErrNotExist) {
				gone = append(gone, hit.ID)
				continue
			}
		}
		kept = append(kept, hit)
	}
	if len(gone) > 0 {
		if _, err := e.Store.Forget(ctx, gone); err != nil {
			e.Log.Warn("forget deleted notes", "err", err)
		}
	}
	return kept
}

// refuseNoteFiles fails with Invalid when one of the records is the text of a file that is there: it would be remembered
// again with the next question.
func (e *Records) refuseNoteFiles(ctx context.Context, ids []string) error {
	for _, id := range ids {
		if !strings.HasPrefix(id, snippet.NotePrefix) {
			continue
		}
		hit, err := e.Store.Get(ctx, id)
		if err != nil || !snippet.IsNote(hit) {
			continue
		}
		if _, err := os.Lstat(filepath.Join(hit.Workspace, filepath.FromSlash(hit.SourceRef))); err != nil {
			continue
		}
		return &fault.Error{
			Kind: fault.Invalid, Message: fmt.Sprintf("%s is the text of %s", id, hit.SourceRef), Detail: "ids",
			Remedy: "Delete the file, and it is forgotten. Nothing was forgotten.",
		}
	}
	return nil
}
