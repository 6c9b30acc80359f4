package agents

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"time"

	"github.com/aurora-sidecar/aurora/internal/sandbox"
)

// sandboxed says why no program can run in the sandbox.
func (r *Registry) sandboxed() error {
	if r.opts.Sandbox == nil {
		return errors.New("it is to run in the sandbox, which needs a folder of AURORA's own")
	}
	if err := r.opts.Sandbox.Check(); err != nil {
		return fmt.Errorf("it is to run in the sandbox, and there is none here: %w", err)
	}
	return nil
}

// boxed is a program for the sandbox: it reaches no network and sees nothing but its folder, which it can't change.
func (r *Registry) boxed(ctx context.Context, d *Definition, cmd *exec.Cmd, folder string) sandbox.Command {
	c := sandbox.Command{Workspace: folder, Dir: folder, Program: cmd.Path, Args: cmd.Args, Env: variables(append(slices.Clone(d.Env), d.KeyEnv))}
	if r.opts.Hidden != nil {
		c.Hidden = r.opts.Hidden(ctx, folder)
	}
	return c
}

// exchangeInSandbox is exchange for a program in the sandbox.
func (a *agent) exchangeInSandbox(ctx context.Context, cmd *exec.Cmd, input []byte) ([]byte, error) {
	c := a.registry.boxed(ctx, &a.definition, cmd, a.folder)
	c.Limit, c.Input = a.timeout(), input
	r, err := a.registry.opts.Sandbox.Run(ctx, c)
	switch {
	case errors.Is(err, sandbox.ErrAnswerTooLong):
		return nil, errTooLong
	case err != nil:
		return nil, err
	case r.Exhausted != nil:
		return nil, fmt.Errorf("it was ended, since it took %w", r.Exhausted)
	case r.TimedOut:
		return nil, noAnswerWithin(c.Limit)
	}
	if _, answered := lastObject(string(r.Answer)); r.Code != 0 && !answered {
		var stderr tail
		_, _ = stderr.Write([]byte(r.Output))
		return nil, errors.New("it ended with " + how(r.Code) + ": " + stderr.String())
	}
	return r.Answer, nil
}

// A boxedServer is a server in the sandbox.
type boxedServer struct {
	stdin, stdout *os.File
	end           context.CancelFunc
	ended         chan struct{}
	result        sandbox.Result // to be read after ended, like err
	err           error
}

func (r *Registry) startInSandbox(ctx context.Context, c sandbox.Command) (peer, error) {
	childIn, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, childOut, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, childIn.Close(), in.Close())
	}
	s := &boxedServer{stdin: in, stdout: out, ended: make(chan struct{})}
	ctx, s.end = context.WithCancel(ctx)
	c.Stdin, c.Stdout = childIn, childOut
	go func() {
		defer close(s.ended)
		s.result, s.err = r.opts.Sandbox.Run(ctx, c)
		_, _ = childIn.Close(), childOut.Close()
	}()
	return s, nil
}

func (s *boxedServer) input() io.WriteCloser { return s.stdin }

func (s *boxedServer) output() io.ReadCloser { return s.stdout }

// errorOutput also says what kept the server from running.
func (s *boxedServer) errorOutput() string {
	<-s.ended
	var end tail
	_, _ = end.Write([]byte(s.result.Output))
	switch {
	case s.err != nil && !errors.Is(s.err, context.Canceled):
		return s.err.Error()
	case s.result.Exhausted != nil:
		return "it was ended, since it took " + s.result.Exhausted.Error()
	}
	return end.String()
}

// stop lets a server end that ends with its input.
func (s *boxedServer) stop(grace time.Duration) {
	_ = s.stdin.Close()
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-s.ended:
	case <-timer.C:
	}
	s.end()
	<-s.ended
}

func how(code int) string {
	if code < 0 {
		return "a signal"
	}
	return fmt.Sprintf("exit status %d", code)
}

// variables are those of the environment that an agent names.
func variables(named []string) []string {
	var out []string
	for _, name := range named {
		if value, ok := os.LookupEnv(name); ok && name != "" {
			out = append(out, name+"="+value)
		}
	}
	return out
}
