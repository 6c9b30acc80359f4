package cli

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/schema"
)

// Every shell that is here takes its completion script.
func TestCompletionScripts(t *testing.T) {
	p := newProject(t)
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		got := p.run("aurora", "completion", shell)
		if got.code != app.ExitOK || !strings.Contains(got.out, "aurora") {
			t.Errorf("%s: %s", shell, got)
		}
		program, err := exec.LookPath(shell)
		if err != nil || shell == "powershell" {
			continue
		}
		check := exec.Command(program, "-n")
		check.Stdin = strings.NewReader(got.out)
		if out, err := check.CombinedOutput(); err != nil {
			t.Errorf("%s -n: %v: %s", shell, err, out)
		}
	}
}

// Values are completed, not names alone.
func TestCompletedValues(t *testing.T) {
	p := newProject(t)
	for words, want := range map[string]string{
		"mem search --type ":            "function",
		"query --mode ":                 "auto",
		"setup --client ":               "claude-code",
		"mcp --tools ":                  "search",
		"config get ":                   "search.limit",
		"config set ":                   "logging.level",
		"man mem ":                      "audit",
		"config ":                       "validate",
		"mem remember --type ":          "reasoning",
		"mem search --type function,me": "function,method",
		"mem --provider full_text,":     "full_text,symbol",
		"mem rate ":                     "good",
		"mem use ":                      "accepted",
		"history ":                      "last",
		"serve --log-level ":            "debug",
		"setup --client cursor,":        "cursor,vscode",
		"daemon stop --all --proj":      "--project",
	} {
		args := append([]string{"aurora", "__complete"}, strings.Split(words, " ")...)
		if got := p.run(args...); got.code != app.ExitOK || !strings.Contains(got.out, want) {
			t.Errorf("%q: %s", words, got)
		}
	}
}

func TestManual(t *testing.T) {
	p := newProject(t)
	if got := p.run("aurora", "man", "search"); got.code != app.ExitOK || !strings.Contains(got.out, ".TH \"AURORA-SEARCH\" \"1\"") || !strings.Contains(got.out, "--show-scores") {
		t.Errorf("one page: %s", got)
	}
	if got := p.run("aurora", "man", "serch"); got.code != app.ExitUsage || !strings.Contains(got.err, "Did you mean: aurora search") {
		t.Errorf("a typing error: %s", got)
	}
	dir := filepath.Join(p.home, "man1")
	if got := p.run("aurora", "man", "--dir", dir); got.code != app.ExitOK {
		t.Fatal(got)
	}
	for _, page := range []string{"aurora.1", "aurora-setup.1", "aurora-config-set.1", "aurora-serve.1"} {
		if text, err := os.ReadFile(filepath.Join(dir, page)); err != nil || !bytes.Contains(text, []byte(".SH NAME")) {
			t.Errorf("%s: %v", page, err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "aurora-daemon-run.1")); err == nil {
		t.Error("a hidden command has a page")
	}
	if got := p.run("aurora", "man", "--dir", "/dev/null/x"); got.code != app.ExitFailed || !strings.Contains(got.err, "Name a folder") {
		t.Errorf("no folder: %s", got)
	}
}

func TestNoColor(t *testing.T) {
	p := newProject(t)
	for _, args := range [][]string{{"aurora", "config", "list"}, {"aurora", "config", "list", "--color", "never"}} {
		c := p.cli()
		var out bytes.Buffer
		c.Out, c.Err, c.Color = &out, &out, true
		Run(t.Context(), c, args)
		if colored := strings.Contains(out.String(), "\x1b["); colored != (len(args) == 3) {
			t.Errorf("%v: colours %t", args, colored)
		}
	}
}

// A full disk is told; a standard output that is closed is no reason to fail, and nothing panics.
func TestBadStandardOutput(t *testing.T) {
	p := smallProject(t)
	p.command("aurora", "version")
	program := filepath.Join(binary.dir, "aurora")
	for _, tt := range []struct {
		line string
		code int
		says string
	}{
		{program + " version >/dev/full", app.ExitFailed, "no space left"},
		{program + " config list --json >/dev/full", app.ExitFailed, "no space left"},
		{program + " version >&-", app.ExitOK, ""},
		{program + " mem search Backoff >&- 2>&-", app.ExitOK, ""},
		{program + " config list <&- >&- 2>&-", app.ExitOK, ""},
		{program + " mem stats | true", app.ExitOK, ""},
	} {
		if strings.Contains(tt.line, "/dev/full") {
			if _, err := os.Stat("/dev/full"); err != nil {
				continue
			}
		}
		cmd := exec.Command("sh", "-c", tt.line)
		cmd.Dir, cmd.Env = p.dir, p.command("aurora").Env
		out, err := cmd.CombinedOutput()
		if exitCode(err) != tt.code || !strings.Contains(string(out), tt.says) || strings.Contains(string(out), "goroutine ") {
			t.Errorf("%s: %v: %s", tt.line, err, out)
		}
	}
}

// Without HOME everything works that needs no home, and the rest says what to do.
func TestWithoutHome(t *testing.T) {
	p := smallProject(t)
	for _, args := range [][]string{
		{"version"}, {"--help"}, {"config", "list"}, {"config", "list", "--files"}, {"config", "validate"}, {"mem", "search", "Backoff"},
		{"status"}, {"query", "where is Backoff defined?"}, {"man"}, {"setup", "--client", "claude-code"}, {"daemon", "list"},
	} {
		cmd := p.command("aurora", args...)
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "AURORA_HOME=" + filepath.Join(p.home, "kept")}
		out, err := cmd.CombinedOutput()
		if code := exitCode(err); code != app.ExitOK && code != app.ExitNothing || bytes.Contains(out, []byte("goroutine ")) {
			t.Errorf("%v: exit code %d: %s", args, code, out)
		}
	}
}

// TestCompletionInBash presses Tab in a real bash: commands, flags, values of flags, words behind a command.
func TestCompletionInBash(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip(err)
	}
	p := newProject(t)
	program := p.command("aurora")
	wants := map[string]string{
		"aurora ":                                 "related",
		"aurora sea":                              "search",
		"aurora mem search x --show-s":            "--show-scores",
		"aurora mem search x --type ":             "reasoning",
		"aurora mem search x --type=rea":          "reasoning",
		"aurora mem search x --type function,cla": "function,class",
		"aurora query x --mode s":                 "soar",
		"aurora config set logging.lev":           "logging.level",
		"aurora --llm-provider o":                 "ollama",
		"aurora completion z":                     "zsh",
		"aurora man config v":                     "validate",
		"aurora status ":                          "",
	}
	const press = `source <(aurora completion bash); compopt() { :; }
while IFS= read -r COMP_LINE; do
    COMP_POINT=${#COMP_LINE} COMP_TYPE=9 COMP_KEY=9 COMPREPLY=()
    read -ra COMP_WORDS <<<"$COMP_LINE"; case "$COMP_LINE" in *[\ ]) COMP_WORDS+=("") ;; esac
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); __start_aurora; printf '%s\t%s\n' "$COMP_LINE" "${COMPREPLY[*]}"
done`
	cmd := exec.Command(bash, "--norc", "-c", press)
	cmd.Dir = program.Dir
	cmd.Env = append(program.Env, "PATH="+filepath.Dir(program.Path)+":"+os.Getenv("PATH"))
	cmd.Stdin = strings.NewReader(strings.Join(slices.Collect(maps.Keys(wants)), "\n") + "\n")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for line, want := range wants {
		_, after, found := strings.Cut("\n"+string(out), "\n"+line+"\t")
		got, _, _ := strings.Cut(after, "\n")
		got = strings.ReplaceAll(got, `\,`, ",") // as bash quotes it
		if !found || !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%q: %q; all of it: %s", line, got, out)
		}
	}
}

// TestCompletionInFish does so in fish, where it is installed.
func TestCompletionInFish(t *testing.T) {
	fish, err := exec.LookPath("fish")
	if err != nil {
		t.Skip(err)
	}
	p := newProject(t)
	program := p.command("aurora")
	for line, want := range map[string]string{
		"aurora sea": "search", "aurora mem search x --type ": "reasoning", "aurora query x --mode s": "soar", "aurora mem search x --type function,cla": "function,class",
	} {
		cmd := exec.Command(fish, "--no-config", "-c", "aurora completion fish | source; complete -C "+"'"+line+"'")
		cmd.Dir = program.Dir
		cmd.Env = append(program.Env, "PATH="+filepath.Dir(program.Path)+":"+os.Getenv("PATH"))
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), want) {
			t.Errorf("%q: %v: %s", line, err, out)
		}
	}
}

// TestSchemas has every command that prints JSON describe it: the schema accepts what is printed, and all keys are camelCase.
func TestSchemas(t *testing.T) {
	p := smallProject(t)
	for name := range results() {
		got := p.run("aurora", "dev", "schema", name)
		var described any
		if err := json.Unmarshal([]byte(got.out), &described); err != nil || got.code != app.ExitOK {
			t.Errorf("%s: %v: %s", name, err, got)
			continue
		}
		_, kept := results()[name].(app.Keyed)
		if snake := regexp.MustCompile(`"[a-z]+_[a-z_]+":`).FindString(got.out); snake != "" && !kept {
			t.Errorf("%s has the key %s", name, snake)
		}
		command, variant, _ := strings.Cut(strings.NewReplacer(" <", "|<", " --", "|--").Replace(name), "|")
		cmd, _, err := rootCommand(&app.App{}, "aurora").Find(strings.Fields(command))
		if err != nil || cmd.CommandPath() != "aurora "+command {
			t.Errorf("%s is no command: %v", name, err)
		}
		for _, flag := range regexp.MustCompile(`--([a-z-]+)`).FindAllStringSubmatch(variant, -1) {
			if cmd.Flags().Lookup(flag[1]) == nil {
				t.Errorf("%s: no flag --%s", name, flag[1])
			}
		}
	}
	p.run("aurora", "ask", "where is Backoff defined?")
	for words, name := range map[string]string{
		"search Backoff": "search", "mem Backoff": "mem", "related Backoff": "related", "context Backoff": "context", "remember x": "remember", "status": "status",
		"doctor": "doctor", "dev assess Backoff": "dev assess", "dev verify Backoff --output retry.go": "dev verify", "index": "index", "index list": "index list", "index list --languages": "index list --languages", "index check": "index check",
		"index check retry.go": "index check <file>", "index check --secrets": "index check --secrets", "index rebuild --dry-run": "index rebuild --dry-run",
		"config list": "config list", "config list --files": "config list --files", "config get search.limit": "config get", "config get search": "config get <group>",
		"config unset search.limit": "config unset", "budget": "budget", "budget --history": "budget", "mem stats": "mem stats", "mem audit": "mem audit",
		"mem goal": "mem goal", "mem restore-backup": "mem restore-backup", "mem encryption": "mem encryption", "mem encryption --new-key": "mem encryption --new-key", "version": "version",
		"history": "history", "history last": "history <id>", "agents list": "agents list", "agents list --check": "agents list --check",
		"agents list code-search": "agents list <id>", "forget know:nothing": "forget", "forget --undo": "forget --undo", "logs": "logs", "logs --search defined": "logs --search",
		"trust --list": "trust --list", "report --by trend": "report --by trend", "report --by savings": "report --by savings",
		"report --by providers": "report --by providers", "report --by languages": "report --by languages", "daemon": "daemon", "daemon list": "daemon list", "daemon stop": "daemon stop",
		"uninstall --dry-run": "uninstall", "setup --client zed": "setup",
	} {
		got := p.run(append(append([]string{"aurora"}, strings.Fields(words)...), "--json")...)
		compiled, err := schema.Compile([]byte(p.run("aurora", "dev", "schema", name).out))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var document any
		if err := json.Unmarshal([]byte(got.out), &document); err != nil {
			t.Errorf("%s: %v: %s", words, err, got)
			continue
		}
		if wrong := compiled.Check(document); len(wrong) > 0 {
			t.Errorf("%s does not follow its schema: %v\n%s", words, wrong, got.out)
		}
	}
}
