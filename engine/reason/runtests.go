package reason

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/aurora-sidecar/aurora/engine/reason/claims"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/engine/testrun"
)

// testsFolder is the first workspace folder that has a subfolder, and in which tests may be run; "" for none.
func (q *reasoning) testsFolder(subfolder string) string {
	o := &q.reasoner.opts
	for _, folder := range o.Facts.Index.Folders() {
		if info, err := os.Stat(filepath.Join(folder, filepath.FromSlash(subfolder))); err == nil && info.IsDir() && o.Tests.May(folder) == nil {
			return folder
		}
	}
	return ""
}

// runTests runs a command that a model asks for. Other subgoals look things up meanwhile.
func (q *reasoning) runTests(ctx context.Context, _ string, a soar.Arguments) (soar.Finding, error) {
	if a.Path == "" {
		a.Path = "."
	}
	if !filepath.IsLocal(filepath.FromSlash(a.Path)) {
		return soar.Finding{}, fmt.Errorf("%s is not in the workspace", a.Path)
	}
	folder := q.testsFolder(a.Path)
	if folder == "" {
		return soar.Finding{}, q.whyNoTests(a.Path)
	}
	ended := q.proposed.Running()
	report, err := q.reasoner.opts.Tests.Run(ctx, folder, a.Path, a.Command, proposedTexts(q))
	if err != nil {
		return soar.Finding{}, err
	}
	ended(report.Passed())
	q.reasoner.opts.Log.Info("a model had a command run", "query", q.result.QueryID, "folder", folder, "outcome", report.Outcome())
	return soar.Finding{Text: report.String(), Outcome: ranLine(a, report)}, nil
}

// ranLine tells of a command that was run, and where.
func ranLine(a soar.Arguments, r *testrun.Report) string {
	line := claims.Excerpt(a.Command)
	if path := filepath.Clean(filepath.FromSlash(a.Path)); path != "." {
		line += " in " + filepath.ToSlash(path)
	}
	return line + ", " + r.Outcome()
}

// whyNoTests says why nothing is run in a subfolder.
func (q *reasoning) whyNoTests(subfolder string) error {
	for _, folder := range q.reasoner.opts.Facts.Index.Folders() {
		if err := q.reasoner.opts.Tests.May(folder); err != nil {
			return err
		}
	}
	return errors.New("there is no folder " + subfolder)
}
