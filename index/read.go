package index

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/syntax"
	"github.com/aurora-sidecar/aurora/index/vfs"
)

// Read returns the present text of the file of r, and r as it is in that text: when the file changed since the
// snapshot was taken, it is parsed again and the chunk of the same identity is returned. ok is false when the file or
// the chunk is gone. The returned File has the present Version, Hash and Overlay.
func (x *Index) Read(r Ref) (text []byte, fresh Ref, ok bool) {
	if o, rev := x.buffers.at(r.File.Abs); o != nil {
		return x.buffers.read(r, o, rev)
	}
	content, err := x.folders.read(r.File.Abs)
	if err != nil {
		return nil, r, false
	}
	if content.Hash == r.File.Hash {
		return content.Text, r, true
	}
	f := &File{
		Folder: r.File.Folder, Path: r.File.Path, Abs: r.File.Abs, Hash: content.Hash, Size: content.Size,
		ModTime: content.ModTime,
	}
	f.File, _, _ = x.analyze(syntax.Detect(r.File.Abs, content.Text), content)
	fresh, ok = f.ByID(r.ID())
	return content.Text, fresh, ok
}

// at returns the open buffer over a file and its newest text.
func (bs *buffers) at(abs string) (*overlay, revision) {
	bs.x.mu.Lock()
	defer bs.x.mu.Unlock()
	o := bs.open[abs]
	if o == nil {
		return nil, revision{}
	}
	return o, revision{rev: o.rev, version: o.version, text: o.text}
}

// read finds the chunk in a buffer. While typing goes on, the newest text is a few keystrokes ahead of the
// snapshot: chunks are then moved by what was typed. Only when there is nothing to compare with is the text parsed.
func (bs *buffers) read(r Ref, o *overlay, now revision) (text []byte, fresh Ref, ok bool) {
	if r.File.Overlay && bytes.Equal(r.File.Buffer, now.text) {
		return now.text, r, true
	}
	f := bs.ahead(r.File, o, now)
	fresh, ok = f.ByID(r.ID())
	return now.text, fresh, ok
}

// ahead returns the file of a snapshot as it is in the newest text of its buffer. The last one is kept: a search has
// many hits in a file.
func (bs *buffers) ahead(base *File, o *overlay, now revision) *File {
	bs.x.mu.Lock()
	known := o.ahead
	bs.x.mu.Unlock()
	if known.file != nil && known.rev == now.rev && (known.base == base || known.base == nil) {
		return known.file
	}
	f := &File{
		Folder: o.folder, Path: o.rel, Abs: o.abs, Size: int64(len(now.text)), Overlay: true, Version: now.version,
		Hash: sha256.Sum256(now.text), Buffer: now.text,
	}
	made := newest{rev: now.rev, file: f}
	switch {
	case f.Hash == base.Hash: // the buffer was opened a moment ago
		f.File = base.File
	case base.Overlay:
		made.base = base
		f.File = chunk.Shift(base.File, base.Buffer, now.text)
	default:
		f.File, _, _ = bs.x.analyze(o.lang, vfs.Content{Text: now.text})
	}
	bs.x.mu.Lock()
	o.ahead = made
	bs.x.mu.Unlock()
	return f
}

// Text returns the present text at an absolute path: the open buffer, else the file on disk when it lies in a workspace folder
// and no rule leaves it out. What is not indexed is not handed out by other ways either: git's own files, those with the
// names of secrets, and those that are ignored.
func (x *Index) Text(path string) ([]byte, error) {
	abs := vfs.Canonical(path)
	if o, now := x.buffers.at(abs); o != nil {
		return now.text, nil
	}
	f, filter := x.folders.of(abs)
	if f == nil {
		return nil, fmt.Errorf("read %s: it is not open and lies outside the workspace folders", path)
	}
	if _, indexed := x.published.Load().Entry(abs); !indexed {
		if filter == nil { // before the first scan
			filter = vfs.NewFilter(f.ctx, f.root, vfs.FilterOptions{}, nil)
			defer filter.Close()
		}
		if v := filter.Explain(f.ctx, abs); !v.Indexed {
			return nil, fmt.Errorf("read %s: it is left out, %s", path, v.Rule)
		}
	}
	content, err := x.folders.read(abs)
	if err != nil {
		return nil, err
	}
	return content.Text, nil
}

// FileWith returns the file at a path as it would be with another text than the present one: that which another editor has not
// saved, or the one on disk below an open buffer. languageID is what the editor calls its language, "" when that is not known.
// The text is parsed unless it is that of the present snapshot; nothing of it is kept.
func FileWith(x *Index, path, languageID string, version int32, text []byte) *File {
	abs := vfs.Canonical(path)
	hash := sha256.Sum256(text)
	if known, ok := x.published.Load().File(abs); ok && known.Hash == hash {
		same := *known.Loaded()
		same.Overlay, same.Version, same.Buffer = true, version, text
		return &same
	}
	lang := languageOf(abs, languageID, text)
	f := &File{
		Path: strings.TrimPrefix(filepath.ToSlash(abs), "/"), Abs: abs, Size: int64(len(text)), Hash: hash, Overlay: true, Version: version, Buffer: text,
	}
	if folder, _ := x.folders.of(abs); folder != nil {
		f.Folder, f.Path = folder.path, relative(folder.path, abs)
	}
	f.File, _, _ = x.analyze(lang, vfs.Content{Text: text})
	return f
}

// SavedText returns the text on disk of a file that lies in a workspace folder, whatever editors have open; see Text.
func SavedText(x *Index, path string) ([]byte, error) {
	content, err := x.folders.read(vfs.Canonical(path))
	return content.Text, err
}

// Explain says whether a file is indexed and, when not, by which rule.
func (x *Index) Explain(path string) Verdict {
	abs := vfs.Canonical(path)
	if f, ok := x.published.Load().Entry(abs); ok {
		rule := "indexed as " + f.File.Language
		if f.File.Overlay {
			rule += ", from the open buffer"
		}
		if f.File.Errors {
			rule += "; " + x.whyUnparsed(abs)
		}
		return Verdict{Indexed: true, Rule: rule}
	}
	f, filter := x.folders.of(abs)
	failure := x.notices.failure(abs)
	switch {
	case f == nil:
		return Verdict{Rule: "outside the workspace folders"}
	case failure != "":
		return Verdict{Rule: failure}
	case filter == nil:
		return Verdict{Rule: "the folder has not been scanned yet"}
	}
	return x.folders.explain(f, filter, abs)
}

// whyUnparsed says what of a file is not in its chunks. It parses the file again, which tells more than is kept.
func (x *Index) whyUnparsed(abs string) string {
	text, err := x.Text(abs)
	if err == nil {
		_, _, err = x.analyze(syntax.Detect(abs, text), vfs.Content{Text: text})
	}
	if err != nil {
		return "cut by its paragraphs, since " + err.Error()
	}
	return "a part of it does not parse, the rest is indexed"
}

func (fs *folderSet) explain(f *folder, filter *vfs.Filter, abs string) Verdict {
	if v := filter.Explain(f.ctx, abs); !v.Indexed {
		return Verdict{Rule: v.Rule}
	}
	if _, err := fs.read(abs); err != nil {
		return Verdict{Rule: err.Error()}
	}
	return Verdict{Rule: "waiting to be indexed"}
}

// Refresh re-reads files or folders; no paths means everything. force parses unchanged files, too.
func (x *Index) Refresh(ctx context.Context, paths []string, force bool) (JobInfo, error) {
	if err := ctx.Err(); err != nil {
		return JobInfo{}, err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	before := len(x.queue.tasks)
	if len(paths) == 0 {
		for _, f := range x.folders.all {
			x.scans.startLocked(f, scanRequest{force: force, asked: true})
		}
	}
	for _, path := range paths {
		if err := x.scans.refreshLocked(vfs.Canonical(path), force); err != nil {
			return JobInfo{}, err
		}
	}
	x.jobs.refreshes++
	return JobInfo{ID: "refresh-" + strconv.Itoa(x.jobs.refreshes), Queued: len(x.queue.tasks) - before}, nil
}

func (sc *scanner) refreshLocked(abs string, force bool) error {
	f := sc.x.folders.ofLocked(abs)
	if f == nil {
		for _, f := range sc.x.folders.all {
			if f.path == abs {
				sc.startLocked(f, scanRequest{force: force, asked: true})
				return nil
			}
		}
		return &OutsideError{Path: abs}
	}
	known := false
	prefix := abs + string(filepath.Separator)
	for p := range sc.x.published.Load().Entries() {
		if len(p) > len(prefix) && p[:len(prefix)] == prefix {
			sc.x.queue.addLocked(f, p, false, force)
			known = true
		}
	}
	if known || isDir(abs) {
		sc.startLocked(f, scanRequest{asked: true}) // new files of the folder
		return nil
	}
	sc.x.queue.addLocked(f, abs, false, force)
	return nil
}

// An OutsideError says that a path belongs to no workspace folder.
type OutsideError struct{ Path string }

func (e *OutsideError) Error() string { return e.Path + " lies outside the workspace folders" }

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
