package mcp

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
)

// jobTools build the index again (RBD).
func jobTools() []tool {
	return []tool{
		newTool("rebuild_context", "DESTRUCTIVE: delete the stored index and build it again, in whole or below some paths. Searches go on "+
			"meanwhile; memory is not touched. Needed only when results are wrong after refresh_context.", destroys, (*call).rebuild),
		newTool("get_rebuild_status", "How far a rebuild is.", reads, (*call).rebuildStatus),
		newTool("cancel_rebuild", "End a rebuild; what was indexed so far stays.", destroys, (*call).cancelRebuild),
	}
}

// rebuildArgs are the arguments of rebuild_context.
type rebuildArgs struct {
	Confirm bool            `json:"confirm,omitempty" jsonschema:"must be true, unless options.validateOnly"`
	Async   *bool           `json:"async,omitempty" jsonschema:"default true: return at once with a jobId"`
	Paths   []string        `json:"paths,omitempty" jsonschema:"empty for everything"`
	Options *rebuildOptions `json:"options,omitempty"`
}

// rebuildOptions are the finer points of a rebuild. A rebuild always tries failed files again and always starts from an
// empty store, so that the first two change nothing.
type rebuildOptions struct {
	ClearErrors  *bool `json:"clearErrors,omitempty"`
	Vacuum       *bool `json:"vacuum,omitempty"`
	ValidateOnly bool  `json:"validateOnly,omitempty" jsonschema:"only count and estimate"`
}

// rebuilding is the data of rebuild_context.
type rebuilding struct {
	Status    string         `json:"status"` // queued, completed, failed, cancelled
	JobID     string         `json:"jobId,omitempty"`
	Scope     string         `json:"scope"` // full or partial
	Files     int            `json:"estimatedFiles"`
	Seconds   int            `json:"estimatedTime"`
	Message   string         `json:"message"`
	Progress  *jobProgress   `json:"progress,omitempty"`
	Languages map[string]int `json:"byLanguage,omitempty"`
}

func (c *call) rebuild(ctx context.Context, in *rebuildArgs) (*result, error) {
	paths, err := c.paths("paths", in.Paths)
	if err != nil {
		return nil, err
	}
	validate := in.Options != nil && in.Options.ValidateOnly
	started, err := c.engine.Rebuild(ctx, engine.RebuildRequest{Confirm: in.Confirm, Paths: paths, Validate: validate})
	if err != nil {
		return nil, err
	}
	data := rebuilding{
		Status: "queued", JobID: started.Job.ID, Scope: "full", Files: started.Files, Seconds: int(started.Estimate / time.Second),
		Message: started.Message,
	}
	if !started.Full {
		data.Scope = "partial"
	}
	switch {
	case validate:
		data.Status, data.Languages = "completed", started.Languages
	case in.Async != nil && !*in.Async:
		if err := c.follow(ctx, &data); err != nil {
			return nil, err
		}
	}
	text := data.Message + "\n"
	if data.Status == "queued" {
		text += fmt.Sprintf("Next: ask get_rebuild_status with jobId %s.\n", data.JobID)
	}
	return &result{text: text, data: data}, nil
}

// follow waits for the end of a job and tells the client how far it is.
func (c *call) follow(ctx context.Context, data *rebuilding) error {
	ended := make(chan struct{})
	var job engine.Job
	var err error
	go func() {
		defer close(ended)
		job, err = c.engine.WaitJob(ctx, data.JobID)
	}()
	tick := time.NewTicker(progressEvery)
	defer tick.Stop()
	for {
		select {
		case <-ended:
			if err != nil {
				return err
			}
			data.Status, data.Progress = string(job.Status), newJobProgress(job)
			data.Message = fmt.Sprintf("The rebuild %s: %d files.", job.Status, job.Done)
			return nil
		case <-tick.C:
			if job, err := c.engine.Job(ctx, data.JobID); err == nil && job.Total > 0 {
				c.progress(ctx, float64(job.Done)/float64(job.Total), fmt.Sprintf("%d of %d files", job.Done, job.Total), nil)
			}
		}
	}
}

// jobArgs name a job.
type jobArgs struct {
	JobID       string `json:"jobId"`
	IncludeLogs bool   `json:"includeLogs,omitempty"`
}

// jobStatus is the data of get_rebuild_status.
type jobStatus struct {
	JobID    string       `json:"jobId"`
	Status   string       `json:"status"`
	Progress *jobProgress `json:"progress"`
	Error    string       `json:"error,omitempty"`
	Logs     []string     `json:"logs,omitempty"`
}

// jobProgress tells how far a job is.
type jobProgress struct {
	Done      int     `json:"filesProcessed"`
	Total     int     `json:"filesTotal"`
	Percent   float64 `json:"percentComplete"` // 0 to 100
	StartedAt string  `json:"startedAt"`
	EndedAt   string  `json:"endedAt,omitempty"`
}

func newJobProgress(j engine.Job) *jobProgress {
	p := &jobProgress{Done: j.Done, Total: j.Total, StartedAt: j.Started.UTC().Format(time.RFC3339)}
	if j.Total > 0 {
		p.Percent = float64(1000*j.Done/j.Total) / 10
	}
	if !j.Ended.IsZero() {
		p.EndedAt = j.Ended.UTC().Format(time.RFC3339)
	}
	return p
}

func (c *call) rebuildStatus(ctx context.Context, in *jobArgs) (*result, error) {
	job, err := c.engine.Job(ctx, in.JobID)
	if err != nil {
		return nil, err
	}
	return jobResult(job, in.IncludeLogs), nil
}

func (c *call) cancelRebuild(ctx context.Context, in *jobArgs) (*result, error) {
	job, err := c.engine.CancelRebuild(ctx, in.JobID)
	if err != nil {
		return nil, err
	}
	return jobResult(job, in.IncludeLogs), nil
}

func jobResult(job engine.Job, logs bool) *result {
	data := jobStatus{JobID: job.ID, Status: string(job.Status), Progress: newJobProgress(job), Error: job.Err}
	if logs {
		data.Logs = []string{"started " + data.Progress.StartedAt}
		if data.Progress.EndedAt != "" {
			data.Logs = append(data.Logs, strings.TrimSpace(data.Status+" "+data.Progress.EndedAt+" "+job.Err))
		}
	}
	text := fmt.Sprintf("%s is %s: %d of %d files (%.0f%%).\n", job.ID, job.Status, job.Done, job.Total, data.Progress.Percent)
	return &result{text: text, data: data}
}
