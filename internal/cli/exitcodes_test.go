package cli

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/spf13/cobra"
)

// nothingThere are command lines that name what nobody knows, or ask for what there is none of.
var nothingThere = []string{
	"search zebra9crossing", "mem zebra9crossing", "mem search zebra9crossing", "related Zebra9crossing", "context zebra9crossing",
	"mem show know:nothing-00000000", "mem show code:retry.go:Nothing", "forget know:nothing-00000000", "forget --undo know:nothing-00000000", "forget --undo",
	"mem restore-backup", "mem restore-backup 2001-01-01", "mem goal", "history", "history nothing", "history last --replay", "logs", "logs nothing", "logs --search zebra9crossing", "agents list nobody", "agents run nobody work",
	"trust --list", "trust --remove", "index check nothing.go", "index check --secrets", "index list --language cobol", "daemon list", "daemon stop", "dev debug",
	"config list --changed", "config unset search.limit", "report --by savings", "report --by trend",
}

// badValues are command lines that can be read and not be meant.
var badValues = []string{
	"search Backoff --limit 0", "search Backoff --type novel", "search Backoff --at no/such.go", "ask where --mode sideways", "related Backoff --direction up", "context task -b -1", "remember x --type novel",
	"remember x --importance 7", "forget --undo --limit -1", "mem rate 7 know:x", "mem goal --status done", "mem goal G-1 --status nearly",
	"mem relate a b --weight 7", "history --limit -1", "history --replay", "budget --month 2025-13", "logs --date yesterday", "logs --limit -1", "report --by magic", "report note T",
	"config get nothing.at.all", "config set search.limit many", "setup --client nobody", "index check --secrets retry.go", "dev schema nothing", "dev verify q",
	"mem encryption --key-source env", "headless --max-iterations -1", "trust elsewhere",
}

// failing are command lines that name files and folders that are not there.
var failing = []string{
	"--project /no/such/folder status", "--config /no/such.json status", "--lifespan-policies /no/such.json mem audit", "mem import no-such.jsonl", "related no-such.go:3",
	"dev verify q --output no-such.md", "dev llm --script no-such.json", "index no-such-folder",
}

// TestExitCodes has one meaning for each code, with --json and without.
func TestExitCodes(t *testing.T) {
	for code, lines := range map[int][]string{app.ExitNothing: nothingThere, app.ExitUsage: badValues, app.ExitFailed: failing} {
		p := smallProject(t)
		for _, line := range lines {
			t.Setenv("AURORA_CONFIG", "") // which --config sets
			args := append([]string{"aurora"}, strings.Fields(line)...)
			if got := p.run(args...); got.code != code || code != app.ExitNothing && !strings.HasPrefix(got.err, "Error: ") {
				t.Errorf("%s: exit %d, want %d\n%s", line, got.code, code, got)
			}
			got := p.run(append(args, "--json")...)
			if got.code != code {
				t.Errorf("%s --json: exit %d, want %d\n%s", line, got.code, code, got)
			}
			for text := range strings.Lines(got.out + got.err) {
				if !json.Valid([]byte(text)) && got.out+got.err != "" && !json.Valid([]byte(got.out)) {
					t.Errorf("%s --json prints what is no JSON: %q", line, text)
					break
				}
			}
		}
	}
}

// aboutMemory are the commands that read memory's file, those that change it first.
var aboutMemory = []string{
	"remember x", "forget know:x", "forget --undo know:x", "mem rate good know:x", "mem relate a b", "mem goal G-1 --status done", "mem import memory.jsonl",
	"mem audit --apply", "forget --undo", "mem show know:x", "mem goal", "mem export", "history", "budget",
}

const changingMemory = 8 // of them

// TestExitCodesWithoutMemory has memory that can't be decrypted, and memory that can't be written.
func TestExitCodesWithoutMemory(t *testing.T) {
	locked, _ := encryptedProject(t)
	locked.write("memory.jsonl", "")
	t.Setenv("AURORA_MEMORY_ENCRYPTION_KEY_FILE", filepath.Join(locked.home, "nothing"))
	for _, line := range aboutMemory {
		got := locked.run(append([]string{"aurora"}, strings.Fields(line)...)...)
		if got.code != app.ExitFailed || !strings.Contains(got.err, "memory can't be decrypted; nothing was done") {
			t.Errorf("locked: %s: %s", line, got)
		}
	}
	t.Setenv("AURORA_MEMORY_ENCRYPTION_KEY_FILE", "")
	os.Unsetenv("AURORA_MEMORY_ENCRYPTION_KEY_FILE")
	p := smallProject(t)
	p.write("memory.jsonl", "")
	t.Setenv("AURORA_MEMORY_DATABASE_PATH", filepath.Join(sealedHome(), "memory.db"))
	for _, line := range aboutMemory[:changingMemory] {
		got := p.run(append([]string{"aurora"}, strings.Fields(line)...)...)
		if got.code != app.ExitFailed || !strings.Contains(got.err, "memory can't be written to its file; nothing was done") {
			t.Errorf("read-only: %s: %s", line, got)
		}
	}
}

// TestExitCodesOutsideAProject has every command that needs a project fail where there is none.
func TestExitCodesOutsideAProject(t *testing.T) {
	p := smallProject(t)
	t.Chdir(p.home)
	for _, line := range []string{
		"status", "search x", "ask where", "related Backoff", "context task", "remember x", "mem show know:x", "mem audit", "remember --commits", "index", "index list", "index check", "index rebuild --force",
		"trust --yes", "headless", "daemon stop", "dev debug", "setup --client zed --shared", "config set search.limit 5 --local",
	} {
		for _, more := range []string{"", " --json"} {
			if got := p.run(append([]string{"aurora"}, strings.Fields(line+more)...)...); got.code != app.ExitFailed || !strings.Contains(got.err, "home directory") {
				t.Errorf("%s: %s", line+more, got)
			}
		}
	}
	for line, code := range map[string]int{
		"mem stats": app.ExitOK, "mem goal": app.ExitNothing, "forget know:x": app.ExitNothing, "history": app.ExitNothing, "budget": app.ExitOK, "agents list": app.ExitOK,
		"config get search.limit": app.ExitOK,
	} {
		if got := p.run(append([]string{"aurora"}, strings.Fields(line)...)...); got.code != code {
			t.Errorf("%s: exit %d, want %d: %s", line, got.code, code, got)
		}
	}
}

// TestExitCodesInterrupted presses Ctrl-C before the commands have begun: what would take time says that it was interrupted,
// and nothing says anything else that is wrong.
func TestExitCodesInterrupted(t *testing.T) {
	p := smallProject(t)
	p.write("memory.jsonl", "")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	long := []string{"search", "mem", "ask", "related", "context", "remember", "forget", "status", "index", "doctor", "history", "budget"}
	eachRunnable(func(cmd *cobra.Command, path []string) {
		if len(path) == 0 || slices.Contains(servers, cmd.CommandPath()) {
			return
		}
		args := append([]string{"aurora"}, path...)
		for _, arg := range argumentsOf(cmd) {
			args = append(args, strings.NewReplacer("{record}", "know:x", "{conversation}", "x").Replace(arg))
		}
		got := p.runContext(ctx, args...)
		must := len(path) == 1 && strings.Contains(" "+strings.Join(long, " ")+" ", " "+path[0]+" ")
		if must && got.code != app.ExitInterrupted || strings.Contains(got.err, "context canceled") {
			t.Errorf("%q: %s", args, got)
		}
	})
}

// TestExitCodesOfADaemon has a daemon refuse what this process refuses, with the same code and the same words.
func TestExitCodesOfADaemon(t *testing.T) {
	p := sharing(t, 60)
	var alone []outcome
	lines := []string{
		"mem show know:nothing-00000000", "related Zebra9crossing", "forget know:nothing-00000000", "mem goal G-1 --status nearly", "history nothing",
		"search zebra9crossing", "remember x --type novel",
	}
	for _, line := range lines {
		alone = append(alone, p.binary(strings.Fields(line)...))
	}
	s := p.serveShared()
	s.begin(p.dir)
	p.eventually("a daemon", func() bool { return len(p.daemons()) == 1 })
	for i, line := range lines {
		if got := p.binary(strings.Fields(line)...); got.code != alone[i].code || got.err != alone[i].err {
			t.Errorf("%s: from the daemon: %s\nalone: %s", line, got, alone[i])
		}
	}
}
