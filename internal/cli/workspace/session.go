package workspace

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
)

// A Session is an engine on one project for the length of a command.
type Session struct {
	Parts *Parts
	Cli   *app.App
	Root  string // "" for a session on memory alone
}

// OpenProject opens the project that holds the path given, or the current folder. Reading it goes on behind.
func OpenProject(ctx context.Context, c *app.App, path ...string) (*Session, error) {
	root, err := ProjectRoot(c, startOf(path))
	if err != nil {
		return nil, err
	}
	p, err := Wire(ctx, c, Wiring{Root: root, Folders: []string{root}})
	if err != nil {
		return nil, err
	}
	return begin(c, p, root), nil
}

// startOf is the path that a project is looked for at.
func startOf(path []string) string {
	if len(path) > 0 {
		return path[0]
	}
	return "."
}

// Refusal says why nothing of the project is indexed, nil when something is, or could be.
func (s *Session) Refusal() error {
	for _, f := range s.Parts.Index.Status().Folders {
		if s.Parts.Index.Off(f.Path) {
			return app.Failure("", fmt.Errorf("%s is not indexed: %s", f.Path, f.Refused))
		}
	}
	return nil
}

// OpenMemorySession opens a session that sees memory and no code.
func OpenMemorySession(ctx context.Context, c *app.App) (*Session, error) {
	p, err := Wire(ctx, c, Wiring{})
	if err != nil {
		return nil, err
	}
	return begin(c, p, ""), nil
}

func begin(c *app.App, p *Parts, root string) *Session {
	for _, w := range p.Warnings {
		c.Warn(w)
	}
	return &Session{Parts: p, Cli: c, Root: root}
}

// WaitReady waits until the project is indexed, at most timeout; then what there is answers, and says so itself.
func (s *Session) WaitReady(ctx context.Context, timeout time.Duration) error {
	done := s.ShowProgress(false)
	defer done()
	waiting, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	err := s.Parts.Index.WaitReady(waiting)
	if err != nil && waiting.Err() != nil && ctx.Err() == nil {
		return nil
	}
	if err != nil {
		return fmt.Errorf("wait for the index: %w", err)
	}
	return nil
}

// ShowProgress shows how far indexing is until the returned function is called. Without always it is shown on
// terminals only.
func (s *Session) ShowProgress(always bool) (done func()) {
	c := s.Cli
	if c.JSON || !c.ErrTTY && !always || !s.Parts.Settings.Index.Bootstrap.ShowProgress {
		return func() {}
	}
	width := c.Width
	if width == 0 {
		width = app.DefaultWidth
	}
	m := newMeter(c.Err, c.ErrTTY && os.Getenv("TERM") != "dumb", width, lineInterval)
	s.Parts.Index.OnProgress(m.update)
	return m.close
}

// Close releases what the session holds. A failure is told, not returned: the command's work is done by then.
func (s *Session) Close() {
	if err := s.Parts.Close(); err != nil {
		s.Cli.Warn(err.Error())
	}
}
