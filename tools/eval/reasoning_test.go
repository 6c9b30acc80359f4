package eval

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/engine"
)

func TestReportOfWays(t *testing.T) {
	right := func(confidence float64) Reasoned {
		return Reasoned{Way: "soar", Confidence: confidence, USD: 0.5, Calls: 2}
	}
	wrong := func(confidence float64) Reasoned {
		return Reasoned{Way: "soar", Confidence: confidence, Faults: []string{"lacks it"}}
	}
	refused := wrong(0)
	refused.Refused = "no plan passed"
	run := &ReasoningRun{Answers: []Reasoned{right(0.9), right(0.9), right(0.5), wrong(0.3), wrong(0.9), refused}}
	w := run.Report()[0]
	if w.Accuracy != (Accuracy{3, 6}) || w.Caught != (Accuracy{2, 3}) || w.Alarms != (Accuracy{1, 3}) || w.USD != 1.5 || w.Calls != 6 {
		t.Errorf("%+v", w)
	}
	// Bins: 0 (refused, 0.0), 1 (0.3), 2 (0.5), 4 (three of 0.9, two of them right).
	want := (0 + 0.3 + 0.5 + math.Abs(2.7-2)) / 6
	if math.Abs(w.CalibrationError-want) > 1e-9 {
		t.Errorf("calibration error %v, want %v", w.CalibrationError, want)
	}
	// By hand: mean confidence 0.5833, of correctness 0.5; covariance 0.0917, deviations 0.3484 and 0.5.
	if math.Abs(w.Correlation-0.5262) > 0.001 {
		t.Errorf("correlation %v", w.Correlation)
	}
	flat := &ReasoningRun{Answers: []Reasoned{{Way: "a", Confidence: 0.8}, {Way: "a", Confidence: 0.8}}}
	if got := flat.Report()[0].Correlation; !math.IsNaN(got) {
		t.Errorf("correlation of what does not vary: %v", got)
	}
}

func TestGradeInAModelsWords(t *testing.T) {
	q := Question{ID: "1", Kind: "fact", Question: "?", First: []string{"Alpha"}, Has: []string{"Beta"}, Lacks: []string{"Gamma"}}
	none := Question{ID: "2", Kind: "absent", Question: "?", Abstains: true}
	for _, tt := range []struct {
		q      Question
		answer string
		sure   float64
		right  bool
	}{
		{q, "First some words.\n\nThen `Beta` and `Alpha`.", 0.9, true},
		{q, "`Alpha` alone.", 0.9, false},
		{q, "`Alpha`, `Beta`, `Gamma`.", 0.9, false},
		{none, "The sources do not show it.", 0.9, true},
		{none, "It is in `Alpha`.", 0.9, false},
		{none, "It is in `Alpha`.", 0.4, true},
	} {
		if faults := tt.q.gradeFree(&engine.QueryResult{Answer: tt.answer, Confidence: tt.sure}); (len(faults) == 0) != tt.right {
			t.Errorf("%q: %q", tt.answer, faults)
		}
	}
}

// A failing asker fails with one error.
type failing struct{ err error }

func (f failing) Query(context.Context, engine.QueryRequest, func(engine.Progress)) (*engine.QueryResult, error) {
	return nil, f.err
}

func TestReasonStops(t *testing.T) {
	questions := []Question{{ID: "1", Kind: "fact", Question: "?", Has: []string{"x"}}, {ID: "2", Kind: "fact", Question: "?", Has: []string{"x"}}}
	run, err := Reason(context.Background(), questions, Ways[1:2], 0, func(Way) Asker { return failing{errors.New("no plan passed")} }, nil)
	if err != nil || len(run.Answers) != 2 || run.Answers[0].Refused == "" || run.Answers[0].Right() || run.Stopped != "" {
		t.Errorf("a refusal counts as an answer: %+v, %v", run, err)
	}
	budget := &engine.Error{Kind: engine.Budget, Message: "the hard limit is reached"}
	run, err = Reason(context.Background(), questions, Ways[1:2], 0, func(Way) Asker { return failing{budget} }, nil)
	if err != nil || len(run.Answers) != 0 || !strings.Contains(run.Stopped, "hard limit") {
		t.Errorf("the budget ends the run: %+v, %v", run, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err = Reason(ctx, questions, Ways[1:2], 0, func(Way) Asker { return failing{context.Canceled} }, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
