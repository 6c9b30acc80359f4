package workspace

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"time"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/api/jsonrpc"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/aurora-sidecar/aurora/lsp/daemon"
)

// Answers are a project whose operations can be called: those of an engine in this process, or of the project's daemon.
type Answers struct {
	api.Client
	Root     string
	Settings *config.Settings
	Daemon   *daemon.Info // who answers; nil for this process
	Session  *Session     // nil when a daemon answers
	Close    func()
}

// OpenAnswers opens the project around the path, or the current folder, and waits until it is indexed, at most timeout; 0
// waits for nothing. When a daemon serves just this project, it answers: it has the index at hand and knows what is not saved yet.
// None is started.
func OpenAnswers(ctx context.Context, c *app.App, timeout time.Duration, path ...string) (*Answers, error) {
	collectLate()
	if a := askDaemon(ctx, c, timeout, path...); a != nil {
		return a, ctx.Err()
	}
	s, err := OpenProject(ctx, c, path...)
	if err != nil {
		return nil, err
	}
	if timeout > 0 {
		if err := s.WaitReady(ctx, timeout); err != nil {
			s.Close()
			return nil, err
		}
	}
	return s.answers(), nil
}

// OpenMemory is OpenAnswers for memory, the history and the costs of questions, which need no project.
func OpenMemory(ctx context.Context, c *app.App) (*Answers, error) {
	if a := askDaemon(ctx, c, 0); a != nil {
		return a, ctx.Err()
	}
	s, err := OpenMemorySession(ctx, c)
	if err != nil {
		return nil, err
	}
	return s.answers(), nil
}

// OpenHere is OpenAnswers that waits for nothing, and OpenMemory where there is no project.
func OpenHere(ctx context.Context, c *app.App) (*Answers, error) {
	if _, err := ProjectRoot(c, "."); err != nil && c.Project == "" {
		return OpenMemory(ctx, c)
	}
	return OpenAnswers(ctx, c, 0)
}

func (s *Session) answers() *Answers {
	return &Answers{Client: commandOf(api.Local(s.Parts.Engine)), Root: s.Root, Settings: s.Parts.Settings, Session: s, Close: s.Close}
}

// askDaemon returns nil when no daemon can answer for the project; opening it tells what is wrong, if anything is.
func askDaemon(ctx context.Context, c *app.App, timeout time.Duration, path ...string) *Answers {
	root, err := ProjectRoot(c, startOf(path))
	if err != nil || c.Policies != "" || os.Getenv(PoliciesVariable) != "" { // a daemon has policies of its own
		return nil
	}
	p := &Parts{}
	warnings, err := readSettings(p, Wiring{Root: root})
	if err != nil || p.Home == "" {
		return nil
	}
	remote, info, err := FindDaemon(ctx, p, root)
	var stopped *daemon.StoppedError
	if errors.As(err, &stopped) {
		c.Warn(stopped.Error())
	}
	if remote == nil || timeout > 0 && remote.waitReady(ctx, timeout) != nil {
		return nil
	}
	for _, w := range warnings() {
		c.Warn(w)
	}
	return &Answers{Client: commandOf(remote.Backend()), Root: root, Settings: p.Settings, Daemon: info, Close: func() {}}
}

// FindDaemon returns the daemon that serves root and nothing else; nil when there is none, and err says why that is so when it
// is there and does not answer.
func FindDaemon(ctx context.Context, p *Parts, root string) (*DaemonClient, *daemon.Info, error) {
	build, err := BuildID()
	if err != nil {
		return nil, nil, err
	}
	place, err := daemonPlace(p, Workspace{Root: root, Folders: []string{root}}, build)
	if err != nil {
		return nil, nil, err
	}
	info, err := daemon.Inspect(ctx, place)
	if err != nil || !slices.Equal(info.Folders, []string{root}) {
		return nil, nil, err
	}
	return &DaemonClient{place, build}, info, nil
}

// DaemonOf returns the daemon that serves root under the settings of the moment, as FindDaemon does.
func DaemonOf(ctx context.Context, root string) (*api.Client, *daemon.Info, error) {
	p := &Parts{}
	if _, err := readSettings(p, Wiring{Root: root}); err != nil || p.Home == "" {
		return nil, nil, err
	}
	remote, info, err := FindDaemon(ctx, p, root)
	if remote == nil {
		return nil, nil, err
	}
	client := commandOf(remote.Backend())
	return &client, info, nil
}

// commandOf is a command as a caller.
func commandOf(b api.Backend) api.Client {
	return api.Client{Backend: b, Caller: api.Caller{Agent: "cli", Durable: true}}
}

// A DaemonClient calls the operations of a daemon, which need not run.
type DaemonClient struct {
	Place daemon.Place
	Build string
}

// Backend carries operations out in the daemon.
func (d *DaemonClient) Backend() api.Backend {
	return jsonrpc.Remote{Dial: func(ctx context.Context) (io.ReadWriteCloser, error) { return daemon.Open(ctx, d.Place, d.Build) }}
}

// waitReady waits until the project is indexed, at most timeout; then what there is answers.
func (d *DaemonClient) waitReady(ctx context.Context, timeout time.Duration) error {
	_, err := api.Ready.Call(ctx, commandOf(d.Backend()), &api.ReadyParams{TimeoutMs: int(timeout.Milliseconds())})
	return err
}

// Operations are those that a daemon serves: the standard ones, and the debug page.
func (p *Parts) Operations() *api.Registry {
	return api.Standard.With(debugOperation(func(ctx context.Context, address string) (string, error) {
		return p.debug.open(context.WithoutCancel(ctx), p, address)
	}).Operation)
}
