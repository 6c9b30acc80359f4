package agents

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/internal/sandbox"
	"github.com/aurora-sidecar/aurora/internal/trust"
)

// Options wire a Registry.
type Options struct {
	Paths        []string // where definitions are looked for, in order; "~/" is UserHome, other relative ones lie in each workspace folder
	UserHome     string   // the user's home folder; "" leaves out what lies there
	StateFile    string   // what outlives the process; "" keeps it in memory
	AutoDiscover bool     // false leaves the built-in agents alone
	RefreshEvery time.Duration
	Fallback     string                                    // what happens without agents; told to people
	Approves     func(folder string, item trust.Item) bool // whether the user has approved what a workspace folder brings along, as it is; nil approves nothing
	ScanConfigs  []string                                  // MCP configurations whose tools are looked for; written as Paths
	Sandbox      *sandbox.Box                              // for programs that are to run in it; nil runs none of them
	Hidden       Hider                                     // what they do not see of a workspace folder; nil hides nothing
	Timeout      time.Duration                             // of one run, without the waits for the person; 0 means 2 minutes
	Log          *slog.Logger                              // nil discards
	Now          func() time.Time                          // nil means time.Now
}

// A Hider returns what tells the files of a folder, by their absolute paths, that are empty for a program in the sandbox.
type Hider func(ctx context.Context, folder string) func(path string) bool

const (
	maxOutput  = 1 << 20 // bytes of one answer
	maxRunning = 8       // agents outside of this process at a time
)

// A Registry knows the agents of a machine and its workspaces. It is safe for concurrent use.
type Registry struct {
	opts    Options
	log     *slog.Logger
	state   state
	running chan struct{} // a slot for each agent outside of this process
	client  *http.Client

	mu    sync.Mutex
	files map[string]parsed
}

// A Listing is what is known of the agents of a workspace.
type Listing struct {
	Agents    []Definition `json:"agents"` // the built-in ones first, then in the order of discovery
	Problems  []Problem    `json:"problems,omitempty"`
	Paths     []Path       `json:"discovered_paths"`
	LastPath  string       `json:"last_discovered_path,omitempty"`
	Refreshed time.Time    `json:"refreshed_at,omitzero"`
	Fallback  string       `json:"fallback_mode"`

	folders []string
}

// Untrusted lists the workspace folders whose agents wait for the user's trust.
func (l *Listing) Untrusted() []string {
	var out []string
	for i := range l.Agents {
		if d := &l.Agents[i]; d.Origin == FromProject && !d.approved && !slices.Contains(out, d.Folder) {
			out = append(out, d.Folder)
		}
	}
	return out
}

// Found counts the agents besides the built-in ones.
func (l *Listing) Found() int {
	n := 0
	for i := range l.Agents {
		if l.Agents[i].Origin != FromAurora {
			n++
		}
	}
	return n
}

// Get returns the agent that has an id: the one that would be run, when there are several.
func (l *Listing) Get(id string) (*Definition, bool) {
	var found *Definition
	for i := range l.Agents {
		if d := &l.Agents[i]; d.ID == id && (found == nil || d.Ready && !found.Ready) {
			found = d
		}
	}
	return found, found != nil
}

// Open returns a registry. It reads nothing before it is asked.
func Open(o Options) *Registry {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Timeout = cmp.Or(o.Timeout, 2*time.Minute)
	return &Registry{
		opts: o, log: o.Log, state: state{path: o.StateFile}, running: make(chan struct{}, maxRunning), client: newClient(),
		files: map[string]parsed{},
	}
}

// List returns the agents of the workspace folders, which are canonical paths. Files are looked at when their
// modification times say so, and everything when the last refresh is too long ago.
func (r *Registry) List(ctx context.Context, folders []string) (*Listing, error) {
	if r.due() {
		return r.Refresh(ctx, folders)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	l := r.discover(folders)
	if l.Found() > 0 && r.state.read().RefreshedAt.IsZero() {
		if err := r.state.change(func(s *stateFile) { r.refreshed(s, l) }); err != nil {
			r.log.Warn("remember where agents were found", "err", err)
		}
	}
	return r.dress(l), ctx.Err()
}

// refreshed notes that everything was looked at, and where agents were.
func (r *Registry) refreshed(s *stateFile, l *Listing) {
	s.RefreshedAt = r.opts.Now().UTC().Truncate(time.Second)
	for _, p := range l.Paths {
		if p.Agents > 0 {
			s.LastPath = p.Path
			return
		}
	}
}

// due reports whether a refresh is.
func (r *Registry) due() bool {
	if !r.opts.AutoDiscover {
		return false
	}
	s := r.state.read()
	return !s.RefreshedAt.IsZero() && r.opts.RefreshEvery > 0 && r.opts.Now().Sub(s.RefreshedAt) >= r.opts.RefreshEvery
}

// discoverAgain is discover, with all files read again.
func (r *Registry) discoverAgain(folders []string) *Listing {
	r.mu.Lock()
	defer r.mu.Unlock()
	clear(r.files)
	return r.discover(folders)
}

// Refresh reads everything again, the tools of MCP servers included where the settings name their configurations.
func (r *Registry) Refresh(ctx context.Context, folders []string) (*Listing, error) {
	tools, problems := r.scanTools(ctx, folders)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	l := r.discoverAgain(folders)
	err := r.state.change(func(s *stateFile) {
		s.Tools = append(slices.DeleteFunc(s.Tools, func(d Definition) bool { return !elsewhere(d, folders) }), tools...)
		r.refreshed(s, l)
	})
	if err != nil {
		problems = append(problems, Problem{File: r.opts.StateFile, Message: err.Error(), Warning: true})
	}
	dressed := r.dress(l)
	dressed.Problems = append(slices.Clone(dressed.Problems), problems...)
	return dressed, nil
}

// dress completes a listing with what changes from one moment to the next: counts, trust, and whether programs and
// keys are there.
func (r *Registry) dress(l *Listing) *Listing {
	s := r.state.read()
	out := *l
	out.Agents, out.Paths = slices.Clone(l.Agents), slices.Clone(l.Paths)
	out.Refreshed, out.LastPath = s.RefreshedAt, s.LastPath
	if r.opts.AutoDiscover {
		out.Agents = append(out.Agents, r.toolAgents(s.Tools, l)...)
	}
	for i := range out.Agents {
		d := &out.Agents[i]
		d.approved = r.approves(d)
		d.SuccessRate, d.Runs = s.Counts[d.ID].rate(d.SuccessRate)
		if d.Origin == FromAurora {
			continue
		}
		if err := r.ready(d); err != nil {
			d.Problem = err.Error()
		} else {
			d.Ready = true
		}
	}
	waiting := out.Untrusted()
	for i := range out.Paths {
		p := &out.Paths[i]
		p.Trusted = p.Origin != FromProject || !slices.Contains(waiting, p.Folder)
	}
	return &out
}

// ready says why an agent can't be run.
func (r *Registry) ready(d *Definition) error {
	if !r.approves(d) {
		return fmt.Errorf("%s is not trusted, or this has changed since; to see and approve it: aurora trust", d.Folder)
	}
	if d.KeyEnv != "" && os.Getenv(d.KeyEnv) == "" {
		return fmt.Errorf("the variable %s, which holds its key, is not set", d.KeyEnv)
	}
	if d.Sandbox {
		if err := r.sandboxed(); err != nil {
			return err
		}
	}
	if d.Type == Executable || d.Type == MCP && d.Path != "" {
		_, err := r.command(d)
		return err
	}
	return nil
}

// For returns what a question in the workspace folders may be worked on by, besides AURORA's own agents: those that
// are trusted and can be run.
func (r *Registry) For(ctx context.Context, folders []string) (agents []soar.Agent, personas []soar.Persona, err error) {
	l, err := r.List(ctx, folders)
	if err != nil {
		return nil, nil, err
	}
	seen := map[string]bool{}
	for i := range l.Agents {
		d := l.Agents[i]
		if !d.Ready || d.Origin == FromAurora || seen[d.ID] {
			continue
		}
		seen[d.ID] = true
		if d.Type == Builtin {
			personas = append(personas, soar.Persona{Card: d.Card(), Instructions: d.Instructions})
			continue
		}
		agents = append(agents, r.Agent(d, folders))
	}
	return agents, personas, nil
}

// Judged notes how an attempt of an agent's went.
func (r *Registry) Judged(id string, pass bool) {
	err := r.state.change(func(s *stateFile) {
		if s.Counts == nil {
			s.Counts = map[string]count{}
		}
		s.Counts[id] = s.Counts[id].add(pass)
	})
	if err != nil {
		r.log.Warn("count an agent's result", "agent", id, "err", err)
	}
}

// Add makes a further path be searched from now on, in this and later processes.
func (r *Registry) Add(path string) error {
	return r.state.change(func(s *stateFile) {
		if !slices.Contains(s.Added, path) {
			s.Added = append(s.Added, path)
		}
	})
}

// AskForPath reports whether the person should be asked for a path: nothing was found, and nobody has been asked before.
func (r *Registry) AskForPath(l *Listing) bool { return l.Found() == 0 && !r.state.read().Asked }

// Asked notes that the person was asked.
func (r *Registry) Asked() error {
	return r.state.change(func(s *stateFile) { s.Asked = true })
}
