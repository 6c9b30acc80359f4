package cli

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
)

// What is called not related is not found again by any later run, until that is taken back.
func TestReviewLearnsWhatIsNotRelated(t *testing.T) {
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
	if got := p.run("aurora", "review"); got.code != app.ExitOK || !strings.Contains(got.out+got.err, "1 finding left out") {
		t.Errorf("review after it was called not related: %s", got)
	}
	if got := p.run("aurora", "review", "--related", id); got.code != app.ExitOK {
		t.Errorf("related: %s", got)
	}
	if got := p.run("aurora", "review"); got.code != app.ExitFailed || !strings.Contains(got.out, id) {
		t.Errorf("review after that was taken back: %s", got)
	}
	if got := p.run("aurora", "review", "--not-related", "know:x"); got.code == app.ExitOK {
		t.Errorf("an id of something else: %s", got)
	}
}
