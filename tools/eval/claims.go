package eval

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/engine/reason"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// A ClaimRun is what code alone found in answers and plans, true and false ones.
type ClaimRun struct {
	Repos    []ClaimedRepo `json:"repos"`
	Judged   []Judged      `json:"judged"`
	NotShown int           `json:"not_shown"` // answers left out because the model was not shown what they cite
}

// A ClaimedRepo is a folder with the number of its functions that were asked about.
type ClaimedRepo struct {
	Name    string `json:"name"`
	Answers int    `json:"answers"`
}

// A Judged is one answer or plan.
type Judged struct {
	Repo    string `json:"repo"`
	About   string `json:"about"`
	Kind    string `json:"kind"` // of the mistake; "" for a true answer, "plan" for a good plan
	Bad     bool   `json:"bad"`
	Flagged bool   `json:"flagged"`
	Why     string `json:"why,omitempty"` // first problem that was found
	Text    string `json:"text"`
}

// Claims makes true answers and good plans about the code of folders below o.Repos, and false ones of them, has all of them
// checked as the answers of a model are, without a model, and tells which were flagged.
func Claims(ctx context.Context, names []string, each int, o Options) (*ClaimRun, error) {
	run := &ClaimRun{}
	for i, name := range names {
		if o.Progress != nil {
			o.Progress(name, i, len(names))
		}
		dir, err := filepath.Abs(filepath.Join(o.Repos, filepath.FromSlash(name)))
		if err != nil {
			return nil, fmt.Errorf("find %s: %w", name, err)
		}
		if err := run.folder(ctx, name, dir, each, o); err != nil {
			return nil, err
		}
	}
	return run, ctx.Err()
}

func (run *ClaimRun) folder(ctx context.Context, name, dir string, each int, o Options) error {
	w, err := openWorkspace(ctx, dir, o)
	if err != nil {
		return err
	}
	defer w.close()
	all, err := readFuncs(ctx, dir)
	if err != nil {
		return err
	}
	cases := answerCases(all, each)
	run.Repos = append(run.Repos, ClaimedRepo{name, len(cases)})
	for _, c := range cases {
		if err := run.answers(ctx, w, name, c); err != nil {
			return err
		}
		if err := run.plans(ctx, w, name, c); err != nil {
			return err
		}
	}
	return nil
}

// answers has a true answer judged, and the false ones made of it.
func (run *ClaimRun) answers(ctx context.Context, w *workspace, repo string, c *answerCase) error {
	shown, err := run.judge(ctx, w, Judged{Repo: repo, About: c.about.qualified()}, c.question(), c.claims)
	if err != nil || !shown {
		return err
	}
	for _, m := range c.mutants() {
		if _, err := run.judge(ctx, w, Judged{Repo: repo, About: c.about.qualified(), Kind: m.kind, Bad: true}, c.question(), m.claims); err != nil {
			return err
		}
	}
	return nil
}

func (run *ClaimRun) judge(ctx context.Context, w *workspace, j Judged, question string, claims []claim) (shown bool, err error) {
	model := &claimant{claims: claims}
	models := &reason.Models{Name: "claimant", Reasoning: model, Free: true, PII: "off"}
	result, err := w.engine.Query(ctx, engine.QueryRequest{Query: question, Mode: "direct", Caller: engine.Caller{Models: models}}, nil)
	if err != nil {
		return false, fmt.Errorf("%s: %w", j.About, err)
	}
	if model.missing {
		run.NotShown++
		return false, nil
	}
	j.Text = result.Answer
	for _, warning := range result.Warnings {
		if problem, ok := strings.CutPrefix(warning, "Check this: "); ok && !j.Flagged {
			j.Flagged, j.Why = true, problem
		}
	}
	run.Judged = append(run.Judged, j)
	return true, nil
}

// A claimant is a model that looks up what its claims cite, and then makes them.
type claimant struct {
	claims  []claim
	asked   bool
	missing bool // it was not shown all that it cites
}

// Complete implements llm.Generator.
func (m *claimant) Complete(_ context.Context, r llm.Request) (*llm.Response, error) {
	if !m.asked && len(r.Tools) > 0 {
		m.asked = true
		response := &llm.Response{Model: "claimant"}
		for _, f := range needed(m.claims) {
			if f != nowhere {
				response.Calls = append(response.Calls, llm.ToolCall{Name: soar.ToolRead, Arguments: fmt.Sprintf(`{"path":%q,"first":%d,"last":%d}`, f.Path, max(1, f.Line-3), f.End)})
				response.Calls = append(response.Calls, call(soar.ToolDefinition, map[string]string{"name": f.qualified()}))
			}
		}
		return response, nil
	}
	var prompt strings.Builder
	for _, message := range r.Messages {
		prompt.WriteString(message.Content + "\n")
	}
	return &llm.Response{Text: m.answer(prompt.String()), Model: "claimant"}, nil
}

// Stream implements llm.Generator.
func (m *claimant) Stream(ctx context.Context, r llm.Request, sink func(llm.Delta)) (*llm.Response, error) {
	response, err := m.Complete(ctx, r)
	if err == nil && response.Text != "" {
		sink(llm.Delta{Text: response.Text})
	}
	return response, err
}

var shownSource = lazyregexp.New(`(?s)<aurora:source id="([^"]*)" path="([^"]*)"(?: line="\d+")? name="([^"]*)">\n(.*?)\n</aurora:source>`)

// answer writes the claims with the ids of their sources: the definition, of which the model was shown all.
func (m *claimant) answer(prompt string) string {
	var b strings.Builder
	for _, s := range m.claims {
		id := "S987654"
		if s.cite != nowhere {
			if id = sourceOf(prompt, s.cite); id == "" {
				m.missing = true
			}
		}
		fmt.Fprintf(&b, "%s [%s].\n", strings.TrimSuffix(s.text, "."), id)
	}
	return b.String()
}

func sourceOf(prompt string, f *codeFunc) string {
	for _, found := range shownSource.FindAllStringSubmatch(prompt, -1) {
		name := found[3][strings.LastIndexAny(found[3], ".:")+1:]
		if found[2] == f.Path && name == f.Name && !strings.HasSuffix(found[4], "\n…") {
			return found[1]
		}
	}
	return ""
}

// plans has a good plan judged, and bad ones made of it.
func (run *ClaimRun) plans(ctx context.Context, w *workspace, repo string, c *answerCase) error {
	for _, p := range c.plans() {
		encoded, err := json.Marshal(p.plan)
		if err != nil {
			return err
		}
		v, err := w.engine.Reasoner().Verify(ctx, reason.VerifyRequest{Query: c.planQuestion(), Plan: encoded}, nil)
		if err != nil {
			return fmt.Errorf("plan for %s: %w", c.about.qualified(), err)
		}
		j := Judged{Repo: repo, About: c.about.qualified(), Kind: p.kind, Bad: p.kind != goodPlan, Text: string(encoded)}
		if len(v.Review.Problems) > 0 {
			j.Flagged, j.Why = true, v.Review.Problems[0].Message
		}
		run.Judged = append(run.Judged, j)
	}
	return nil
}
