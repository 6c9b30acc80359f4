package reason

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/aurora-sidecar/aurora/engine/answer/evidence"
	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/internal/obs/metrics"
	"github.com/aurora-sidecar/aurora/internal/text"
	"github.com/aurora-sidecar/aurora/memory"
)

// The sources of snippets that no provider of searches proposed, as figures name them.
const (
	fromMemory = "memory" // as the provider of this name: a record about another snippet
	fromGraph  = "graph"  // read for the sake of another one, or by its name
)

// measure counts a question that has ended, and returns its figures; nil when a person changed their mind, or is asked
// first: this tells nothing of the answer. It never fails.
func (e *Reasoner) measure(ctx context.Context, x *exchange, err error) *memory.Metric {
	var blocked *soar.Blocked
	if err != nil && (ctx.Err() != nil || errors.As(err, &blocked) && errors.Is(blocked.Err, errConfirm)) {
		return nil
	}
	r := x.asked
	v := memory.Metric{
		At: e.opts.Now(), Op: memory.OpQuery, Agent: x.request.Agent, TaskID: x.request.TaskID, QueryID: r.QueryID, Outcome: outcomeOf(r, err), Complexity: r.Complexity,
		Timing:   memory.Timing{Duration: r.Total},
		ModelUse: memory.ModelUse{TokensIn: r.Cost.PromptTokens, TokensCached: r.Cost.CachedTokens, TokensOut: r.Cost.CompletionTokens, USD: r.Cost.USD, Calls: r.Cost.Calls},
		Verdict:  memory.Verdict{Score: r.OverallScore, Confidence: r.Confidence},
		Record:   r.ChunkID,
	}
	if x.state != nil {
		v.Claims, v.Unsupported = x.state.Claims.Total, x.state.Claims.Total-x.state.Claims.Supported
		v.CacheHits = x.account.CacheHits()
	}
	for _, p := range r.Phases {
		if p.Status == soar.Skipped {
			continue
		}
		if p.Name == soar.Retrieve {
			v.Retrieval = p.Duration
		}
		v.Phases = append(v.Phases, memory.PhaseTime{Phase: p.Name, DurationMs: milliseconds(p.Duration), Percentage: math.Round(10*p.Percentage) / 10})
	}
	if x.library != nil {
		weighSnippets(&v, x.library, r.Citations)
	}
	e.countAnswer(x, v)
	e.opts.Log.Info("question measured", "query", r.QueryID, "outcome", v.Outcome, "retrieval_latency_ms", milliseconds(v.Retrieval),
		"context_hit_rate", portion(v.SnippetsUsed, v.Snippets), "token_efficiency", portion(v.UsefulTokens, v.ContextTokens), "bottleneck", Bottleneck(r.Phases))
	e.opts.Usage.Count(&v)
	return &v
}

// weighSnippets fills in what was retrieved, from where, and what of it the answer cites.
func weighSnippets(v *memory.Metric, from *evidence.Workspace, cited []snippet.Hit) {
	used := map[string]bool{}
	for i := range cited {
		used[cited[i].ID] = true
	}
	shares := map[string]*memory.ProviderShare{}
	for id, hit := range from.Hits {
		tokens := text.EstimateTokens(hit.Text)
		v.Snippets++
		v.Characters += len([]rune(hit.Text))
		v.ContextTokens += tokens
		if used[id] {
			v.SnippetsUsed++
			v.UsefulTokens += tokens
		}
		for _, name := range providersOf(&hit) {
			p := shares[name]
			if p == nil {
				p = &memory.ProviderShare{Provider: name, LatencyMs: milliseconds(from.Spent[name])}
				shares[name] = p
			}
			p.Provided++
			p.ScoreSum += hit.Score
			if used[id] {
				p.Used++
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(shares)) {
		v.Providers = append(v.Providers, *shares[name])
	}
}

// providersOf names what proposed a hit; several may have.
func providersOf(h *snippet.Hit) []string {
	switch {
	case len(h.Providers) > 0:
		return h.Providers
	case h.Path == "" || h.Type == string(memory.Knowledge) || h.Type == string(memory.Reasoning):
		return []string{fromMemory}
	}
	return []string{fromGraph}
}

func (e *Reasoner) countAnswer(x *exchange, v memory.Metric) {
	set := e.opts.Usage.Set
	phases := map[string]time.Duration{}
	for _, p := range x.asked.Phases {
		if p.Status != soar.Skipped {
			phases[p.Name] = p.Duration
		}
		if p.Status == soar.Retried {
			set.Retried(p.Name)
		}
	}
	set.Answered(metrics.Answer{
		Complexity: v.Complexity, Outcome: v.Outcome, Took: v.Duration, Score: v.Score, CacheHits: v.CacheHits,
		Supported: v.Claims - v.Unsupported, Unsupported: v.Unsupported, ContextTokens: v.ContextTokens, UsefulTokens: v.UsefulTokens, Phases: phases,
	})
	if x.state == nil {
		return
	}
	for _, o := range x.state.Outcomes {
		if o.Envelope != nil {
			set.AgentWorked(o.Envelope.AgentID, o.Took)
		}
	}
	for _, c := range x.account.Calls() {
		set.Called(c.Purpose, string(c.Fault), c.Usage.Prompt, c.Usage.Completion, c.USD)
		if c.Fault != "" {
			e.opts.Log.Warn("a call of the model failed", "query", x.asked.QueryID, "for", c.Purpose, "model", c.Model, "fault", string(c.Fault), "took", c.Duration)
		}
	}
}

// outcomeOf classes how a question ended.
func outcomeOf(r *QueryResult, err error) string {
	switch {
	case isRefusal(err):
		return memory.Refused
	case err != nil:
		return memory.Failed
	case len(r.Citations) == 0 && r.Confidence == 0:
		return memory.NothingFound
	}
	return memory.Succeeded
}

// isRefusal reports whether an error says that the question was not to be asked.
func isRefusal(err error) bool {
	var blocked *soar.Blocked
	return errors.As(err, &blocked) || fault.IsRefusal(err)
}

// Bottleneck names the phase that took the most of a question's time, such as "COLLECT took 97.8%"; "" when
// no phase took any.
func Bottleneck(phases []Phase) string {
	top := -1
	for i := range phases {
		if phases[i].Duration > 0 && (top < 0 || phases[i].Duration > phases[top].Duration) {
			top = i
		}
	}
	if top < 0 {
		return ""
	}
	return fmt.Sprintf("%s took %.1f%%", phases[top].Name, phases[top].Percentage)
}

func portion(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return math.Round(1000*float64(part)/float64(whole)) / 1000
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
