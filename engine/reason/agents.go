package reason

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/engine/search"
)

// noAgentsQuestion is the register's.
const noAgentsQuestion = "No agents found. Proceed with LLM-only mode?"

// addAgents gives a question the agents of its workspace, and the person to ask.
func (q *reasoning) addAgents(ctx context.Context, o *soar.Options) error {
	ask := q.noting(q.request.Ask)
	if ask != nil {
		o.Ask = func(ctx context.Context, asked soar.Question) (string, bool, error) {
			return ask(ctx, Question{QueryID: q.result.QueryID, AgentID: asked.AgentID, Text: asked.Text, Choices: asked.Choices, Default: asked.Default})
		}
	}
	registry := q.reasoner.opts.Agents
	if registry == nil {
		return nil
	}
	o.Judged = registry.Judged
	folders := q.reasoner.opts.Facts.Index.Folders()
	l, err := registry.List(ctx, folders)
	if err != nil {
		return err
	}
	for _, folder := range l.Untrusted() {
		q.reasoner.opts.Log.Info("the agents of an untrusted workspace stay out", "folder", folder)
	}
	if l.Found() == 0 && l.Fallback == "ask" && ask != nil && !strings.EqualFold(q.request.Mode, "direct") {
		answer, ok, err := ask(ctx, Question{QueryID: q.result.QueryID, AgentID: "aurora", Text: noAgentsQuestion, Choices: []string{"yes", "no"}, Default: "yes"})
		if err != nil {
			return err
		}
		if ok && answer == "no" {
			return &fault.Error{Kind: fault.Agent, Message: "No agents were found, and the question was not to go on without them", Remedy: "See: aurora agents list"}
		}
	}
	o.Agents, o.Personas, err = registry.For(ctx, folders)
	return err
}

// At implements soar.Locator: the innermost chunk around a line of a file that is indexed.
func (q *reasoning) At(ctx context.Context, path string, line int) (soar.Source, bool, error) {
	q.placing.Lock()
	defer q.placing.Unlock()
	path = filepath.FromSlash(path)
	for _, folder := range q.reasoner.opts.Facts.Index.Folders() {
		abs := path
		if !filepath.IsAbs(path) {
			abs = filepath.Join(folder, path)
		}
		if abs != folder && !strings.HasPrefix(abs, folder+string(filepath.Separator)) {
			continue
		}
		location, err := q.reasoner.opts.Facts.Searcher.Locate(ctx, search.LocateRequest{Path: abs, Line: max(1, line)})
		var none *fault.Error
		if errors.As(err, &none) {
			continue
		}
		if err != nil {
			return soar.Source{}, false, err
		}
		around := q.reasoner.opts.Facts.Workspace(&codebase.Selection{Path: abs, Start: location.Anchor.Offset, End: location.Anchor.Offset})
		if p, ok := around.Here(ctx); ok {
			q.library.Cite(around.Hits[p.ID])
			return q.sourceOf(p), true, nil
		}
	}
	return soar.Source{}, false, ctx.Err()
}

// toolsLine tells which tools the subgoals took, for what is learned of a question.
func toolsLine(tools []soar.ToolUse) string {
	var parts []string
	for _, t := range tools {
		parts = append(parts, fmt.Sprintf("%s %s: %s", t.SubgoalID, t.AgentID, strings.Join(t.Tools, ", ")))
	}
	return strings.Join(parts, "; ")
}
