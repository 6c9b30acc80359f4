package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/memory"
)

// Status tells how the engine is: its index, its memory, how fast its searches were, and what is wrong.
func (e *Engine) Status(ctx context.Context) (*Status, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	st := &Status{Index: e.opts.Index.Status(), Version: e.opts.Version}
	latency := e.searcher.Latency.Summary()
	st.QueryMeanMs, st.QueryP50Ms, st.QueryP95Ms = milliseconds(latency.Mean), milliseconds(latency.P50), milliseconds(latency.P95)
	st.Usage = e.meter.Summary()
	st.Warnings = append(st.Warnings, st.Index.Warnings...)
	for _, f := range st.Index.Folders {
		if w := e.intel.GitWarning(f.Path); w != "" {
			st.Warnings = append(st.Warnings, w)
		}
	}
	if m := e.opts.Models; m != nil {
		st.LLM = LLMStatus{Configured: true, Healthy: e.reasoner.Healthy(), Model: m.Name}
	}
	if err := e.opts.ModelsError; err != nil {
		st.Warnings = append(st.Warnings, "the model can't be used: "+err.Error())
	}
	st.Warnings = append(st.Warnings, e.agentWarnings(ctx)...)
	st.Providers, st.Embedder = e.Providers(), e.embedderStatus()
	if err := e.opts.EmbeddingsError; err != nil {
		st.Warnings = append(st.Warnings, "the embedding endpoint is not used: "+err.Error())
	}
	if err := e.vectors.EndpointFailure(); err != nil {
		st.Warnings = append(st.Warnings, "the embedding endpoint failed lately: "+err.Error())
	}
	e.memoryStatus(ctx, st)
	st.Warnings = wording.Unique(st.Warnings)
	return st, nil
}

func (e *Engine) embedderStatus() EmbedderStatus {
	if id := e.vectors.Model(); id != nil {
		return EmbedderStatus{ID: id.String(), Dims: id.Dimensions, Kind: "endpoint"}
	}
	snap := e.opts.Index.Snapshot()
	if id := snap.Embedder(); id != "" {
		return EmbedderStatus{ID: id, Dims: snap.EmbedderDims(), Kind: "embedded"}
	}
	return EmbedderStatus{Kind: "none"}
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func (e *Engine) memoryStatus(ctx context.Context, st *Status) {
	if e.opts.Memory == nil {
		return
	}
	if w := e.opts.Memory.Warning(); w != "" {
		st.Warnings = append(st.Warnings, w)
	}
	stats, err := e.opts.Memory.Stats(ctx)
	if err != nil {
		st.Warnings = append(st.Warnings, fmt.Sprintf("memory can't be read: %v", err))
		return
	}
	st.Memory = MemoryStatus{
		Knowledge: stats.Records[memory.Knowledge], Reasoning: stats.Records[memory.Reasoning], Key: stats.Key,
		SizeBytes: stats.SizeBytes, Path: stats.Path,
	}
}
