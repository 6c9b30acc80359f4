package agents

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	// cancelGrace is what a program gets between SIGTERM and SIGKILL when the question was cancelled, which must end
	// within 100 ms.
	cancelGrace = 40 * time.Millisecond
	// timeoutGrace is what it gets when its time is over.
	timeoutGrace = time.Second
	// drainTime is how long what a program left in its pipe is read after its end. A process that it started, and that
	// left its group, may hold the pipe open.
	drainTime = 500 * time.Millisecond
	// stderrKept is the size in bytes of the end of what a program says to stderr.
	stderrKept = 2 << 10
)

// A process runs in a group of its own, which is killed when the process ends.
type process struct {
	cmd    *exec.Cmd
	stdin  *os.File
	stdout *os.File
	stderr tail
	read   chan struct{} // closed when stderr is read
	ended  chan struct{} // closed when process and group are gone
	err    error         // of the process; read it after ended
}

// start starts the program without a shell.
func start(cmd *exec.Cmd) (*process, error) {
	p := &process{cmd: cmd, read: make(chan struct{}), ended: make(chan struct{})}
	childIn, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, childOut, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, childIn.Close(), in.Close())
	}
	errOut, childErr, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, childIn.Close(), in.Close(), out.Close(), childOut.Close())
	}
	p.stdin, p.stdout = in, out
	cmd.Stdin, cmd.Stdout, cmd.Stderr = childIn, childOut, childErr
	ownGroup(cmd)
	err = cmd.Start()
	for _, f := range []*os.File{childIn, childOut, childErr} {
		_ = f.Close()
	}
	if err != nil {
		for _, f := range []*os.File{in, out, errOut} {
			_ = f.Close()
		}
		return nil, err
	}
	go func() {
		_, _ = io.Copy(&p.stderr, errOut)
		_ = errOut.Close()
		close(p.read)
	}()
	go func() {
		p.err = cmd.Wait()
		killGroup(cmd) // what it left behind
		until := time.Now().Add(drainTime)
		_, _ = out.SetReadDeadline(until), errOut.SetReadDeadline(until)
		close(p.ended)
	}()
	return p, nil
}

// stop ends the process and its group: politely first, by force after grace. It returns when they are gone.
func (p *process) stop(grace time.Duration) {
	_ = p.stdin.Close()
	terminateGroup(p.cmd)
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-p.ended:
		return
	case <-timer.C:
	}
	killGroup(p.cmd)
	<-p.ended
}

func (p *process) input() io.WriteCloser { return p.stdin }

func (p *process) output() io.ReadCloser { return p.stdout }

func (p *process) errorOutput() string { return p.stderr.String() }

// explain says how a process ended that should not have.
func (p *process) explain() string {
	<-p.ended
	<-p.read
	what := "it ended"
	if p.err != nil {
		what = "it ended with " + p.err.Error()
	}
	if output := p.stderr.String(); output != "" {
		what += ": " + output
	}
	return what
}

// A tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	kept []byte
}

// Write implements io.Writer.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, p[max(0, len(p)-stderrKept):]...)
	t.kept = append(t.kept[:0], t.kept[max(0, len(t.kept)-stderrKept):]...)
	return len(p), nil
}

// String returns the last lines on one line.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := strings.Split(strings.TrimSpace(strings.ToValidUTF8(string(t.kept), "")), "\n")
	return strings.TrimSpace(strings.Join(lines[max(0, len(lines)-3):], " / "))
}

// errTooLong is that of an answer beyond maxOutput.
var errTooLong = fmt.Errorf("its answer is longer than %d KiB", maxOutput>>10)

// readLimited reads all, at most maxOutput bytes.
func readLimited(in io.Reader) ([]byte, error) {
	var b bytes.Buffer
	n, err := io.Copy(&b, io.LimitReader(in, maxOutput+1))
	if n > maxOutput {
		return nil, errTooLong
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		err = nil // a process outside of the group holds the pipe; what there was is read
	}
	return b.Bytes(), err
}

func noAnswerWithin(timeout time.Duration) error {
	return fmt.Errorf("it gave no answer within %s (agents.timeout_seconds)", timeout)
}

// exchange runs a program on an input and returns what it wrote.
func exchange(ctx context.Context, cmd *exec.Cmd, input []byte, timeout time.Duration) ([]byte, error) {
	p, err := start(cmd)
	if err != nil {
		return nil, fmt.Errorf("it can't be started: %w", err)
	}
	defer p.stdout.Close()
	go func() {
		_, _ = p.stdin.Write(input) // a program that does not read its task may answer all the same
		_ = p.stdin.Close()
	}()
	type output struct {
		data []byte
		err  error
	}
	read := make(chan output, 1)
	go func() {
		data, err := readLimited(p.stdout)
		read <- output{data, err}
	}()
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	var out output
	got := false
	for ended := p.ended; !got || ended != nil; {
		select {
		case out = <-read:
			got = true
			if out.err != nil {
				p.stop(0)
				return nil, out.err
			}
		case <-ended:
			ended = nil
		case <-timer.C:
			p.stop(timeoutGrace)
			return nil, noAnswerWithin(timeout)
		case <-ctx.Done():
			p.stop(cancelGrace)
			return nil, ctx.Err()
		}
	}
	if _, answered := lastObject(string(out.data)); p.err != nil && !answered {
		return nil, errors.New(p.explain())
	}
	return out.data, nil
}

// passed are the variables of the environment that every program gets. Keys are not among them: an agent names the
// variables that it needs.
var passed = []string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "TZ", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "USERPROFILE", "APPDATA", "LOCALAPPDATA",
	"PATHEXT", "COMSPEC", "SSL_CERT_FILE", "SSL_CERT_DIR", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy",
}

// environment is what a program of an agent sees.
func environment(named []string) []string {
	var out []string
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		if slices.Contains(passed, name) || slices.Contains(named, name) || strings.HasPrefix(name, "LC_") || strings.HasPrefix(name, "XDG_") {
			out = append(out, entry)
		}
	}
	return out
}

// command is the program of an agent, ready to be started but for its folder.
func (r *Registry) command(d *Definition) (*exec.Cmd, error) {
	if d.Type == MCP && strings.EqualFold(filepath.Ext(d.Path), ".json") {
		return r.serverCommand(d)
	}
	path, err := r.program(d, d.Path)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(path, r.arguments(d.Args)...)
	cmd.Env = environment(append(slices.Clone(d.Env), d.KeyEnv))
	return cmd, nil
}

// program finds a program. A name without a separator is looked for in PATH; a relative path starts at the workspace
// folder for what a project brings along, and beside the file that names it for what the user has.
func (r *Registry) program(d *Definition, name string) (string, error) {
	path := r.expand(name)
	switch {
	case filepath.IsAbs(path):
	case !strings.ContainsAny(path, `/\`):
		found, err := exec.LookPath(path)
		if err != nil || !filepath.IsAbs(found) {
			return "", fmt.Errorf("the program %s is not in PATH", name)
		}
		return found, nil
	case d.Origin == FromProject:
		path = filepath.Join(d.Folder, filepath.FromSlash(path))
		real, err := filepath.EvalSymlinks(path)
		if errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("the program %s is not there", path)
		}
		if err == nil {
			err = confine(Path{Origin: FromProject, Folder: d.Folder}, real)
		}
		if err != nil {
			return "", fmt.Errorf("the program %s can't be used: %w", name, err)
		}
	default:
		path = filepath.Join(filepath.Dir(d.Source), filepath.FromSlash(path))
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return "", fmt.Errorf("the program %s is not there", path)
	case info.IsDir():
		return "", fmt.Errorf("%s is a folder, no program", path)
	case !executable(info):
		return "", fmt.Errorf("%s may not be executed; run: chmod +x %s", path, path)
	}
	return path, nil
}

func (r *Registry) expand(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && r.opts.UserHome != "" {
		return filepath.Join(r.opts.UserHome, filepath.FromSlash(rest))
	}
	return path
}

func (r *Registry) arguments(args []string) []string {
	out := make([]string, len(args))
	for i, arg := range args {
		out[i] = r.expand(arg)
	}
	return out
}
