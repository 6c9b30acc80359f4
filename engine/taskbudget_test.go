package engine

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
)

func TestTaskBudgets(t *testing.T) {
	for task, want := range map[Task]int{
		{}: 1500, {Complexity: 5, Type: "feature"}: 1500, {Complexity: 7}: 1500, {Complexity: 8}: 2250, {Complexity: 10, Type: "ARCHITECTURE"}: 2925,
		{Complexity: 3}: 1050, {Complexity: 1, Type: "bugfix"}: 840, {Type: "BUGFIX"}: 1200, {Type: "architecture"}: 1950,
	} {
		if got := task.Budget(); got != want {
			t.Errorf("%+v: %d tokens, want %d", task, got, want)
		}
	}
}

func TestContextOfATask(t *testing.T) {
	w := openWorkspace(t, shop)
	task := &Task{Complexity: 2, Type: "bugfix"}
	if c := w.context(ContextRequest{Query: "tax", Task: task}); c.BudgetTokens != 840 || c.Tokens.Total > 840 {
		t.Errorf("%d of %d tokens", c.Tokens.Total, c.BudgetTokens)
	}
	if c := w.context(ContextRequest{Query: "tax", Task: task, BudgetTokens: 300}); c.BudgetTokens != 300 {
		t.Errorf("a budget that was given became %d", c.BudgetTokens)
	}
	_, err := w.engine.Context(context.Background(), ContextRequest{Query: "tax", Task: &Task{Complexity: 11}})
	var refused *Error
	if !errors.As(err, &refused) || refused.Detail != "task.complexity" {
		t.Errorf("%v", err)
	}
}

// TestFullContextOfATaskIsTold: more tokens would have been of use, which is told in the log.
func TestFullContextOfATaskIsTold(t *testing.T) {
	w := openWorkspace(t, shop)
	var log strings.Builder
	w.engine.log = slog.New(slog.NewTextHandler(&log, nil))
	w.engine.wire()
	const told = "the context of a task is nearly full"
	w.context(ContextRequest{Query: "tax", Task: &Task{}, BudgetTokens: 4000})
	if strings.Contains(log.String(), told) {
		t.Errorf("4000 tokens are not full: %s", log.String())
	}
	c := w.context(ContextRequest{Query: "tax of a price", Task: &Task{}, BudgetTokens: 120})
	if c.Tokens.Total <= 96 {
		t.Fatalf("%d of 120 tokens", c.Tokens.Total)
	}
	if !strings.Contains(log.String(), "level=WARN") || !strings.Contains(log.String(), told) {
		t.Errorf("%d of 120 tokens, and the log says %q", c.Tokens.Total, log.String())
	}
}
