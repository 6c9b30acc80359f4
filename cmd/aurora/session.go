package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"
)

// A session is an engine on one project for the length of a command.
type session struct {
	*parts
	cli  *cli
	root string // "" for a session on memory alone
}

// openProject opens the project that holds the path given, or the current folder. Reading it goes on behind.
func (c *cli) openProject(ctx context.Context, path ...string) (*session, error) {
	start := "."
	if len(path) > 0 {
		start = path[0]
	}
	root, err := c.projectRoot(start)
	if err != nil {
		return nil, err
	}
	p, err := c.wire(ctx, wiring{root: root, folders: []string{root}})
	if err != nil {
		return nil, err
	}
	return c.begin(p, root), nil
}

// onIndex adapts a command that looks at a project's index: run gets a session whose index is ready.
func (c *cli) onIndex(run func(ctx context.Context, s *session, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		s, err := c.openProject(cmd.Context())
		if err != nil {
			return err
		}
		defer s.close()
		if err := s.waitReady(cmd.Context(), indexTimeout); err != nil {
			return err
		}
		if err := s.refusal(); err != nil {
			return err
		}
		return run(cmd.Context(), s, args)
	}
}

// refusal says why nothing of the project is indexed, nil when something is, or could be.
func (s *session) refusal() error {
	for _, f := range s.index.Status().Folders {
		if s.index.Off(f.Path) {
			return failure("", fmt.Errorf("%s is not indexed: %s", f.Path, f.Refused))
		}
	}
	return nil
}

// openMemory opens a session that sees memory and no code.
func (c *cli) openMemory(ctx context.Context) (*session, error) {
	p, err := c.wire(ctx, wiring{})
	if err != nil {
		return nil, err
	}
	return c.begin(p, ""), nil
}

func (c *cli) begin(p *parts, root string) *session {
	for _, w := range p.warnings {
		c.warn(w)
	}
	return &session{parts: p, cli: c, root: root}
}

// waitReady waits until the project is indexed, at most timeout; then what there is answers, and says so itself.
func (s *session) waitReady(ctx context.Context, timeout time.Duration) error {
	done := s.showProgress(false)
	defer done()
	waiting, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	err := s.index.WaitReady(waiting)
	if err != nil && waiting.Err() != nil && ctx.Err() == nil {
		return nil
	}
	if err != nil {
		return fmt.Errorf("wait for the index: %w", err)
	}
	return nil
}

// showProgress shows how far indexing is until the returned function is called. Without always it is shown on
// terminals only.
func (s *session) showProgress(always bool) (done func()) {
	c := s.cli
	if c.json || !c.errTTY && !always || !s.settings.Index.Bootstrap.ShowProgress {
		return func() {}
	}
	width := c.width
	if width == 0 {
		width = defaultWidth
	}
	m := newMeter(c.err, c.errTTY && os.Getenv("TERM") != "dumb", width, lineInterval)
	s.index.OnProgress(m.update)
	return m.close
}

// close releases what the session holds. A failure is told, not returned: the command's work is done by then.
func (s *session) close() {
	if err := s.parts.close(); err != nil {
		s.cli.warn(err.Error())
	}
}
