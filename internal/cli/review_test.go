package cli

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/engine/llm/llmtest"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
)

// changedProject has a change of code that a note is about.
func changedProject(t *testing.T) *project {
	t.Helper()
	p := smallProject(t)
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "-q", "-m", "first"}} {
		if out, err := exec.Command("git", append([]string{"-C", p.dir}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v, %s", args, err, out)
		}
	}
	if got := p.run("aurora", "remember", "Backoff doubles, as the law of the sea has it", "--source", "retry.go:4"); got.code != app.ExitOK {
		t.Fatalf("remember: %s", got)
	}
	p.write("retry.go", "package retry\n\n// Backoff waits longer after every failure.\nfunc Backoff(attempt int) int { return 3 << attempt }\n")
	return p
}

// A summary is made when it is asked for and there is a model, and costs no finding where there is none.
func TestReviewSummary(t *testing.T) {
	p := changedProject(t)
	if got := p.run("aurora", "review", "--summary"); got.code != app.ExitFailed || !strings.Contains(got.out, "[touched-note") || !strings.Contains(got.out+got.err, "there is no summary: no model is configured") {
		t.Errorf("without a model: %s", got)
	}
	p.startModel([]byte("[]"))
	if got := p.run("aurora", "review"); got.code != app.ExitFailed || len(p.model.Calls()) != 0 {
		t.Errorf("unasked: %s, %d calls", got, len(p.model.Calls()))
	}
	got := p.run("aurora", "review", "--summary")
	if !strings.HasPrefix(got.out, "A note is about this: Backoff doubles, as the law of the sea has it [retry.go:4]\n\nretry.go:4: warning: ") || got.code != app.ExitFailed {
		t.Errorf("with a model: %s", got)
	}
	var result api.ReviewResult
	if err := json.Unmarshal([]byte(p.run("aurora", "review", "--summary", "--json").out), &result); err != nil || result.Model == "" || result.Summary == nil || len(result.Summary.Sentences) != 1 {
		t.Errorf("as JSON: %v, %+v", err, result)
	}
	p.model.Script(llmtest.Step{Task: "review_summary", Fault: "401"})
	if got := p.run("aurora", "review", "--summary"); got.code != app.ExitFailed || !strings.HasPrefix(got.out, "retry.go:4: warning: ") || !strings.Contains(got.out+got.err, "there is no summary: ") {
		t.Errorf("with a model that fails: %s", got)
	}
}

// What is called not related is not found again by any later run, until that is taken back.
func TestReviewLearnsWhatIsNotRelated(t *testing.T) {
	p := changedProject(t)
	got := p.run("aurora", "review", "--json")
	var result api.ReviewResult
	if err := json.Unmarshal([]byte(got.out), &result); err != nil || got.code != app.ExitFailed || len(result.Findings) != 1 || result.Findings[0].ID == "" {
		t.Fatalf("review: %v, %s", err, got)
	}
	id := result.Findings[0].ID
	if got := p.run("aurora", "review"); !strings.Contains(got.out, "[touched-note "+id+"]") {
		t.Errorf("review: %s", got)
	}
	if got := p.run("aurora", "review", "--not-related", id); got.code != app.ExitOK || !strings.Contains(got.out, "aurora review --related "+id) {
		t.Errorf("not related: %s", got)
	}
	if got := p.run("aurora", "review"); got.code != app.ExitOK || !strings.Contains(got.out+got.err, "1 finding left out") || !strings.Contains(got.out+got.err, "aurora review --related "+id) {
		t.Errorf("review after it was called not related: %s", got)
	}
	if got := p.run("aurora", "review", "--related", id); got.code != app.ExitOK {
		t.Errorf("related: %s", got)
	}
	if got := p.run("aurora", "review"); got.code != app.ExitFailed || !strings.Contains(got.out, id) {
		t.Errorf("review after that was taken back: %s", got)
	}
	for _, unknown := range []string{"know:x", "f-0123456789abcdef", id + ",f-0123456789abcdef"} {
		if got := p.run("aurora", "review", "--not-related", unknown); got.code != app.ExitUsage || !strings.Contains(got.err, "no finding of this change has the id") {
			t.Errorf("an id of something else: %s", got)
		}
	}
	if got := p.run("aurora", "review", "--related", id); got.code != app.ExitNothing {
		t.Errorf("what nobody dismissed is taken back: %s", got)
	}
	if got := p.run("aurora", "review"); got.code != app.ExitFailed || !strings.Contains(got.out, id) {
		t.Errorf("an unknown id beside it dismissed it: %s", got)
	}
}
