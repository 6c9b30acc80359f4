package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/memory"
)

// statusWait is how long index and memory may take to tell their state. When they take longer something hangs.
const statusWait = 10 * time.Second

// Status tells how the engine is: its index, its memory, how fast its searches were, and what is wrong. It answers also when
// something hangs, and says so.
func (e *Engine) Status(ctx context.Context) (*Status, error) {
	type outcome struct {
		status *Status
		err    error
	}
	known := make(chan outcome, 1)
	go func() {
		status, err := e.readStatus(ctx)
		known <- outcome{status, err}
	}()
	limit := time.NewTimer(statusWait)
	defer limit.Stop()
	select {
	case o := <-known:
		if o.err == nil {
			o.status.Warnings = append(o.status.Warnings, e.Slow()...)
		}
		return o.status, o.err
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-limit.C:
	}
	hangs := fmt.Sprintf("index or memory hang: they did not tell their state within %s. aurora daemon stop, then open the project again", statusWait)
	return &Status{Index: index.Status{State: index.Degraded}, Version: e.opts.Version, Warnings: append([]string{hangs}, e.Slow()...)}, nil
}

func (e *Engine) readStatus(ctx context.Context) (*Status, error) {
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
	if team := e.opts.Team; team != nil {
		if err := team.Failed(); err != nil {
			st.Warnings = append(st.Warnings, fmt.Sprintf("searches find only what is here; the search server %s: %v", team.Client.Address(), err))
		}
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
		SizeBytes: stats.SizeBytes, Path: stats.Path, Team: e.opts.InTeam != nil && e.opts.InTeam(),
	}
}
