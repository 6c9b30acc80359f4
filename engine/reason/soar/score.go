package soar

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/reason/claims"
	"github.com/aurora-sidecar/aurora/prompts"
)

// A Verdict is what follows from a score.
type Verdict string

// The verdicts.
const (
	Pass  Verdict = "pass"
	Retry Verdict = "retry"
	Fail  Verdict = "fail"
)

// A Check is the judgement of one aspect.
type Check struct {
	Score  float64  `json:"score"`
	Pass   bool     `json:"pass"`
	Issues []string `json:"issues"`
	Detail string   `json:"detail"`
}

// A Review is the judgement of a piece of work. Overall is computed here from the weights, whatever the model said.
type Review struct {
	Option      Option           `json:"option"`
	Checks      map[string]Check `json:"checks"`
	Overall     float64          `json:"overall_score"`
	Verdict     Verdict          `json:"verdict"`
	Critical    []string         `json:"critical_issues"`
	Suggestions []string         `json:"suggestions"`
	Problems    []claims.Problem `json:"-"` // found by code
}

// settle computes what follows from the checks and from what code found. Work in which code found something wrong is
// worth another attempt, as the next one is told exactly what to mend.
func (r *Review) settle(weights map[string]float64, problems []claims.Problem) {
	r.Problems = append(r.Problems, problems...)
	for _, p := range problems {
		c := r.Checks[p.Check]
		c.Score, c.Issues = 0, append(c.Issues, p.Message)
		r.Checks[p.Check] = c
	}
	r.Overall = 0
	for name, weight := range weights {
		c := r.Checks[name]
		c.Pass = c.Score >= prompts.PassScore
		r.Checks[name] = c
		r.Overall += weight * c.Score
	}
	r.Overall = float64(int(r.Overall*1000+0.5)) / 1000 // 0.7 is 0.7, not a rounding error less
	r.Verdict = verdictOf(r.Overall)
	if len(r.Problems) > 0 {
		r.Overall, r.Verdict = min(r.Overall, cappedScore), Retry
	}
}

// byCode is the review of work that no model needs to judge: perfect but for the problems.
func byCode(option Option, weights map[string]float64, problems []claims.Problem) *Review {
	r := &Review{Option: option, Checks: map[string]Check{}}
	for name := range weights {
		r.Checks[name] = Check{Score: 1}
	}
	r.settle(weights, problems)
	return r
}

// Issues lists what is wrong, the worst checks first.
func (r *Review) Issues() []string { return r.issues() }

// issues lists what is wrong, the worst checks first.
func (r *Review) issues() []string {
	list := slices.Clone(r.Critical)
	names := slices.SortedFunc(maps.Keys(r.Checks), func(a, b string) int {
		if d := r.Checks[a].Score - r.Checks[b].Score; d != 0 {
			return map[bool]int{true: 1, false: -1}[d > 0]
		}
		return strings.Compare(a, b)
	})
	for _, name := range names {
		for _, issue := range r.Checks[name].Issues {
			if !slices.Contains(list, issue) {
				list = append(list, issue)
			}
		}
	}
	return list
}

// because joins the issues for a sentence.
func (r *Review) because() string {
	if list := r.issues(); len(list) > 0 {
		return strings.Join(list, "; ")
	}
	return fmt.Sprintf("its score is %.2f", r.Overall)
}

// line is the review on one line.
func (r *Review) line() string {
	s := fmt.Sprintf("%s (%.2f)", strings.ToUpper(string(r.Verdict)), r.Overall)
	if r.Verdict != Pass {
		s += ": " + r.because()
	}
	return s
}

// A feedback is what an author is told who has to try again.
type feedback struct {
	Attempt       int     `json:"attempt"`
	PreviousScore float64 `json:"previous_score"`
	Issues        []issue `json:"issues"`
	Instruction   string  `json:"instruction"`
	Escalate      bool    `json:"escalate"`
}

type issue struct {
	Check      string  `json:"check"`
	Score      float64 `json:"score"`
	Issue      string  `json:"issue"`
	Suggestion string  `json:"suggestion"`
}

// feedbackFor says why work did not pass; attempt counts from one. opening is the documented beginning of the instruction.
func feedbackFor(r *Review, attempt int, opening string) feedback {
	f := feedback{Attempt: attempt, PreviousScore: r.Overall, Issues: []issue{}, Escalate: attempt >= maxRetries, Instruction: opening + ": " + r.because()}
	for _, name := range slices.Sorted(maps.Keys(r.Checks)) {
		for i, text := range r.Checks[name].Issues {
			entry := issue{Check: name, Score: r.Checks[name].Score, Issue: text}
			if i < len(r.Suggestions) {
				entry.Suggestion = r.Suggestions[i]
			}
			f.Issues = append(f.Issues, entry)
		}
	}
	return f
}

// short bounds what a prompt carries of the feedback.
func (f feedback) short() feedback {
	const mostIssues, longest = 12, 300
	f.Issues = slices.Clone(f.Issues[:min(len(f.Issues), mostIssues)])
	for i := range f.Issues {
		f.Issues[i].Issue, f.Issues[i].Suggestion = CutText(f.Issues[i].Issue, longest), CutText(f.Issues[i].Suggestion, longest)
	}
	f.Instruction = CutText(f.Instruction, 4*longest)
	return f
}

// encode is v as JSON; the types of this package always encode.
func encode(v any) string {
	encoded, err := json.Marshal(v)
	if err != nil {
		return "{}"
	}
	return string(encoded)
}

const (
	keepScore  = 0.5 // the score from which an answer is remembered, 0..1
	maxRetries = 2   // attempts after the first one, of each piece of work and each kind of review

	// cappedScore is the most that work gets in which code found something wrong: it never passes.
	cappedScore = (prompts.PassScore + prompts.RetryScore) / 2
)

// What each check counts; the shares of a kind of work add up to 1.
var (
	planWeights   = map[string]float64{"completeness": 0.4, "consistency": 0.2, "groundedness": 0.2, "routability": 0.2}
	outputWeights = map[string]float64{"relevance": 0.4, "completeness": 0.3, "groundedness": 0.3} // of an agent
	answerWeights = map[string]float64{"addresses_query": 0.3, "traceable": 0.3, "consistent": 0.2, "calibrated": 0.2}
)

// verdictOf maps a score.
func verdictOf(score float64) Verdict {
	switch {
	case score >= prompts.PassScore:
		return Pass
	case score >= prompts.RetryScore:
		return Retry
	}
	return Fail
}

// Recommended is how a plan for such a query is verified.
func (a Assessment) Recommended() Option {
	if a.Score > beyondDoubt && a.Level != Simple {
		return Debate
	}
	return map[Level]Option{Simple: NoReview, Medium: Self, Complex: Adversarial, Critical: Debate}[a.Level]
}
