package indexing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/index"
)

// A TextRequest gives the engine the text of a file as an editor would that has it open.
type TextRequest struct {
	Path     string // absolute, in a workspace folder; the file need not exist
	Language string // an LSP language id, such as go; "" goes by the name
	Text     *string
}

// A TextResult says what became of a text.
type TextResult struct {
	Path    string // relative to its folder
	Chunks  int    // 0 when the rules keep the file out
	Vectors int
	Dropped bool // nothing of the file is in the index any more, or what was given is gone
	OnDisk  bool // the file on disk counts
}

// maxText is the size in bytes of the longest text that is taken.
const maxText = 5 << 20

// givenTexts are the texts that doors without an editor gave, by path; a version is positive.
type givenTexts struct {
	sync.Mutex
	versions map[string]int32
}

// AddText puts a text into the index, in place of the file's own, until DropText; without one it has the file read
// again. It fails with Invalid on a path outside of the folders, on one that an editor has open, and on texts too long.
func (e *Keeper) AddText(ctx context.Context, r TextRequest) (*TextResult, error) {
	if err := e.checkTextPath(r.Path); err != nil {
		return nil, err
	}
	if r.Text == nil {
		if _, err := os.Stat(r.Path); err != nil {
			return nil, &fault.Error{Kind: fault.Invalid, Message: fmt.Sprintf("%.200q can't be read", r.Path), Detail: "file_path", Err: err, Remedy: "Give its content, or another path."}
		}
		if _, err := e.Refresh(ctx, []string{r.Path}, false); err != nil {
			return nil, err
		}
		return e.textResult(ctx, r.Path)
	}
	if len(*r.Text) > maxText {
		return nil, &fault.Error{Kind: fault.Invalid, Message: fmt.Sprintf("the content has %d bytes, more than %d", len(*r.Text), maxText), Detail: "content"}
	}
	e.texts.Lock()
	defer e.texts.Unlock()
	if file, ok := e.index.Snapshot().File(r.Path); ok && file.Overlay && e.texts.versions[r.Path] == 0 {
		return nil, &fault.Error{Kind: fault.Invalid, Message: fmt.Sprintf("%.200q is open in an editor, whose text counts", r.Path), Detail: "file_path", Remedy: "Leave content out."}
	}
	if e.texts.versions == nil {
		e.texts.versions = map[string]int32{}
	}
	e.texts.versions[r.Path]++
	e.index.Open(r.Path, r.Language, e.texts.versions[r.Path], []byte(*r.Text))
	return e.textResult(ctx, r.Path)
}

// dropGiven closes the text that AddText gave, and reports whether there was one.
func (e *Keeper) dropGiven(path string) bool {
	e.texts.Lock()
	defer e.texts.Unlock()
	if e.texts.versions[path] == 0 {
		return false
	}
	delete(e.texts.versions, path)
	e.index.Close(path)
	return true
}

// DropText takes back what AddText gave. A file that is on disk then counts as it is there; one that is not leaves the
// index.
func (e *Keeper) DropText(ctx context.Context, path string) (*TextResult, error) {
	if err := e.checkTextPath(path); err != nil {
		return nil, err
	}
	given := e.dropGiven(path)
	_, statErr := os.Stat(path)
	if !given && statErr != nil {
		if _, err := e.Refresh(ctx, []string{path}, false); err != nil {
			return nil, err
		}
	}
	result, err := e.textResult(ctx, path)
	if err != nil {
		return nil, err
	}
	result.Dropped = given || result.Chunks == 0 && statErr != nil
	return result, nil
}

// textResult waits until what was asked for is in the index, and looks.
func (e *Keeper) textResult(ctx context.Context, path string) (*TextResult, error) {
	if err := e.index.Flush(ctx); err != nil {
		return nil, fmt.Errorf("wait for the index: %w", err)
	}
	snap := e.index.Snapshot()
	result := &TextResult{Path: filepath.Base(path)}
	if _, err := os.Stat(path); err == nil {
		result.OnDisk = true
	}
	file, ok := snap.File(path)
	if !ok {
		return result, nil
	}
	result.Path, result.Chunks = file.Path, len(file.Chunks)
	if snap.Embedder() != "" {
		result.Vectors = len(file.Chunks)
	}
	return result, nil
}

func (e *Keeper) checkTextPath(path string) error {
	for _, folder := range e.index.Folders() {
		if strings.HasPrefix(path, strings.TrimSuffix(folder, string(filepath.Separator))+string(filepath.Separator)) {
			return nil
		}
	}
	return &fault.Error{Kind: fault.Invalid, Message: fmt.Sprintf("%.200q lies in no folder that is indexed", cmp.Or(path, ".")), Detail: "file_path", Remedy: "Give the path of a file in the workspace."}
}

// Refresh re-reads files or folders; no paths means the whole workspace. force parses unchanged files, too.
func (e *Keeper) Refresh(ctx context.Context, paths []string, force bool) (index.JobInfo, error) {
	job, err := e.index.Refresh(ctx, paths, force)
	var outside *index.OutsideError
	if errors.As(err, &outside) {
		return job, codebase.NotIndexed(e.index, outside.Path)
	}
	if err != nil {
		return job, fmt.Errorf("refresh: %w", err)
	}
	return job, nil
}
