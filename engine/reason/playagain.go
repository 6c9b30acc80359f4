package reason

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/engine/reason/adaptive"
	"github.com/aurora-sidecar/aurora/engine/reason/replay"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/internal/text"
	"github.com/aurora-sidecar/aurora/prompts"
)

// A Replay is a question played again.
type Replay struct {
	Result      *QueryResult   // as it comes out now
	Record      *replay.Record // as it was
	Differences []string       // none when both agree
}

// PlayAgain runs the phases of a recorded question again, on the recorded replies and snippets: nobody is asked,
// nothing is spent, nothing is remembered. It tells whether the phases, as they are now, come to the same. examples are
// the effective calibration examples. It fails with Invalid when no model was asked, and when the recording does not have
// what the phases now ask for.
func PlayAgain(ctx context.Context, record *replay.Record, examples prompts.Examples, sink func(Progress)) (*Replay, error) {
	if record.Recording == nil || len(record.Recording.Calls) == 0 {
		return nil, &fault.Error{
			Kind: fault.Invalid, Message: "no model was asked this question, so there is nothing to play again", Detail: record.ID,
			Remedy: "Ask it again, or look at it: aurora history " + record.ID,
		}
	}
	player, setup := soar.NewPlayer(record.Recording), record.Setup
	pipeline := soar.NewPipeline(soar.Options{
		Reasoning: player, Solving: player, Models: setup.Tiers, Library: player, Tools: player, Grounds: player, AgentOptions: soar.AgentOptions{Agents: player.Agents(), Personas: player.Personas()},
		Examples: examples, Sizes: setup.Sizes, Guards: soar.Guards{PII: setup.PII},
		Adaptive: adaptive.Modules(setup.Adaptive),
	})
	result := &QueryResult{QueryID: record.ID, Model: record.Model}
	q := &reasoning{result: result, account: &llm.Account{}}
	state, phases, total, err := pipeline.Ask(ctx, record.Request, q.progress(sink))
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var failure *llm.Error
	if errors.As(err, &failure) && failure.Fault == llm.Setup {
		return nil, &fault.Error{Kind: fault.Invalid, Message: failure.Message, Detail: record.ID, Remedy: "Ask it again: what was recorded no longer fits."}
	}
	result.outline(state, phases, total)
	for _, source := range state.Cited {
		h := snippet.Hit{ID: source.Key}
		h.Path, h.Name = source.Path, cmp.Or(source.Name, source.Key)
		if source.Line > 0 {
			h.Range = &text.Range{Start: text.Position{Line: source.Line - 1}}
		}
		result.Citations = append(result.Citations, h)
	}
	return &Replay{Result: result, Record: record, Differences: differences(record, result, state, err)}, nil
}

// differences compares what was with what is.
func differences(was *replay.Record, is *QueryResult, s *soar.State, failure error) []string {
	var list []string
	differ := func(what string, was, is any) {
		if fmt.Sprint(was) != fmt.Sprint(is) {
			list = append(list, fmt.Sprintf("%s: %v, was %v", what, is, was))
		}
	}
	differ("calls", len(was.Recording.Calls), len(s.Recording.Calls))
	differ("passes", was.Passes, len(is.Passes))
	if failure != nil || was.Error != "" {
		differ("failed", was.Error != "", failure != nil)
		return list
	}
	differ("complexity", was.Complexity, is.Complexity)
	differ("verified", was.Verified, is.Verified)
	differ("confidence", fmt.Sprintf("%.3f", was.Confidence), fmt.Sprintf("%.3f", is.Confidence))
	if was.Answer != is.Answer {
		list = append(list, "the answer is another one")
	}
	return list
}
