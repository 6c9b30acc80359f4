package api

import (
	"context"
	"fmt"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/workload"
)

// EmbedParams are the parameters of embed.
type EmbedParams struct {
	Remake bool `json:"remake,omitempty"` // also when the endpoint has another model than before
}

// EmbedResult is the result of embed.
type EmbedResult struct {
	Chunks        int    `json:"chunks"`
	Made          int    `json:"made"`    // vectors that were asked for
	Failed        int    `json:"failed"`  // chunks without a vector
	Model         string `json:"model"`   // of the endpoint
	Removed       int    `json:"removed"` // other models whose vectors went
	Records       int    `json:"records"` // of memory
	RecordsFailed int    `json:"recordsFailed"`
}

// Embed makes the vectors of the configured endpoint.
var Embed = Define(Operation{
	Name: "embed", Title: "Make vectors", Doors: HTTP, Effect: Adds, Class: workload.Patient,
	Doc: "Ask the endpoint of the settings for every vector of code and memory that is missing, then forget those of other models.",
}, func(ctx context.Context, c *Call, p *EmbedParams) (*EmbedResult, error) {
	if err := c.Engine.Index().WaitReady(ctx); err != nil {
		return nil, fmt.Errorf("wait for the index: %w", err)
	}
	n, err := c.Engine.MigrateEmbeddings(ctx, p.Remake, func(done, total int) {
		if c.Progress != nil {
			c.Progress(engine.Progress{
				Stage: "EMBED", Status: "in_progress", Detail: fmt.Sprintf("%d of %d chunks", done, total), Done: float64(done) / float64(max(total, 1)),
			})
		}
	})
	if err != nil {
		return nil, err
	}
	return &EmbedResult{
		Chunks: n.Chunks, Made: n.Made, Failed: n.Failed, Model: n.Model, Removed: n.Removed, Records: n.Records, RecordsFailed: n.Without,
	}, nil
})
