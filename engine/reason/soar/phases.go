package soar

import (
	"fmt"
	"slices"
	"time"
)

// The phases in their order.
const (
	Assess     = "ASSESS"
	Retrieve   = "RETRIEVE"
	Decompose  = "DECOMPOSE"
	Verify     = "VERIFY"
	Route      = "ROUTE"
	Collect    = "COLLECT"
	Synthesize = "SYNTHESIZE"
	Record     = "RECORD"
	Respond    = "RESPOND"
)

// Phases lists all nine.
var Phases = []string{Assess, Retrieve, Decompose, Verify, Route, Collect, Synthesize, Record, Respond}

// What a query with a model accounts for besides.
const (
	Guardrails   = "GUARDRAILS"
	VerifyAnswer = "VERIFY (Synthesis)"
)

// AllPhases lists the phases of a query with a model.
var AllPhases = []string{Guardrails, Assess, Retrieve, Decompose, Verify, Route, Collect, Synthesize, VerifyAnswer, Record, Respond}

// The ways a phase can end.
const (
	OK      = "ok"
	Skipped = "skipped"
	Retried = "retried"
	Failed  = "failed"
)

// A Phase is the account of one phase.
type Phase struct {
	Name       string        `json:"phase"`
	Status     string        `json:"status"` // OK, Skipped, Retried, Failed
	StartedAt  time.Time     `json:"startedAt"`
	Duration   time.Duration `json:"durationNs"`
	Percentage float64       `json:"percentage"` // of the whole query's time, 0..100; set by Done
	Detail     string        `json:"detail,omitempty"`
}

// The stages of an Event.
const (
	InProgress = "in_progress"
	Complete   = "complete"
	Again      = "retry"
	Failure    = "failed"
)

// An Event tells that a phase began or ended, or what happens inside it.
type Event struct {
	Phase  string
	Status string // InProgress, Complete, Again, Failure
	Detail string
	Done   float64 // share of the phases that are behind, 0..1
	Facts  *Facts  // what a phase that ended well found out; may be nil
	Delta  string  // the next piece of a streamed answer; such an event has no detail
	Void   bool    // what was streamed so far is void
}

// A Run keeps the account of one query. It serves one goroutine.
type Run struct {
	Facts func(phase string) *Facts // what a phase that just ended well found out; may be nil

	now    func() time.Time
	emit   func(Event)
	plan   []string
	start  time.Time
	phases []Phase

	current string // phase that runs
}

// NewRun starts the account. emit may be nil; it is called when a phase begins and when it ends.
func NewRun(now func() time.Time, emit func(Event)) *Run { return newRun(now, emit, Phases) }

func newRun(now func() time.Time, emit func(Event), plan []string) *Run {
	if emit == nil {
		emit = func(Event) {}
	}
	return &Run{now: now, emit: emit, plan: plan, start: now()}
}

// Do runs a phase. What do returns as detail is kept, and so is its error, which Do returns. A phase that runs again
// keeps its place; its times are added up.
func (r *Run) Do(phase string, do func() (detail string, err error)) error {
	p := Phase{Name: phase, Status: OK, StartedAt: r.now()}
	r.current = phase
	r.emit(Event{Phase: phase, Status: InProgress, Done: r.done()})
	detail, err := do()
	p.Duration, p.Detail = r.now().Sub(p.StartedAt), detail
	status := Complete
	var facts *Facts
	if err != nil {
		p.Status, p.Detail, status = Failed, err.Error(), Failure
	} else if r.Facts != nil {
		facts = r.Facts(phase)
	}
	r.keep(p)
	r.emit(Event{Phase: phase, Status: status, Detail: p.Detail, Done: r.done(), Facts: facts})
	if err != nil {
		return fmt.Errorf("%s: %w", phase, err)
	}
	return nil
}

func (r *Run) keep(p Phase) {
	at := slices.IndexFunc(r.phases, func(old Phase) bool { return old.Name == p.Name })
	if at < 0 {
		r.phases = append(r.phases, p)
		return
	}
	old := &r.phases[at]
	if old.Status == Skipped { // it had been thought not to be needed
		*old = p
		return
	}
	old.Duration += p.Duration
	old.Detail = p.Detail
	old.Status = p.Status
	if p.Status == OK {
		old.Status = Retried
	}
}

// Note tells of something inside a phase: a retry, a subgoal that is done.
func (r *Run) Note(phase, status, detail string) {
	r.emit(Event{Phase: phase, Status: status, Detail: detail, Done: r.done()})
}

// Skip notes that a phase does not run, and why.
func (r *Run) Skip(phase, reason string) {
	r.phases = append(r.phases, Phase{Name: phase, Status: Skipped, StartedAt: r.now(), Detail: reason})
	r.emit(Event{Phase: phase, Status: Complete, Detail: "skipped: " + reason, Done: r.done()})
}

// blame notes an error that came between two phases, such as while it was asked what to mend, with the phase before it. One
// that a phase ended with is noted already.
func (r *Run) blame(err error) {
	at := slices.IndexFunc(r.phases, func(p Phase) bool { return p.Name == r.current })
	if at < 0 || slices.ContainsFunc(r.phases, func(p Phase) bool { return p.Status == Failed }) {
		return
	}
	r.phases[at].Status, r.phases[at].Detail = Failed, err.Error()
	r.Note(r.current, Failure, err.Error())
}

// skipBefore skips the phases before one that have not run; "" means all.
func (r *Run) skipBefore(phase string) {
	for _, name := range r.plan {
		if name == phase {
			return
		}
		if !slices.ContainsFunc(r.phases, func(p Phase) bool { return p.Name == name }) {
			r.Skip(name, "an earlier phase ended the query")
		}
	}
}

func (r *Run) done() float64 { return float64(len(r.phases)) / float64(len(r.plan)) }

// Done ends the account: phases that nobody mentioned are skipped, and each gets its share of the time.
func (r *Run) Done() (phases []Phase, total time.Duration) {
	r.skipBefore("")
	slices.SortStableFunc(r.phases, func(a, b Phase) int { return slices.Index(r.plan, a.Name) - slices.Index(r.plan, b.Name) })
	total = r.now().Sub(r.start)
	for i := range r.phases {
		if total > 0 {
			r.phases[i].Percentage = 100 * float64(r.phases[i].Duration) / float64(total)
		}
	}
	return r.phases, total
}
