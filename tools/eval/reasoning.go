package eval

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// A Way is how questions are put to a model.
type Way struct {
	Name         string
	Mode         string // of engine.QueryRequest
	Verification string
}

// Ways are the ways that are compared. "index" asks no model.
var Ways = []Way{
	{Name: "index"},
	{Name: "direct", Mode: "direct"},
	{Name: "soar", Mode: "soar"},
	{Name: "soar-unverified", Mode: "soar", Verification: "none"},
	{Name: "auto"}, // what a question gets when nobody says: its tier, and the phases that it is worth
}

// UsualWays is how many of the Ways are compared when nobody says.
const UsualWays = 4

// trusted is the confidence from which on an answer is shown without a strong warning; below it, it is flagged.
const trusted = 0.7

// A Reasoned is one answer in one way.
type Reasoned struct {
	ID         string   `json:"id"`
	Way        string   `json:"way"`
	Question   string   `json:"question"`
	Faults     []string `json:"faults,omitempty"`  // none: it is right
	Refused    string   `json:"refused,omitempty"` // why there is no answer
	Answer     string   `json:"answer,omitempty"`
	Confidence float64  `json:"confidence"`
	Verified   bool     `json:"verified"`
	USD        float64  `json:"usd"`
	AtBestUSD  float64  `json:"usd_at_best_tier"`
	Tokens     int      `json:"tokens"`
	Calls      int      `json:"calls"`
	Millis     float64  `json:"ms"`
}

// Right reports whether nothing is wrong with the answer.
func (r *Reasoned) Right() bool { return len(r.Faults) == 0 }

// Flagged reports whether a person was told not to rely on the answer.
func (r *Reasoned) Flagged() bool { return r.Refused != "" || r.Confidence < trusted }

// A ReasoningRun is what came of a set of questions in several ways.
type ReasoningRun struct {
	Date     time.Time  `json:"date"`
	Model    string     `json:"model"`
	Answers  []Reasoned `json:"answers"`
	Stopped  string     `json:"stopped,omitempty"` // why not all were asked
	SpentUSD float64    `json:"spent_usd"`
}

// Reason puts each question in each way, one after the other, to what ask returns for the way. It stops, with what it
// has, when limitUSD is spent (0 is no limit), and when the budget or the model refuses: what follows would fail alike.
// tell, which may be nil, hears of each answer.
func Reason(ctx context.Context, questions []Question, ways []Way, limitUSD float64, ask func(Way) Asker, tell func(Reasoned)) (*ReasoningRun, error) {
	run := &ReasoningRun{Date: time.Now().UTC().Truncate(time.Second)}
	for i := range questions {
		for _, way := range ways {
			if limitUSD > 0 && run.SpentUSD >= limitUSD {
				run.Stopped = fmt.Sprintf("$%.2f of $%.2f are spent", run.SpentUSD, limitUSD)
				return run, nil
			}
			r, stop, err := reasonOnce(ctx, &questions[i], way, limitUSD-run.SpentUSD, ask(way))
			if err != nil {
				return nil, err
			}
			if stop != "" {
				run.Stopped = stop
				return run, nil
			}
			run.SpentUSD += r.USD
			run.Answers = append(run.Answers, r)
			if tell != nil {
				tell(r)
			}
		}
	}
	return run, ctx.Err()
}

// reasonOnce asks one question. stop says why it makes no sense to go on; err is the end of ctx.
func reasonOnce(ctx context.Context, q *Question, way Way, leftUSD float64, a Asker) (r Reasoned, stop string, err error) {
	r = Reasoned{ID: q.ID, Way: way.Name, Question: q.Question}
	start := time.Now()
	result, err := a.Query(ctx, engine.QueryRequest{
		Query: q.Question, Mode: way.Mode, Verification: way.Verification, BudgetUSD: max(0, leftUSD), Consent: engine.Consent{BudgetAccepted: true},
	}, nil)
	r.Millis = float64(time.Since(start).Microseconds()) / 1000
	if ctx.Err() != nil {
		return r, "", ctx.Err()
	}
	var refused *engine.Error
	switch {
	case errors.As(err, &refused) && (refused.Kind == engine.Budget || refused.Kind == engine.LLMUnavailable):
		return r, refused.Error(), nil
	case err != nil:
		r.Refused, r.Faults = err.Error(), []string{"there is no answer"}
		return r, "", nil
	case result.FellBack == soar.ByIndex:
		return r, strings.Join(result.Warnings, " "), nil
	}
	r.Answer, r.Confidence, r.Verified = result.Answer, result.Confidence, result.Verified
	r.AtBestUSD = result.AtBestUSD
	r.USD, r.Calls, r.Tokens = result.Cost.USD, result.Cost.Calls, result.Cost.PromptTokens+result.Cost.CompletionTokens
	r.Faults = q.gradeFree(result)
	return r, "", nil
}

// denies is how an answer in a model's words says that it knows nothing.
var denies = lazyregexp.New(`(?i)\b(?:no|not|none|nothing|never|neither|cannot|unknown|unclear|without)\b|n't\b`)

// gradeFree grades an answer in a model's own words: what has to be in the first paragraph may be anywhere, and a
// question that nothing answers is right when the answer denies, or is not confident.
func (q *Question) gradeFree(r *engine.QueryResult) []string {
	free := *q
	free.Has, free.First, free.Abstains = append(slices.Clone(q.Has), q.First...), nil, r.Abstained
	if q.Abstains {
		if free.Has = nil; !r.Abstained && r.Confidence >= trusted && !denies.MatchString(r.Answer) {
			return []string{"did not abstain"}
		}
	}
	return free.grade(r)
}

// A WayReport sums up one way. Shares are NaN, and null in JSON, where there is nothing to share.
type WayReport struct {
	Way      string
	Accuracy Accuracy
	// Correlation is Pearson's r of confidence and correctness (0 or 1), -1..1; NaN when either does not vary.
	Correlation float64
	// CalibrationError is the expected calibration error, 0..1: the mean over five equal bins of confidence, weighed
	// by their answers, of the distance between mean confidence and accuracy (Naeini et al., AAAI 2015).
	CalibrationError float64
	Caught           Accuracy // wrong answers that were flagged: refused, or with a confidence below 0.7
	Alarms           Accuracy // right answers that were flagged
	USD              float64
	AtBestUSD        float64 // what the same tokens would have cost at the tier of the hardest questions
	Tokens, Calls    int
	Latency          Latency
}

// Report sums up each way in the order in which the ways first occur.
func (run *ReasoningRun) Report() []WayReport {
	var names []string
	byWay := map[string][]Reasoned{}
	for _, r := range run.Answers {
		if byWay[r.Way] == nil {
			names = append(names, r.Way)
		}
		byWay[r.Way] = append(byWay[r.Way], r)
	}
	var reports []WayReport
	for _, name := range names {
		reports = append(reports, reportWay(name, byWay[name]))
	}
	return reports
}

func reportWay(name string, list []Reasoned) WayReport {
	w := WayReport{Way: name, Correlation: correlation(list), CalibrationError: calibrationError(list)}
	var ms []float64
	for i := range list {
		r := &list[i]
		group := &w.Caught
		w.Accuracy.Asked++
		if r.Right() {
			w.Accuracy.Right++
			group = &w.Alarms
		}
		group.Asked++
		if r.Flagged() {
			group.Right++
		}
		w.USD += r.USD
		w.AtBestUSD += r.AtBestUSD
		w.Tokens += r.Tokens
		w.Calls += r.Calls
		ms = append(ms, r.Millis)
	}
	slices.Sort(ms)
	w.Latency = Latency{P50: percentile(ms, 0.5), P95: percentile(ms, 0.95)}
	return w
}

// correct is 1 for a right answer.
func correct(r *Reasoned) float64 {
	if r.Right() {
		return 1
	}
	return 0
}

func correlation(list []Reasoned) float64 {
	n := float64(len(list))
	var sx, sy, sxx, syy, sxy float64
	for i := range list {
		x, y := list[i].Confidence, correct(&list[i])
		sx, sy, sxx, syy, sxy = sx+x, sy+y, sxx+x*x, syy+y*y, sxy+x*y
	}
	vx, vy := n*sxx-sx*sx, n*syy-sy*sy
	if vx < 1e-12 || vy < 1e-12 {
		return math.NaN()
	}
	return (n*sxy - sx*sy) / math.Sqrt(vx*vy)
}

func calibrationError(list []Reasoned) float64 {
	const bins = 5
	var count, confidence, right [bins]float64
	for i := range list {
		b := min(bins-1, max(0, int(list[i].Confidence*bins)))
		count[b]++
		confidence[b] += list[i].Confidence
		right[b] += correct(&list[i])
	}
	sum := 0.0
	for b := range bins {
		sum += math.Abs(confidence[b] - right[b])
	}
	if len(list) == 0 {
		return math.NaN()
	}
	return sum / float64(len(list))
}

// Save writes a run to a file as JSON.
func (run *ReasoningRun) Save(path string) error { return saveJSON(path, run) }
