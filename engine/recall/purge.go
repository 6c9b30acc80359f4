package recall

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/memory"
)

const (
	// minPurgeText is the shortest text that is purged: a shorter one stands in everything.
	minPurgeText = 6

	// minLine is the shortest line of a record by which what quotes it is known.
	minLine = 12

	maxScanned = 256 << 20 // bytes of one file
)

// A PurgedPart is a part of AURORA that keeps texts besides memory: Purge deletes those of which holds is true, and returns how many those
// were, the names of files that it deleted, which others may have noted, and the files that could not be read.
type PurgedPart interface {
	Purge(ctx context.Context, holds func(string) bool) (count int, gone, left []string, err error)
}

// A Purging tells what was deleted for good.
type Purging struct {
	IDs       []string // of records
	Questions int      // of the history that quoted them
	Files     []string // in which they were written over
	Left      []string // files that still hold it, or that nobody could look into
}

// Purge deletes records, or all that holds a text, for good and at once: in memory, its versions, index and backups, in history and
// conversations, and, written over, in other files below home. It fails with Invalid without ids and text, and on a text of less
// than six bytes.
func (e *Records) Purge(ctx context.Context, ids []string, text string) (*Purging, error) {
	if len(ids) == 0 && len(text) < minPurgeText {
		return nil, &fault.Error{Kind: fault.Invalid, Message: "there is nothing to purge: no ids, and no text of at least six bytes", Detail: "text", Remedy: "Name records, or a text that they hold."}
	}
	if e.Store == nil {
		return nil, &fault.Error{Kind: fault.Storage, Message: "there is no memory"}
	}
	gone, err := e.Store.Purge(ctx, memory.Purge{IDs: ids, Text: text})
	if err != nil {
		return nil, fault.OfStore(ctx, "purge", err)
	}
	q := newQuotes(gone, text)
	p := &Purging{IDs: gone.IDs}
	if e.History != nil {
		var gone []string
		if p.Questions, gone, p.Left, err = e.History.Purge(ctx, q.in); err != nil {
			return nil, fault.OfStore(ctx, "purge history", err)
		}
		q = append(q, gone...)
	}
	if err := e.Store.Compact(ctx); err != nil {
		return nil, fault.OfStore(ctx, "be compacted after a purge", err)
	}
	left, err := e.Store.Leftovers(ctx)
	if err != nil {
		return nil, fault.OfStore(ctx, "delete backups", err)
	}
	p.Left = append(p.Left, left...)
	overwrite(e.Home, q, p)
	p.Left = append(p.Left, notesHolding(e, q)...)
	return p, nil
}

// quotes are what tells that a text quotes what was purged.
type quotes []string

// newQuotes are the ids and lines of records, and a text, each also as JSON writes it.
func newQuotes(gone memory.Purged, text string) quotes {
	plain := slices.Clone(gone.IDs)
	if text != "" {
		plain = append(plain, text)
	}
	for _, content := range gone.Texts {
		for line := range strings.Lines(content) {
			if line = strings.TrimSpace(line); len(line) >= minLine {
				plain = append(plain, line)
			}
		}
	}
	var q quotes
	for _, s := range plain {
		q = append(q, s)
		if escaped, err := json.Marshal(s); err == nil {
			q = append(q, string(escaped[1:len(escaped)-1]))
		}
	}
	slices.Sort(q)
	return slices.Compact(q)
}

// in reports whether a text holds one of the quotes.
func (q quotes) in(text string) bool {
	return slices.ContainsFunc(q, func(s string) bool { return strings.Contains(text, s) })
}

// overwrite writes over the quotes in the logs and exports below home, in place, so that programs that append to them go on. Other
// files with a quote are told. Databases and what the index derives from files of the project are left out.
func overwrite(home string, q quotes, p *Purging) {
	if home == "" {
		return
	}
	_ = filepath.WalkDir(home, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil // a folder that can't be read holds nothing of ours
		case entry.IsDir() && path == filepath.Join(home, "index"):
			return filepath.SkipDir
		case !entry.Type().IsRegular() || isDatabase(path):
			return nil
		}
		switch found, written, err := overwriteIn(path, q, isText(home, path)); {
		case err != nil || found && !written:
			p.Left = append(p.Left, path)
		case found:
			p.Files = append(p.Files, path)
		}
		return nil
	})
}

// isText reports whether a file below home is a log or an export, in which no program looks for certain words.
func isText(home, path string) bool {
	return strings.HasPrefix(path, filepath.Join(home, "logs")+string(filepath.Separator)) || slices.Contains([]string{".jsonl", ".log"}, filepath.Ext(path))
}

// isDatabase reports whether a file is SQLite's, or belongs to one.
func isDatabase(path string) bool {
	name := filepath.Base(path)
	return strings.Contains(name, ".db")
}

// overwriteIn writes over the quotes in a file, if it may, and tells whether there were any.
func overwriteIn(path string, q quotes, may bool) (found, written bool, err error) {
	if info, err := os.Stat(path); err != nil || info.Size() > maxScanned {
		return true, false, err
	}
	text, err := os.ReadFile(path)
	if err != nil || !q.in(string(text)) || !may {
		return err == nil && q.in(string(text)), false, err
	}
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return true, false, err
	}
	defer file.Close()
	if filepath.Ext(path) == ".jsonl" {
		q.blankLines(text)
	} else {
		q.cover(text)
	}
	if _, err := file.WriteAt(text, 0); err != nil {
		return true, false, err
	}
	return true, true, file.Sync()
}

// cover writes over the quotes in a text.
func (q quotes) cover(text []byte) {
	for _, s := range q {
		for at := 0; ; {
			i := bytes.Index(text[at:], []byte(s))
			if i < 0 {
				break
			}
			at += i + copy(text[at+i:], strings.Repeat("x", len(s)))
		}
	}
}

// blankLines writes over the lines of an export that hold a quote, since such a line says the same in other words, too: its keywords.
func (q quotes) blankLines(text []byte) {
	for len(text) > 0 {
		end := bytes.IndexByte(text, '\n')
		if end < 0 {
			end = len(text)
		}
		if q.in(string(text[:end])) {
			copy(text, strings.Repeat(" ", end))
		}
		text = text[min(end+1, len(text)):]
	}
}

// notesHolding lists the notes of the open folders that hold a quote: they are people's files, and are read again.
func notesHolding(e *Records, q quotes) []string {
	var left []string
	for _, folder := range e.Index.Folders() {
		for _, name := range noteFiles(folder) {
			path := filepath.Join(folder, filepath.FromSlash(notesFolder), name)
			if text, err := os.ReadFile(path); err == nil && q.in(string(text)) {
				left = append(left, path)
			}
		}
	}
	return left
}
