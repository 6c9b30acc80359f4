package soar

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/engine/reason/claims"
)

// An Option is how a plan is verified.
type Option string

// The options.
const (
	NoReview    Option = "none"        // by code alone
	Self        Option = "self"        // A
	Adversarial Option = "adversarial" // B
	Debate      Option = "debate"      // C
)

// A Request is one question to a Pipeline.
type Request struct {
	ID     string `json:"id"`
	Query  string `json:"query"`
	Mode   string `json:"mode,omitempty"`         // auto, direct, soar
	Option Option `json:"verification,omitempty"` // "" chooses by complexity
	Fresh  bool   `json:"fresh,omitempty"`        // no cached replies

	Assess   string `json:"assess,omitempty"`   // keyword, llm; "" asks a model where keywords are not sure
	Failures int    `json:"failures,omitempty"` // of questions like this one, in a row, see Signature

	Adaptive bool `json:"adaptive,omitempty"` // several passes, as many as the work is worth (see passes)

	Changes bool `json:"changes,omitempty"` // models may propose changes of files

	Window int `json:"window,omitempty"` // tokens that the smallest of the models reads at once; 0 means that it is not known

	Before *Thread `json:"before,omitempty"` // what the question goes on from; nil for a question of its own

	Account *llm.Account `json:"-"` // that calls of models are written to; nil keeps none
}

// A State is all that is known of a query. Each phase reads what earlier ones wrote and adds its own part.
type State struct {
	Request    Request
	Query      string // what models may see: personal data and keys are taken out
	Redactions []Redaction
	Decision
	Bundle []Source
	Work
	Conclusion
	ChunkID   string // record that was made of the answer
	Warnings  []string
	Passes    []*ExecutionPass // of a question that was reasoned about; at least one
	Recording *Recording       // what was asked of models, library and agents

	shelf shelf
}

// A Decision says how a query is worked on.
type Decision struct {
	Assessment Assessment
	Method     string // keyword, llm
	Direct     bool   // one loop answers, without a plan
	Option     Option
	Model      string // for the whole chain; "" is the provider's own
}

// Work is the plan, and what was found out by it.
type Work struct {
	Plan       *Plan
	PlanReview *Review
	Routes     []Assignment
	Outcomes   []*Outcome
}

// A Conclusion is the answer with what is held of it.
type Conclusion struct {
	Draft      string // the answer, citing [S1]
	Claims     claims.Report
	Answer     string   // citing [1]
	Cited      []Source // behind the numbers of Answer
	Review     *Review  // of the answer
	Score      float64  // overall; 0 without a review
	Confidence float64
	Verified   bool
	Rejected   bool // no plan or no answer passed: Answer says why
	FellBack   Fallback
}

func (s *State) warn(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !slices.Contains(s.Warnings, text) {
		s.Warnings = append(s.Warnings, text)
	}
}

// A Source is a snippet that an answer may cite.
type Source = claims.Source

// shelf gives every snippet of a query its id.
type shelf struct {
	mu      sync.Mutex
	sources []Source
	last    int // number that was given out last
}

// put returns the snippets with their ids, each snippet always with the same one.
func (s *shelf) put(snippets []Source) []Source { return s.putFrom(0, snippets) }

// putFrom is put for snippets whose ids begin at a number of their own, the free ones from there; 0 means the next ones.
func (s *shelf) putFrom(number int, snippets []Source) []Source {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]Source, len(snippets))
	for i, p := range snippets {
		at := slices.IndexFunc(s.sources, func(old Source) bool { return old.Key == p.Key })
		if at < 0 {
			p.ID = s.free(number)
			s.sources = append(s.sources, p)
			at = len(s.sources) - 1
		}
		out[i] = s.sources[at]
	}
	return out
}

// free returns an id that no snippet has.
func (s *shelf) free(number int) string {
	if number == 0 {
		s.last++
		return fmt.Sprintf("S%d", s.last)
	}
	for ; ; number++ {
		id := fmt.Sprintf("S%d", number)
		if !slices.ContainsFunc(s.sources, func(old Source) bool { return old.ID == id }) {
			return id
		}
	}
}

// all are the snippets so far.
func (s *shelf) all() []Source {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.sources)
}

// union joins lists of sources, each source once, in the order of ids.
func union(lists ...[]Source) []Source {
	var out []Source
	for _, list := range lists {
		for _, s := range list {
			if !slices.ContainsFunc(out, func(o Source) bool { return o.ID == s.ID }) {
				out = append(out, s)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Source) int { return cmp.Or(len(a.ID)-len(b.ID), cmp.Compare(a.ID, b.ID)) })
	return out
}
