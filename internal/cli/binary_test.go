package cli

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
)

var binary struct {
	once sync.Once
	dir  string
	err  error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if binary.dir != "" {
		os.RemoveAll(binary.dir)
	}
	os.Exit(code)
}

// command runs the built binary in p.
func (p *project) command(name string, args ...string) *exec.Cmd {
	p.t.Helper()
	if testing.Short() {
		p.t.Skip("it links the program")
	}
	binary.once.Do(func() {
		if binary.dir, binary.err = os.MkdirTemp("", "aurora-test-*"); binary.err != nil {
			return
		}
		build := exec.Command("go", "build", "-o", filepath.Join(binary.dir, "aurora"), "github.com/aurora-sidecar/aurora/cmd/aurora")
		build.Dir, build.Env = testDir, testEnv
		if out, err := build.CombinedOutput(); err != nil {
			binary.err = fmt.Errorf("%w: %s", err, out)
			return
		}
		binary.err = os.Symlink("aurora", filepath.Join(binary.dir, "aur"))
	})
	if binary.err != nil {
		p.t.Fatalf("build: %v", binary.err)
	}
	cmd := exec.Command(filepath.Join(binary.dir, name), args...)
	cmd.Dir = p.dir
	cmd.Env = []string{"HOME=" + p.home, "PATH=" + os.Getenv("PATH")}
	return cmd
}

// testDir is the package's folder and testEnv the environment at the start: tests change both, and the compiler's cache
// hangs on the home directory.
var testEnv = os.Environ()

var testDir = func() string {
	dir, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	return dir
}()

func exitCode(err error) int {
	var e *exec.ExitError
	if errors.As(err, &e) {
		return e.ExitCode()
	}
	if err != nil {
		return -2
	}
	return 0
}

func TestBinary(t *testing.T) {
	p := smallProject(t)
	var out, stderr bytes.Buffer
	cmd := p.command("aur", "m", "Backoff")
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err := cmd.Run(); err != nil || !strings.HasPrefix(out.String(), "Memory Search Results for: \"Backoff\"\n\nFound 1 relevant pattern") {
		t.Errorf("aur m Backoff: %v\n%s%s", err, out.String(), stderr.String())
	}
}

// The version needs nothing: no home, no PATH, no project.
func TestVersionNeedsNothing(t *testing.T) {
	p := newProject(t)
	cmd := p.command("aurora", "version")
	cmd.Dir, cmd.Env = "/", []string{"NOTHING=1"}
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), "aurora ") {
		t.Errorf("%v: %s", err, out)
	}
}

// A reader that went away, as in "aurora mem search x | head -0", is no reason to complain.
func TestClosedPipe(t *testing.T) {
	p := smallProject(t)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	var stderr bytes.Buffer
	cmd := p.command("aurora", "mem", "search", "Backoff")
	cmd.Stdout, cmd.Stderr = w, &stderr
	err = cmd.Run()
	w.Close()
	var e *exec.ExitError
	if errors.As(err, &e) {
		if status, ok := e.Sys().(syscall.WaitStatus); ok && status.Signaled() && status.Signal() != syscall.SIGPIPE {
			t.Errorf("ended by %v", status.Signal())
		}
	}
	if stderr.Len() > 0 {
		t.Errorf("stderr: %s", stderr.String())
	}
}

// A server is the binary as an editor runs it.
type server struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	err *bytes.Buffer // standard error; to be read after Wait

	asked int // searches
}

// serve starts a language server of its own.
func (p *project) serve(dir string, args ...string) *server {
	p.t.Helper()
	return p.start(dir, append([]string{"serve", "--standalone"}, args...)...)
}

func (p *project) start(dir string, args ...string) *server {
	p.t.Helper()
	cmd := p.command("aurora", args...)
	cmd.Dir = dir
	s := &server{t: p.t, cmd: cmd, err: new(bytes.Buffer)}
	cmd.Stderr = s.err
	var err error
	if s.in, err = cmd.StdinPipe(); err != nil {
		p.t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	s.out = bufio.NewReader(out)
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { cmd.Process.Kill() })
	return s
}

func (s *server) send(body string) {
	s.t.Helper()
	if _, err := io.WriteString(s.in, frame(body)); err != nil {
		s.t.Fatal(err)
	}
}

// receive reads frames up to the answer with the id. Anything that is not a frame fails the test.
func (s *server) receive(id int) string {
	s.t.Helper()
	for {
		header, err := textproto.NewReader(s.out).ReadMIMEHeader()
		if err != nil {
			s.t.Fatalf("read a header: %v", err)
		}
		length, err := strconv.Atoi(header.Get("Content-Length"))
		if err != nil {
			s.t.Fatalf("header %v", header)
		}
		body := make([]byte, length)
		if _, err := io.ReadFull(s.out, body); err != nil {
			s.t.Fatalf("read a frame: %v", err)
		}
		if strings.Contains(string(body), fmt.Sprintf(`"id":%d`, id)) {
			return string(body)
		}
	}
}

func (s *server) initialize(dir string) string {
	s.t.Helper()
	s.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":"file://%s","capabilities":{}}}`, dir))
	return s.receive(1)
}

func TestServeShutsDown(t *testing.T) {
	p := smallProject(t)
	s := p.serve(p.dir, "--stdio")
	if answer := s.initialize(p.dir); !strings.Contains(answer, `"serverInfo"`) {
		t.Errorf("initialize: %s", answer)
	}
	s.send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
	s.send(`{"jsonrpc":"2.0","id":2,"method":"shutdown"}`)
	s.receive(2)
	s.send(`{"jsonrpc":"2.0","method":"exit"}`)
	if err := s.cmd.Wait(); err != nil {
		t.Errorf("exit after shutdown: %v", err)
	}
	stores, err := filepath.Glob(filepath.Join(p.home, ".aurora/index/project-*"))
	if err != nil || len(stores) != 1 {
		t.Errorf("index stores: %v, %v", stores, err)
	}
}

func TestServeEnds(t *testing.T) {
	for name, end := range map[string]func(*server){
		"end of input": func(s *server) { s.in.Close() },
		"SIGTERM":      func(s *server) { s.cmd.Process.Signal(syscall.SIGTERM) },
		"SIGINT":       func(s *server) { s.cmd.Process.Signal(os.Interrupt) },
	} {
		for how, args := range map[string][]string{"alone": {"serve", "--standalone"}, "shared": {"serve"}} {
			t.Run(name+" "+how, func(t *testing.T) {
				p := sharing(t, 0)
				s := p.start(p.dir, args...)
				s.initialize(p.dir)
				end(s)
				rest, _ := io.ReadAll(s.out)
				if code := exitCode(s.cmd.Wait()); code != 1 {
					t.Errorf("exit code %d, want 1: nobody asked for shutdown", code)
				}
				if bytes.Contains(rest, []byte("goroutine ")) {
					t.Errorf("a stack trace on standard output: %s", rest)
				}
			})
		}
	}
}

// The editor and the command line share one store, whatever folder the editor was started in.
func TestServeSharesTheStore(t *testing.T) {
	p := smallProject(t)
	s := p.serve("/")
	s.initialize(p.dir)
	s.send(`{"jsonrpc":"2.0","id":2,"method":"shutdown"}`)
	s.receive(2)
	s.send(`{"jsonrpc":"2.0","method":"exit"}`)
	s.cmd.Wait()
	if got := p.run("aurora", "index"); got.code != app.ExitOK {
		t.Fatalf("index: %s", got)
	}
	stores, err := filepath.Glob(filepath.Join(p.home, ".aurora/index/project-*"))
	if err != nil || len(stores) != 1 {
		t.Errorf("index stores: %v, %v", stores, err)
	}
}
