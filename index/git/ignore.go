package git

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// ignoreProcessAge bounds how long one check-ignore process answers. It reads each ignore file and the index only
// once, so its age is how stale an answer may be; a new process costs 3 ms.
const ignoreProcessAge = 2 * time.Second

// ignoreAnswerTimeout ends a process that does not answer.
const ignoreAnswerTimeout = 10 * time.Second

// An IgnoreMatch is the pattern that decided about a path. The zero value means that none did.
type IgnoreMatch struct {
	Source  string // the file that holds the pattern
	Line    int    // in Source, counted from 1
	Pattern string // as written
}

// Ignored reports whether git ignores the path; a pattern with '!' is a match that does not.
func (m IgnoreMatch) Ignored() bool { return m.Pattern != "" && !strings.HasPrefix(m.Pattern, "!") }

// An IgnoreChecker asks git about single paths through a process that answers in some 10 µs. The process is started
// on demand and ended after two seconds, or by Reset. Safe for concurrent use.
type IgnoreChecker struct {
	repo    *Repo
	turn    chan struct{} // holds a token while nobody talks to the process
	process *ignoreProcess
	expiry  *time.Timer
	closed  bool
}

// NewIgnoreChecker returns a checker for paths below the repository's folder.
func (r *Repo) NewIgnoreChecker() *IgnoreChecker {
	c := &IgnoreChecker{repo: r, turn: make(chan struct{}, 1)}
	c.turn <- struct{}{}
	return c
}

// Check asks which pattern decides about rel. Tracked files are never ignored. A path inside a submodule is an error.
func (c *IgnoreChecker) Check(ctx context.Context, rel string) (IgnoreMatch, error) {
	if rel == "" || rel == "." || strings.ContainsRune(rel, 0) {
		return IgnoreMatch{}, nil
	}
	if err := ctx.Err(); err != nil {
		return IgnoreMatch{}, fmt.Errorf("check ignore rules: %w", err)
	}
	select {
	case <-c.turn:
	case <-ctx.Done():
		return IgnoreMatch{}, fmt.Errorf("check ignore rules: %w", ctx.Err())
	}
	defer func() { c.turn <- struct{}{} }()
	if c.closed {
		return IgnoreMatch{}, ErrClosed
	}
	if err := c.ensure(); err != nil {
		return IgnoreMatch{}, fmt.Errorf("check ignore rules: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, ignoreAnswerTimeout)
	defer cancel()
	// A git that hangs is killed, which ends the read below.
	unhook := context.AfterFunc(ctx, c.process.cancel)
	match, err := c.process.ask(rel)
	if !unhook() || err != nil {
		c.stop()
	}
	if err != nil && ctx.Err() != nil {
		err = ctx.Err()
	}
	if err != nil {
		return IgnoreMatch{}, fmt.Errorf("check ignore rules of %q: %w", rel, err)
	}
	return match, nil
}

// Reset makes the next Check read all ignore files again.
func (c *IgnoreChecker) Reset() {
	<-c.turn
	c.stop()
	c.turn <- struct{}{}
}

// Close ends the process.
func (c *IgnoreChecker) Close() {
	<-c.turn
	c.stop()
	c.closed = true
	c.turn <- struct{}{}
}

func (c *IgnoreChecker) ensure() error {
	if c.process != nil {
		return nil
	}
	p, err := startIgnoreProcess(c.repo)
	if err != nil {
		return err
	}
	c.process = p
	c.expiry = time.AfterFunc(ignoreProcessAge, c.Reset)
	return nil
}

func (c *IgnoreChecker) stop() {
	if c.process == nil {
		return
	}
	c.expiry.Stop()
	c.process.end()
	c.process = nil
}

type ignoreProcess struct {
	cmd    *exec.Cmd
	cancel context.CancelFunc
	stdin  io.WriteCloser
	stdout *bufio.Reader
	stderr bytes.Buffer
}

func startIgnoreProcess(r *Repo) (*ignoreProcess, error) {
	ctx, cancel := context.WithCancel(context.Background())
	p := &ignoreProcess{cancel: cancel}
	var err error
	// The one subcommand that refuses --literal-pathspecs; ask disarms pathspec magic with "./".
	p.cmd, err = command(ctx, r.dir, r.settings, false, "check-ignore", "--stdin", "-z", "--verbose", "--non-matching")
	if err != nil {
		cancel()
		return nil, err
	}
	p.cmd.Stderr = &p.stderr
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		cancel()
		return nil, fmt.Errorf("pipe to git: %w", err)
	}
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		cancel()
		return nil, fmt.Errorf("pipe from git: %w", err)
	}
	p.stdout = bufio.NewReader(stdout)
	if err := p.cmd.Start(); err != nil {
		cancel()
		return nil, fmt.Errorf("start git check-ignore: %w", err)
	}
	return p, nil
}

// ask sends one path and reads the four fields of its answer: source, line, pattern, path.
func (p *ignoreProcess) ask(rel string) (IgnoreMatch, error) {
	if _, err := io.WriteString(p.stdin, "./"+rel+"\x00"); err != nil {
		return IgnoreMatch{}, p.failure(err)
	}
	var answer [4]string
	for i := range answer {
		field, err := p.stdout.ReadString(0)
		if err != nil {
			return IgnoreMatch{}, p.failure(err)
		}
		answer[i] = strings.TrimSuffix(field, "\x00")
	}
	line, _ := strconv.Atoi(answer[1]) // empty when nothing matched
	return IgnoreMatch{Source: answer[0], Line: line, Pattern: answer[2]}, nil
}

// failure explains why the process stopped answering, in its own words when it left any.
func (p *ignoreProcess) failure(err error) error {
	p.end()
	if stderr := strings.TrimSpace(p.stderr.String()); stderr != "" {
		return &CommandError{Command: "check-ignore", Stderr: stderr, Err: err}
	}
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// end closes the pipe, which makes git exit, and waits for it. It may be called again.
func (p *ignoreProcess) end() {
	_ = p.stdin.Close()
	p.cancel()
	_ = p.cmd.Wait() // how a killed process ended says nothing
}
