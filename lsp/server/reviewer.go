package server

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/vfs"
	"github.com/aurora-sidecar/aurora/index/watch"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/api/jsonrpc"
	"github.com/aurora-sidecar/aurora/internal/workload"
	"github.com/aurora-sidecar/aurora/lsp/progress"
	lsp "go.lsp.dev/protocol"
)

const (
	// reviewEvery is how often a client's changes are reviewed at most: who saves all files saves many at once.
	reviewEvery = time.Second

	methodPublishDiagnostics = "textDocument/publishDiagnostics"
	severityHint             = 4
	maxRelated               = 10 // places of a finding that a diagnostic has

	commandEditNote = "aurora.review.edit" // the client's own, see api.ClientFeatures.EditNote
)

// A reviewer shows what a change leaves behind as hints, where the settings say so: after a save, or after something was
// staged. It never runs while somebody types.
type reviewer struct {
	*peer
	engine  *engine.Engine
	docs    *openDocuments
	config  *configuration
	folders func() []string

	due     *progress.Coalescer
	watched map[string]func() // folders whose git index is watched; of the goroutine that reviews

	mu    sync.Mutex
	shown map[string][]engine.ReviewFinding // by absolute path
}

func newReviewer(p *peer, h *Hub, docs *openDocuments, config *configuration) *reviewer {
	return &reviewer{
		peer: p, engine: h.opts.Engine, docs: docs, config: config, due: progress.NewCoalescer(),
		watched: map[string]func(){}, shown: map[string][]engine.ReviewFinding{},
	}
}

// start begins to review when that is due.
func (r *reviewer) start() {
	if !r.client.Load().diagnostics {
		return
	}
	r.workers.run(func() { r.due.Run(r.ctx, reviewEvery, r.review) })
	r.due.Signal()
}

// saved is told that the client has saved a file.
func (r *reviewer) saved() {
	if r.config.features().Review == ReviewAtSave {
		r.due.Signal()
	}
}

// memoryChanged is told that notes or settings are others.
func (r *reviewer) memoryChanged() {
	if r.config.features().Review == ReviewAtSave || r.config.features().Review == ReviewAtStage || r.shows() {
		r.due.Signal()
	}
}

func (r *reviewer) shows() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.shown) > 0
}

// review reviews the folders of the client and shows what was found in place of what was shown before.
func (r *reviewer) review() {
	defer r.containPanic("review")
	when := r.config.features().Review
	r.watchStaging(when == ReviewAtStage)
	found := map[string][]engine.ReviewFinding{}
	if when == ReviewAtSave || when == ReviewAtStage {
		for _, folder := range r.folders() {
			r.reviewFolder(vfs.Canonical(folder), when, found)
		}
	}
	if r.ctx.Err() == nil {
		r.show(found)
	}
}

func (r *reviewer) reviewFolder(folder, when string, found map[string][]engine.ReviewFinding) {
	request := engine.ReviewRequest{Folder: folder, Staged: when == ReviewAtStage, Unsaved: r.docs.Texts()}
	result, err := r.engine.Do(r.ctx, "review", workload.Ordinary, func(ctx context.Context) (any, error) {
		return r.engine.Code().Review(ctx, request)
	})
	if err != nil {
		r.log.Debug("review by itself", "folder", folder, "err", err) // no repository, most likely
		return
	}
	findings := result.(*engine.ReviewResult).Findings
	if when == ReviewAtStage {
		r.shift(folder, findings)
	}
	for _, f := range findings {
		path := absolute(folder, f.Path)
		for i := range f.Related {
			f.Related[i].Path = absolute(folder, f.Related[i].Path)
		}
		found[path] = append(found[path], f)
	}
}

func absolute(folder, path string) string { return filepath.Join(folder, filepath.FromSlash(path)) }

// shift puts findings about staged texts on the lines that their files have by now.
func (r *reviewer) shift(folder string, findings []engine.ReviewFinding) {
	open, nows := r.docs.Texts(), map[string]func(line int) int{}
	now := func(path string, line int) int {
		if _, ok := nows[path]; !ok {
			nows[path] = r.stagedLines(folder, path, open)
		}
		return nows[path](line)
	}
	for i := range findings {
		f := &findings[i]
		f.Line = now(f.Path, f.Line)
		for k := range f.Related {
			f.Related[k].Line = now(f.Related[k].Path, f.Related[k].Line)
		}
	}
}

// stagedLines is where the lines of a staged text are in what the client has open, else on disk.
func (r *reviewer) stagedLines(folder, path string, open map[string][]byte) func(line int) int {
	same := func(line int) int { return line }
	abs := absolute(folder, path)
	text, isOpen := open[abs]
	if !isOpen {
		var err error
		if text, err = index.SavedText(r.engine.Index(), abs); err != nil {
			return same
		}
	}
	now, err := r.engine.Code().StagedLine(r.ctx, folder, path, text)
	if err != nil {
		r.log.Debug("lines of what is staged", "path", abs, "err", err)
		return same
	}
	return now
}

// watchStaging has reviews made whenever git writes its index, or no longer.
func (r *reviewer) watchStaging(on bool) {
	wanted := map[string]bool{}
	if on {
		for _, folder := range r.folders() {
			wanted[vfs.Canonical(folder)] = true
		}
	}
	for folder, stop := range r.watched {
		if !wanted[folder] {
			stop()
			delete(r.watched, folder)
		}
	}
	for folder := range wanted {
		if r.watched[folder] != nil {
			continue
		}
		path, err := r.engine.Code().GitIndex(r.ctx, folder)
		if err != nil {
			continue // there is nothing to stage
		}
		if r.watched[folder], err = r.watch(path); err != nil {
			r.log.Warn("what is staged is not reviewed by itself", "folder", folder, "err", err)
			r.watched[folder] = func() {}
		}
	}
}

// watch has reviews made whenever a file is written, until stop.
func (r *reviewer) watch(path string) (stop func(), err error) {
	w, err := watch.New(watch.Options{Log: r.log})
	if err != nil {
		return nil, err
	}
	if _, err := w.AddFile(path); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	unlink := context.AfterFunc(r.ctx, func() { _ = w.Close() })
	r.workers.run(func() {
		for range w.Batches() {
			r.due.Signal()
		}
	})
	return func() { unlink(); _ = w.Close() }, nil
}

// show publishes findings, and takes those back that are gone.
func (r *reviewer) show(found map[string][]engine.ReviewFinding) {
	for path := range r.replace(found) {
		if found[path] == nil {
			r.publish(path, nil)
		}
	}
	for path, findings := range found {
		r.publish(path, findings)
	}
}

// replace notes what is shown from now on and returns what was shown before.
func (r *reviewer) replace(found map[string][]engine.ReviewFinding) (before map[string][]engine.ReviewFinding) {
	r.mu.Lock()
	defer r.mu.Unlock()
	before, r.shown = r.shown, found
	return before
}

func (r *reviewer) publish(path string, findings []engine.ReviewFinding) {
	diagnostics := []object{}
	for i := range findings {
		f := &findings[i]
		diagnostic := object{"range": r.lineOf(path, f.Line), "severity": severityHint, "source": "AURORA", "code": f.Rule, "message": f.Message + "\n" + f.Evidence}
		r.addRelated(diagnostic, f)
		diagnostics = append(diagnostics, diagnostic)
	}
	if err := r.notify(methodPublishDiagnostics, object{"uri": api.FileURI(path), "diagnostics": diagnostics}); err != nil && r.ctx.Err() == nil {
		r.log.Warn("publish what a review found", "err", err)
	}
}

// addRelated adds the first places of a finding to its diagnostic: as related information, else in its message.
func (r *reviewer) addRelated(diagnostic object, f *engine.ReviewFinding) {
	var information []object
	words := diagnostic["message"].(string)
	for i, p := range f.Related {
		if i == maxRelated {
			words += fmt.Sprintf("\nand %d more: aurora review -v lists them", len(f.Related)-i)
			break
		}
		if r.client.Load().related {
			information = append(information, object{"location": object{"uri": api.FileURI(p.Path), "range": r.lineOf(p.Path, p.Line)}, "message": p.Message})
		} else {
			words += fmt.Sprintf("\n%s:%d: %s", r.relative(p.Path), p.Line, p.Message)
		}
	}
	diagnostic["message"] = words
	if len(information) > 0 {
		diagnostic["relatedInformation"] = information
	}
}

// relative is a path as it is called in its folder.
func (r *reviewer) relative(path string) string {
	for _, folder := range r.folders() {
		if rel, err := filepath.Rel(vfs.Canonical(folder), path); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel)
		}
	}
	return path
}

// lineOf is the range of a line, one-based, as the client has it.
func (r *reviewer) lineOf(path string, line int) api.Range {
	line = max(line-1, 0)
	at := api.Range{Start: api.Position{Line: line}, End: api.Position{Line: line}}
	if lines, err := r.docs.Lines(path); err == nil && line < lines.Count() {
		at = api.FromOffsets(lines, lines.Start(line), lines.End(line), r.Encoding())
	}
	return at
}

func (r *reviewer) shownAt(abs string) []engine.ReviewFinding {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.shown[abs]
}

// A fix is a code action that answers a finding.
type fix struct {
	engine.Action
	command *lsp.Command
}

// fixes are the answers to the findings that are shown in a range of a file.
func (r *reviewer) fixes(path string, around api.Range) []fix {
	findings := r.shownAt(vfs.Canonical(path))
	var fixes []fix
	add := func(title, command string, argument any) {
		if raw, err := jsonrpc.Encode(argument); err == nil {
			fixes = append(fixes, fix{
				engine.Action{Title: title, Kind: "quickfix"}, &lsp.Command{Title: title, Command: command, Arguments: []lsp.LSPAny{lsp.LSPAny(raw)}},
			})
		}
	}
	for i := range findings {
		f := &findings[i]
		if line := max(f.Line-1, 0); line < around.Start.Line || line > around.End.Line {
			continue
		}
		if f.Record != "" {
			add("The note is still true", api.CommandPrefix+api.Revise.Name, api.ReviseParams{ID: f.Record, Accept: true})
			if r.client.Load().aurora.EditNote {
				add("Change the note", commandEditNote, f.Record)
			}
		}
		if f.ID != "" {
			add("Not related: do not show this again", api.CommandPrefix+api.Dismiss.Name, api.DismissParams{IDs: []string{f.ID}})
		}
	}
	return fixes
}
