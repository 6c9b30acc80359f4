package reason

import (
	"context"
	"fmt"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/proposal"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/engine/testrun"
	"github.com/aurora-sidecar/aurora/internal/text"
)

// maxChecks is how many commands are run for one change.
const maxChecks = 3

// changeChecks is what tests say of a proposed change.
type changeChecks struct {
	edits    int      // how many of them the tests saw
	failing  []string // what speaks against them, for people
	reports  []string // the same with the output of the tests, for the model
	reported bool     // to the model
}

// checkOnce runs the tests that cover what is proposed, and tells the model what speaks against it. It does so once for a
// question: a model that could not mend its change then does not get further by a second report.
func checkOnce(ctx context.Context, q *reasoning) soar.Finding {
	if q.checks.reported {
		return soar.Finding{}
	}
	q.checks.reported = true
	var ran []string
	checkChange(ctx, q, func(line string) { ran = append(ran, line) })
	return soar.Finding{Text: strings.Join(q.checks.reports, "\n\n"), Outcome: strings.Join(ran, "\n")}
}

// checkChange runs the tests that cover what is proposed, where tests may be run and none has passed with all of it. A
// test that fails is run again on the code as it is, so that what it says of the change is plain. ran is told of each
// command with the change in place.
func checkChange(ctx context.Context, q *reasoning, ran func(line string)) {
	files, edits := q.proposed.Files(), q.proposed.Edits()
	if len(files) == 0 || q.proposed.Passed() || edits == q.checks.edits {
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
	q.checks.edits, q.checks.failing, q.checks.reports = edits, nil, nil
	ended := q.proposed.Running()
	passed := 0
	for _, command := range tests[:min(len(tests), maxChecks)] {
		if checkBy(ctx, q, folder, command, ran) {
			passed++
		}
	}
	ended(passed == len(tests))
	if rest := len(tests) - maxChecks; rest > 0 && passed == maxChecks {
		q.checks.failing = append(q.checks.failing, fmt.Sprintf("%d more commands that run tests of this change were not run.", rest))
	}
}

// checkBy runs one command with the change in place, and reports whether it passed.
func checkBy(ctx context.Context, q *reasoning, folder, command string, ran func(line string)) bool {
	run := q.reasoner.opts.Tests.Run
	with, err := run(ctx, folder, ".", command, proposedTexts(q))
	if err != nil {
		return false
	}
	ran(command + ", " + with.Outcome())
	if with.Passed() {
		return true
	}
	without, err := run(ctx, folder, ".", command, testrun.Changes{})
	if err != nil {
		return false
	}
	also := ", and passes without it"
	if !without.Passed() {
		also = ", as it does without it"
	}
	q.checks.failing = append(q.checks.failing, fmt.Sprintf("%s fails with this change in place (%s)%s.", command, with.Outcome(), also))
	q.checks.reports = append(q.checks.reports, fmt.Sprintf("%s fails with the edits in place%s.\n%s", command, also, with))
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
