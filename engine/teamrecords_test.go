package engine

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/memory"
)

// TestAgentsShareNothing has agents, and people who are in no team or no repository, try to share records, and agents change shared ones.
func TestAgentsShareNothing(t *testing.T) {
	w := openWorkspace(t, shop)
	ctx := context.Background()
	refused := func(words string, r RememberRequest) {
		t.Helper()
		_, _, err := w.engine.Memory().Remember(ctx, r)
		var e *Error
		if !errors.As(err, &e) || e.Kind != Invalid || e.Detail != "team" || !strings.Contains(e.Message, words) {
			t.Errorf("%+v: %v", r, err)
		}
	}
	refused("in no team", RememberRequest{Content: "x", Team: true})
	w.engine.records.InTeam = func() bool { return true }
	refused("an agent can't", RememberRequest{Content: "x", Team: true, Agent: "claude"})
	refused("not personal", RememberRequest{Content: "x", Team: true, Personal: true})
	refused("not personal", RememberRequest{Content: "x", Team: true, Type: "reasoning"})
	refused("not personal", RememberRequest{Content: "x", Team: true, GoalID: "G-1"})

	r, _, err := w.engine.opts.Memory.Remember(ctx, memory.Record{Content: "the team's", Workspace: "repo:example.org/a", Author: memory.Author{Team: true}})
	if err != nil {
		t.Fatal(err)
	}
	text := "an agent's"
	var e *Error
	if _, err := w.engine.Memory().Revise(ctx, r.ID, Revision{Content: &text, Agent: "claude"}); !errors.As(err, &e) || !strings.Contains(e.Message, "an agent can't") {
		t.Errorf("an agent changes it: %v", err)
	}
	if _, err := w.engine.Memory().Revise(ctx, r.ID, Revision{Content: &text}); err != nil {
		t.Errorf("a person changes it: %v", err)
	}
	hit, err := w.engine.opts.Memory.Get(ctx, r.ID)
	if err != nil || hit.Content != text || !hit.Team {
		t.Errorf("%+v, %v", hit.Record, err)
	}
}
