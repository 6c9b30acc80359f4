package eval

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/index/embed"
)

const answersDir = "../../testdata/answers"

// A goldenAnswers is what a committed set of questions is known to reach: right answers by kind.
type goldenAnswers map[string]Accuracy

// TestAnswersKeepTheirAccuracy asks the committed questions about the fixture, whose history is made here, and fails
// when the accuracy of a kind falls. "go test ./engine/eval -run AnswersKeep -update" writes what is reached now.
func TestAnswersKeepTheirAccuracy(t *testing.T) {
	repos := t.TempDir()
	makeHistory(t, filepath.Join(repos, "fixture"))
	questions, _, err := LoadQuestions(filepath.Join(answersDir, "fixture.jsonl"), filepath.Join(answersDir, "fixture-history.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	model, err := embed.Default()
	if err != nil {
		t.Fatal(err)
	}
	run, err := Answers(context.Background(), questions, nil, Options{Repos: repos, Embedder: model})
	if err != nil || len(run.Graded) != len(questions) {
		t.Fatalf("%d of %d answered: %v, missing %q", len(run.Graded), len(questions), err, run.Missing)
	}
	for _, g := range run.Graded {
		if !g.Right() {
			t.Logf("%s %q: %s\n%s", g.ID, g.Question, strings.Join(g.Faults, "; "), g.Answer)
		}
	}
	got := goldenAnswers(run.Accuracy(func(g *Graded) string { return g.Kind }))
	file := filepath.Join(answersDir, "golden.json")
	if *update {
		text, err := json.MarshalIndent(got, "", " ")
		if err == nil {
			err = os.WriteFile(file, append(text, '\n'), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	want := goldenAnswers{}
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &want)
	}
	if err != nil {
		t.Fatal(err)
	}
	for kind, w := range want {
		if g := got[kind]; g.Share() < w.Share() || g.Asked < w.Asked {
			t.Errorf("%q: %s, was %s", kind, g, w)
		}
	}
}

// makeHistory copies the fixture into a repository with four commits by two people and two tags.
func makeHistory(t *testing.T, dir string) {
	t.Helper()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(answersDir, "fixture"))); err != nil {
		t.Fatal(err)
	}
	git := func(env []string, args ...string) {
		t.Helper()
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		cmd.Env = append(slices.Clone(os.Environ()), append(env, "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	commit := func(name, date, message string) {
		t.Helper()
		git(nil, "add", "-A")
		who := []string{}
		for _, role := range []string{"AUTHOR", "COMMITTER"} {
			who = append(who, "GIT_"+role+"_NAME="+name, "GIT_"+role+"_EMAIL="+strings.ToLower(name)+"@example.com", "GIT_"+role+"_DATE="+date+"T12:00:00Z")
		}
		git(who, "commit", "-q", "-m", message)
	}
	// change takes a part out of a file, and returns what puts it back.
	change := func(path, from, to string) (restore func()) {
		t.Helper()
		file := filepath.Join(dir, path)
		text, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(text), from) {
			t.Fatalf("%s lacks %q: %v", path, from, err)
		}
		if err := os.WriteFile(file, []byte(strings.Replace(string(text), from, to, 1)), 0o644); err != nil {
			t.Fatal(err)
		}
		return func() {
			if err := os.WriteFile(file, text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	readOnly := filepath.Join(dir, "store", "readonly.go")
	text, err := os.ReadFile(readOnly)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(readOnly); err != nil {
		t.Fatal(err)
	}
	health := change("cmd/shopd/main.go", "\nfunc handleHealth(w http.ResponseWriter, _ *http.Request) {\n\tw.WriteHeader(http.StatusNoContent)\n}\n", "")
	limit := change("store/store.go", "maxOrders = 40", "maxOrders = 20")

	git(nil, "init", "-q", "-b", "main")
	commit("Ada", "2026-01-05", "Open the shop")
	limit()
	commit("Ada", "2026-01-20", "Let customers have more orders")
	git(nil, "tag", "v1")
	if err := os.WriteFile(readOnly, text, 0o644); err != nil {
		t.Fatal(err)
	}
	commit("Grace", "2026-02-03", "Add a store for reading")
	git(nil, "tag", "v2")
	health()
	commit("Grace", "2026-03-01", "Tell load balancers that shopd is well")
}

func TestAnswersLeaveOutWhatIsNotThere(t *testing.T) {
	repos := t.TempDir()
	makeHistory(t, filepath.Join(repos, "fixture"))
	questions := []Question{
		{ID: "1", Repo: "fixture", Kind: "k", Question: "what is Order?", Has: []string{"Order"}},
		{ID: "2", Repo: "gone", Kind: "k", Question: "what is Order?", Has: []string{"Order"}},
	}
	pins := []Pin{{Name: "fixture", Commit: strings.Repeat("0", 40)}, {Name: "gone", URL: "https://example.com/gone", Commit: "c"}}
	run, err := Answers(context.Background(), questions, pins, Options{Repos: repos})
	if err != nil || len(run.Graded) != 0 || len(run.Missing) != 2 {
		t.Fatalf("%+v, %v", run, err)
	}
	if !strings.Contains(run.Missing[0], "is at ") || !strings.Contains(run.Missing[1], "git clone https://example.com/gone") {
		t.Errorf("missing %q", run.Missing)
	}
	run, err = Answers(context.Background(), questions[:1], nil, Options{Repos: repos})
	if err != nil || len(run.Graded) != 1 || !run.Graded[0].Right() {
		t.Errorf("without a pin: %+v, %v", run, err)
	}
}

func TestLoadQuestionsRefuses(t *testing.T) {
	for line, says := range map[string]string{
		`{`: "unexpected", `{"id": "1", "kind": "k", "question": "q"}`: "nothing is asked", `{"id": "1"}`: "needs id, kind and question",
		`{"id": "1", "kind": "k", "question": "q", "has": ["x"], "hass": ["y"]}`:                                                                           "unknown field",
		`{"id": "1", "kind": "k", "question": "q", "has": ["x"], "repo": "../x"}`:                                                                          "leaves the folder",
		"{\"id\": \"1\", \"kind\": \"k\", \"question\": \"q\", \"has\": [\"x\"]}\n{\"id\": \"1\", \"kind\": \"k\", \"question\": \"q\", \"has\": [\"x\"]}": "twice",
		"\n\n": "no question",
	} {
		file := filepath.Join(t.TempDir(), "q.jsonl")
		if err := os.WriteFile(file, []byte(line), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, _, err := LoadQuestions(file); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", line, err, says)
		}
	}
}

func TestGradeFindsFaults(t *testing.T) {
	q := Question{First: []string{"two"}, Has: []string{"`A`"}, Lacks: []string{"`C`"}, Cites: []string{"a.go:A", "b.go"}}
	good := &engine.QueryResult{Answer: "In two places.\n\n- `A`", Citations: []engine.Hit{{Location: snippet.Location{Path: "a.go"}, Symbol: snippet.Symbol{Name: "A"}}, {Location: snippet.Location{Path: "b.go"}, Symbol: snippet.Symbol{Name: "B"}}}}
	if faults := q.grade(good); faults != nil {
		t.Errorf("%q", faults)
	}
	bad := &engine.QueryResult{Answer: "In places.\n\nIn two: `C`", Citations: []engine.Hit{{Location: snippet.Location{Path: "a.go"}, Symbol: snippet.Symbol{Name: "B"}}}, Abstained: true}
	if faults := q.grade(bad); len(faults) != 6 {
		t.Errorf("%d faults: %q", len(faults), faults)
	}
}

func TestCompareAnswers(t *testing.T) {
	before := &AnswerRun{Graded: []Graded{{ID: "1"}, {ID: "2", Faults: []string{"x"}}, {ID: "3", Question: "old"}}}
	after := &AnswerRun{Graded: []Graded{{ID: "1", Faults: []string{"y"}}, {ID: "2"}, {ID: "3", Question: "new"}}}
	file := filepath.Join(t.TempDir(), "run.json")
	if err := before.Save(file); err != nil {
		t.Fatal(err)
	}
	opened, err := OpenAnswers(file)
	if err != nil {
		t.Fatal(err)
	}
	d := CompareAnswers(opened, after)
	if d.Before != (Accuracy{1, 2}) || d.After != (Accuracy{1, 2}) || len(d.Better) != 1 || d.Better[0].ID != "2" || len(d.Worse) != 1 || d.Worse[0].ID != "1" {
		t.Errorf("%+v", d)
	}
}
