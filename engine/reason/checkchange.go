package reason

import (
	"context"
	"fmt"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/proposal"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/internal/text"
)

// maxChecks is how many commands are run for one change.
const maxChecks = 3

// checkChange runs the tests that cover what is proposed, where tests may be run and none has passed with all of it. A
// test that fails is run again on the code as it is, so that what it says of the change is plain.
func checkChange(ctx context.Context, q *reasoning, sink func(Progress)) {
	files := q.proposed.Files()
	if len(files) == 0 || q.proposed.Passed() {
		return
	}
	folder := q.testsFolder(".")
	if folder == "" {
		return
	}
	changed := map[string][]text.Range{}
	for _, f := range files {
		changed[f.Abs] = replaced(&f)
	}
	tests, err := q.reasoner.opts.Facts.CoveringTests(folder, changed)
	if err != nil || len(tests) == 0 {
		return // the result says that no test has passed
	}
	ended := q.proposed.Running()
	passed := 0
	for _, command := range tests[:min(len(tests), maxChecks)] {
		if checkBy(ctx, q, folder, command, sink) {
			passed++
		}
	}
	ended(passed == len(tests))
	if rest := len(tests) - maxChecks; rest > 0 && passed == maxChecks {
		q.failing = append(q.failing, fmt.Sprintf("%d more commands that run tests of this change were not run.", rest))
	}
}

// checkBy runs one command with the change in place, and reports whether it passed.
func checkBy(ctx context.Context, q *reasoning, folder, command string, sink func(Progress)) bool {
	run := q.reasoner.opts.Tests.Run
	with, err := run(ctx, folder, ".", command, proposedTexts(q))
	if err != nil {
		return false
	}
	if sink != nil {
		sink(Progress{QueryID: q.result.QueryID, Stage: soar.VerifyAnswer, Status: soar.InProgress, Detail: soar.Ran + command + ", " + with.Outcome(), Done: 1})
	}
	if with.Passed() {
		return true
	}
	without, err := run(ctx, folder, ".", command, nil)
	if err != nil {
		return false
	}
	also := ", and passes without it"
	if !without.Passed() {
		also = ", as it does without it"
	}
	q.failing = append(q.failing, fmt.Sprintf("%s fails with this change in place (%s)%s.", command, with.Outcome(), also))
	return false
}

// replaced are the lines of the text as it is in whose place others come. What is only added is about the line before it, too.
func replaced(f *proposal.File) []text.Range {
	var places []text.Range
	for _, e := range f.Edits() {
		first := strings.Count(f.Before[:e.Start], "\n")
		last := strings.Count(f.Before[:max(e.Start, e.End-1)], "\n")
		if e.Start == e.End {
			first = max(0, first-1)
		}
		places = append(places, text.Range{Start: text.Position{Line: first}, End: text.Position{Line: last}})
	}
	return places
}
