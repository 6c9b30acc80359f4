package assemble

import (
	"fmt"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/fault"
)

// The budget of a task in tokens, before it is adjusted.
const taskBudgetTokens = 1500

// maxTaskID is the longest id of a task, in bytes.
const maxTaskID = 200

// warnShare is the part of a task's budget from which the log warns.
const warnShare = 0.8

// A Task says how hard something is, when nobody says how many tokens its context may have.
type Task struct {
	ID         string // its name in a tracker; at most 200 bytes. It counts for the figures of usage alone
	Complexity int    // 1 to 10; 0 means 5
	Type       string // architecture, bugfix, or any other; "" for none
}

// Budget is the tokens of a task's context: half as much again from complexity 8 on, 30 % less up to 3; 30 % more for
// architecture, 20 % less for a bug.
func (t Task) Budget() int {
	budget := taskBudgetTokens
	switch {
	case t.Complexity >= 8:
		budget += budget / 2
	case t.Complexity >= 1 && t.Complexity <= 3:
		budget -= budget * 3 / 10
	}
	switch strings.ToLower(t.Type) {
	case "architecture":
		budget += budget * 3 / 10
	case "bugfix":
		budget -= budget / 5
	}
	return budget
}

func (t Task) check() error {
	if t.Complexity < 0 || t.Complexity > 10 {
		return &fault.Error{Kind: fault.Invalid, Message: fmt.Sprintf("complexity must lie between 1 and 10, got %d", t.Complexity), Detail: "task.complexity"}
	}
	if len(t.ID) > maxTaskID {
		return &fault.Error{Kind: fault.Invalid, Message: fmt.Sprintf("the id of the task has %d bytes, more than %d", len(t.ID), maxTaskID), Detail: "task.id"}
	}
	return nil
}

// TaskID is the id of a task that may not be known.
func TaskID(t *Task) string {
	if t == nil {
		return ""
	}
	return t.ID
}

// rated reports whether the task is there to say how hard it is, and not for its name alone.
func (t Task) rated() bool { return t.ID == "" || t.Complexity != 0 || t.Type != "" }

// warn tells the log of a task whose context is nearly full: more of it would have been of use.
func (g *gathering) warn(total int) {
	if t := g.plan.request.Task; t != nil && t.rated() && float64(total) > warnShare*float64(g.plan.budget) {
		g.assembler.Log.Warn("the context of a task is nearly full", "tokens", total, "budget", g.plan.budget)
	}
}
