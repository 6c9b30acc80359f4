package soar

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine/llm/llmtest"
)

// placed is a library that finds one more snippet by its place.
type placed struct{ shelfLibrary }

// At implements Locator.
func (placed) At(ctx context.Context, path string, line int) (Source, bool, error) {
	if path != "proxy/proxy.go" {
		return Source{}, false, ctx.Err()
	}
	return Source{Key: "p", Path: path, Line: line, Last: line, Name: "Proxy", Text: "func Proxy() {} // bounds uploads, too"}, true, ctx.Err()
}

// outside is an agent of another tool, which looked at a place by itself.
type outside struct{ runs int }

// Card implements Agent.
func (*outside) Card() Card {
	return Card{ID: "outside", Type: "executable", Capabilities: []string{"research"}, Domains: []string{"general"}, SuccessRate: 0.9}
}

// Run implements Agent.
func (o *outside) Run(_ context.Context, t Task) (*Envelope, error) {
	o.runs++
	return &Envelope{
		SubgoalID: t.Subgoal.ID, AgentID: "outside", Status: "success", Output: Output{Summary: "`Proxy` bounds uploads, too [A1].", Confidence: 0.9},
		Places: []Place{{Path: "proxy/proxy.go", Line: 7}},
	}, nil
}

// TestPlayerPlaysAgents has a question worked on by an agent from outside, keeps the recording as JSON, and plays it: the
// agent does not run again, and what it found is in the answer.
func TestPlayerPlaysAgents(t *testing.T) {
	b := newBench(t, 10*time.Second)
	agent := &outside{}
	b.opts.Library, b.opts.Agents = placed{shelfLibrary(snippets)}, []Agent{agent}
	b.opts.Personas = []Persona{{Card: Card{ID: "reader", Type: "builtin", Capabilities: []string{"all"}, Domains: []string{"general"}}, Instructions: "Read closely."}}
	b.server.Script(llmtest.Step{Task: "decompose", JSON: json.RawMessage(`{"decomposition":{"given":[{"id":"G1","fact":"Compare maxBody and Handle","source":"query"}],
		"goal":{"description":"Compare maxBody and Handle","success_criteria":["every claim has a source"]},"subgoals":[
		{"id":"SG1","description":"Find what maxBody bounds","requires":["G1"],"agent":"outside","expected_output":"facts","depends_on":[]},
		{"id":"SG2","description":"Read what Handle does with it","requires":["G1"],"agent":"reader","expected_output":"facts","depends_on":["SG1"]}],
		"execution_order":["SG1","SG2"],"parallelizable":[]}}`)})
	o := b.ask(context.Background(), Request{ID: "x", Query: mediumQuery, Mode: "soar"})
	if o.err != nil || agent.runs != 1 || o.Outcomes[0].Failed() || len(o.Recording.Runs) != 1 || len(o.Recording.Located) != 1 {
		t.Fatalf("%v, %d runs, %d places, review %+v", o.err, agent.runs, len(o.Recording.Located), o.PlanReview)
	}
	kept, err := json.Marshal(o.Recording)
	if err != nil {
		t.Fatal(err)
	}
	again := &Recording{}
	if err := json.Unmarshal(kept, again); err != nil {
		t.Fatal(err)
	}
	calls := len(b.server.Calls())
	player := NewPlayer(again)
	played := NewPipeline(Options{Reasoning: player, Library: player, AgentOptions: AgentOptions{Agents: player.Agents(), Personas: player.Personas()}, Examples: b.opts.Examples})
	s, _, _, err := played.Ask(context.Background(), Request{ID: "x", Query: mediumQuery, Mode: "soar"}, nil)
	if err != nil || s.Answer != o.Answer || s.Outcomes[0].Envelope.Output.Summary != o.Outcomes[0].Envelope.Output.Summary {
		t.Fatalf("%v:\n%q, was\n%q", err, s.Answer, o.Answer)
	}
	if agent.runs != 1 || len(b.server.Calls()) != calls {
		t.Error("agent or model were asked again")
	}
}
