package agents

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"

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

// exchangeInSandbox is exchange for a program that reaches no network and sees nothing but its folder, which it can't change.
func (a *agent) exchangeInSandbox(ctx context.Context, cmd *exec.Cmd, input []byte) ([]byte, error) {
	opts, d := &a.registry.opts, &a.definition
	c := sandbox.Command{
		Workspace: a.folder, Dir: a.folder, Program: cmd.Path, Args: cmd.Args, Limit: a.timeout(), Input: input,
		Env: variables(append(slices.Clone(d.Env), d.KeyEnv)),
	}
	if opts.Hidden != nil {
		c.Hidden = opts.Hidden(ctx, a.folder)
	}
	r, err := opts.Sandbox.Run(ctx, c)
	switch {
	case errors.Is(err, sandbox.ErrAnswerTooLong):
		return nil, errTooLong
	case err != nil:
		return nil, err
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
