package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/aurora-sidecar/aurora/internal/setup"
	"github.com/aurora-sidecar/aurora/lsp/daemon"
)

// joinDaemon opens a session with the daemon of a workspace, which it starts when there is none. The error says why
// this process has to serve alone.
func (c *cli) joinDaemon(ctx context.Context, w workspace, logLevel string) (*meeting, *daemon.Session, error) {
	m, err := c.meetingOf(w, logLevel)
	if err != nil {
		return nil, nil, err
	}
	session, err := m.join(ctx)
	return m, session, err
}

// A meeting is the daemon of a workspace, whether it runs or not.
type meeting struct {
	remoteEngine
	home, root, logLevel string
	sample               bool // questions of agents may go to their host's model
}

// meetingOf says where the daemon of a workspace is met under the settings of the moment.
func (c *cli) meetingOf(w workspace, logLevel string) (*meeting, error) {
	if len(w.folders) == 0 {
		return nil, errors.New("the client asks for no folder that could be shared")
	}
	p := &parts{}
	if err := c.loadSettings(p, wiring{root: w.root, logLevel: logLevel, server: true}); err != nil {
		return nil, err
	}
	if !p.settings.LSP.Daemon.Enabled {
		return nil, errors.New("the setting lsp.daemon.enabled is off")
	}
	build, err := buildID()
	if err != nil {
		return nil, err
	}
	place, err := daemonPlace(p, w, build)
	if err != nil {
		return nil, err
	}
	return &meeting{remoteEngine{place, build}, p.home, w.root, logLevel, p.settings.LLM.Mode == "mcp_integrated"}, nil
}

// join opens a session, and starts the daemon when there is none.
func (m *meeting) join(ctx context.Context) (*daemon.Session, error) {
	command, err := daemonCommand(m.home, m.place, m.root, m.logLevel)
	if err != nil {
		return nil, err
	}
	return daemon.Connect(ctx, m.place, m.build, command)
}

// daemonPlace is where the daemon of a workspace is met. A daemon is shared by those who would have had the same
// index by themselves: the same folders under the same settings, on one machine, by the same build.
func daemonPlace(p *parts, w workspace, build string) (daemon.Place, error) {
	settings := *p.settings
	settings.LSP.Daemon, settings.Logging.Level = config.Daemon{}, "" // these change no answer
	inForce, err := json.Marshal(settings)
	if err != nil {
		return daemon.Place{}, fmt.Errorf("encode the settings: %w", err)
	}
	host, err := os.Hostname()
	if err != nil {
		return daemon.Place{}, fmt.Errorf("name this machine: %w", err)
	}
	identity := append([]string{build, host, strconv.Itoa(os.Getuid()), w.root, string(inForce), setup.KeyIdentity(p.settings)}, w.folders...)
	for _, folder := range w.folders {
		if folder == w.root {
			continue
		}
		own, _, _ := config.Load(config.LoadOptions{Project: folder}) // what is wrong with it the daemon tells
		rules, err := json.Marshal(setup.Rules(own, folder))
		if err != nil {
			return daemon.Place{}, fmt.Errorf("encode the rules of %s: %w", folder, err)
		}
		identity = append(identity, string(rules))
	}
	return daemon.NewPlace(p.home, identity...)
}

// buildID tells builds of aurora apart, those between two versions included.
func buildID() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find this program: %w", err)
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("look at this program: %w", err)
	}
	return fmt.Sprintf("%s, %d bytes of %d", readBuild(), info.Size(), info.ModTime().UnixNano()), nil
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

// forward joins the client with the daemon until the session ends.
func (c *cli) forward(ctx context.Context, session *daemon.Session, in io.Reader, out io.Writer) error {
	code, err := session.Forward(ctx, in, out)
	if err != nil && ctx.Err() == nil {
		fmt.Fprintf(c.err, "aurora: %v; start the language server again\n", err)
	}
	if code != 0 {
		return &exit{code: code}
	}
	return nil
}
