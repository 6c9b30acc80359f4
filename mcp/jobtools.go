package mcp

import (
	"context"
	"fmt"
	"time"

	"github.com/aurora-sidecar/aurora/internal/api"
)

// jobTools build the index again (RBD).
func jobTools() []tool {
	return []tool{
		newTool("rebuild_context", "DESTRUCTIVE: delete the stored index and build it again, in whole or below some paths. Searches go on "+
			"meanwhile; memory is not touched. Needed only when results are wrong after refresh_context.", api.Destroys, (*call).rebuild),
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
	Status    string           `json:"status"` // queued, completed, failed, cancelled
	JobID     string           `json:"jobId,omitempty"`
	Scope     string           `json:"scope"` // full or partial
	Files     int              `json:"estimatedFiles"`
	Seconds   int              `json:"estimatedTime"`
	Message   string           `json:"message"`
	Progress  *api.JobProgress `json:"progress,omitempty"`
	Languages map[string]int   `json:"byLanguage,omitempty"`
}

func (c *call) rebuild(ctx context.Context, in *rebuildArgs) (*result, error) {
	paths, err := c.paths("paths", in.Paths)
	if err != nil {
		return nil, err
	}
	validate := in.Options != nil && in.Options.ValidateOnly
	started, err := api.Rebuild.Call(ctx, c.client, &api.RebuildParams{Confirm: in.Confirm, Paths: paths, Options: api.RebuildOptions{ValidateOnly: validate}})
	if err != nil {
		return nil, err
	}
	data := rebuilding{
		Status: started.Status, JobID: started.JobID, Scope: started.Scope, Files: started.EstimatedFiles, Seconds: started.EstimatedSeconds,
		Message: started.Message,
	}
	switch {
	case validate:
		data.Languages = started.Details.ByLanguage
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
	var job *api.Job
	var err error
	go func() {
		defer close(ended)
		job, err = api.JobStatus.Call(ctx, c.client, &api.JobParams{JobID: data.JobID, Wait: true})
	}()
	tick := time.NewTicker(progressEvery)
	defer tick.Stop()
	for {
		select {
		case <-ended:
			if err != nil {
				return err
			}
			data.Status, data.Progress = job.Status, &job.Progress
			data.Message = fmt.Sprintf("The rebuild %s: %d files.", job.Status, job.Progress.FilesProcessed)
			return nil
		case <-tick.C:
			if job, err := api.JobStatus.Call(ctx, c.client, &api.JobParams{JobID: data.JobID}); err == nil && job.Progress.FilesTotal > 0 {
				c.progress(ctx, job.Progress.PercentComplete/100, fmt.Sprintf("%d of %d files", job.Progress.FilesProcessed, job.Progress.FilesTotal), nil)
			}
		}
	}
}
