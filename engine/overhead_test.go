//go:build unix

package engine

import (
	"context"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine/journal"
	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/engine/llm/llmtest"
	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/prompts"
)

// An instant model answers by rule in this process, and notes how long it took.
type instant struct{ spent atomic.Int64 }

// Complete implements llm.Generator.
func (g *instant) Complete(ctx context.Context, r llm.Request) (*llm.Response, error) {
	start := time.Now()
	defer func() { g.spent.Add(int64(time.Since(start))) }()
	c := llmtest.Call{}
	for _, m := range r.Messages {
		c.Messages = append(c.Messages, llmtest.Message{Role: m.Role, Content: m.Content})
	}
	return &llm.Response{Text: llmtest.Reply(c)}, ctx.Err()
}

// Stream implements llm.Generator.
func (g *instant) Stream(ctx context.Context, r llm.Request, sink func(llm.Delta)) (*llm.Response, error) {
	response, err := g.Complete(ctx, r)
	if err == nil {
		sink(llm.Delta{Text: response.Text})
	}
	return response, err
}

// BenchmarkOverhead prints what a question takes besides its model, the saving of its history included, over Go's own
// source: the goal is below 50 ms for a SIMPLE one and 200 ms for a COMPLEX one.
func BenchmarkOverhead(b *testing.B) {
	examples, err := prompts.LoadExamples()
	if err != nil {
		b.Fatal(err)
	}
	for _, bb := range []struct {
		name    string
		request QueryRequest
	}{
		{"simple", QueryRequest{Query: "What is ServeMux?"}},
		{"medium", QueryRequest{Query: "Compare ServeMux and Server"}}, {"medium, planned", QueryRequest{Query: "Compare ServeMux and Server", Mode: "soar"}},
		{"complex", QueryRequest{Query: "Design a cache for http responses"}},
		{"critical", QueryRequest{Query: "Is ServeMux safe in production?"}},
		{"adaptive", QueryRequest{Query: "Design a cache for http responses", Adaptive: true}},
	} {
		b.Run(bb.name, func(b *testing.B) {
			e := openGoroot(b)
			model := &instant{}
			e.opts.Models = &Models{Name: "instant", Reasoning: model, Examples: examples}
			e.opts.Journal = journal.Open(e.opts.Memory.(memory.Journal), journal.Options{Keep: 50})
			cpu := cpuTime()
			for b.Loop() {
				if _, err := e.Query(context.Background(), bb.request, nil); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed()-time.Duration(model.spent.Load()))/float64(time.Millisecond)/float64(b.N), "overhead-ms/op")
			b.ReportMetric((cpuTime()-cpu).Seconds()*1000/float64(b.N), "cpu-ms/op") // of a machine that is busy, this is what counts
			e.opts.Models, e.opts.Journal = nil, nil
		})
	}
}

// cpuTime is what this process has taken of the processors so far.
func cpuTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
