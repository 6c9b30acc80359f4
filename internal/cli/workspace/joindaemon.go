package workspace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/aurora-sidecar/aurora/internal/setup"
	"github.com/aurora-sidecar/aurora/lsp/daemon"
)

// JoinDaemon opens a session with the daemon of a workspace, which it starts when there is none. The error says why
// this process has to serve alone.
func JoinDaemon(ctx context.Context, c *app.App, w Workspace, logLevel string) (*workspaceDaemon, *daemon.Session, error) {
	d, err := daemonOf(c, w, logLevel)
	if err != nil {
		return nil, nil, err
	}
	session, err := d.join(ctx)
	return d, session, err
}

// A workspaceDaemon is the daemon of a workspace, whether it runs or not.
type workspaceDaemon struct {
	DaemonClient
	home, root, logLevel string
	sample               bool // questions of agents may go to their host's model
}

// daemonOf says which daemon serves a workspace under the settings of the moment.
func daemonOf(c *app.App, w Workspace, logLevel string) (*workspaceDaemon, error) {
	if len(w.Folders) == 0 {
		return nil, errors.New("the client asks for no folder that could be shared")
	}
	p := &Parts{}
	if err := LoadSettings(c, p, Wiring{Root: w.Root, LogLevel: logLevel, Server: true}); err != nil {
		return nil, err
	}
	if !p.Settings.LSP.Daemon.Enabled {
		return nil, errors.New("the setting lsp.daemon.enabled is off")
	}
	build, err := BuildID()
	if err != nil {
		return nil, err
	}
	place, err := daemonPlace(p, w, build)
	if err != nil {
		return nil, err
	}
	return &workspaceDaemon{DaemonClient{place, build}, p.Home, w.Root, logLevel, p.Settings.LLM.Mode == "mcp_integrated"}, nil
}

// join opens a session, and starts the daemon when there is none.
func (d *workspaceDaemon) join(ctx context.Context) (*daemon.Session, error) {
	command, err := daemonCommand(d.home, d.Place, d.root, d.logLevel)
	if err != nil {
		return nil, err
	}
	return daemon.Connect(ctx, d.Place, d.Build, command)
}

// daemonPlace is where the daemon of a workspace is met. A daemon is shared by those who would have had the same
// index by themselves: the same folders under the same settings, on one machine, by the same build.
func daemonPlace(p *Parts, w Workspace, build string) (daemon.Place, error) {
	settings := *p.Settings
	settings.LSP.Daemon, settings.Logging.Level = config.Daemon{}, "" // these change no answer
	effective, err := json.Marshal(settings)
	if err != nil {
		return daemon.Place{}, fmt.Errorf("encode the settings: %w", err)
	}
	host, err := os.Hostname()
	if err != nil {
		return daemon.Place{}, fmt.Errorf("name this machine: %w", err)
	}
	identity := append([]string{build, host, strconv.Itoa(os.Getuid()), w.Root, string(effective), setup.KeyIdentity(p.Settings)}, w.Folders...)
	for _, folder := range w.Folders {
		if folder == w.Root {
			continue
		}
		own, _, _ := config.Load(config.LoadOptions{Project: folder}) // what is wrong with it the daemon tells
		rules, err := json.Marshal(setup.Rules(own, folder))
		if err != nil {
			return daemon.Place{}, fmt.Errorf("encode the rules of %s: %w", folder, err)
		}
		identity = append(identity, string(rules))
	}
	return daemon.NewPlace(p.Home, identity...)
}

// BuildID tells builds of aurora apart, those between two versions included.
func BuildID() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find this program: %w", err)
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("look at this program: %w", err)
	}
	return fmt.Sprintf("%s, %d bytes of %d", app.ReadBuild(), info.Size(), info.ModTime().UnixNano()), nil
}

// daemonCommand starts this program as the daemon of a Place.
func daemonCommand(home string, place daemon.Place, root, logLevel string) (*exec.Cmd, error) {
	path, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}
	command := exec.Command(path, "daemon", "run", "--socket", place.Socket(), "--root", root, "--log-level", logLevel)
	command.Dir = filepath.Dir(place.Socket()) // there for certain, and in nobody's way
	command.Env = append(os.Environ(), "AURORA_HOME="+home)
	return command, nil
}

// Forward joins the client with the daemon until the session ends.
func Forward(ctx context.Context, c *app.App, session *daemon.Session, in io.Reader, out io.Writer) error {
	code, err := session.Forward(ctx, in, out)
	if err != nil && ctx.Err() == nil {
		fmt.Fprintf(c.Err, "aurora: %v; start the language server again\n", err)
	}
	if code != 0 {
		return &app.Exit{Code: code}
	}
	return nil
}

// A Workspace is what a language server is started for.
type Workspace struct {
	Root    string   // the folder whose settings count; "" for one that is nobody's project
	Folders []string // what the client asks for, as it is known before it was served; canonical and sorted
}

// CanonicalFolders returns nil when one of the folders is none that anyone means to index.
func CanonicalFolders(asked []string) []string {
	var folders []string
	for _, folder := range asked {
		dir, err := CheckRoot(folder)
		if err != nil {
			return nil
		}
		folders = append(folders, dir)
	}
	slices.Sort(folders)
	return slices.Compact(folders)
}
