package reason

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/engine/headless"
	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/engine/testrun"
	"github.com/aurora-sidecar/aurora/internal/scrub"
	"github.com/aurora-sidecar/aurora/prompts"
)

// Headless works toward a goal with nobody watching: each iteration is a question as any other, a step that
// follows from its answer, and a judgement whether the goal is reached. What may be changed, package headless says. It
// fails with LLMUnavailable without a model, and with what headless.Run fails with.
func (e *Reasoner) Headless(ctx context.Context, o headless.Options) (*headless.Status, error) {
	m := e.modelsFor(Caller{})
	if m == nil {
		_, refusal := e.withoutModel()
		return nil, refusal
	}
	if o.Now == nil {
		o.Now = e.opts.Now
	}
	h := &unattended{reasoner: e, models: m, root: o.Guard.Root}
	if err := h.mayCheck(o.Prompt.Check); err != nil {
		return nil, err
	}
	return headless.Run(ctx, o, headless.Ports{
		Ask: h.ask, Step: h.step, Judge: h.judge, Check: h.check, Changed: h.changed, Final: isFinal, OverBudget: isOverBudget,
	})
}

// unattended is what headless mode asks of the engine.
type unattended struct {
	reasoner *Reasoner
	models   *Models
	root     string
}

func (h *unattended) ask(ctx context.Context, question string, usd float64) (headless.Answer, float64, error) {
	if usd == 0 {
		return headless.Answer{}, 0, errMoney
	}
	r, err := h.reasoner.Query(ctx, QueryRequest{Query: question, BudgetUSD: max(0, usd)}, nil)
	if err != nil {
		return headless.Answer{}, 0, err
	}
	a := headless.Answer{Text: r.Answer}
	for i := range r.Citations {
		if c := &r.Citations[i]; c.Path != "" {
			a.Files = append(a.Files, headless.File{Path: c.Path, Text: c.Text, Line: firstLine(c)})
		}
	}
	return a, r.Cost.USD, nil
}

func (h *unattended) step(ctx context.Context, r headless.StepRequest, usd float64) (headless.Step, float64, error) {
	var step headless.Step
	in := prompts.Input{Progress: prompts.Progress{Goal: r.Goal, State: scrubbed(r.Notes)}, Work: prompts.Work{Response: r.Answer}}
	spent, err := h.consult(ctx, prompts.HeadlessStep, in, fileSources(r.Files), &step, usd)
	return step, spent, err
}

func (h *unattended) judge(ctx context.Context, goal, seen string, usd float64) (headless.Judgement, float64, error) {
	var j headless.Judgement
	spent, err := h.consult(ctx, prompts.GoalCheck, prompts.Input{Progress: prompts.Progress{Goal: goal, State: scrubbed(seen)}}, nil, &j, usd)
	return j, spent, err
}

// mayCheck fails when the check of a prompt can't be run.
func (h *unattended) mayCheck(command string) error {
	if command == "" {
		return nil
	}
	_, err := testrun.Parse(command)
	if err == nil {
		err = h.reasoner.opts.Tests.May(h.root)
	}
	if err != nil {
		return &fault.Error{
			Kind: fault.Invalid, Message: "The check of the prompt can't be run", Detail: "CHECK: " + command, Err: err,
			Remedy: "Run aurora trust and aurora doctor, or take the line CHECK out of the prompt.",
		}
	}
	return nil
}

// checkShown is how many bytes of a check's output go to the notes: the end, where most tools say what failed.
const checkShown = 1500

func (h *unattended) check(ctx context.Context, command string) (outcome string, passed bool, err error) {
	report, err := h.reasoner.opts.Tests.Run(ctx, h.root, ".", command, testrun.Changes{})
	if err != nil {
		return "", false, err
	}
	end := report.Output[max(0, len(report.Output)-checkShown):]
	return report.Outcome() + ": " + strings.ToValidUTF8(end, ""), report.Passed(), nil
}

var errMoney = &fault.Error{Kind: fault.Budget, Message: "the money of this experiment is spent", Detail: "headless.default_budget_limit_usd"}

// consult asks one prompt and says what it cost.
func (h *unattended) consult(ctx context.Context, name string, in prompts.Input, sources []soar.Source, target any, usd float64) (float64, error) {
	if usd == 0 {
		return 0, errMoney
	}
	account := &llm.Account{LimitUSD: max(0, usd)}
	c := soar.Consultation{Generator: h.models.Reasoning, Model: h.models.Tiers.Reasoning, MaxTokens: h.models.MaxTokens, Account: account}
	err := c.Ask(ctx, name, in, sources, target)
	var failure *llm.Error
	if errors.As(err, &failure) && failure.Fault != llm.Malformed {
		err = modelError(failure)
	}
	return account.Total().USD, err
}

func (h *unattended) changed(ctx context.Context, paths []string) error {
	abs := make([]string, len(paths))
	for i, p := range paths {
		abs[i] = filepath.Join(h.root, filepath.FromSlash(p))
	}
	ix := h.reasoner.opts.Facts.Index
	if _, err := ix.Refresh(ctx, abs, false); err != nil {
		return err
	}
	return ix.Flush(ctx)
}

// isFinal reports errors that come again as long as nobody changes the settings.
func isFinal(err error) bool {
	var known *fault.Error
	if !errors.As(err, &known) {
		return false
	}
	var failure *llm.Error
	if errors.As(err, &failure) {
		switch failure.Fault {
		case llm.Refused, llm.NotFound, llm.BadRequest, llm.Setup, llm.Declined:
			return true
		}
	}
	return known.Kind == fault.Guardrail || known.Kind == fault.Invalid || known.Kind == fault.ConfigInvalid
}

func isOverBudget(err error) bool {
	var known *fault.Error
	return errors.As(err, &known) && known.Kind == fault.Budget
}

// firstLine is the one-based line at which a hit's text begins.
func firstLine(h *snippet.Hit) int {
	if h.Range == nil {
		return 0
	}
	return h.Range.Start.Line + 1
}

func scrubbed(text string) string {
	text, _ = scrub.Text(text)
	return text
}

// pieceSize is about how many bytes of a file one source has: prompts cut longer ones.
const fileSourceSize = 2000

// pieces are files as sources, each cut at ends of lines into parts that prompts show whole.
func fileSources(files []headless.File) []soar.Source {
	var out []soar.Source
	seen := map[string]bool{}
	for _, f := range files {
		if seen[f.Path+"\x00"+f.Text] {
			continue
		}
		seen[f.Path+"\x00"+f.Text] = true
		var b strings.Builder
		line := max(1, f.Line)
		first := line
		flush := func() {
			if b.Len() > 0 {
				out = append(out, soar.Source{ID: fmt.Sprintf("F%d", len(out)+1), Path: f.Path, Line: first, Name: filepath.Base(f.Path), Text: b.String()})
			}
			b.Reset()
			first = line
		}
		for text := range strings.Lines(f.Text) {
			if b.Len()+len(text) > fileSourceSize {
				flush()
			}
			b.WriteString(text)
			line++
		}
		flush()
	}
	return out
}
