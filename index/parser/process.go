package parser

import (
	"bufio"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/aurora-sidecar/aurora/index/chunk"
)

// process is the parent's side of one child. It is for one goroutine at a time.
type process struct {
	cmd     *exec.Cmd
	stdin   io.WriteCloser
	out     *bufio.Writer
	enc     *gob.Encoder
	dec     *gob.Decoder
	stderr  *head
	decoder chunk.Decoder
}

// startProcess starts a child and waits for its greeting.
func startProcess(command []string) (*process, error) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Args[0] = "aurora"
	cmd.Env = environment()
	stderr := &head{}
	cmd.Stderr = stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, errors.Join(err, stdin.Close())
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &process{cmd: cmd, stdin: stdin, stderr: stderr, out: bufio.NewWriterSize(stdin, 1<<16)}
	p.enc, p.dec = gob.NewEncoder(p.out), gob.NewDecoder(bufio.NewReaderSize(stdout, 1<<16))
	stuck := time.AfterFunc(startWithin, p.kill)
	defer stuck.Stop()
	var hello greeting
	if err := p.dec.Decode(&hello); err != nil {
		return nil, fmt.Errorf("no greeting: %w", p.end())
	}
	if hello.Version != chunk.Version {
		p.kill()
		_ = p.end()
		return nil, fmt.Errorf("another version of AURORA answered (%d, not %d)", hello.Version, chunk.Version)
	}
	return p, nil
}

const (
	startWithin = 30 * time.Second
	// stuckAfter is when a child that should have ended itself is killed, by the clock: it may be stopped, or the
	// machine may have forty other things to do.
	stuckAfter = 2 * time.Minute
)

// environment is what a child needs to run. It parses what it is given, so it has no use for keys and tokens.
func environment() []string {
	env := []string{"GOTRACEBACK=single", "GOMAXPROCS=2", "GOGC=400"}
	if runtime.GOOS == "windows" {
		env = append(env, "SYSTEMROOT="+os.Getenv("SYSTEMROOT"))
	}
	return env
}

// ask sends a request and waits for the reply. After an error the process is of no use but to end.
func (p *process) ask(r *request) (*reply, error) {
	stuck := time.AfterFunc(stuckAfter, p.kill)
	defer stuck.Stop()
	if err := errors.Join(p.enc.Encode(r), p.out.Flush()); err != nil {
		return nil, err
	}
	answer := &reply{}
	if err := p.dec.Decode(answer); err != nil {
		return nil, err
	}
	return answer, nil
}

// file asks for chunks. An error means that there are none, and that the process is of no use but to end; what was
// wrong with the text is in the reply.
func (p *process) file(r *request) (*chunk.File, *reply, error) {
	answer, err := p.ask(r)
	if err != nil {
		return nil, nil, err
	}
	f, err := p.decoder.Decode(answer.File)
	return f, answer, err
}

func (p *process) kill() { _ = p.cmd.Process.Kill() }

// end closes the child's input, waits for it, and returns why it ended before that; an error always, since a child that
// broke off has no other way to say so.
func (p *process) end() error {
	_ = p.stdin.Close()
	stuck := time.AfterFunc(stuckAfter, p.kill)
	defer stuck.Stop()
	err := p.cmd.Wait()
	if code := p.cmd.ProcessState.ExitCode(); code > 0 {
		return exitError(code, p.stderr.String())
	}
	if err == nil {
		err = errors.New("it ended")
	}
	return fmt.Errorf("%w: %w", ErrCrashed, err)
}

// A head keeps the first of what is written to it, for the message about a crash.
type head struct {
	mu   sync.Mutex
	data []byte
}

// maxHead bounds it, in bytes. What Go writes about a crash in C begins with the reason.
const maxHead = 2000

func (h *head) Write(b []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if room := maxHead - len(h.data); room > 0 {
		h.data = append(h.data, b[:min(room, len(b))]...)
	}
	return len(b), nil
}

func (h *head) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return strings.TrimSpace(string(h.data))
}
