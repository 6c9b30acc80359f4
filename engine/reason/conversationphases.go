package reason

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/memory/convlog"
)

// maxLogged is the most bytes of a snippet that a conversation quotes: what was found is named, not copied.
const maxLogged = 1000

// contextBudget is how many snippets a question gets.
const contextBudget = 10

// A phaseJSON is what a conversation says of one phase.
type phaseJSON struct {
	Phase      string   `json:"phase"`
	Timestamp  string   `json:"timestamp,omitempty"`
	DurationMs *float64 `json:"duration_ms,omitempty"`
	Status     string   `json:"status,omitempty"` // unless all went well
	Detail     string   `json:"detail,omitempty"`
	Input      any      `json:"input,omitempty"`
	Output     any      `json:"output,omitempty"`
}

// object keeps the JSON of what is written once short.
type object = map[string]any

// phases are the parts of the file, in its order.
func (x *exchange) phases() []convlog.Phase {
	part := func(name, title string, blocks ...convlog.Block) convlog.Phase {
		return convlog.Phase{Name: name, Title: title, Blocks: blocks}
	}
	block := func(p phaseJSON) convlog.Block { return convlog.Block{Value: p} }
	s := x.state
	if s == nil {
		s = &soar.State{}
	}
	return []convlog.Phase{
		part("assess", "Phase 1: ASSESS", block(x.assess())),
		part("retrieve", "Phase 2: RETRIEVE", block(x.retrieved())),
		part("decompose", "Phase 3: DECOMPOSE", block(x.planned(s))),
		part("verify", "Phase 4: VERIFY (Decomposition)", block(x.reviewed("verify_decomposition", soar.Verify, s.PlanReview, s))),
		part("route", "Phase 5: ROUTE", block(x.routed(s))),
		part("collect", "Phase 6: COLLECT (Agent Outputs)", x.outputs(s)...),
		part("synthesize", "Phase 7: SYNTHESIZE", convlog.Block{Label: "Synthesis (Natural Language Recomposition)", Value: x.synthesized(s)}),
		part("verify", "Phase 4b: VERIFY (Synthesis)", block(x.reviewed("verify_synthesis", soar.VerifyAnswer, s.Review, s))),
		part("record", "Phase 8: RECORD", block(x.recorded(s))),
		part("respond", "Phase 9: RESPOND", block(x.responded())),
	}
}

// phase begins what is said of a phase: when it ran and how it went.
func (x *exchange) phase(name, phase string) phaseJSON {
	p := phaseJSON{Phase: name, Status: soar.Skipped}
	i := slices.IndexFunc(x.result.Phases, func(p Phase) bool { return p.Name == phase })
	if i < 0 {
		return p
	}
	ran := x.result.Phases[i]
	p.Timestamp, p.Status, p.Detail = stampMs(ran.StartedAt), ran.Status, ran.Detail
	if ran.Status == soar.OK {
		p.Status = ""
	}
	if ran.Status != soar.Skipped {
		p.DurationMs = ms(ran.Duration)
	}
	return p
}

// stampMs is a time in UTC with milliseconds.
func stampMs(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

func ms(d time.Duration) *float64 {
	v := float64(d.Microseconds()) / 1000
	return &v
}

func (x *exchange) assess() phaseJSON {
	p, a := x.phase("assess", soar.Assess), x.assessment()
	mode := cmp.Or(strings.ToLower(x.request.Mode), "auto")
	p.Input = object{"query": x.query(), "mode": mode, "workspace": x.folder}
	route := "full_decomposition"
	switch {
	case x.state == nil:
		route = "index_only"
	case x.state.Direct:
		route = "direct"
	}
	p.Output = object{"complexity": x.result.Complexity, "confidence": a.Confidence, "score": a.Score, "reasoning": p.Detail, "route": route}
	p.Detail = ""
	return p
}

// A loggedHit is a snippet that was found.
type loggedHit struct {
	ID         string   `json:"id"`
	Activation *float64 `json:"activation"` // probability of recall; null for what was never used
	Content    string   `json:"content"`
}

func (x *exchange) retrieved() phaseJSON {
	p := x.phase("retrieve", soar.Retrieve)
	hits := x.result.Citations
	if x.state != nil {
		hits = nil
		for _, source := range x.state.Bundle {
			hits = append(hits, x.library.Hits[source.Key])
		}
	}
	chunks, logs, all := map[string][]loggedHit{"code": {}, "reasoning": {}, "knowledge": {}}, []string{}, 0
	for i := range hits {
		h := &hits[i]
		if h.Origin == snippet.OriginLog {
			logs = append(logs, fmt.Sprintf("%s lines %d-%d (%s)", h.Path, h.Range.Start.Line+1, h.Range.End.Line, h.Name))
			continue
		}
		sort := "code"
		if snippet.IsMemoryType(h.Type) {
			sort = h.Type
		}
		all++
		chunks[sort] = append(chunks[sort], loggedHit{ID: h.ID, Activation: h.Scores.Activation, Content: wording.CutBytes(h.Text, maxLogged)})
	}
	p.Input = object{"query": x.query(), "context_budget": contextBudget}
	p.Output = object{"chunks_retrieved": chunks, "total_chunks": all, "log_references": logs}
	return p
}

func (x *exchange) planned(s *soar.State) phaseJSON {
	p := x.phase("decompose", soar.Decompose)
	p.Input = object{"query": x.query(), "context": sourceNames(s.Bundle)}
	if s.Plan != nil {
		p.Output = s.Plan
	}
	return p
}

func sourceNames(sources []soar.Source) []string {
	names := make([]string, len(sources))
	for i, s := range sources {
		names[i] = s.Key
	}
	return names
}

func (x *exchange) reviewed(name, phase string, r *soar.Review, s *soar.State) phaseJSON {
	p := x.phase(name, phase)
	if r == nil {
		return p
	}
	p.Input = object{"verification_option": s.Option}
	scores := map[string]float64{}
	issues := []string{}
	for name, check := range r.Checks {
		scores[name] = check.Score
	}
	for _, problem := range r.Problems {
		issues = append(issues, problem.Message)
	}
	for _, name := range sortedKeys(r.Checks) {
		issues = append(issues, r.Checks[name].Issues...)
	}
	p.Output = object{"scores": scores, "overall_score": r.Overall, "verdict": strings.ToUpper(string(r.Verdict)), "issues": issues}
	return p
}

func (x *exchange) routed(s *soar.State) phaseJSON {
	p := x.phase("route", soar.Route)
	routing := []object{}
	for _, a := range s.Routes {
		routing = append(routing, object{"subgoal_id": a.SubgoalID, "agent_id": a.AgentID, "agent_type": a.AgentType, "path": a.Path})
	}
	if s.Plan != nil {
		var ids []string
		for _, g := range s.Plan.Subgoals {
			ids = append(ids, g.ID)
		}
		p.Input = object{"subgoals": ids}
		p.Output = object{"routing": routing}
	}
	return p
}

// An agentJSON is an agent's answer with the moment it was asked for.
type agentJSON struct {
	soar.Envelope
	Timestamp string `json:"timestamp"`
}

// outputs has one block for each agent.
func (x *exchange) outputs(s *soar.State) []convlog.Block {
	p := x.phase("collect", soar.Collect)
	if len(s.Outcomes) == 0 {
		return []convlog.Block{{Value: p}}
	}
	var blocks []convlog.Block
	for _, o := range s.Outcomes {
		label := "Agent " + o.Subgoal.ID + ": " + o.Subgoal.Agent
		if o.Envelope == nil {
			blocks = append(blocks, convlog.Block{Label: label, Value: object{
				"subgoal_id": o.Subgoal.ID, "agent_id": o.Subgoal.Agent, "status": "error", "error": o.Note, "timestamp": p.Timestamp,
			}})
			continue
		}
		label = "Agent " + o.Subgoal.ID + ": " + o.Envelope.AgentID
		blocks = append(blocks, convlog.Block{Label: label, Value: agentJSON{*o.Envelope, p.Timestamp}})
	}
	return blocks
}

func (x *exchange) synthesized(s *soar.State) phaseJSON {
	p := x.phase("synthesize", soar.Synthesize)
	summaries, done, files := []object{}, 0, map[string]bool{}
	for _, o := range s.Outcomes {
		if !o.Failed() {
			done++
			for _, path := range o.Envelope.Modified() {
				files[path] = true
			}
			summaries = append(summaries, object{"subgoal_id": o.Subgoal.ID, "summary": o.Envelope.Output.Summary, "confidence": o.Envelope.Output.Confidence})
		}
	}
	if p.Status == soar.Skipped {
		return p
	}
	p.Input = object{"agent_summaries": summaries}
	p.Output = object{"final_answer": x.result.Answer, "synthesis_metadata": object{
		"subgoals_completed": done, "total_files_modified": len(files), "user_interactions_count": len(x.transcript),
	}}
	return p
}

func (x *exchange) recorded(s *soar.State) phaseJSON {
	p := x.phase("record", soar.Record)
	if x.state != nil {
		p.Input = object{"query": x.query(), "verification_score": s.Score, "complexity": x.result.Complexity}
	}
	out := object{"stored_to_actr": x.result.ChunkID != "", "chunk_id": x.result.ChunkID, "reasoning": x.whyStored()}
	if x.answer != nil && x.answer.SemanticRole != "" {
		out["semantic_role"] = x.answer.SemanticRole
	}
	if x.policy != "" {
		out["lifespan_policy"] = x.policy
	}
	p.Output = out
	p.Detail = ""
	return p
}

func (x *exchange) responded() phaseJSON {
	p, r := x.phase("respond", soar.Respond), x.result
	p.DurationMs = nil
	if p.Timestamp == "" {
		p.Timestamp = stampMs(x.events.asked.Add(r.Total))
	}
	citations := []object{}
	for i := range r.Citations {
		h := &r.Citations[i]
		citations = append(citations, object{"number": i + 1, "id": h.ID, "path": h.Path, "line": h.Line()})
	}
	out := object{
		"format": "natural_language", "response": r.Answer, "citations": citations, "verified": r.Verified, "confidence": r.Confidence,
		"warnings": append([]string{}, r.Warnings...),
		"metadata": object{
			"total_duration_ms": ms(r.Total), "estimated_cost_usd": r.Cost.USD, "cached_to_actr": r.ChunkID != "",
			"tokens_used": object{"reasoning_llm": r.Tokens.Reasoning, "agents": r.Tokens.Agents},
		},
	}
	if x.state != nil && len(x.state.Passes) > 1 {
		passes := []object{}
		for _, pass := range x.state.Passes {
			passes = append(passes, object{"number": pass.Number, "calls": pass.Used, "ended": pass.Ended, "best": pass.Best})
		}
		out["passes"] = passes
	}
	if x.failure != nil {
		out["error"] = x.failure.Error()
	}
	p.Output = out
	return p
}
