package show

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
)

// doing says what a phase does while it runs (CLI-003, Annex J).
var doing = map[string]string{
	"ASSESS": "assessing complexity", "RETRIEVE": "retrieving context", "DECOMPOSE": "decomposing", "VERIFY": "verifying",
	"ROUTE": "routing to agents", "COLLECT": "collecting", "SYNTHESIZE": "synthesizing", "RECORD": "recording", "RESPOND": "responding",
	"GUARDRAILS": "checking the question", "VERIFY (SYNTHESIS)": "verifying the answer",
	"PASS": "deciding on another pass", "PROFILE": "describing the task", "VALIDATE": "validating", "REFINE": "refining", "CONVERGE": "converging",
}

// A stageLine is one line of query --json.
type stageLine struct {
	Stage  string `json:"stage"`
	Status string `json:"status"`
	Detail string `json:"detail,omitempty"`
	*soar.Facts
	FinalScore *float64 `json:"finalScore,omitempty"`
	Cached     *bool    `json:"cached,omitempty"`
	Result     any      `json:"result,omitempty"`
}

// PhaseSink shows the phases of a query as they end: nothing when quiet, a line each with -v, with -vv their start
// and what they found, too, and an object each with --json. The engine may call it from any goroutine, one call at a time.
func PhaseSink(c *app.App) func(engine.Progress) {
	if c.JSON {
		return func(p engine.Progress) {
			if p.Status != "in_progress" {
				PrintLine(c, stageLine{Stage: strings.ToLower(p.Stage), Status: p.Status, Detail: p.Detail, Facts: p.Facts})
			}
		}
	}
	if c.Verbose == 0 {
		return nil
	}
	return func(p engine.Progress) {
		if p.Status != "in_progress" || c.Verbose > 1 {
			fmt.Fprintln(c.Err, PhaseLine(p))
		}
		if p.Facts != nil && c.Verbose > 1 {
			for _, line := range p.Facts.Lines() {
				fmt.Fprintln(c.Err, "  "+display.Clean(line))
			}
		}
	}
}

func PhaseLine(p engine.Progress) string {
	what, ok := doing[strings.ToUpper(p.Stage)]
	if !ok {
		what = strings.ToLower(p.Stage)
	}
	line := "aurora: " + what + "..."
	if p.Status != "complete" && p.Status != "in_progress" {
		line += " " + p.Status
	}
	if p.Detail != "" {
		line += " " + display.Clean(p.Detail)
	}
	return line
}

func DoneLine(q *api.QueryResult) string {
	checked := "not verified"
	if q.Verified {
		checked = "verified"
	}
	line := fmt.Sprintf("aurora: done (score: %.2f, %s", q.Confidence, checked)
	if q.Cost.Calls > 0 {
		line += fmt.Sprintf(", %s by %s, %d tokens, $%.4f", display.Count(q.Cost.Calls, "call"), display.Clean(q.Model), q.Cost.PromptTokens+q.Cost.CompletionTokens, q.Cost.USD)
	}
	if q.ChunkID != "" {
		line += ", remembered"
	}
	if slow := bottleneck(q.Phases); slow != "" {
		line += ", " + slow
	}
	return line + ")"
}

// bottleneck names the phase that took the most of a question's time, such as "COLLECT took 97.8%"; "" when no phase took
// any.
func bottleneck(phases []api.Phase) string {
	var top api.Phase
	for _, p := range phases {
		if p.DurationMs > top.DurationMs {
			top = p
		}
	}
	if top.DurationMs == 0 {
		return ""
	}
	return fmt.Sprintf("%s took %.1f%%", top.Phase, top.Percentage)
}

// PrintLine prints v as one object on one line.
func PrintLine(c *app.App, v any) error {
	enc := json.NewEncoder(c.Out)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
