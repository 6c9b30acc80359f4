package reason

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/answer"
	"github.com/aurora-sidecar/aurora/engine/answer/evidence"
	"github.com/aurora-sidecar/aurora/engine/answer/question"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/engine/recall"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/memory"
)

var (
	_ soar.Library  = (*reasoning)(nil)
	_ soar.Locator  = (*reasoning)(nil)
	_ soar.Recorder = (*reasoning)(nil)
)

// Retrieve implements soar.Library: what is selected, what the question names, what answers it by the index's structure
// (definitions, callers, listings), what a search finds, code and memory together, and what that leads to.
func (q *reasoning) Retrieve(ctx context.Context, question string, size soar.Size) ([]soar.Source, error) {
	b := q.newBundle(size.Tokens)
	if err := b.fill(ctx, question, size.Hits); err != nil {
		return nil, err
	}
	return append(b.sources, q.conversationSources(ctx, question, b.taken)...), ctx.Err()
}

// withoutAnswers leaves out earlier answers of AURORA's own, which are no sources, but for those that are templates of plans.
func (q *reasoning) withoutAnswers(found []evidence.Citation) []evidence.Citation {
	return slices.DeleteFunc(found, func(p evidence.Citation) bool {
		h := q.library.Hits[p.ID]
		return h.Origin == snippet.OriginAnswer && !isPattern(&h)
	})
}

// withoutFading parts what was found from records that a lifespan policy lets fade, which come behind all else.
func (q *reasoning) withoutFading(found []evidence.Citation) (fresh, fading []evidence.Citation) {
	for _, p := range found {
		if q.library.Hits[p.ID].Decays {
			fading = append(fading, p)
		} else {
			fresh = append(fresh, p)
		}
	}
	return fresh, fading
}

// structural returns the snippets by which the question would be answered without a model, none when it would not.
func (q *reasoning) structural(ctx context.Context, query string) ([]evidence.Citation, error) {
	now := q.reasoner.opts.Now()
	parsed := question.Parse(query, now)
	if parsed.Intent == question.Citations {
		return nil, nil // a search is all that such an answer would come from
	}
	writer := answer.Writer{Library: q.library, Now: now}
	a, err := writer.Answer(ctx, parsed)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("retrieve: %w", err)
	}
	if a.Abstained {
		return nil, nil
	}
	return a.Cited, nil
}

func (q *reasoning) sourceOf(p evidence.Citation) soar.Source {
	h := q.library.Hits[p.ID]
	s := soar.Source{Key: p.ID, Path: h.Path, Name: p.Name, Text: h.Text}
	s.Pattern = isPattern(&h)
	if h.Range != nil {
		s.Line, s.First, s.Last = h.Line(), h.FirstLine()+1, h.Range.End.Line+1
	}
	return s
}

// oftenUsed is the activation, as people are shown it, from which an earlier answer is a template for plans.
const oftenUsed = 0.5

func isPattern(h *snippet.Hit) bool {
	return slices.Contains(h.Tags, "pattern") && h.Scores.Activation != nil && *h.Scores.Activation >= oftenUsed
}

// maxTagged is how many snippets a record names.
const maxTagged = 5

// Record implements soar.Recorder: the answer becomes a reasoning record, which is written with the journal.
func (q *reasoning) Record(_ context.Context, r soar.Result) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "Question: %s\n\n%s\n\n", r.Query, r.Answer)
	for i, s := range r.Sources {
		fmt.Fprintf(&b, "[%d] %s:%d %s\n", i+1, s.Path, s.Line, s.Name)
	}
	if r.Plan != nil {
		fmt.Fprintf(&b, "\nPlan (score %.2f):\n", r.Score)
		for _, s := range r.Plan.Subgoals {
			fmt.Fprintf(&b, "- %s: %s (%s)\n", s.ID, s.Description, s.Agent)
		}
	}
	if len(r.Tools) > 0 {
		fmt.Fprintf(&b, "Tools: %s\n", toolsLine(r.Tools))
	}
	for _, u := range r.Unsolved {
		fmt.Fprintf(&b, "Not solved: %s\n", u)
	}
	record := memory.Record{
		Type: memory.Reasoning, Title: r.Query, Content: b.String(), SourceType: "output", Importance: min(1, r.Score),
		Tags: []string{"answer", strings.ToLower(string(r.Level))}, Author: memory.Author{AgentName: q.result.Model},
	}
	record.SuccessScore, record.Pattern = &r.Score, r.Pattern
	if r.Pattern {
		record.Tags = append(record.Tags, "pattern")
	}
	for i, s := range r.Sources {
		if h := q.library.Hits[s.Key]; i < maxTagged && h.Abs != "" {
			record.Tags = append(record.Tags, h.ID)
			if file, ok := q.library.Snap.File(h.Abs); ok && record.Workspace == "" {
				record.Workspace, record.SourceRef = q.reasoner.opts.Facts.Records.Project(file.Folder), fmt.Sprintf("%s:%d", h.Path, h.Line())
			}
		}
	}
	if record.Workspace == "" {
		record.Workspace = recall.OpenProject(q.reasoner.opts.Facts.Records)
	}
	if err := q.reasoner.opts.Facts.Records.CheckContent(&record); err != nil {
		return "", err
	}
	record, err := memory.Prepare(record)
	if err != nil {
		return "", err
	}
	q.answer = &record
	return memory.NewID(record, idDigits), nil
}

// idDigits is how much of the hash of its content is in the id of a record. One that has another id, because its content
// was remembered before or another record has this one, is named by the journal when it is written.
const idDigits = 8
