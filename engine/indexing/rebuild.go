package indexing

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/internal/text"
)

// A RebuildRequest asks for the index to be built again.
type RebuildRequest struct {
	Confirm  bool     // must be true unless Validate
	Paths    []string // absolute; none for everything
	Validate bool     // only count and estimate
}

// A RebuildResult tells what a rebuild does, or would do.
type RebuildResult struct {
	Job       index.Job // its ID is "" when nothing was started
	Full      bool
	Files     int
	Dirs      int
	Estimate  time.Duration
	Message   string
	Languages map[string]int
	Bytes     int64 // of the files
	StoreSize int64 // bytes of the present index
}

// rebuildRate is how many bytes of source are taken in per second: the lower end of what `make bench` shows on two
// cores, so that estimates err on the long side.
const rebuildRate = 1 << 20

// Rebuild throws the stored index away, in whole or below some paths, and makes it again. Searches go on meanwhile, and
// memory is not touched. It returns once the files are queued.
func (e *Keeper) Rebuild(ctx context.Context, req RebuildRequest) (*RebuildResult, error) {
	if !req.Confirm && !req.Validate {
		return nil, &fault.Error{
			Kind: fault.Confirmation, Message: "a rebuild deletes the stored index and must be confirmed", Detail: "confirm",
			Remedy: "Set confirm to true, or options.validateOnly to see what would be done.",
		}
	}
	r, err := e.estimateRebuild(ctx, req)
	if err != nil {
		return nil, err
	}
	if req.Validate {
		r.Message = fmt.Sprintf("Dry-run: Would re-index %s files across %s directories. Estimated %s. No changes made.",
			text.Thousands(r.Files), text.Thousands(r.Dirs), minutes(r.Estimate))
		return r, nil
	}
	e.log.Info("rebuild asked for", "paths", req.Paths, "files", r.Files)
	if r.Job, err = e.index.Rebuild(ctx, req.Paths); err != nil {
		return nil, e.rebuildError(err)
	}
	if r.Full {
		r.Message = fmt.Sprintf("Full rebuild queued. This will re-index all %s files (~%s).", text.Thousands(r.Files), minutes(r.Estimate))
	} else {
		r.Message = fmt.Sprintf("Partial rebuild queued. This will re-index %s files in %s (~%s).",
			text.Thousands(r.Files), strings.Join(req.Paths, " and "), minutes(r.Estimate))
	}
	return r, nil
}

func (e *Keeper) estimateRebuild(ctx context.Context, req RebuildRequest) (*RebuildResult, error) {
	surveys, err := e.index.Survey(ctx, req.Paths)
	if err != nil {
		return nil, fmt.Errorf("look at the workspace: %w", err)
	}
	st := e.index.Status()
	r := &RebuildResult{Full: len(req.Paths) == 0, Languages: map[string]int{}, StoreSize: st.SizeBytes}
	for _, s := range surveys {
		r.Files += s.Files
		r.Dirs += s.Dirs
		r.Bytes += s.Bytes
		for lang, n := range s.Languages {
			r.Languages[lang] += n
		}
	}
	r.Estimate = time.Duration(float64(r.Bytes) / rebuildRate * float64(time.Second)).Round(time.Second)
	return r, nil
}

func (e *Keeper) rebuildError(err error) error {
	var outside *index.OutsideError
	switch {
	case errors.As(err, &outside):
		return codebase.NotIndexed(e.index, outside.Path)
	case errors.Is(err, index.ErrRebuilding):
		return &fault.Error{Kind: fault.JobConflict, Message: err.Error(), Remedy: "Wait for it, or cancel it with aurora/cancelRebuild."}
	case errors.Is(err, index.ErrNotWriter):
		return &fault.Error{Kind: fault.JobConflict, Message: "the index can't be rebuilt from here", Err: err,
			Remedy: "End that process first, or send aurora/rebuild from its editor."}
	}
	return &fault.Error{Kind: fault.Storage, Message: "the stored index could not be emptied", Err: err}
}

// Job tells how a rebuild goes.
func (e *Keeper) Job(id string) (index.Job, error) {
	job, err := e.index.Job(id)
	return job, e.jobError(id, err)
}

// WaitJob waits until a rebuild has ended.
func (e *Keeper) WaitJob(ctx context.Context, id string) (index.Job, error) {
	job, err := e.index.WaitJob(ctx, id)
	if errors.Is(err, index.ErrNoJob) {
		err = e.jobError(id, err)
	}
	return job, err
}

// CancelRebuild ends a rebuild; what was indexed so far stays usable.
func (e *Keeper) CancelRebuild(id string) (index.Job, error) {
	job, err := e.index.CancelJob(id)
	return job, e.jobError(id, err)
}

func (e *Keeper) jobError(id string, err error) error {
	if err == nil {
		return nil
	}
	failure := &fault.Error{Kind: fault.NotFound, Message: fmt.Sprintf("there is no job %.60q", id), Detail: "jobId", Remedy: "aurora/status lists the jobs that run."}
	if !errors.Is(err, index.ErrNoJob) {
		failure.Err = err
	}
	return failure
}

// minutes writes a duration as people say it.
func minutes(d time.Duration) string {
	n, unit := int(d.Round(time.Second)/time.Second), "second"
	if d >= 90*time.Second {
		n, unit = int(d.Round(time.Minute)/time.Minute), "minute"
	}
	if n = max(n, 1); n > 1 {
		unit += "s"
	}
	return fmt.Sprintf("%d %s", n, unit)
}
