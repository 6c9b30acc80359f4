//go:build unix

package lsp_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/agents"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/trust"
	"github.com/aurora-sidecar/aurora/lsp"
)

// A truster keeps the trust of one test.
type truster struct {
	*trust.Store
	brought func(folder string) []trust.Item
}

// Review implements engine.Truster.
func (t *truster) Review(_ context.Context, folder string) (*trust.Review, error) {
	return t.Store.Review(folder, t.brought(folder)), nil
}

// Approve implements engine.Truster.
func (t *truster) Approve(r *trust.Review) error { return t.Store.Approve(r, time.Now()) }

// curious asks which shop is meant before it answers.
const curious = `#!/bin/sh
read -r task
case "$task" in
*user_response*) shop=$(printf '%s' "$task" | sed 's/.*"user_response":"\([^"]*\)".*/\1/')
  echo "{\"summary\": \"The shop is $shop.\", \"confidence\": 0.9}" ;;
*) echo '{"ask": {"question": "Which shop?", "choices": ["north", "south"], "default": "east"}}' ;;
esac
`

// connectAgents opens an editor on a workspace that brings an agent along.
func connectAgents(t *testing.T, config lsp.Config) *lsp.Editor {
	t.Helper()
	models, _ := scripted(t, 50)
	kept := trust.Open(t.TempDir())
	w := newWorldWith(t, models, func(o *engine.Options) {
		o.Agents = agents.Open(agents.Options{Paths: []string{"./.aurora/agents.json"}, AutoDiscover: true, Approves: kept.Approves, Fallback: "llm_only"})
		o.Trust = &truster{kept, o.Agents.Brought}
	})
	config.Dir = workspace(t, cartArchive+"-- .aurora/agents.json --\n"+`[{"id": "curious", "type": "executable", "path": "./.aurora/curious.sh"}]`+"\n-- .aurora/curious.sh --\n"+curious)
	if err := os.Chmod(filepath.Join(config.Dir, ".aurora", "curious.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	e, _ := w.connect(config)
	e.AwaitReady()
	return e
}

// TestAgentAsksThePerson has a project's agent left alone until the person trusts the project; then it asks, and the
// answer is part of what it says. A client that does not know aurora/ask is asked as LSP has it.
func TestAgentAsksThePerson(t *testing.T) {
	var asked []api.AskParams
	answers := func(p api.AskParams) api.AskResult {
		asked = append(asked, p)
		return api.AskResult{Answer: "south"}
	}
	plain := map[string]any{"aurora": map[string]any{"client": api.ClientFeatures{Progress: true, Status: true}}}
	for name, test := range map[string]struct {
		config lsp.Config
		says   string
	}{
		"aurora/ask":              {lsp.Config{Ask: answers}, "The shop is south."},
		"declined":                {lsp.Config{}, "The shop is east."},
		"showMessageRequest":      {lsp.Config{Options: plain}, "The shop is north."},
		"showMessageRequest, no":  {lsp.Config{Options: plain, Dismisses: true}, "The shop is east."},
		"a client without either": {lsp.Config{Options: plain, Capabilities: map[string]any{}, Dismisses: true}, "The shop is east."},
	} {
		t.Run(name, func(t *testing.T) {
			e := connectAgents(t, test.config)
			var answer api.QueryResult
			ask := func() {
				answer = api.QueryResult{}
				e.Call("aurora/query", map[string]any{"query": "compare Checkout with nothing", "mode": "soar", "force": true}, &answer)
			}
			ask()
			if strings.Contains(answer.Answer, "The shop") || len(e.State().Asked) != 0 {
				t.Fatalf("an untrusted agent ran: %s", answer.Answer)
			}
			e.Call("aurora/trust", map[string]any{"trusted": true}, nil)
			ask()
			if !strings.Contains(answer.Answer, test.says) || len(e.State().Asked) != 3 { // whether to trust, and by the agent for two subgoals
				t.Errorf("asked %q, answered %s", e.State().Asked, answer.Answer)
			}
			if !slices.ContainsFunc(answer.Subgoals, func(s api.Subgoal) bool { return s.Agent == "curious" }) {
				t.Errorf("%+v", answer.Subgoals)
			}
		})
	}
	if len(asked) != 2 || asked[0].AgentID != "curious" || asked[0].Question != "Which shop?" || asked[0].Default != "east" || !strings.HasPrefix(asked[0].QueryID, "aurora-") {
		t.Errorf("%+v", asked)
	}
}

// TestAgentsAndTrust lists agents, and trusts and distrusts folders of the workspace only.
func TestAgentsAndTrust(t *testing.T) {
	e := connectAgents(t, lsp.Config{})
	var l api.AgentsResult
	e.Call("aurora/agents", nil, &l)
	if len(l.Agents) != 3 || l.Agents[2].ID != "curious" || l.Agents[2].Ready || len(l.Untrusted) != 1 || l.Fallback != "llm_only" || len(l.DiscoveredPaths) != 1 {
		t.Errorf("%+v", l)
	}
	var status api.Status
	e.Call("aurora/status", nil, &status)
	if !strings.Contains(strings.Join(status.Warnings, "\n"), "not run before you approve them") {
		t.Errorf("status: %q", status.Warnings)
	}
	var trusted api.TrustResult
	e.Call("aurora/trust", map[string]any{}, &trusted)
	if len(trusted.Folders) != 1 || trusted.Folders[0].Trusted {
		t.Errorf("%+v", trusted)
	}
	e.Call("aurora/trust", map[string]any{"folder": api.FileURI(e.Dir), "trusted": true}, &trusted)
	if !trusted.Folders[0].Trusted || !trusted.Folders[0].Changed {
		t.Errorf("%+v", trusted)
	}
	e.Call("aurora/agents", map[string]any{"refresh": true}, &l)
	if !l.Agents[2].Ready || len(l.Untrusted) != 0 {
		t.Errorf("%+v", l)
	}
	e.Call("aurora/trust", map[string]any{"trusted": false}, &trusted)
	if trusted.Folders[0].Trusted {
		t.Errorf("%+v", trusted)
	}
	for folder, code := range map[string]int{"file:///elsewhere": 1004, "elsewhere": -32602} {
		if err := e.Try("aurora/trust", map[string]any{"folder": folder, "trusted": true}, nil); lsp.Code(err) != code {
			t.Errorf("%s: %v", folder, err)
		}
	}
}

// TestTrustIsGivenByThePerson has a client try to give trust itself: by its request alone, by an answer that it could have
// written without seeing the question, by the refusal, and in a window that the editor does not trust.
func TestTrustIsGivenByThePerson(t *testing.T) {
	restricted := map[string]any{"aurora": map[string]any{"client": api.ClientFeatures{Restricted: true, Status: true}}}
	properties := lsp.Everything()
	properties["window"] = map[string]any{"showMessage": map[string]any{"messageActionItem": map[string]any{"additionalPropertiesSupport": true}}}
	for name, test := range map[string]struct {
		config  lsp.Config
		trusted bool
	}{
		"agreed":                     {lsp.Config{}, true},
		"agreed, with properties":    {lsp.Config{Capabilities: properties}, true},
		"refused":                    {lsp.Config{Approves: func(_ string, actions []map[string]any) any { return actions[0] }}, false},
		"closed":                     {lsp.Config{Approves: func(string, []map[string]any) any { return nil }}, false},
		"answered without the nonce": {lsp.Config{Capabilities: properties, Approves: func(string, []map[string]any) any { return map[string]any{"title": "Trust"} }}, false},
		"answered without the code":  {lsp.Config{Approves: func(string, []map[string]any) any { return map[string]any{"title": "Trust"} }}, false},
		"a restricted window":        {lsp.Config{Options: restricted}, false},
	} {
		t.Run(name, func(t *testing.T) {
			e := connectAgents(t, test.config)
			err := e.Try("aurora/trust", map[string]any{"trusted": true}, nil)
			if (err != nil) != (name == "a restricted window") {
				t.Errorf("%v", err)
			}
			var trusted api.TrustResult
			e.Call("aurora/trust", map[string]any{}, &trusted)
			if trusted.Folders[0].Trusted != test.trusted {
				t.Errorf("trusted: %+v", trusted)
			}
			if asked := strings.Join(e.State().Asked, ""); err == nil && (!strings.Contains(asked, e.Dir) || !strings.Contains(asked, "curious: runs ./.aurora/curious.sh")) {
				t.Errorf("asked %q", asked)
			}
		})
	}
}

// TestTrustEndsWithAChange has the program of an approved agent change: it is not run before the person has seen that.
func TestTrustEndsWithAChange(t *testing.T) {
	e := connectAgents(t, lsp.Config{})
	e.Call("aurora/trust", map[string]any{"trusted": true}, nil)
	if err := os.WriteFile(e.Path(".aurora/curious.sh"), []byte("#!/bin/sh\ntouch ran\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	var trusted api.TrustResult
	e.Call("aurora/trust", map[string]any{}, &trusted)
	if f := trusted.Folders[0]; f.Trusted || len(f.Waits) != 1 || !strings.Contains(f.Waits[0], "curious") || !strings.Contains(f.Waits[0], "changed") {
		t.Errorf("%+v", f)
	}
	e.Call("aurora/query", map[string]any{"query": "compare Checkout with nothing", "mode": "soar", "force": true}, nil)
	if _, err := os.Stat(e.Path("ran")); err == nil {
		t.Error("a program that changed after its approval ran")
	}
	e.Call("aurora/trust", map[string]any{"trusted": true}, &trusted)
	if asked := e.State().Asked; !trusted.Folders[0].Trusted || !strings.Contains(asked[len(asked)-1], "has changed since") {
		t.Errorf("%+v, asked %q", trusted, asked)
	}
}
