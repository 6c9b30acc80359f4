package workspace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/journal"
	"github.com/aurora-sidecar/aurora/engine/search/shared"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/parser"
	"github.com/aurora-sidecar/aurora/internal/atrest"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/aurora-sidecar/aurora/internal/obs"
	"github.com/aurora-sidecar/aurora/internal/scrub"
	"github.com/aurora-sidecar/aurora/internal/setup"
	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/actr"
	"github.com/aurora-sidecar/aurora/memory/lifespan"
	"github.com/aurora-sidecar/aurora/memory/sqlite"
)

// A Wiring says what a command needs opened.
type Wiring struct {
	Root     string   // project whose settings count; "" for none
	Folders  []string // indexed from the start; a server gets them from its client
	Server   bool     // goes on with bad settings, follows file events, logs to stderr as well
	LogLevel string   // from a flag; "" leaves it to the settings

	SearchOnly bool // no memory, no journal, no models: what other people may ask
}

// Parts are what every door needs, opened together and closed together.
type Parts struct {
	root         string // project whose settings count; "" for none
	server       bool   // stays, and notices changes
	Settings     *config.Settings
	ruleResolver *ruleResolver
	Log          *slog.Logger
	Index        *index.Index
	kept
	Engine   *engine.Engine
	Warnings []string // what is missing, in sentences
	closers  []func() error
	debug    debugDoor
}

// kept is what outlasts the process, and how it is kept.
type kept struct {
	Home     string         // of all of it; "" when nothing can be kept
	Memory   memory.Store   // nil when it is switched off
	Store    memory.Journal // what the journal lies in, which is memory's file also when memory is switched off
	Journal  *journal.Journal
	policies *lifespan.Policies // nil when they are off
	policy   *atrest.Policy
	locked   error // why memory can't be decrypted
}

// Wire opens settings, log, memory, index and engine, each on the ones before it.
func Wire(ctx context.Context, c *app.App, w Wiring) (*Parts, error) {
	if !w.Server {
		collectLate()
	}
	p := &Parts{root: w.Root, server: w.Server}
	if err := LoadSettings(c, p, w); err != nil {
		return nil, err
	}
	if w.SearchOnly {
		setup.SearchOnly(p.Settings)
	}
	OpenLog(c, p, w)
	OpenMemoryStore(ctx, c, p)
	if err := ctx.Err(); err != nil { // what was opened under an ended context is not worth a warning
		return nil, errors.Join(err, p.Close())
	}
	if err := p.openIndex(ctx, c, w); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	tracker := setup.Budget(p.Settings, p.Store, c.Now)
	models, err := setup.Models(p.Settings, tracker, setup.CachedReplies)
	endpoint, endpointErr := setup.Embeddings(p.Settings)
	if endpointErr != nil {
		p.Warnings = append(p.Warnings, "the embedding endpoint is not used: "+endpointErr.Error())
	}
	measured := p.Metering(w)
	p.Engine = engine.New(engine.Options{
		Index: p.Index, Memory: p.Memory, Log: p.Log, Now: c.Now, Version: app.ReadBuild().Version, Lifespan: p.policies, CollectGit: w.Server,
		Reread: p.rereader(), InTeam: (&setup.TeamReader{Home: p.Home}).Joined,
		SearchOptions: engine.SearchOptions{
			Tuning: setup.Tuning(p.Settings), Providers: setup.Providers(p.Settings), Embeddings: endpoint, EmbeddingsError: endpointErr,
			Team: p.searchServer(w),
		},
		ReasonOptions: engine.ReasonOptions{
			Models: models, ModelsError: err, Budget: tracker, Journal: p.Journal, MaxQuery: p.Settings.Guardrails.MaxQueryLength,
			Agents: OpenAgents(c, p.Settings, p.Home, p.Log), Trust: OpenTruster(c, p.Home), Tests: openTests(c, p.Home),
			NoSignals: !p.Settings.Signals.Enabled,
		},
		UsageOptions: engine.UsageOptions{Home: p.Home, Metrics: measured.set, Usage: measured.store, Agent: measured.agent},
	})
	p.closers = append(p.closers, p.Engine.Close)
	if w.Server {
		p.keepReporting(measured)
		if !w.SearchOnly {
			p.followTeam()
		}
		p.closers = append(p.closers, p.debug.close)
	}
	return p, nil
}

// Close closes what was opened, the last first.
func (p *Parts) Close() error {
	var errs []error
	for i := len(p.closers) - 1; i >= 0; i-- {
		errs = append(errs, p.closers[i]())
	}
	p.closers = nil
	return errors.Join(errs...)
}

// LoadSettings reads every layer. A bad value is reported and has no effect; only one of a flag ends the command, because
// it was just typed.
func LoadSettings(c *app.App, p *Parts, w Wiring) error {
	warnings, err := readSettings(p, w)
	if err == nil {
		p.Warnings = append(p.Warnings, warnings()...)
	}
	return err
}

// readSettings is LoadSettings without warnings, some of which are returned only the first time that somebody asks for them.
func readSettings(p *Parts, w Wiring) (warnings func() []string, err error) {
	opts := config.LoadOptions{Project: w.Root, Flags: map[string]string{}}
	if w.LogLevel != "" {
		opts.Flags["logging.level"] = w.LogLevel
	}
	settings, ignored, invalid := config.Load(opts)
	if flag := badFlag(invalid); flag != nil {
		return nil, app.UsageError("", "--log-level: %s", flag.Rule)
	}
	p.Settings, p.Home = settings, config.InHome()
	if err := scrub.Add(settings.Security.SecretPatterns); err != nil {
		return nil, err
	}
	return func() []string {
		list := config.Brief(ignored, p.Home)
		if invalid != nil {
			list = append(list, invalid.Error())
		}
		return list
	}, nil
}

// Correction says what to do about settings that are wrong.
func Correction(err error) string {
	var invalid *config.Error
	if errors.As(err, &invalid) && !slices.ContainsFunc(invalid.Problems, func(p config.Problem) bool { return p.Key != "" }) {
		return "Correct the file, or take it away: the defaults are good."
	}
	return "Correct the values, or remove them: the defaults are good."
}

// badFlag returns what is wrong with a flag, nil when nothing is.
func badFlag(err error) *config.Problem {
	var invalid *config.Error
	if errors.As(err, &invalid) {
		for i := range invalid.Problems {
			if invalid.Problems[i].Source == "flag" {
				return &invalid.Problems[i]
			}
		}
	}
	return nil
}

// OpenLog opens the log file. Only a server repeats the log on stderr: commands print what a person must know.
func OpenLog(c *app.App, p *Parts, w Wiring) {
	set := &p.Settings.Logging
	to := func(output string) bool { return slices.Contains(set.Outputs, output) }
	opts := obs.Options{Stderr: io.Discard, MaxSize: int64(set.Rotation.MaxSizeMB) << 20, Files: set.Rotation.MaxFiles, JSON: to("json"), Quiet: !to("console")}
	if to("file") || to("json") {
		opts.File = set.File
	}
	if level, err := obs.ParseLevel(set.Level); err == nil {
		opts.Level = level
	}
	if w.Server && (to("console") || opts.File != "") {
		opts.Stderr = c.Err
	}
	log, done := obs.NewLogger(opts)
	p.Log, p.closers = log, append(p.closers, done)
}

// OpenMemoryStore opens memory, which goes on without its file when it must, and the journal, which lies in the same file.
func OpenMemoryStore(ctx context.Context, c *app.App, p *Parts) {
	s := p.Settings
	if !s.Memory.Enabled && !s.History.Enabled && !s.Logging.Conversations.Enabled && !s.ModelConfigured() {
		return
	}
	openPolicies(c, p)
	opts := sqlite.Options{ActivityTime: p.Settings.Memory.Activation.Time == "activity", Encryption: sqlite.Encryption(p.Encryption())}
	if p.policies != nil {
		opts.Decay = func(h memory.Hit) actr.Mechanism { return p.policies.Decide(h, c.Now()).Decay }
	}
	opts.Now, opts.Log, opts.Version = c.Now, p.Log, app.ReadBuild().Version
	store := sqlite.OpenOrMemory(ctx, p.Settings.Memory.DatabasePath, opts)
	p.closers = append(p.closers, func() error {
		if !p.server {
			p.backUpSmall(ctx)
		}
		return store.Close()
	})
	if p.Settings.Memory.Enabled {
		p.Memory = store
	}
	p.locked = store.Locked()
	if text := store.Warning(); text != "" {
		p.Warnings = append(p.Warnings, text)
	}
	p.openJournal(ctx, c, store)
}

// gcPercent lets the heap grow by half between two collections, instead of doubling it: nearly all of it is the index,
// which has few pointers, so that a collection is cheap and the memory is not. GOGC in the environment goes before it.
const gcPercent = 50

// firstPercent is for a command that finds its index ready: it is over before a collection would pay. It makes the first one
// due at 96 MB, 24 times the 4 MB from which Go collects otherwise. Then gcPercent counts.
const firstPercent = 2400

// collectLate applies firstPercent, once.
var collectLate = sync.OnceFunc(func() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(firstPercent)
		runtime.SetFinalizer(new([16]byte), func(*[16]byte) { debug.SetGCPercent(gcPercent) })
	}
})

func (p *Parts) openIndex(ctx context.Context, c *app.App, w Wiring) error {
	if w.Server && os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	p.ruleResolver = &ruleResolver{log: p.Log}
	model, err := setup.BuiltInModel(p.Settings)
	if err != nil {
		p.Log.Error("search goes on by words alone", "err", err)
	}
	var inChildren parser.Parser
	if c.ParseCommand != nil {
		pool := parser.NewPool(c.ParseCommand, p.Log)
		inChildren, p.closers = pool, append(p.closers, pool.Close)
	}
	shared, err := setup.SharedCache(p.Settings)
	if err != nil {
		p.Warnings = append(p.Warnings, "the shared cache is not used: "+err.Error())
	}
	ix, err := index.Open(ctx, index.Options{
		Embedder: model, Remote: shared,
		Folders: w.Folders, StoreDir: p.Settings.Storage.Dir, NoWatch: !w.Server || !p.Settings.Index.Watcher.Enabled, Log: p.Log,
		Workers: p.Settings.Index.Workers, Parser: inChildren,
		Rules: p.ruleResolver.rules, CacheBytes: int64(p.Settings.Index.CacheMaxMB) << 20,
	})
	if err != nil {
		return fmt.Errorf("open index: %w", err)
	}
	p.Index, p.closers = ix, append(p.closers, ix.Shutdown)
	return nil
}

// commandWait is how much longer than the local search that of a command waits for the team's search server: its first request has to
// make the connection.
const commandWait = 2 * time.Second

// searchServer is the search server of the settings, nil for none.
func (p *Parts) searchServer(w Wiring) *shared.Team {
	client, err := setup.SearchClient(p.Settings)
	if err != nil {
		p.Warnings = append(p.Warnings, "the search server is not asked: "+err.Error())
	}
	if client == nil {
		return nil
	}
	o := shared.Options{Client: client, Index: p.Index, Log: p.Log, Whole: setup.HoldsWhole(p.Settings)}
	if !w.Server {
		o.Wait = commandWait
	}
	return shared.NewTeam(o)
}

// SettingsFor reads the settings as a command in root would.
func SettingsFor(root string) (*config.Settings, []config.Warning, error) {
	return config.Load(config.LoadOptions{Project: root})
}

// IndexTimeout is how long the commands that look at the index wait for it.
const IndexTimeout = 10 * time.Minute

func (p *Parts) LogWarnings() {
	for _, w := range p.Warnings {
		p.Log.Warn(w)
	}
}
