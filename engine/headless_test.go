package engine

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine/headless"
	"github.com/aurora-sidecar/aurora/engine/llm/llmtest"
)

func (w *testWorkspace) headless(iterations int, usd float64) headless.Options {
	w.Helper()
	s, err := headless.OpenScratchpad(filepath.Join(w.dir, "headless/scratchpad.md"), time.Now(), "GOAL_ACHIEVED", "BUDGET_EXCEEDED")
	if err != nil {
		w.Fatal(err)
	}
	return headless.Options{
		Guard: headless.Guard{Root: w.dir, Branch: "headless"}, Prompt: &headless.Prompt{Goal: "The tax is 20 percent"}, Scratchpad: s,
		MaxIterations: iterations, LimitUSD: usd, GoalSignal: "GOAL_ACHIEVED", BudgetSignal: "BUDGET_EXCEEDED",
	}
}

// TestHeadlessWorks has the work change a file: the next question is answered from the file as it is then.
func TestHeadlessWorks(t *testing.T) {
	w := openWorkspace(t, shop)
	w.git("checkout", "-q", "-b", "headless")
	server, _ := w.withModel(ample)
	step := json.RawMessage(`{"action":"Add a rounding","operations":[{"op":"write","path":"price/round.go","content":"package price\n\n// RoundingOfCents rounds half up.\nfunc RoundingOfCents(c int) int { return c }\n"}],"next_step":"Use RoundingOfCents","goal_achieved":false}`)
	server.Script(
		llmtest.Step{Task: "headless_step", Times: 1, JSON: step},
		llmtest.Step{Task: "goal_check", Times: 1, JSON: json.RawMessage(`{"reached":false,"missing":["it is not used"]}`)},
		llmtest.Step{Task: "goal_check", JSON: json.RawMessage(`{"reached":true,"missing":[],"reasoning":"it is used"}`)},
	)
	s, err := w.engine.Reasoner().Headless(context.Background(), w.headless(5, 3))
	if err != nil || s.Word != "GOAL_ACHIEVED" || s.Iterations != 2 || s.USD <= 0 {
		t.Fatalf("%+v, %v", s, err)
	}
	var questions, steps, judged string
	for _, c := range server.Calls() {
		switch c.Task {
		case "headless_step":
			steps = c.Text()
		case "goal_check":
			judged += c.Text()
		default:
			questions += c.Text()
		}
	}
	if !strings.Contains(questions, "func RoundingOfCents(c int) int") || !strings.Contains(steps, "RoundingOfCents") || !strings.Contains(judged, "price/round.go is now:") {
		t.Error("the second iteration does not know what the first one wrote")
	}
}

// TestHeadlessFails holds how it ends when the model, or the money, is not there.
func TestHeadlessFails(t *testing.T) {
	for _, tt := range []struct {
		name   string
		usd    float64
		step   llmtest.Step
		status string
	}{
		{"the key is refused", 3, llmtest.Step{Fault: llmtest.Unauthorized}, "FAILED"},
		{"the endpoint is away", 3, llmtest.Step{Fault: llmtest.Unavailable}, "FAILED"},
		{"replies of another form", 3, llmtest.Step{Task: "headless_step", Fault: llmtest.WrongSchema}, "FAILED"},
		{"no judgement", 3, llmtest.Step{Task: "goal_check", Fault: llmtest.WrongSchema}, "MAX_ITERATIONS"},
		{"little money", 0.02, llmtest.Step{Task: "none"}, "BUDGET_EXCEEDED"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := openWorkspace(t, shop)
			w.git("checkout", "-q", "-b", "headless")
			server, tracker := w.withModel(ample)
			server.Script(tt.step)
			s, err := w.engine.Reasoner().Headless(context.Background(), w.headless(4, tt.usd))
			if err != nil || s.Word != tt.status || s.Reason == "" {
				t.Fatalf("%+v, %v", s, err)
			}
			p, err := tracker.Status(context.Background())
			if err != nil || p.Consumed > tt.usd || p.Consumed-s.USD > 1e-9 || s.USD-p.Consumed > 1e-9 {
				t.Errorf("the account says %v, the notes say %v, the limit is %v; %v", p.Consumed, s.USD, tt.usd, err)
			}
		})
	}
	w := openWorkspace(t, shop)
	var e *Error
	if _, err := w.engine.Reasoner().Headless(context.Background(), w.headless(1, 1)); !errors.As(err, &e) || e.Kind != LLMUnavailable {
		t.Errorf("without a model: %v", err)
	}
	w.withModel(ample)
	if _, err := w.engine.Reasoner().Headless(context.Background(), w.headless(1, 1)); err == nil || !strings.Contains(err.Error(), "Headless mode requires 'headless' branch") {
		t.Errorf("on another branch: %v", err)
	}
}

func openNotes(path string) (*headless.Scratchpad, error) {
	return headless.OpenScratchpad(path, time.Now(), "GOAL_ACHIEVED", "BUDGET_EXCEEDED")
}
