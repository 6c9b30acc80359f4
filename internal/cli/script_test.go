package cli

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine/llm/llmtest"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata/script")

// A script is a txtar archive. Entries whose name starts with "$ " are commands and hold what they must print: first
// standard output, then standard error with "2| " before each line, then "exit N" when that is not 0. Entries whose name
// starts with "> " are files written between the commands, those with "rm " files removed. All other entries are the
// files of a project. The word git in the archive's comment makes the project a repository with one
// commit, two days old. An entry called model.json is the script of a scripted model, which is then configured.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		if testing.Short() && name == "model" {
			continue // a model that fails in many ways takes seconds
		}
		t.Run(name, func(t *testing.T) { runScript(t, file) })
	}
}

func runScript(t *testing.T, file string) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p := newProject(t)
	for _, f := range archive.Files {
		switch {
		case f.Name == "model.json":
			p.startModel(f.Data)
		case !isStep(f.Name):
			p.write(f.Name, string(f.Data))
		}
	}
	if strings.Contains(string(archive.Comment), "git") {
		p.commit()
	}
	for i, f := range archive.Files {
		if name, ok := strings.CutPrefix(f.Name, "> "); ok {
			p.write(name, string(f.Data))
		}
		if name, ok := strings.CutPrefix(f.Name, "rm "); ok {
			if err := os.Remove(filepath.Join(p.dir, name)); err != nil {
				t.Fatal(err)
			}
		}
		command, ok := strings.CutPrefix(f.Name, "$ ")
		if !ok {
			continue
		}
		run := p.run
		if typed, rest, ok := strings.Cut(command, " @tty "); ok { // what the person types, and the command
			run, command = func(args ...string) outcome { return p.onTerminal(typed+"\n", args...) }, rest
		}
		got := p.normalise(run(words(command)...).String())
		if *update {
			archive.Files[i].Data = []byte(got)
		} else if want := string(f.Data); got != want {
			t.Errorf("$ %s\ngot:\n%s\nwant:\n%s", command, got, want)
		}
	}
	if *update {
		if err := os.WriteFile(filepath.Join(testDir, file), txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// isStep tells what happens in a script from what is there at its start.
func isStep(name string) bool {
	return strings.HasPrefix(name, "$ ") || strings.HasPrefix(name, "> ") || strings.HasPrefix(name, "rm ")
}

// words splits a command line at spaces; double quotes hold words together.
func words(line string) []string {
	var out []string
	for i, part := range strings.Split(line, `"`) {
		if i%2 == 1 {
			out = append(out, part)
			continue
		}
		out = append(out, strings.Fields(part)...)
	}
	return out
}

// A project is a folder with a home of its own; it is the current folder as long as the test runs.
type project struct {
	t         *testing.T
	dir, home string
	width     int // of the terminal; 0 is a pipe
	in        string
	model     *llmtest.Server // nil when none is configured
}

// startModel serves a scripted model and configures it.
func (p *project) startModel(script []byte) {
	p.t.Helper()
	steps, err := llmtest.ParseScript(script)
	if err != nil {
		p.t.Fatal(err)
	}
	if p.model, err = llmtest.Start("127.0.0.1:0", steps...); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { p.model.Close() })
	p.t.Setenv("AURORA_LLM_BASE_URL", p.model.URL)
	p.t.Setenv("AURORA_LLM_MODEL", "scripted")
	p.t.Setenv("AURORA_LLM_PRICES", "scripted=1/4")
}

func newProject(t *testing.T) *project {
	t.Helper()
	base := makeDirs(t, "home", "project/.aurora")
	p := &project{t: t, dir: filepath.Join(base, "project"), home: filepath.Join(base, "home")}
	for _, env := range os.Environ() {
		if name, _, _ := strings.Cut(env, "="); strings.HasPrefix(name, "AURORA_") || strings.HasPrefix(name, "XDG_") || strings.HasPrefix(name, "GIT_") {
			t.Setenv(name, "")
			os.Unsetenv(name)
		}
	}
	t.Setenv("HOME", p.home)
	t.Chdir(p.dir)
	return p
}

func (p *project) write(name, content string) {
	p.t.Helper()
	path := filepath.Join(p.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

// commit makes the project a git repository with everything committed two days before testNow.
func (p *project) commit() {
	p.t.Helper()
	date := testNow.AddDate(0, 0, -2).Format("2006-01-02T15:04:05Z")
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "-q", "-m", "Begin"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = p.dir
		cmd.Env = append(os.Environ(), "GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+date, "GIT_CONFIG_NOSYSTEM=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			p.t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
}

// An outcome is what a command left behind.
type outcome struct {
	out, err string
	code     int
}

// run executes a command line in this process.
func (p *project) run(args ...string) outcome { return p.runContext(context.Background(), args...) }

func (p *project) runContext(ctx context.Context, args ...string) outcome {
	var out, err bytes.Buffer
	c := p.cli()
	c.Out, c.Err = &out, &err
	code := Run(ctx, c, args)
	return outcome{out.String(), err.String(), code}
}

func (o outcome) String() string {
	var b strings.Builder
	b.WriteString(o.out)
	for line := range strings.Lines(o.err) {
		b.WriteString("2| " + line)
	}
	if o.code != 0 {
		fmt.Fprintf(&b, "exit %d\n", o.code)
	}
	return b.String()
}

// What differs from run to run or belongs to other packages' tests.
var volatile = []struct {
	pattern *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`(?m)^2\| (Context system|Indexed|Basic context|Initial indexing|Indexing complete).*\n`), ""},
	{regexp.MustCompile(`("(?:elapsedMs|durationMs|totalDurationMs|percentage|queryP50Ms|queryP95Ms|sizeBytes|snapshot|score|bm25|activation|final|confidence|finalScore)": ?)[\d.e-]+`), "${1}0"},
	{regexp.MustCompile(`("bytes": )\d{4,}`), "${1}0"}, // of conversations, which tell times
	{regexp.MustCompile(`\b[01]\.\d{3}\b`), "#.###"},
	{regexp.MustCompile(`(score|Activation): [01]\.\d\d\b`), "$1: #.##"},
	{regexp.MustCompile(`\b[\d.]+ (B|kB|MB|ms)\b`), "# $1"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)`), "#T#Z"},
	{regexp.MustCompile(`"(digest|contentHash)": "[0-9a-f]{64}"`), `"$1": "#"`},
	{regexp.MustCompile(`\bf-[0-9a-f]{16}\b`), "f-################"}, // made of the id of a commit, which tells the time
	{regexp.MustCompile(`note-[0-9a-f]{8}-`), "note-########-"},
	{regexp.MustCompile(`(?m)^[0-9a-f]{10}  `), "##########  "}, // of a commit
	{regexp.MustCompile(`\d+ tokens, \$[\d.]+`), "# tokens, $$#"},
	{regexp.MustCompile(`[A-Z]+(?: \(Synthesis\))? took [\d.]+%`), "# took #%"},
	{regexp.MustCompile(`answered in \d+ ms`), "answered in # ms"},
	{regexp.MustCompile(`of \d+ keys`), "of # keys"},
	{regexp.MustCompile(`aurora-\d{8}-\d{6}-[0-9a-z]+`), "aurora-#"},
}

func (p *project) normalise(s string) string {
	s = strings.ReplaceAll(s, p.dir, "$PROJECT")
	s = strings.ReplaceAll(s, p.home, "$HOME")
	if p.model != nil {
		s = strings.ReplaceAll(s, strings.TrimSuffix(p.model.URL, "/v1"), "$MODEL")
		s = strings.ReplaceAll(s, strings.TrimSuffix(strings.TrimPrefix(p.model.URL, "http://"), "/v1"), "$MODEL")
	}
	s = strings.ReplaceAll(s, app.ReadBuild().String(), "$VERSION")
	for _, v := range volatile {
		s = v.pattern.ReplaceAllString(s, v.instead)
	}
	return s
}

// expect runs aurora, which must end with the code and say the words; it returns standard output.
func (p *project) expect(code int, words []string, args ...string) string {
	p.t.Helper()
	got := p.run(append([]string{"aurora"}, args...)...)
	for _, w := range words {
		if !strings.Contains(got.out+got.err, w) {
			p.t.Errorf("%v lacks %q: %s", args, w, got)
		}
	}
	if got.code != code {
		p.t.Errorf("%v: %s", args, got)
	}
	return got.out
}

func (p *project) cli() *app.App {
	return &app.App{In: strings.NewReader(p.in), Width: p.width, Now: func() time.Time { return testNow }}
}

var testNow = time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)
