package reason

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/engine/reason/claims"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/internal/text"
	"github.com/aurora-sidecar/aurora/prompts"
)

// A ReviewedFinding is what a review found, as a model is told it.
type ReviewedFinding struct {
	Rule, Path string
	Line       int // one-based; 0 for the file as a whole
	Text       string
}

// A ReviewSummary is what a model says of findings.
type ReviewSummary struct {
	Sentences []ReviewSentence
	Dropped   int // sentences that no finding bears out
	Cost      Cost
}

// A ReviewSentence is one sentence with the findings that it rests on, by their places in the list.
type ReviewSentence struct {
	Text     string
	Findings []int
}

const (
	mostSentences  = 5
	mostInSentence = 400 // bytes
)

// ModelOf names the model that the caller's questions go to, "" without one.
func (e *Reasoner) ModelOf(c Caller) string {
	if m := e.modelsFor(c); m != nil {
		return m.Name
	}
	return ""
}

// SummarizeReview has the model say in a few sentences what a review found. A sentence is kept when the findings that it cites are
// there, hold the names, places and figures that it tells, and half of its words. It fails with LLMUnavailable without a model, and
// when that gives no answer.
func (e *Reasoner) SummarizeReview(ctx context.Context, findings []ReviewedFinding, c Caller) (*ReviewSummary, error) {
	if len(findings) == 0 {
		return &ReviewSummary{}, nil
	}
	m := e.modelsFor(c)
	if m == nil {
		return nil, &fault.Error{Kind: fault.LLMUnavailable, Message: "no model is configured", Err: e.opts.ModelsError, Remedy: "Set llm.provider and llm.model; aurora doctor says whether they work."}
	}
	sources := make([]soar.Source, len(findings))
	for i, f := range findings {
		shown, found := f.Text, []soar.Redaction(nil)
		if m.PII != "off" {
			shown, found = soar.Redact(shown)
		}
		if len(found) > 0 && m.PII == "reject" {
			return nil, &fault.Error{
				Kind: fault.Guardrail, Message: "a finding at " + f.Path + " holds personal data or a key", Detail: "guardrails.pii.action",
				Remedy: "Read the findings themselves, or set guardrails.pii.action to redact.",
			}
		}
		sources[i] = soar.Source{ID: fmt.Sprintf("S%d", i+1), Path: f.Path, Line: f.Line, First: f.Line, Last: f.Line, Name: f.Rule, Text: shown}
	}
	account := &llm.Account{}
	ask := soar.Consultation{Generator: m.Reasoning, Model: m.Tiers.Reasoning, MaxTokens: m.MaxTokens, Account: account}
	var reply struct {
		Sentences []struct {
			Text    string
			Sources []string
		}
	}
	err := ask.Ask(ctx, prompts.ReviewSummary, prompts.Input{}, sources, &reply)
	spent := account.Total()
	summary := &ReviewSummary{Cost: Cost{USD: spent.USD, PromptTokens: spent.Prompt, CompletionTokens: spent.Completion, Calls: spent.Calls}}
	var failure *llm.Error
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.As(err, &failure):
		return nil, modelError(failure)
	case err != nil:
		return nil, fmt.Errorf("summarize a review: %w", err)
	}
	for _, s := range reply.Sentences {
		sentence, ok := borneOut(s.Text, s.Sources, sources)
		switch {
		case !ok:
			summary.Dropped++
		case len(summary.Sentences) < mostSentences:
			summary.Sentences = append(summary.Sentences, sentence)
		}
	}
	return summary, nil
}

// borneOut reads a sentence of a model; ok is false when the findings that it cites don't say that.
func borneOut(sentence string, ids []string, sources []soar.Source) (s ReviewSentence, ok bool) {
	sentence = strings.TrimSpace(wording.OneLine(claims.WithoutCitations(sentence)))
	var marks, held strings.Builder
	for i := range sources {
		if slices.Contains(ids, sources[i].ID) {
			s.Findings = append(s.Findings, i)
			fmt.Fprintf(&marks, " [%s]", sources[i].ID)
			fmt.Fprintf(&held, " %s %s %s", sources[i].Path, strings.ReplaceAll(sources[i].Name, "-", " "), sources[i].Text)
		}
	}
	if sentence == "" || len(sentence) > mostInSentence || len(s.Findings) == 0 {
		return s, false
	}
	s.Text = sentence
	return s, claims.Check(strings.TrimRight(sentence, ".!?")+marks.String()+".", "", sources).Checked() && holdsHalf(held.String(), sentence)
}

// holdsHalf reports whether half of the words of a sentence, in any form, stand in a text.
func holdsHalf(held, sentence string) bool {
	known := map[string]bool{}
	for _, word := range text.Tokenize(held) {
		known[text.Stem(word)] = true
	}
	all, there := 0, 0
	for _, word := range text.Tokenize(sentence) {
		if text.IsStopWord(word) {
			continue
		}
		all++
		if known[text.Stem(word)] {
			there++
		}
	}
	return all > 0 && 2*there >= all
}
