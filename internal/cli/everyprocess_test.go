//go:build unix

package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/spf13/cobra"
)

// validArguments are words that a command takes, where those made from its usage line would only be refused. {record},
// {conversation} and {question} stand for the ids of what the home of runEverywhere holds.
var validArguments = map[string][]string{
	"aurora agents run":     {"no-such-agent", "a task"},
	"aurora config get":     {"search.limit"},
	"aurora config set":     {"search.limit", "7"},
	"aurora config unset":   {"search.limit"},
	"aurora context":        {"wait after a failure"},
	"aurora daemon run":     nil, // hidden: it is started by serve alone
	"aurora dev llm":        {"--listen", "127.0.0.1:0"},
	"aurora headless":       {"--max-iterations", "1"},
	"aurora history":        {"last"},
	"aurora index check":    {"retry.go"},
	"aurora why":            {"retry.go:4"},
	"aurora review":         {"--patch", "change.diff"},
	"aurora index rebuild":  {"--force"},
	"aurora logs":           {"{conversation}"},
	"aurora mcp":            {"--standalone"},
	"aurora setup":          {"--client", "claude-code"},
	"aurora mem":            {"Backoff"},
	"aurora mem edit":       {"{record}", "the limit is 32 MiB"},
	"aurora mem encryption": {"--enable", "--key-file", "key"},
	"aurora mem forget":     {"{record}"},
	"aurora mem import":     {"memory.jsonl"},
	"aurora mem rate":       {"good", "{record}"},
	"aurora mem relate":     {"{record}", "code:retry.go:Backoff"},
	"aurora mem search":     {"Backoff"},
	"aurora mem show":       {"{record}"},
	"aurora ask":            {"where is Backoff defined?"},
	"aurora related":        {"Backoff"},
	"aurora report note":    {"T-1", "--with", "--tokens-in", "5", "--tokens-out", "5"},
	"aurora serve":          {"--standalone"},
	"aurora team join":      {"postgres://alice@127.0.0.1:1/team"},
	"aurora team migrate":   {"postgres://postgres@127.0.0.1:1/team"},
	"aurora trust":          {"--yes"},
	"aurora forget":         {"{record}"},
	"aurora search":         {"Backoff"},
	"aurora dev schema":     {"search"},
	"aurora dev verify":     {"where is Backoff defined?", "--output", "retry.go"},
}

// servers run until their input ends or they are interrupted.
var servers = []string{"aurora serve", "aurora mcp", "aurora dev llm"}

// notJSON are the commands whose result has a form of its own, whatever --json says.
var notJSON = []string{
	"aurora serve", "aurora mcp", // protocol
	"aurora man", "aurora completion bash", "aurora completion zsh", "aurora completion fish", "aurora completion powershell",
}

// refusing are the commands that the stage has nothing for, such as a terminal, and that say so.
var refusing = []string{"aurora agents run", "aurora dev decompose", "aurora dev verify", "aurora trust"}

// argumentsOf are words that cmd takes: those of validArguments, else one for each <name> of its usage line.
func argumentsOf(cmd *cobra.Command) []string {
	if args, ok := validArguments[cmd.CommandPath()]; ok {
		return args
	}
	var args []string
	for range requiredArgument.FindAllString(cmd.Use, -1) {
		args = append(args, "Backoff")
	}
	return args
}

var requiredArgument = regexp.MustCompile(`(^| )<[^>]*>`)

// eachRunnable calls visit for every command that does something, those of the completion included.
func eachRunnable(visit func(cmd *cobra.Command, path []string)) {
	root := rootCommand((&app.App{}), "aurora")
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		if cmd.Runnable() && cmd.Name() != "run" || cmd.CommandPath() == "aurora agents run" {
			visit(cmd, strings.Fields(cmd.CommandPath())[1:])
		}
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(root)
}

// A surrounding is a way in which a terminal, a shell or a machine can be unkind to a command.
type surrounding struct {
	name  string
	sh    string   // the command line; "$@" is the command
	more  []string // arguments
	env   []string // over the usual ones; a name alone takes one away
	stdin string
	check func(t *testing.T, c ran)
}

// A ran is what came of a command in a surrounding.
type ran struct {
	command  string // as in the command tree
	line     string // for messages
	out, err string
	code     int
	hung     bool
	help     bool // it only prints help
}

// documentedCodes are all that exit.go has.
var documentedCodes = []int{app.ExitOK, app.ExitFailed, app.ExitUsage, app.ExitNothing, app.ExitInterrupted}

// ranTime is when a command is taken for one that hangs; so much because machines that test are busy.
const ranTime = 2 * time.Minute

// surroundings are all that every command has to bear.
func surroundings() []surrounding {
	all := []surrounding{
		{name: "usual", check: func(t *testing.T, c ran) {
			if c.code == app.ExitUsage && !slices.Contains(refusing, c.command) {
				t.Errorf("the arguments of this test are refused: %s", c)
			}
		}},
		{name: "reader gone", sh: `"$@" | :`},
		{name: "full disk", sh: `"$@" >/dev/full`, check: checkFullDisk},
		{name: "input closed", sh: `exec "$@" <&-`},
		{name: "all closed", sh: `exec "$@" <&- >&- 2>&-`},
		{name: "no HOME", env: []string{"HOME"}},
		{name: "HOME that can't be written", env: []string{"HOME=" + sealedHome()}},
		{name: "folder deleted", sh: `mkdir gone && cd gone && rmdir ../gone && exec "$@"`},
		{name: "json", more: []string{"--json"}, check: checkJSONLines},
		{name: "narrow, no colour", more: []string{"--color", "never"}, env: []string{"COLUMNS=20", "CLICOLOR_FORCE=1"}, check: checkNoEscapes},
	}
	if _, err := os.Stat("/dev/full"); err != nil {
		all = slices.DeleteFunc(all, func(s surrounding) bool { return s.name == "full disk" })
	}
	return all
}

// sealedHome is a folder that nobody can write to, not even root where there is a /proc.
func sealedHome() string {
	if _, err := os.Stat("/proc/self"); err == nil {
		return "/proc"
	}
	return "/dev"
}

// checkFullDisk has a result that could not be written be told.
func checkFullDisk(t *testing.T, c ran) {
	if c.code == app.ExitOK && !slices.Contains(servers, c.command) && !strings.Contains(c.err, "Error: ") {
		t.Errorf("it hides that its output is lost: %s", c)
	}
}

// checkJSONLines has each line of the output be JSON, and the error, if there is one.
func checkJSONLines(t *testing.T, c ran) {
	if slices.Contains(servers, c.command) && c.err == "" {
		return // a server's exit code says how it ended
	}
	if !slices.Contains(notJSON, c.command) && !c.help {
		for line := range strings.Lines(c.out) {
			if !json.Valid([]byte(line)) {
				t.Errorf("a line that is no JSON: %q: %s", line, c)
				return
			}
		}
		if c.out == "" && c.code == app.ExitOK {
			t.Errorf("no JSON: %s", c)
		}
	}
	if c.code == app.ExitFailed || c.code == app.ExitUsage {
		for line := range strings.Lines(c.err) {
			if strings.HasPrefix(line, "{") && json.Valid([]byte(line)) {
				return
			}
		}
		if !json.Valid([]byte(c.out)) || c.out == "" { // a result that says what is wrong, such as that of doctor
			t.Errorf("the error is no JSON: %s", c)
		}
	}
}

func checkNoEscapes(t *testing.T, c ran) {
	if strings.Contains(c.out+c.err, "\x1b") {
		t.Errorf("sequences of a terminal: %s", c)
	}
}

// checkBearing has what no command may do in any surrounding.
func checkBearing(t *testing.T, c ran) {
	switch {
	case c.hung:
		t.Errorf("it hangs: %s", c)
	case strings.Contains(c.out+c.err, "goroutine ") || strings.Contains(c.out+c.err, "panic:"):
		t.Errorf("it crashes: %s", c)
	case !slices.Contains(documentedCodes, c.code) && c.code != 128+int(syscall.SIGPIPE):
		t.Errorf("an exit code that is not documented: %s", c)
	case c.code == app.ExitUsage && c.out != "":
		t.Errorf("a refusal on standard output: %s", c)
	case !utf8.ValidString(c.out) || !utf8.ValidString(c.err):
		t.Errorf("bytes that are no text: %s", c)
	}
}

// String is a report, short enough for a log.
func (c ran) String() string {
	short := func(s string) string { return s[:min(len(s), 600)] }
	return fmt.Sprintf("%s: exit %d\nout: %s\nerr: %s", c.line, c.code, short(c.out), short(c.err))
}

// A stage is a project and a home to copy for each run, so that runs go on side by side.
type stage struct {
	t             *testing.T
	program       string
	project, home string
	standIn       *strings.Replacer
	path          string
}

// newStage has a home with a record, a conversation and a question.
func newStage(t *testing.T) *stage {
	p := smallProject(t)
	p.commit()
	stood := p.run("aurora", "mem", "remember", "Backoff doubles because of the proxy", "--json")
	var record struct{ ID string }
	if err := json.Unmarshal([]byte(stood.out), &record); err != nil || record.ID == "" {
		t.Fatalf("remember: %v: %s", err, stood)
	}
	if got := p.run("aurora", "query", "where is Backoff defined?"); got.code != app.ExitOK {
		t.Fatal(got)
	}
	exported := p.run("aurora", "mem", "export")
	p.write("memory.jsonl", exported.out)
	p.write("change.diff", "--- a/retry.go\n+++ b/retry.go\n@@ -3,2 +3,2 @@\n // Backoff waits longer after every failure.\n-func Backoff(attempt int) int { return 1 << attempt }\n+func Backoff(attempt int) int { return 2 << attempt }\n")
	conversations := p.run("aurora", "logs", "--json")
	conversation := regexp.MustCompile(`aurora-\d{8}-\d{6}-[0-9a-z]+`).FindString(conversations.out)
	if conversation == "" {
		t.Fatalf("no conversation: %s", conversations)
	}
	return &stage{t: t, program: p.command("aurora").Path, project: p.dir, home: p.home, path: os.Getenv("PATH"),
		standIn: strings.NewReplacer("{record}", record.ID, "{conversation}", conversation)}
}

// run runs a command in a surrounding, on a copy of the stage.
func (s *stage) run(t *testing.T, cmd *cobra.Command, path []string, in surrounding) ran {
	base := t.TempDir()
	home, project := filepath.Join(base, "home"), filepath.Join(base, "project")
	for to, from := range map[string]string{home: s.home, project: s.project} {
		if err := os.CopyFS(to, os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
	}
	args := slices.Clone(path)
	for _, arg := range argumentsOf(cmd) {
		args = append(args, s.standIn.Replace(arg))
	}
	args = append(args, in.more...)
	ctx, cancel := context.WithTimeout(t.Context(), ranTime)
	defer cancel()
	c := exec.CommandContext(ctx, "sh", append([]string{"-c", cmp.Or(in.sh, `exec "$@"`), "sh", s.program}, args...)...)
	c.Dir = project
	c.Env = environment([]string{"HOME=" + home, "PATH=" + s.path, "TERM=xterm", "AURORA_LSP_DAEMON_ENABLED=false"}, in.env)
	if slices.Contains(in.env, "HOME") { // else the home of the account is taken, which is no test's to touch
		c.Env = append(c.Env, "AURORA_HOME="+filepath.Join(home, ".aurora"))
	}
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	c.Stdin = strings.NewReader(in.stdin)
	var out, stderr bytes.Buffer
	c.Stdout, c.Stderr = &out, &stderr
	if cmd.CommandPath() == "aurora dev llm" {
		c.Stdout = &interrupting{to: &out, process: c}
	}
	err := c.Run()
	return ran{
		command: cmd.CommandPath(), line: in.name + ": aurora " + strings.Join(args, " "), out: out.String(), err: stderr.String(),
		code: exitCode(err), hung: errors.Is(ctx.Err(), context.DeadlineExceeded), help: len(app.UsageLines(cmd)) == 1 && cmd.HasSubCommands() || cmd.Name() == "help",
	}
}

// An interrupting writer presses Ctrl-C as soon as a server says that it serves.
type interrupting struct {
	to      io.Writer
	process *exec.Cmd
	once    sync.Once
}

func (w *interrupting) Write(p []byte) (int, error) {
	w.once.Do(func() { _ = syscall.Kill(-w.process.Process.Pid, syscall.SIGINT) })
	return w.to.Write(p)
}

// environment puts more over the usual variables; a name without a value takes one away.
func environment(usual, more []string) []string {
	for _, entry := range more {
		name, _, set := strings.Cut(entry, "=")
		usual = slices.DeleteFunc(usual, func(e string) bool { return strings.HasPrefix(e, name+"=") })
		if set {
			usual = append(usual, entry)
		}
	}
	return usual
}

// TestEveryCommandInEverySurrounding runs the program, every command of it, where things are not as they should be.
func TestEveryCommandInEverySurrounding(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts about a thousand processes")
	}
	s := newStage(t)
	var running sync.WaitGroup
	slots := make(chan struct{}, 4)
	commands := 0
	for _, in := range surroundings() {
		eachRunnable(func(cmd *cobra.Command, path []string) {
			if cmd.CommandPath() == "aurora dev llm" && strings.ContainsAny(in.sh, ">|") {
				return // nobody would know when to end it
			}
			commands++
			running.Go(func() {
				slots <- struct{}{}
				defer func() { <-slots }()
				c := s.run(t, cmd, path, in)
				checkBearing(t, c)
				if in.check != nil {
					in.check(t, c)
				}
			})
		})
	}
	running.Wait()
	t.Logf("%d runs", commands)
}

// What the lists here say of a command is about one that there is.
func TestListedCommandsExist(t *testing.T) {
	known := []string{"aurora daemon run"} // eachRunnable leaves it out
	eachRunnable(func(cmd *cobra.Command, _ []string) { known = append(known, cmd.CommandPath()) })
	for _, path := range slices.Concat(slices.Collect(maps.Keys(validArguments)), servers, notJSON, refusing) {
		if !slices.Contains(known, path) {
			t.Errorf("there is no command %q", path)
		}
	}
}
