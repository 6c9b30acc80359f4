package headless

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Ports are what a run asks of the outside. Each says what it cost in US dollars, when it fails, too.
type Ports struct {
	// Ask is the normal flow of a question, guardrails included. It may cost at most usd when that is not negative.
	Ask func(ctx context.Context, question string, usd float64) (Answer, float64, error)
	// Step turns an answer into operations.
	Step func(ctx context.Context, r StepRequest, usd float64) (Step, float64, error)
	// Judge says whether the goal is reached, by what can be seen.
	Judge func(ctx context.Context, goal, seen string, usd float64) (Judgement, float64, error)
	// Check runs the check of the prompt and says how it ended. Only a prompt with a check needs it.
	Check func(ctx context.Context, command string) (outcome string, passed bool, err error)
	// Changed is told which files were changed, so that the next question knows them. It may be nil.
	Changed func(ctx context.Context, paths []string) error
	// Final reports whether an error will come again as long as nothing is changed.
	Final func(error) bool
	// OverBudget reports whether an error says that the money is spent.
	OverBudget func(error) bool
}

// An Answer is what the normal flow came to.
type Answer struct {
	Text  string
	Files []File // snippets that it cites
}

// A StepRequest is what the next step follows from.
type StepRequest struct {
	Goal, Notes, Answer string
	Files               []File
}

// A Step is what is to be done next.
type Step struct {
	Action     string      `json:"action"`
	Operations []Operation `json:"operations"`
	Next       string      `json:"next_step"`
	Achieved   bool        `json:"goal_achieved"`
	Reason     string      `json:"reason"`
}

// A Judgement says whether the goal is reached.
type Judgement struct {
	Reached   bool     `json:"reached"`
	Missing   []string `json:"missing"`
	Reasoning string   `json:"reasoning"`
}

// Options say what to work on, and how long.
type Options struct {
	Guard         Guard
	Prompt        *Prompt
	Scratchpad    *Scratchpad
	MaxIterations int
	LimitUSD      float64 // over all runs of the experiment; 0 for none
	GoalSignal    string
	BudgetSignal  string
	Now           func() time.Time
	Tell          func(Iteration) // hears of each iteration; may be nil
}

// An Iteration is told when it has ended.
type Iteration struct {
	Number, Last int
	Entry        Entry
	USD          float64 // over all runs
}

// The words of a Status, besides the two signals.
const (
	OutOfIterations = "MAX_ITERATIONS"
	Broken          = "FAILED"
	Interrupted     = "INTERRUPTED"
)

// mostFailures is how many iterations in a row may fail.
const mostFailures = 3

// run is one run of an experiment.
type run struct {
	Options
	ports  Ports
	notes  *Scratchpad
	files  []File   // that the last step asked to read
	seen   []string // files that this run changed, the latest last
	failed int      // iterations in a row
}

// Run works until one of the three stops. The status is in the notes, too. It fails when it may not begin, and
// when notes can't be written; the context's end is a status and its error.
func Run(ctx context.Context, o Options, p Ports) (*Status, error) {
	if err := o.Guard.Check(ctx); err != nil {
		return nil, err
	}
	r := &run{Options: o, ports: p, notes: o.Scratchpad}
	defer r.Guard.Close()
	if reason, ok := r.notes.Signalled(o.GoalSignal); ok {
		return &Status{Word: o.GoalSignal, Reason: reason, USD: r.notes.USD, Iterations: r.notes.Iteration}, nil
	}
	r.notes.Status = nil
	r.notes.Experiment = strings.Join(strings.Fields(headingLine.ReplaceAllString(o.Prompt.Goal, "")), " ")
	if len(r.notes.Experiment) > 200 {
		r.notes.Experiment = strings.ToValidUTF8(r.notes.Experiment[:200], "") + "…"
	}
	r.notes.Max, r.notes.Limit = r.notes.Iteration+o.MaxIterations, o.LimitUSD
	status, err := r.loop(ctx)
	status.USD, status.Iterations = r.notes.USD, r.notes.Iteration
	return &status, errors.Join(err, r.notes.End(status))
}

func (r *run) loop(ctx context.Context) (Status, error) {
	for range r.MaxIterations {
		if r.spent() {
			return r.overBudget(), nil
		}
		r.notes.Iteration++
		entry, status := r.iterate(ctx)
		if ctx.Err() != nil {
			return Status{Word: Interrupted, Reason: "the run was interrupted"}, ctx.Err()
		}
		if err := r.notes.Append(entry, r.Now()); err != nil {
			return Status{Word: Broken, Reason: err.Error()}, err
		}
		if r.Tell != nil {
			r.Tell(Iteration{r.notes.Iteration, r.notes.Max, entry, r.notes.USD})
		}
		if status != nil {
			return *status, nil
		}
	}
	return Status{Word: OutOfIterations, Reason: fmt.Sprintf("the goal was not reached in %d iterations", r.MaxIterations)}, nil
}

func (r *run) spent() bool { return r.LimitUSD > 0 && r.notes.USD >= r.LimitUSD }

func (r *run) overBudget() Status {
	return Status{Word: r.BudgetSignal, Reason: fmt.Sprintf("$%s of $%.2f are spent", dollars(r.notes.USD), r.LimitUSD)}
}

// left is what the next call may cost; negative for no limit.
func (r *run) left() float64 {
	if r.LimitUSD <= 0 {
		return -1
	}
	return max(0, r.LimitUSD-r.notes.USD)
}

// iterate is one iteration: ask, do, look whether the goal is reached. An error ends the run.
func (r *run) iterate(ctx context.Context) (Entry, *Status) {
	if err := r.Guard.Check(ctx); err != nil {
		return Entry{Action: "none", Observation: err.Error()}, &Status{Word: Broken, Reason: err.Error()}
	}
	answer, usd, err := r.ports.Ask(ctx, r.question(), r.left())
	r.notes.USD += usd
	if err != nil {
		return r.trouble("ask for the next step", err)
	}
	step, usd, err := r.ports.Step(ctx, StepRequest{
		Goal: r.Prompt.Goal, Notes: r.notes.Tail(6000), Answer: answer.Text, Files: append(r.files, answer.Files...),
	}, r.left())
	r.notes.USD += usd
	if err != nil {
		return r.trouble("plan the next step", err)
	}
	r.failed = 0
	entry := Entry{Action: step.Action, Observation: r.carryOut(ctx, step.Operations), Next: step.Next}
	if step.Achieved {
		return r.reached(ctx, entry, step.Reason)
	}
	return r.judge(ctx, entry)
}

// judge has the goal judged after each iteration. Without a judgement the work goes on.
func (r *run) judge(ctx context.Context, e Entry) (Entry, *Status) {
	if r.spent() {
		e.Decision = r.BudgetSignal + ": " + r.overBudget().Reason
		status := r.overBudget()
		return e, &status
	}
	j, usd, err := r.ports.Judge(ctx, r.Prompt.Goal, r.visible(e), r.left())
	r.notes.USD += usd
	switch {
	case err != nil && r.ports.OverBudget(err):
		status := r.overBudget()
		e.Decision = r.BudgetSignal + ": " + status.Reason
		return e, &status
	case err != nil:
		e.Observation += "; whether the goal is reached could not be judged: " + err.Error()
	case j.Reached:
		return r.reached(ctx, e, "judged: "+j.Reasoning)
	case len(j.Missing) > 0:
		e.Observation += "; still missing: " + strings.Join(j.Missing, "; ")
	}
	return e, nil
}

// reached ends the run unless the prompt has a check that does not pass: then the work goes on.
func (r *run) reached(ctx context.Context, e Entry, reason string) (Entry, *Status) {
	if check := r.Prompt.Check; check != "" {
		outcome, passed, err := r.ports.Check(ctx, check)
		switch {
		case err != nil:
			e.Observation += "; the goal counts as not reached: " + check + " could not be run: " + err.Error()
			return e, nil
		case !passed:
			e.Observation += "; the goal is not reached: " + check + " does not pass: " + outcome
			return e, nil
		}
		reason += "; " + check + " passes"
	}
	reason = r.notes.tame(reason)
	e.Decision = r.GoalSignal + ": " + reason
	return e, &Status{Word: r.GoalSignal, Reason: reason}
}

// trouble is an iteration that came to nothing. Some errors, and three in a row, end the run.
func (r *run) trouble(doing string, err error) (Entry, *Status) {
	e := Entry{Action: doing, Observation: "failed: " + err.Error(), Next: "Try again."}
	r.failed++
	switch {
	case r.ports.OverBudget(err):
		status := r.overBudget()
		e.Next, e.Decision = "", r.BudgetSignal+": "+status.Reason
		return e, &status
	case r.ports.Final(err), r.failed == mostFailures:
		return e, &Status{Word: Broken, Reason: err.Error()}
	}
	return e, nil
}

// carryOut does what the rules allow and tells what came of each operation. A refusal does not end the run.
func (r *run) carryOut(ctx context.Context, operations []Operation) string {
	const most = 20
	r.files = nil
	var reports, changed []string
	for i, op := range operations {
		if i == most {
			reports = append(reports, fmt.Sprintf("%d more operations were left out", len(operations)-most))
			break
		}
		done, read, path, err := r.Guard.Do(ctx, op)
		if err != nil {
			what := strings.TrimSpace(op.Op + " " + op.Path + " " + strings.Join(op.Args, " "))
			if len(what) > 120 {
				what = strings.ToValidUTF8(what[:120], "") + "…"
			}
			reports = append(reports, what+": "+err.Error())
			continue
		}
		reports = append(reports, done)
		if read != nil {
			r.files = append(r.files, *read)
		}
		if path != "" {
			changed, r.seen = append(changed, path), append(r.seen, path)
		}
	}
	if len(changed) > 0 && r.ports.Changed != nil {
		if err := r.ports.Changed(ctx, changed); err != nil {
			reports = append(reports, "the index does not know it yet: "+err.Error())
		}
	}
	if len(reports) == 0 {
		return "nothing was done"
	}
	return strings.Join(reports, "; ")
}

const (
	longestGoal  = 3500 // characters of a question that the goal may take
	longestNotes = 4000 // and those of the notes
)

// question is what the normal flow is asked: the goal and the notes.
func (r *run) question() string {
	goal := r.Prompt.Goal
	if len(goal) > longestGoal {
		goal = strings.ToValidUTF8(goal[:longestGoal], "") + "…"
	}
	text := "Goal: " + goal
	if notes := r.notes.Tail(longestNotes); notes != "" {
		text += "\n\nNotes so far:\n" + notes
	}
	text += "\n\nWhat is the next small step toward the goal, and what in the project does it touch?"
	return strings.Map(func(c rune) rune {
		if c < ' ' && c != '\n' && c != '\t' || c == 0x7f {
			return ' '
		}
		return c
	}, text)
}

// visible is what the goal is judged by: the notes, this iteration, and the files that were changed last.
func (r *run) visible(e Entry) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nThis iteration: %s\nWhat came of it: %s\n", r.notes.Tail(4000), e.Action, e.Observation)
	const most = 3
	for _, path := range r.seen[max(0, len(r.seen)-most):] {
		if f, err := r.Guard.read(path); err == nil {
			fmt.Fprintf(&b, "\n%s is now:\n%s\n", path, f.Text[:min(len(f.Text), 4000)])
		}
	}
	return b.String()
}
