package soar

import (
	"fmt"
	"slices"
	"time"
)

// The phases in their order (SOAR-001).
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

// The ways a phase can end.
const (
	OK      = "ok"
	Skipped = "skipped"
	Failed  = "failed"
)

// A Phase is the account of one phase.
type Phase struct {
	Name       string
	Status     string // OK, Skipped, Failed
	StartedAt  time.Time
	Duration   time.Duration
	Percentage float64 // of the whole query's time, 0..100; set by Done
	Detail     string
}

// The stages of an Event.
const (
	InProgress = "in_progress"
	Complete   = "complete"
	Failure    = "failed"
)

// An Event tells that a phase began or ended.
type Event struct {
	Phase  string
	Status string // InProgress, Complete, Failure
	Detail string
	Done   float64 // share of the phases that are behind, 0..1
}

// A Run keeps the account of one query. It serves one goroutine.
type Run struct {
	now    func() time.Time
	emit   func(Event)
	start  time.Time
	phases []Phase
}

// NewRun starts the account. emit may be nil; it is called when a phase begins and when it ends.
func NewRun(now func() time.Time, emit func(Event)) *Run {
	if emit == nil {
		emit = func(Event) {}
	}
	return &Run{now: now, emit: emit, start: now()}
}

// Do runs a phase. What do returns as detail is kept, and so is its error, which Do returns.
func (r *Run) Do(phase string, do func() (detail string, err error)) error {
	p := Phase{Name: phase, Status: OK, StartedAt: r.now()}
	r.emit(Event{Phase: phase, Status: InProgress, Done: r.done()})
	detail, err := do()
	p.Duration, p.Detail = r.now().Sub(p.StartedAt), detail
	status := Complete
	if err != nil {
		p.Status, p.Detail, status = Failed, err.Error(), Failure
	}
	r.phases = append(r.phases, p)
	r.emit(Event{Phase: phase, Status: status, Detail: p.Detail, Done: r.done()})
	if err != nil {
		return fmt.Errorf("%s: %w", phase, err)
	}
	return nil
}

// Skip notes that a phase does not run, and why.
func (r *Run) Skip(phase, reason string) {
	r.phases = append(r.phases, Phase{Name: phase, Status: Skipped, StartedAt: r.now(), Detail: reason})
	r.emit(Event{Phase: phase, Status: Complete, Detail: "skipped: " + reason, Done: r.done()})
}

func (r *Run) done() float64 { return float64(len(r.phases)) / float64(len(Phases)) }

// Done ends the account: phases that nobody mentioned are skipped, and each gets its share of the time.
func (r *Run) Done() (phases []Phase, total time.Duration) {
	for _, name := range Phases {
		if !slices.ContainsFunc(r.phases, func(p Phase) bool { return p.Name == name }) {
			r.Skip(name, "an earlier phase ended the query")
		}
	}
	total = r.now().Sub(r.start)
	for i := range r.phases {
		if total > 0 {
			r.phases[i].Percentage = 100 * float64(r.phases[i].Duration) / float64(total)
		}
	}
	return r.phases, total
}
