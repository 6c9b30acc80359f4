package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/lsp/daemon"
)

// sharing is a small project whose daemons stay for idle seconds and end with the test.
func sharing(t *testing.T, idle int) *project {
	t.Helper()
	p := smallProject(t)
	if _, err := daemon.NewPlace(p.home); err != nil {
		t.Skip(err)
	}
	settings := filepath.Join(p.home, ".aurora", "config.json")
	if err := os.MkdirAll(filepath.Dir(settings), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(settings, fmt.Appendf(nil, `{"lsp": {"daemon": {"idle_seconds": %d}}}`, idle), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.binary("daemon", "stop", "--all") })
	return p
}

// serveShared starts a language server as editors do.
func (p *project) serveShared() *server {
	p.t.Helper()
	return p.start(p.dir, "serve")
}

// binary runs a command of the built binary, which alone can meet the daemons of its build.
func (p *project) binary(args ...string) outcome {
	p.t.Helper()
	var out, err strings.Builder
	cmd := p.command("aurora", args...)
	cmd.Stdout, cmd.Stderr = &out, &err
	code := exitCode(cmd.Run())
	return outcome{out.String(), err.String(), code}
}

// daemons are the running ones.
func (p *project) daemons() []daemon.Info {
	p.t.Helper()
	got := p.binary("daemon", "list", "--json")
	var running []daemon.Info
	if err := json.Unmarshal([]byte(got.out), &running); err != nil {
		p.t.Fatalf("daemon list: %s", got)
	}
	return running
}

// onlyDaemon fails unless exactly one daemon runs.
func (p *project) onlyDaemon() daemon.Info {
	p.t.Helper()
	running := p.daemons()
	if len(running) != 1 {
		p.t.Fatalf("%d daemons: %+v", len(running), running)
	}
	return running[0]
}

// eventually asks until the answer is yes.
func (p *project) eventually(what string, yes func() bool) {
	p.t.Helper()
	for limit := time.Now().Add(time.Minute); !yes(); {
		if time.Now().After(limit) {
			p.t.Fatalf("never: %s", what)
		}
		time.Sleep(10 * time.Millisecond) // each question costs a process or a request
	}
}

// sendSignal sends a signal to a process that is not a child, and reports whether it exists.
func sendSignal(t *testing.T, pid int, sig os.Signal) bool {
	t.Helper()
	process, err := os.FindProcess(pid)
	if err != nil {
		t.Fatal(err)
	}
	return process.Signal(sig) == nil
}

func (s *server) quit() int {
	s.t.Helper()
	s.send(`{"jsonrpc":"2.0","id":99,"method":"shutdown"}`)
	s.receive(99)
	s.send(`{"jsonrpc":"2.0","method":"exit"}`)
	return exitCode(s.cmd.Wait())
}

func (s *server) begin(dir string) {
	s.t.Helper()
	s.initialize(dir)
	s.send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
}

func (s *server) finds(id int, query string) bool {
	s.t.Helper()
	s.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"aurora/search","params":{"query":%q}}`, id, query))
	return strings.Contains(s.receive(id), `"name":"`+query+`"`)
}

func TestEditorsShareADaemon(t *testing.T) {
	p := sharing(t, 600)
	first, second := p.serveShared(), p.serveShared() // at the same moment
	first.begin(p.dir)
	second.begin(p.dir)
	if info := p.onlyDaemon(); info.Clients != 2 || info.Root != p.dir {
		t.Errorf("daemon %+v", info)
	}
	first.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file://%s/new.go",
		"languageId":"go","version":1,"text":"package retry\n\nfunc NeverSaved() {}\n"}}}`, p.dir))
	id := 100
	p.eventually("the other editor finds what is not saved", func() bool { id++; return second.finds(id, "NeverSaved") })
	if got := p.binary("mem", "search", "NeverSaved"); got.code != app.ExitOK || !strings.Contains(got.out, "new.go") {
		t.Errorf("mem search: %s", got)
	}
	if got := p.binary("query", "where is NeverSaved defined?"); got.code != app.ExitOK || !strings.Contains(got.out, "new.go:3") {
		t.Errorf("query: %s", got)
	}
	if got := p.binary("status"); !strings.Contains(got.out, fmt.Sprintf("process %d serves 2 editors", p.onlyDaemon().PID)) {
		t.Errorf("status: %s", got)
	}
	if code := second.quit(); code != 0 {
		t.Errorf("exit code %d after shutdown: %s", code, second.err)
	}
	if !first.finds(98, "NeverSaved") {
		t.Error("the first editor lost its text when the second one quit")
	}
	first.in.Close()
	if code := exitCode(first.cmd.Wait()); code != 1 {
		t.Errorf("exit code %d without shutdown", code)
	}
	p.eventually("the text is gone with its editor", func() bool {
		return !strings.Contains(p.binary("mem", "search", "NeverSaved").out, "new.go") // the conversation about it stays
	})
	if info := p.onlyDaemon(); info.Clients != 0 {
		t.Errorf("daemon %+v", info)
	}
}

// Two editors that have changed one file differently get answers about what each has on its screen.
func TestEditorsOfOneDaemonSeeTheirOwnTexts(t *testing.T) {
	p := sharing(t, 600)
	hover := func(s *server, id, line int) string {
		s.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"textDocument/hover","params":{"textDocument":{"uri":"file://%s/retry.go"},
			"position":{"line":%d,"character":6}}}`, id, p.dir, line))
		return s.receive(id)
	}
	editors := []*server{p.serveShared(), p.serveShared()}
	for i, s := range editors {
		s.begin(p.dir)
		s.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file://%s/retry.go",
			"languageId":"go","version":1,"text":"package retry\n%s\nfunc Own%d() {}\n"}}}`, p.dir, strings.Repeat("\\n", 4*i), i))
	}
	id := 100
	p.eventually("the text of the second editor is found", func() bool { id++; return editors[1].finds(id, "Own1") })
	for i, s := range editors {
		p.eventually(fmt.Sprintf("editor %d is told of its own function", i), func() bool {
			id++
			got := hover(s, id, 2+4*i)
			if strings.Contains(got, fmt.Sprintf("Own%d", 1-i)) {
				t.Fatalf("editor %d is told of what the other one has: %s", i, got)
			}
			return strings.Contains(got, fmt.Sprintf("func Own%d()", i))
		})
	}
	if n := p.onlyDaemon().Clients; n != 2 {
		t.Errorf("%d clients", n)
	}
}

func TestCommandsAnswerAlikeWithADaemon(t *testing.T) {
	p := sharing(t, 600)
	commands := [][]string{
		{"mem", "search", "Backoff", "--json"}, {"mem", "Backoff"}, {"mem", "search", "nothingOfTheSort"},
		{"mem", "search", "Backoff", "--show-scores"}, {"query", "where is Backoff defined?", "--json"}, {"query", "what calls Backoff?", "-v"},
		{"index", "check"}, {"index", "check", "retry.go", "nowhere.go"}, {"index", "check", "--secrets", "--json"}, {"dev", "assess", "where is Backoff defined?"},
		{"index", "rebuild", "--force"}, {"index", "rebuild", "--paths", "nowhere"}, {"index", "rebuild", "--force", "--paths", "/nowhere"},
	}
	var alone []string
	for _, args := range commands {
		alone = append(alone, p.normalise(p.binary(args...).String()))
	}
	s := p.serveShared()
	s.begin(p.dir)
	p.eventually("the daemon answers", func() bool { return strings.Contains(p.binary("status").out, "Daemon:") })
	for i, args := range commands {
		if got := p.normalise(p.binary(args...).String()); got != alone[i] {
			t.Errorf("%v\nwith a daemon:\n%s\nwithout:\n%s", args, got, alone[i])
		}
	}
}

func TestKilledDaemon(t *testing.T) {
	p := sharing(t, 600)
	s := p.serveShared()
	s.begin(p.dir)
	killed := p.onlyDaemon().PID
	sendSignal(t, killed, os.Kill)
	if rest, err := io.ReadAll(s.out); err != nil || strings.Contains(string(rest), "aurora:") {
		t.Errorf("standard output: %q, %v", rest, err)
	}
	if code := exitCode(s.cmd.Wait()); code != 1 || !strings.Contains(s.err.String(), "ended unexpectedly") {
		t.Errorf("exit code %d: %s", code, s.err)
	}
	next := p.serveShared()
	next.begin(p.dir)
	if info := p.onlyDaemon(); info.PID == killed || info.Clients != 1 {
		t.Errorf("daemon %+v after the killed process %d", info, killed)
	}
	if code := next.quit(); code != 0 {
		t.Errorf("exit code %d: %s", code, next.err)
	}
}

func TestKilledForwarder(t *testing.T) {
	p := sharing(t, 600)
	s := p.serveShared()
	s.begin(p.dir)
	if err := s.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	p.eventually("the session is over", func() bool { return p.onlyDaemon().Clients == 0 })
}

// An editor's process may die while another one holds its pipes open.
func TestEditorDies(t *testing.T) {
	p := sharing(t, 600)
	editor := exec.Command("cat")
	life, err := editor.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := editor.Start(); err != nil {
		t.Skip("no cat here:", err)
	}
	s, other := p.serveShared(), p.serveShared()
	other.begin(p.dir)
	s.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":%d,"rootUri":"file://%s","capabilities":{}}}`, editor.Process.Pid, p.dir))
	s.receive(1)
	life.Close()
	editor.Wait()
	if code := exitCode(s.cmd.Wait()); code != 1 {
		t.Errorf("exit code %d", code)
	}
	if n := p.onlyDaemon().Clients; n != 1 {
		t.Errorf("%d clients", n)
	}
	id := 100
	p.eventually("the other editor still has a server", func() bool { id++; return other.finds(id, "Backoff") })
}

func TestDaemonLeavesWhenNobodyNeedsIt(t *testing.T) {
	p := sharing(t, 0)
	s := p.serveShared()
	s.begin(p.dir)
	pid := p.onlyDaemon().PID
	if code := s.quit(); code != 0 {
		t.Errorf("exit code %d: %s", code, s.err)
	}
	p.eventually("the daemon leaves", func() bool { return !sendSignal(t, pid, syscall.Signal(0)) })
	left, err := os.ReadDir(filepath.Join(p.home, ".aurora", "daemon"))
	if err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if got := p.binary("daemon", "list"); got.code != app.ExitNothing || got.out != "No daemon is running.\n" {
		t.Errorf("daemon list: %s", got)
	}
}

func TestDaemonStop(t *testing.T) {
	p := sharing(t, 600)
	s := p.serveShared()
	s.begin(p.dir)
	pid := p.onlyDaemon().PID
	if got := p.binary("daemon", "list"); got.code != app.ExitOK || !strings.Contains(got.out, fmt.Sprint(pid)) || !strings.Contains(got.out, p.dir) {
		t.Errorf("daemon list: %s", got)
	}
	if got := p.binary("daemon", "stop"); got.code != app.ExitOK || !strings.Contains(got.out, fmt.Sprintf("(process %d)", pid)) {
		t.Errorf("daemon stop: %s", got)
	}
	if code := exitCode(s.cmd.Wait()); code != 1 || !strings.Contains(s.err.String(), "told to stop") {
		t.Errorf("exit code %d: %s", code, s.err)
	}
	if got := p.binary("daemon", "stop"); got.code != app.ExitNothing {
		t.Errorf("daemon stop again: %s", got)
	}
}

func TestDaemonEndsOnSIGTERM(t *testing.T) {
	p := sharing(t, 600)
	s := p.serveShared()
	s.begin(p.dir)
	sendSignal(t, p.onlyDaemon().PID, syscall.SIGTERM)
	if code := exitCode(s.cmd.Wait()); code != 1 || !strings.Contains(s.err.String(), "the daemon") {
		t.Errorf("exit code %d: %s", code, s.err)
	}
	p.eventually("nothing is left", func() bool { return len(p.daemons()) == 0 })
}

// The sockets of a home with a long path are elsewhere, also before anything was put into that home.
func TestDaemonOfALongHome(t *testing.T) {
	t.Setenv("TMPDIR", "") // the commands have none either
	p := smallProject(t)
	p.home = filepath.Join(p.home, strings.Repeat("h", 100))
	if err := os.Mkdir(p.home, 0o700); err != nil {
		t.Fatal(err)
	}
	place, err := daemon.NewPlace(filepath.Join(p.home, ".aurora"))
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() {
		p.binary("daemon", "stop", "--all")
		if err := os.Remove(filepath.Dir(place.Socket())); err != nil {
			t.Error(err)
		}
	})
	s := p.serveShared()
	s.begin(p.dir)
	if info := p.onlyDaemon(); info.Clients != 1 {
		t.Errorf("daemon %+v", info)
	}
}

// Changed settings count for the next editor, although a daemon with the old ones still runs.
func TestOtherSettingsOtherDaemon(t *testing.T) {
	p := sharing(t, 600)
	p.serveShared().begin(p.dir)
	p.write(".aurora/config.json", `{"search": {"limit": 3}}`)
	p.serveShared().begin(p.dir)
	if running := p.daemons(); len(running) != 2 {
		t.Errorf("daemons %+v", running)
	}
}

// Where no daemon is possible the server works as well, alone, and says so in the log.
func TestServeAloneWhereNoDaemonCanBe(t *testing.T) {
	p := sharing(t, 600)
	if err := os.Mkdir(filepath.Join(p.home, ".aurora", "daemon"), 0o755); err != nil {
		t.Fatal(err)
	}
	s := p.serveShared()
	s.begin(p.dir)
	if code := s.quit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	log, err := os.ReadFile(filepath.Join(p.home, ".aurora", "logs", "aurora.log"))
	if err != nil || !strings.Contains(string(log), "no daemon serves") || !strings.Contains(string(log), "0700") {
		t.Errorf("log: %s, %v", log, err)
	}
}
