package api

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/internal/workload"
)

// RebuildParams are the parameters of aurora/rebuild, which deletes what is stored of the index and makes it again.
// Memory is not touched. Without Confirm, or options.validateOnly, it is refused (1010).
type RebuildParams struct {
	Confirm bool           `json:"confirm,omitempty"`
	Paths   []string       `json:"paths,omitempty"` // as in aurora/refresh; none means everything
	Options RebuildOptions `json:"options,omitzero"`
}

// RebuildOptions are the finer points of a rebuild. Files that failed are always tried again, and a full rebuild always
// starts an empty database, so clearErrors and vacuum change nothing.
type RebuildOptions struct {
	ClearErrors  *bool `json:"clearErrors,omitempty"`
	Vacuum       *bool `json:"vacuum,omitempty"`
	ValidateOnly bool  `json:"validateOnly,omitempty"` // count and estimate only
}

// RebuildResult is the result of aurora/rebuild.
type RebuildResult struct {
	JobID            string          `json:"jobId,omitempty"` // none for a dry run
	Status           string          `json:"status"`          // queued, or completed for a dry run
	Scope            string          `json:"scope"`           // full or partial
	EstimatedFiles   int             `json:"estimatedFiles"`
	EstimatedSeconds int             `json:"estimatedSeconds"`
	Message          string          `json:"message"`
	Details          *RebuildDetails `json:"details,omitempty"` // of a dry run
}

// RebuildDetails tell what a dry run found.
type RebuildDetails struct {
	ByLanguage       map[string]int `json:"byLanguage"`
	TotalSizeGB      float64        `json:"totalSizeGB"`
	CurrentIndexSize string         `json:"currentIndexSize"`
	SourceBytes      int64          `json:"sourceBytes"`
	IndexBytes       int64          `json:"indexBytes"`
}

// FromRebuild converts the engine's result.
func FromRebuild(r *engine.RebuildResult) *RebuildResult {
	out := &RebuildResult{
		JobID: r.Job.ID, Status: "queued", Scope: "partial", EstimatedFiles: r.Files,
		EstimatedSeconds: int(r.Estimate / time.Second), Message: r.Message,
	}
	if r.Full {
		out.Scope = "full"
	}
	if r.Job.ID == "" {
		out.Status = "completed"
		out.Details = &RebuildDetails{
			ByLanguage: r.Languages, TotalSizeGB: float64(r.Bytes) / 1e9,
			CurrentIndexSize: fmt.Sprintf("%.1f MB", float64(r.StoreSize)/1e6), SourceBytes: r.Bytes, IndexBytes: r.StoreSize,
		}
	}
	return out
}

// JobParams are the parameters of aurora/job and aurora/cancelRebuild.
type JobParams struct {
	JobID       string `json:"jobId"`
	IncludeLogs bool   `json:"includeLogs,omitempty"` // when it began and ended
	Wait        bool   `json:"wait,omitempty"`        // aurora/job: answer when it has ended
}

// Job is the result of aurora/job and aurora/cancelRebuild.
type Job struct {
	JobID    string      `json:"jobId"`
	Status   string      `json:"status"` // in_progress, completed, failed or cancelled
	Progress JobProgress `json:"progress"`
	Error    string      `json:"error,omitempty"`
	Logs     []string    `json:"logs,omitempty"`
}

// JobProgress tells how far a job is.
type JobProgress struct {
	FilesProcessed      int     `json:"filesProcessed"`
	FilesTotal          int     `json:"filesTotal"`
	PercentComplete     float64 `json:"percentComplete"` // 0 to 100
	StartedAt           string  `json:"startedAt"`
	EndedAt             string  `json:"endedAt,omitempty"`
	EstimatedCompletion string  `json:"estimatedCompletion,omitempty"` // while it runs, once that can be told
}

// FromJob converts a job of the index; now is the present.
func FromJob(j index.Job, now time.Time) *Job {
	p := JobProgress{FilesProcessed: j.Done, FilesTotal: j.Total, StartedAt: j.Started.UTC().Format(time.RFC3339)}
	if j.Total > 0 {
		p.PercentComplete = 100 * float64(j.Done) / float64(j.Total)
	}
	switch {
	case !j.Ended.IsZero():
		p.EndedAt = j.Ended.UTC().Format(time.RFC3339)
	case j.Done > 0 && j.Total >= j.Done:
		left := time.Duration(float64(now.Sub(j.Started)) / float64(j.Done) * float64(j.Total-j.Done))
		p.EstimatedCompletion = now.Add(left).UTC().Format(time.RFC3339)
	}
	if j.Status == index.JobCompleted {
		p.PercentComplete = 100
	}
	return &Job{JobID: j.ID, Status: string(j.Status), Progress: p, Error: j.Err}
}

// Rebuild builds the index again.
var Rebuild = Define(Operation{
	Name: "rebuild", Title: "Rebuild index", Doors: LSP | HTTP, Effect: Destroys, Class: workload.Light,
	Doc: "Delete what is stored of the index and build it again, in whole or below some paths. Memory is not touched.",
}, func(ctx context.Context, c *Call, p *RebuildParams) (*RebuildResult, error) {
	started, err := c.Engine.Indexing().Rebuild(ctx, engine.RebuildRequest{Confirm: p.Confirm, Validate: p.Options.ValidateOnly, Paths: c.paths(p.Paths)})
	if err != nil {
		return nil, err
	}
	return FromRebuild(started), nil
})

// JobStatus tells how far a job is.
var JobStatus = Define(Operation{
	Name: "job", Title: "Job", Doors: LSP | HTTP, Tool: "get_rebuild_status", Class: workload.Light,
	Doc: "Tell how far a rebuild is.", Text: jobText,
}, func(ctx context.Context, c *Call, p *JobParams) (*Job, error) {
	if p.Wait {
		return p.result(c.Engine.Indexing().WaitJob(ctx, p.JobID))
	}
	return p.result(c.Engine.Indexing().Job(p.JobID))
})

// CancelRebuild ends a rebuild.
var CancelRebuild = Define(Operation{
	Name: "cancelRebuild", Title: "Cancel rebuild", Doors: LSP | HTTP, Effect: Destroys, Tool: "cancel_rebuild", Class: workload.Light,
	Doc: "End a rebuild; what was indexed so far stays.", Text: jobText,
}, func(_ context.Context, c *Call, p *JobParams) (*Job, error) {
	return p.result(c.Engine.Indexing().CancelRebuild(p.JobID))
})

func (p *JobParams) result(j index.Job, err error) (*Job, error) {
	if err != nil {
		return nil, err
	}
	job := FromJob(j, time.Now())
	if p.IncludeLogs {
		job.Logs = []string{"started " + job.Progress.StartedAt}
		if job.Progress.EndedAt != "" {
			job.Logs = append(job.Logs, strings.TrimSpace(job.Status+" "+job.Progress.EndedAt+" "+job.Error))
		}
	}
	return job, nil
}

func jobText(_, result any) string {
	j := result.(*Job)
	return fmt.Sprintf("%s is %s: %d of %d files (%.0f%%).\n", j.JobID, j.Status, j.Progress.FilesProcessed, j.Progress.FilesTotal, j.Progress.PercentComplete)
}
