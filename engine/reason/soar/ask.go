package soar

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/internal/scrub"
	"github.com/aurora-sidecar/aurora/prompts"
)

// schemas are the compiled schemas of all prompts, by name.
var schemas = sync.OnceValues(func() (map[string]*llm.Schema, error) {
	all := map[string]*llm.Schema{}
	for _, name := range []string{
		prompts.Assess, prompts.Decompose, prompts.VerifyDecomposition, prompts.Critic, prompts.Advocate, prompts.Judge, prompts.Solve,
		prompts.VerifyAgentOutput, prompts.VerifySynthesis, prompts.RetryFeedback,
		prompts.TaskProfile, prompts.SemanticValidation, prompts.Convergence, prompts.Refinement, prompts.Subplan,
		prompts.GoalCheck, prompts.HeadlessStep, prompts.ReviewSummary,
	} {
		s, err := llm.NewSchema(name, prompts.Schema(name))
		if err != nil {
			return nil, err
		}
		all[name] = s
	}
	return all, nil
})

// requestWith renders a prompt into a request, with as many of the sources as its limit leaves room for.
func (q *query) requestWith(name string, in prompts.Input, sources []Source) (llm.Request, error) {
	in.Earlier = q.earlier()
	bare, err := prompts.Build(name, in)
	if err != nil {
		return llm.Request{}, err
	}
	used := llm.EstimateTokens(bare.System) + llm.EstimateTokens(bare.User)
	room := bare.Limit.Frame + bare.Limit.Data - used
	if slices.Contains(answering, name) {
		room = max(room, q.opts.bundleSize().Tokens)
		sources = withoutPatterns(sources)
	}
	in.Sources = promptSources(sources, min(room, q.opts.room()-max(0, used-frame)))
	return q.requestOf(name, in)
}

// withoutPatterns leaves out earlier answers: they are templates of plans, and our own words are no evidence.
func withoutPatterns(sources []Source) []Source {
	return slices.DeleteFunc(slices.Clone(sources), func(s Source) bool { return s.Pattern })
}

// answering are the prompts that take all that was retrieved, or cited; to plan, less is enough.
var answering = []string{prompts.Direct, prompts.Solve, prompts.Synthesize, prompts.VerifyAgentOutput, prompts.VerifySynthesis}

// requestOf renders a prompt into a request.
func (q *query) requestOf(name string, in prompts.Input) (llm.Request, error) {
	prompt, err := prompts.Build(name, in)
	if err != nil {
		return llm.Request{}, err
	}
	r := llm.Request{
		Purpose: name, Model: q.state.Model, MaxTokens: max(prompt.Limit.Reply, q.opts.MaxTokens),
		Messages: []llm.Message{{Role: "system", Content: prompt.System}, {Role: "user", Content: prompt.User}},
		Account:  q.state.Request.Account, Fresh: q.state.Request.Fresh,
	}
	if q.run != nil {
		r.Notice = q.repeated
	}
	if prompt.Schema != nil {
		compiled, err := schemas()
		if err != nil {
			return r, err
		}
		r.Schema = compiled[name]
	}
	return r, nil
}

// askJSON asks the reasoning model and decodes its reply into target.
func (q *query) askJSON(ctx context.Context, name string, in prompts.Input, target any) error {
	return q.askJSONWith(ctx, name, in, nil, target)
}

// askJSONWith is askJSON with sources.
func (q *query) askJSONWith(ctx context.Context, name string, in prompts.Input, sources []Source, target any) error {
	r, err := q.requestWith(name, in, sources)
	if err != nil {
		return err
	}
	_, err = llm.JSON(ctx, q.opts.Reasoning, r, target)
	return err
}

// A Consultation is who is asked outside of any question, and who pays.
type Consultation struct {
	Generator llm.Generator
	Model     string // "" is the generator's own
	MaxTokens int    // of a reply; 0 leaves it to the prompt
	Account   *llm.Account
}

// Ask asks one prompt as the phases ask theirs: schema, limits, fences and one attempt at repair included.
func (c Consultation) Ask(ctx context.Context, name string, in prompts.Input, sources []Source, target any) error {
	q := &query{
		opts:  Options{Reasoning: c.Generator, Sizes: Sizes{MaxTokens: c.MaxTokens}},
		state: &State{Request: Request{Account: c.Account}, Decision: Decision{Model: c.Model}},
	}
	return q.askJSONWith(ctx, name, in, sources, target)
}

// promptSources are sources as a prompt shows them, as many as fit into a number of tokens. Secrets are taken out, long
// snippets are cut.
func promptSources(sources []Source, tokens int) []prompts.Source {
	var out []prompts.Source
	most := max(minSnippet, tokens) // a quarter of the room, in characters
	for _, s := range sources {
		text, _ := scrub.Text(CutText(s.Text, most))
		cost := llm.EstimateTokens(text) + 30 // the tag around it
		if cost > tokens {
			continue
		}
		tokens -= cost
		out = append(out, prompts.Source{ID: s.ID, Path: s.Path, Line: s.Line, Name: s.Name, Text: text})
	}
	return out
}

// minSnippet is how many characters of one snippet a model reads at least.
const minSnippet = 2400

// CutText cuts a text after a whole line to about n bytes.
func CutText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	cut := strings.ToValidUTF8(s[:n], "")
	if at := strings.LastIndexByte(cut, '\n'); at > 0 {
		cut = cut[:at]
	}
	return cut + "\n…"
}

func (q *query) cards() []prompts.Agent {
	var out []prompts.Agent
	for _, a := range q.agents {
		c := a.Card()
		out = append(out, prompts.Agent{ID: c.ID, Capabilities: c.Capabilities, Domains: c.Domains, Description: c.Description})
	}
	return out
}

func (q *query) agentCards() []Card {
	cards := make([]Card, len(q.agents))
	for i, a := range q.agents {
		cards[i] = a.Card()
	}
	return cards
}

func (q *query) examples(set string) []string {
	return q.opts.Examples.Pick(set, string(q.state.Assessment.Level), q.opts.Counts[q.state.Assessment.Level])
}

// whatToMend returns the feedback for the next attempt as JSON. A review that scored low without saying why is asked what
// to do.
func whatToMend(ctx context.Context, q *query, checkpoint, opening string, r *Review, attempt int, work string) (string, error) {
	f := feedbackFor(r, attempt, opening)
	if len(f.Issues) > 0 || len(r.Critical) > 0 {
		return encode(map[string]any{"retry_feedback": f.short()}), nil
	}
	var reply struct {
		Feedback feedback `json:"retry_feedback"`
	}
	err := q.askJSON(ctx, prompts.RetryFeedback, prompts.Input{
		Check: prompts.Check{Checkpoint: checkpoint, Attempt: attempt, MaxAttempts: maxRetries, PreviousScore: r.Overall, Verification: CutText(encode(r), maxSummary)},
		Work:  prompts.Work{Response: CutText(work, 2*maxSummary)},
	}, &reply)
	if isMalformed(err) {
		return encode(map[string]any{"retry_feedback": f.short()}), nil
	}
	if err != nil {
		return "", fmt.Errorf("ask what to mend: %w", err)
	}
	reply.Feedback.Attempt, reply.Feedback.PreviousScore, reply.Feedback.Escalate = f.Attempt, f.PreviousScore, f.Escalate
	return encode(map[string]any{"retry_feedback": reply.Feedback.short()}), nil
}
