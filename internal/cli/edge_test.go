package cli

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
)

// smallProject is a project with one function that can be found.
func smallProject(t *testing.T) *project {
	p := newProject(t)
	p.write("retry.go", "package retry\n\n// Backoff waits longer after every failure.\nfunc Backoff(attempt int) int { return 1 << attempt }\n")
	return p
}

func TestCtrlC(t *testing.T) {
	p := smallProject(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, args := range [][]string{
		{"aurora", "mem", "search", "Backoff"}, {"aurora", "query", "where is Backoff defined?"}, {"aurora", "index"},
		{"aurora", "status"}, {"aurora", "doctor"},
	} {
		got := p.runContext(ctx, args...)
		if got.code != app.ExitInterrupted || got.out != "" || got.err != "Interrupted.\n" {
			t.Errorf("%v: %s", args, got)
		}
	}
}

// Ctrl-C must end "remember -" although nobody types anything.
func TestCtrlCWhileReading(t *testing.T) {
	newProject(t)
	r, w := io.Pipe()
	defer w.Close()
	ctx, cancel := context.WithCancel(context.Background())
	var out strings.Builder
	c := &app.App{In: readSignal{r, cancel}, Out: &out, Err: &out}
	if code := Run(ctx, c, []string{"aurora", "mem", "remember", "-"}); code != app.ExitInterrupted {
		t.Errorf("exit %d: %s", code, out.String())
	}
}

// readSignal tells when it is read from, and then blocks.
type readSignal struct {
	io.Reader
	reading func()
}

func (r readSignal) Read(p []byte) (int, error) {
	r.reading()
	return r.Reader.Read(p)
}

func TestRememberFromStandardInput(t *testing.T) {
	p := newProject(t)
	p.in = "Timeouts are 30 s\nbecause of the proxy."
	if got := p.run("aurora", "mem", "remember", "-"); got.code != 0 || !strings.HasPrefix(got.out, "Remembered as know:") {
		t.Fatalf("remember -: %s", got)
	}
	if got := p.run("aurora", "mem", "search", "proxy"); got.code != 0 || !strings.Contains(got.out, "Timeouts are 30 s") {
		t.Errorf("search: %s", got)
	}
	p.in = strings.Repeat("x", app.MaxInput+1)
	if got := p.run("aurora", "mem", "remember", "-"); got.code != app.ExitFailed || !strings.Contains(got.err, "larger than") {
		t.Errorf("a huge record: %s", got)
	}
}

// A home that can't be made, for example on a read-only disk, costs what would be kept there and nothing else.
func TestHomeThatCantBeMade(t *testing.T) {
	p := smallProject(t)
	blocker := filepath.Join(p.home, "file")
	if err := os.WriteFile(blocker, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("AURORA_HOME", filepath.Join(blocker, "aurora"))
	got := p.run("aurora", "mem", "search", "Backoff")
	if got.code != app.ExitOK || !strings.Contains(got.out, "retry.go") || !strings.Contains(got.err, "Warning: ") {
		t.Errorf("search: %s", got)
	}
	got = p.run("aurora", "index")
	if !strings.Contains(got.out, "Errors: 1\n") || !strings.Contains(got.out, "kept in memory only") {
		t.Errorf("index: %s", got)
	}
	got = p.run("aurora", "mem", "remember", "it would be gone")
	if got.code != app.ExitFailed || !strings.Contains(got.err, "can't be written") || strings.Contains(got.out, "Remembered") {
		t.Errorf("remember: %s", got)
	}
	got = p.run("aurora", "doctor")
	if got.code != app.ExitOK || !strings.Contains(got.out, "warn  home: ") {
		t.Errorf("doctor: %s", got)
	}
}

func TestBadSettings(t *testing.T) {
	p := smallProject(t)
	p.write(".aurora/config.json", `{"search": {"limit": 0, "limitt": 3}}`)
	got := p.run("aurora", "mem", "search", "Backoff")
	if got.code != app.ExitOK || !strings.Contains(got.err, "Warning: Invalid config in ") || !strings.Contains(got.err, "  - search.limit: Must be") || !strings.Contains(got.out, "retry.go") {
		t.Errorf("search: %s", got)
	}
	if got = p.run("aurora", "doctor"); got.code != app.ExitFailed || !strings.Contains(got.out, "fail  settings: ") {
		t.Errorf("doctor: %s", got)
	}
	p.write(".aurora/config.json", `{"search": {"limitt": 3}}`)
	if got = p.run("aurora", "doctor"); got.code != app.ExitOK || !strings.Contains(got.out, "warn  settings: ") {
		t.Errorf("doctor: %s", got)
	}
}

func TestDamagedDatabase(t *testing.T) {
	p := smallProject(t)
	if got := p.run("aurora", "index"); got.code != app.ExitOK {
		t.Fatalf("index: %s", got)
	}
	files, err := filepath.Glob(filepath.Join(p.home, ".aurora/index/project-*/*.db"))
	if err != nil || len(files) != 1 {
		t.Fatalf("index databases: %v, %v", files, err)
	}
	for _, file := range []string{files[0], filepath.Join(p.home, ".aurora/memory.db")} {
		whole, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("this is no database, whatever its name says"), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := p.run("aurora", "doctor"); got.code != app.ExitFailed || !strings.Contains(got.out, "fail  ") || !strings.Contains(got.out, "      -> ") {
			t.Errorf("doctor with a damaged %s: %s", filepath.Base(file), got)
		}
		if err := os.WriteFile(file, whole, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got := p.run("aurora", "doctor"); got.code != app.ExitOK {
		t.Errorf("doctor of a sound machine: %s", got)
	}
}

// On the narrowest terminal every line of a result fits.
func TestTwentyColumns(t *testing.T) {
	p := smallProject(t)
	p.width = 20
	for _, args := range [][]string{
		{"aurora", "mem", "search", "Backoff"}, {"aurora", "mem", "search", "Backoff", "--show-scores"}, {"aurora", "mem", "Backoff"},
		{"aurora", "mem", "search", "xyzabc123"}, {"aurora", "status"}, {"aurora", "doctor"},
		{"aurora", "config", "list"}, {"aurora", "config", "get", "search.limit", "-v"}, {"aurora", "config", "validate"}, {"aurora", "daemon", "list"},
	} {
		got := p.run(args...)
		if got.code == app.ExitUsage {
			t.Errorf("%v: %s", args, got)
		}
		for line := range strings.Lines(got.out) {
			if n := display.Cells(strings.TrimRight(line, "\n")); n > 20 {
				t.Errorf("%v: %d cells: %q", args, n, line)
			}
		}
	}
}

func TestColor(t *testing.T) {
	t.Setenv("TERM", "xterm")
	for value, want := range map[string]bool{"": true, "1": false} {
		t.Setenv("NO_COLOR", value)
		if got := app.ColorWanted(); got != want {
			t.Errorf("NO_COLOR=%q: color %v", value, got)
		}
	}
	if got := (&app.App{}).Bold("x"); got != "x" {
		t.Errorf("bold without color: %q", got)
	}
}

// The first word of the command line decides what the program calls itself.
func TestShortName(t *testing.T) {
	p := newProject(t)
	for name, want := range map[string]string{"/usr/bin/aurora": "  aurora mem [words]", "aur": "  aur mem [words]", "aur.exe": "  aur mem [words]"} {
		if got := p.run(name, "mem", "--help"); got.code != app.ExitOK || !strings.Contains(got.out, want) {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// Anyone who completes a command line in a shell must not see anything else.
func TestCompletion(t *testing.T) {
	p := newProject(t)
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if got := p.run("aurora", "completion", shell); got.code != app.ExitOK || len(got.out) < 500 || got.err != "" {
			t.Errorf("%s: %d bytes, %s", shell, len(got.out), got.err)
		}
	}
	if got := p.run("aurora", "__complete", "mem", "search", "x", "--type", ""); !strings.Contains(got.out, "function\nmethod\nclass\n") {
		t.Errorf("types: %s", got)
	}
}
