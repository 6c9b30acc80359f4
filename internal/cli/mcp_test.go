package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// An agent is the SDK's own client of the built binary.
type agent struct {
	*testing.T
	session *sdk.ClientSession
	stderr  *bytes.Buffer // to be read after close
}

// agent starts "aurora mcp" in dir, as agents do. Anything but protocol on its standard output ends the session.
func (p *project) agent(dir string, options *sdk.ClientOptions, args ...string) *agent {
	p.t.Helper()
	cmd := p.command("aurora", append([]string{"mcp"}, args...)...)
	cmd.Dir = dir
	a := &agent{T: p.t, stderr: new(bytes.Buffer)}
	cmd.Stderr = a.stderr
	client := sdk.NewClient(&sdk.Implementation{Name: "agent", Version: "1"}, options)
	var err error
	if a.session, err = client.Connect(p.t.Context(), &sdk.CommandTransport{Command: cmd}, nil); err != nil {
		p.t.Fatalf("connect: %v", err)
	}
	p.t.Cleanup(func() { a.session.Close() })
	return a
}

// uses calls a tool and returns its text.
func (a *agent) uses(tool string, arguments map[string]any) (text string, isError bool) {
	a.Helper()
	r, err := a.session.CallTool(a.Context(), &sdk.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		a.Fatalf("%s: %v", tool, err)
	}
	return r.Content[0].(*sdk.TextContent).Text, r.IsError
}

// gets is uses for calls that must answer with these words.
func (a *agent) gets(tool string, arguments map[string]any, words ...string) string {
	a.Helper()
	text, isError := a.uses(tool, arguments)
	for _, word := range words {
		if isError != strings.HasPrefix(text, "Error: ") || !strings.Contains(text, word) {
			a.Errorf("%s %v: no %q in: %s", tool, arguments, word, text)
		}
	}
	return text
}

type with = map[string]any

// An agent works beside an editor in which a file has text that was never saved.
func TestAgentBesideAnEditor(t *testing.T) {
	p := sharing(t, 600)
	p.write("call.go", "package retry\n\nfunc Call() int { return Backoff(3) }\n")
	editor := p.serveShared()
	editor.begin(p.dir)
	editor.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file://%s/new.go",
		"languageId":"go","version":1,"text":"package retry\n\n// Jitter spreads retries.\nfunc Jitter(n int) int { return Backoff(n) + 1 }\n"}}}`, p.dir))
	editor.finds(90, "Jitter")
	a := p.agent(p.dir, nil)

	a.gets("search", with{"query": "Jitter"}, "new.go:4 function Jitter (open in an editor)")
	a.gets("context", with{"task": "change how retries are spread", "symbol": "Jitter"}, "Backoff(n) + 1", "1 << attempt")
	a.gets("related", with{"symbol": "Backoff"}, "new.go:4 function Jitter", "call.go")
	stored := a.gets("remember", with{"content": "Retries use jitter since the outage of May", "path": "new.go", "line": 4, "tags": []string{"decision"}}, "Remembered as know:")
	id := regexp.MustCompile(`know:\S+`).FindString(stored)
	a.gets("search", with{"query": "why jitter", "in": "memory"}, id, "outage of May", "#decision")
	a.gets("ask", with{"question": "who calls Backoff?"}, "new.go", "call.go")

	if got := p.binary("mem", "search", "outage"); got.code != app.ExitOK || !strings.Contains(got.out, "outage") {
		t.Errorf("what an agent remembers, people find: %s", got)
	}
	if info := p.onlyDaemon(); info.Clients != 2 {
		t.Errorf("editor and agent share no daemon: %+v", info)
	}
	editor.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file://%s/new.go",
		"version":2},"contentChanges":[{"text":"package retry\n\nfunc Spread() {}\n"}]}}`, p.dir))
	p.eventually("the agent sees what was typed since", func() bool {
		text, _ := a.uses("search", with{"query": "Spread"})
		return strings.Contains(text, "new.go:3 function Spread (open in an editor)")
	})

	long := strings.Repeat(`"quoted" `, 7000) // larger, once encoded, than a line of the daemon's handshake
	a.gets("remember", with{"content": long}, "Remembered as know:")
	a.gets("remember", with{"content": strings.Repeat("x", 1<<20)}, "more than 65536")
	var calls sync.WaitGroup
	for range 10 {
		calls.Go(func() { a.gets("related", with{"symbol": "Backoff"}, "call.go") })
	}
	calls.Wait()

	editor.quit()
	a.gets("search", with{"query": "Backoff"}, "retry.go:4") // the daemon stays, and its folder
	killed := p.onlyDaemon().PID
	sendSignal(t, killed, syscall.SIGKILL)
	p.eventually("the agent goes on with another daemon", func() bool {
		text, isError := a.uses("search", with{"query": "Backoff"})
		return !isError && strings.Contains(text, "retry.go:4")
	})
	if pid := p.onlyDaemon().PID; pid == killed {
		t.Errorf("process %d was killed and serves", pid)
	}
	if err := a.session.Close(); err != nil {
		t.Errorf("the agent hangs up: %v\n%s", err, a.stderr)
	}
	p.eventually("the daemon is left", func() bool { return p.onlyDaemon().Clients == 0 })
}

// Where no daemon can serve, the process indexes by itself, and follows the files.
func TestAgentAlone(t *testing.T) {
	p := smallProject(t)
	a := p.agent(p.dir, nil, "--standalone", "--tools=all")
	a.gets("search", with{"query": "Backoff"}, "retry.go:4")
	p.write("later.go", "package retry\n\nfunc Later() {}\n")
	a.gets("refresh_context", with{"paths": []string{"later.go"}, "async": false}, "completed")
	a.gets("search", with{"query": "Later"}, "later.go:3")
	if err := a.session.Close(); err != nil {
		t.Errorf("close: %v\n%s", err, a.stderr)
	}
	if got := p.binary("daemon", "list"); got.code != app.ExitNothing {
		t.Errorf("a daemon was started: %s", got)
	}
}

// Some clients start servers in a folder that is no project, and tell their folders instead. Later versions of the
// protocol have dropped that.
func TestAgentTellsItsFolder(t *testing.T) {
	p := sharing(t, 0)
	a := p.agent(p.home, nil)
	if text, isError := a.uses("search", with{"query": "Backoff"}); !isError || !strings.Contains(text, "--project") {
		t.Errorf("without a folder: %s", text)
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "agent", Version: "1"}, nil)
	//lint:ignore SA1019 clients of earlier versions have roots
	client.AddRoots(&sdk.Root{URI: "file://" + p.dir, Name: "project"})
	cmd := p.command("aurora", "mcp")
	cmd.Dir = p.home
	session, err := client.Connect(t.Context(), &sdk.CommandTransport{Command: cmd}, &sdk.ClientSessionOptions{ProtocolVersion: "2025-06-18"})
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	told := &agent{T: t, session: session}
	told.gets("search", with{"query": "Backoff"}, "retry.go:4")
}

// Agents of two workspaces share memory, and neither code nor what was asked. Folders that are none are passed over.
func TestAgentsOfTwoWorkspaces(t *testing.T) {
	p := sharing(t, 600)
	other := filepath.Join(makeDirs(t, "a b/.git"), "a b")
	if err := os.WriteFile(filepath.Join(other, "till.go"), []byte("package till\n\n// Till holds cash.\nfunc Till() {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	connect := func(roots ...string) *agent {
		client := sdk.NewClient(&sdk.Implementation{Name: "agent", Version: "1"}, nil)
		for _, uri := range roots {
			//lint:ignore SA1019 clients of earlier versions have roots
			client.AddRoots(&sdk.Root{URI: uri})
		}
		cmd := p.command("aurora", "mcp")
		cmd.Dir = p.home
		session, err := client.Connect(t.Context(), &sdk.CommandTransport{Command: cmd}, &sdk.ClientSessionOptions{ProtocolVersion: "2025-06-18"})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { session.Close() })
		return &agent{T: t, session: session}
	}
	first := connect("file://" + p.dir)
	second := connect("file:///", "file:///no/such", "file://"+p.home, "file://"+strings.ReplaceAll(other, " ", "%20"))
	first.gets("search", with{"query": "Backoff"}, "retry.go:4")
	second.gets("search", with{"query": "Till"}, "till.go:4")
	second.gets("search", with{"query": "Backoff", "in": "code"}, "Nothing found")
	second.gets("context", with{"path": filepath.Join(p.dir, "retry.go")}, "outside the workspace")
	first.gets("ask", with{"question": "where is Backoff defined?"}, "retry.go:4")
	if got := first.reads("aurora://logs"); !strings.Contains(got, "where is Backoff defined?") {
		t.Errorf("what was asked here: %s", got)
	}
	if got := second.reads("aurora://logs"); strings.Contains(got, "Backoff") {
		t.Errorf("what was asked there: %s", got)
	}
	file := regexp.MustCompile(`aurora://logs/\S+`).FindString(first.reads("aurora://logs"))
	if r, err := second.session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: file}); err == nil {
		t.Errorf("a log of another workspace: %s", r.Contents[0].Text)
	}
	bad := connect("file:///", "file:///no/such", "https://example.com", "file://"+p.home, "%%%")
	if text, isError := bad.uses("search", with{"query": "x"}); !isError || !strings.Contains(text, "--project") {
		t.Errorf("no folder is one: %s", text)
	}
}

// Nothing but protocol reaches standard output, whatever is wrong.
func TestMCPSaysNothingElse(t *testing.T) {
	for name, tt := range map[string]struct {
		args     []string
		settings string
		in       string
		code     int
		err      string
	}{
		"an unknown tool":     {[]string{"--tools=serch"}, "", "", app.ExitUsage, `there is no tool "serch"`},
		"an argument":         {[]string{"serve"}, "", "", app.ExitUsage, "unknown command"},
		"a bad log level":     {[]string{"--log-level=loud"}, "", "", app.ExitUsage, "--log-level"},
		"a missing project":   {[]string{"--project=/no/such"}, "", "", app.ExitFailed, "no such folder"},
		"a public address":    {[]string{"--http=0.0.0.0:0"}, "", "", app.ExitUsage, "can be reached from other machines"},
		"garbage on stdin":    {[]string{"--standalone"}, "", "garbage\n", app.ExitOK, ""},
		"bad settings":        {[]string{"--standalone"}, `{"search": {"limit": "many"}}`, "", app.ExitOK, ""},
		"settings of no JSON": {[]string{"--standalone"}, `{{{`, "", app.ExitOK, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := smallProject(t)
			if tt.settings != "" {
				p.write(".aurora/config.json", tt.settings)
			}
			cmd := p.command("aurora", append([]string{"mcp"}, tt.args...)...)
			var out, stderr bytes.Buffer
			cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(tt.in), &out, &stderr
			code := exitCode(cmd.Run())
			if code != tt.code || !strings.Contains(stderr.String(), tt.err) {
				t.Errorf("exit code %d, want %d: %s", code, tt.code, stderr.String())
			}
			for line := range strings.Lines(out.String()) {
				var message map[string]any
				if json.Unmarshal([]byte(line), &message) != nil || message["jsonrpc"] != "2.0" {
					t.Errorf("not protocol: %q", line)
				}
			}
		})
	}
}

// carrying sends a token.
type carrying string

func (c carrying) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(c))
	return http.DefaultTransport.RoundTrip(r)
}

func TestMCPOverHTTP(t *testing.T) {
	p := smallProject(t)
	cmd := p.command("aurora", "mcp", "--standalone", "--http", "127.0.0.1:0")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	url := ""
	for lines := bufio.NewScanner(stderr); url == "" && lines.Scan(); { // the log is there, too
		url = regexp.MustCompile(`http://[\d.:]+\d`).FindString(lines.Text())
	}
	go io.Copy(io.Discard, stderr)
	path := filepath.Join(p.home, ".aurora", "mcp-token")
	token, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the token's file: %v, %v", info.Mode(), err)
	}
	connect := func(token string) (*sdk.ClientSession, error) {
		client := sdk.NewClient(&sdk.Implementation{Name: "agent", Version: "1"}, nil)
		return client.Connect(context.Background(), &sdk.StreamableClientTransport{
			Endpoint: url, HTTPClient: &http.Client{Transport: carrying(token)}, MaxRetries: -1,
		}, nil)
	}
	session, err := connect(strings.TrimSpace(string(token)))
	if err != nil {
		t.Fatal(err)
	}
	(&agent{T: t, session: session}).gets("search", with{"query": "Backoff"}, "retry.go:4")
	if _, err := connect("guessed-guessed-guessed"); err == nil {
		t.Error("a guessed token was let in")
	}
	session.Close()
	cmd.Process.Signal(syscall.SIGTERM)
	if code := exitCode(cmd.Wait()); code != app.ExitOK || out.Len() > 0 {
		t.Errorf("exit code %d, standard output %q", code, out.String())
	}
}
