package main

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

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/internal/atrest"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/aurora-sidecar/aurora/internal/obs"
	"github.com/aurora-sidecar/aurora/internal/setup"
	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/actr"
	"github.com/aurora-sidecar/aurora/memory/lifespan"
	"github.com/aurora-sidecar/aurora/memory/sqlite"
)

// A wiring says what a command needs opened.
type wiring struct {
	root     string   // project whose settings count; "" for none
	folders  []string // indexed from the start; a server gets them from its client
	server   bool     // goes on with bad settings, follows file events, logs to stderr as well
	logLevel string   // from a flag; "" leaves it to the settings
}

// parts are what every door needs, opened together and closed together.
type parts struct {
	root     string // project whose settings count; "" for none
	server   bool   // stays, and notices changes
	settings *config.Settings
	ruler    *ruler
	log      *slog.Logger
	index    *index.Index
	memory   memory.Store       // nil when it is switched off
	policies *lifespan.Policies // nil when they are off
	engine   *engine.Engine
	home     string // of all that is kept; "" when nothing can be
	policy   *atrest.Policy
	locked   error    // why memory can't be decrypted
	volatile bool     // memory has a file and could not open it: what is written is gone when the process ends
	warnings []string // what is missing, in sentences
	closers  []func() error
	pending  pendingQuestions // of agents, to persons at other processes
	lent     lentModels       // requests to models of other processes
	debug    debugDoor
}

// wire opens settings, log, memory, index and engine, each on the ones before it.
func (c *cli) wire(ctx context.Context, w wiring) (*parts, error) {
	if !w.server {
		collectLate()
	}
	p := &parts{root: w.root, server: w.server}
	if err := c.loadSettings(p, w); err != nil {
		return nil, err
	}
	c.openLog(p, w)
	c.openMemoryStore(ctx, p)
	if err := ctx.Err(); err != nil { // what was opened under an ended context is not worth a warning
		return nil, errors.Join(err, p.close())
	}
	if err := p.openIndex(ctx, w); err != nil {
		return nil, errors.Join(err, p.close())
	}
	tracker := setup.Budget(p.settings, c.now)
	models, warnings, err := setup.Models(p.settings, tracker, setup.CachedReplies)
	p.warnings = append(p.warnings, warnings...)
	far, farErr := setup.Embeddings(p.settings)
	if farErr != nil {
		p.warnings = append(p.warnings, "the embedding endpoint is not used: "+farErr.Error())
	}
	measured := p.metering(w)
	p.engine = engine.New(engine.Options{
		Embeddings: far, EmbeddingsError: farErr, Providers: setup.Providers(p.settings),
		Metrics: measured.set, Usage: measured.store, Agent: measured.agent,
		Index: p.index, Memory: p.memory, Log: p.log, Now: c.now, Version: readBuild().Version, Lifespan: p.policies, CollectGit: w.server,
		Tuning: setup.Tuning(p.settings), Reread: p.rereader(), Models: models, ModelsError: err, Budget: tracker, History: openHistory(p.settings, p.encryption()), MaxQuery: p.settings.Guardrails.MaxQueryLength,
		Agents: c.openAgents(p.settings, p.home, p.log), Trust: truster{config.OpenTrust(p.home), c.now},
		Conversations: c.openConversations(p), FollowUps: followUps(p.settings),
	})
	p.closers = append(p.closers, p.engine.Close)
	if w.server {
		p.keepReporting(measured)
		p.closers = append(p.closers, p.debug.close)
	}
	return p, nil
}

// close closes what was opened, the last first.
func (p *parts) close() error {
	var errs []error
	for i := len(p.closers) - 1; i >= 0; i-- {
		errs = append(errs, p.closers[i]())
	}
	p.closers = nil
	return errors.Join(errs...)
}

// followUps are what messages of a conversation mean, nil for what the engine knows.
func followUps(s *config.Settings) *engine.FollowUps {
	if s.Signals.Enabled {
		return nil
	}
	return &engine.FollowUps{}
}

// loadSettings reads every layer. A bad value is reported and has no effect; only one of a flag ends the command, because
// it was just typed.
func (c *cli) loadSettings(p *parts, w wiring) error {
	opts := config.LoadOptions{Project: w.root, Flags: map[string]string{}}
	if w.logLevel != "" {
		opts.Flags["logging.level"] = w.logLevel
	}
	settings, warnings, err := config.Load(opts)
	if flag := badFlag(err); flag != nil {
		return usageError("", "--log-level: %s", flag.Rule)
	}
	p.settings, p.home = settings, config.InHome()
	p.warnings = append(p.warnings, config.Brief(warnings, p.home)...)
	if err != nil {
		p.warnings = append(p.warnings, err.Error())
	}
	return nil
}

// correction says what to do about settings that are wrong.
func correction(err error) string {
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

// openLog opens the log file. Only a server repeats the log on stderr: commands print what a person must know.
func (c *cli) openLog(p *parts, w wiring) {
	set := &p.settings.Logging
	to := func(output string) bool { return slices.Contains(set.Outputs, output) }
	opts := obs.Options{Stderr: io.Discard, MaxSize: int64(set.Rotation.MaxSizeMB) << 20, Files: set.Rotation.MaxFiles, JSON: to("json"), Quiet: !to("console")}
	if to("file") || to("json") {
		opts.File = set.File
	}
	if level, err := obs.ParseLevel(set.Level); err == nil {
		opts.Level = level
	}
	if w.server && (to("console") || opts.File != "") {
		opts.Stderr = c.err
	}
	log, done := obs.NewLogger(opts)
	p.log, p.closers = log, append(p.closers, done)
}

// openMemoryStore opens memory, which goes on without its file when it must.
func (c *cli) openMemoryStore(ctx context.Context, p *parts) {
	if !p.settings.Memory.Enabled {
		return
	}
	c.openPolicies(p)
	opts := sqlite.Options{ActivityTime: p.settings.Memory.Activation.Time == "activity", Encryption: sqlite.Encryption(p.encryption())}
	if p.policies != nil {
		opts.Decay = func(h memory.Hit) actr.Mechanism { return p.policies.Decide(h, c.now()).Decay }
	}
	opts.Now, opts.Log, opts.Version = c.now, p.log, readBuild().Version
	store := sqlite.OpenOrMemory(ctx, p.settings.Memory.DatabasePath, opts)
	p.memory, p.closers = store, append(p.closers, store.Close)
	p.locked, p.volatile = store.Locked(), store.Volatile()
	if text := store.Warning(); text != "" {
		p.warnings = append(p.warnings, text)
	}
}

// gcPercent lets the heap grow by half between two collections, instead of doubling it: nearly all of it is the index,
// which has few pointers, so that a collection is cheap and the memory is not. GOGC in the environment goes before it.
const gcPercent = 50

// firstPercent is for a command that finds its index ready: it is over before a collection would pay. It makes the first one
// due at 96 MB, 24 times the 4 MB from which Go collects otherwise. Then gcPercent counts.
const firstPercent = 2400

// collectLate puts firstPercent in force, once.
var collectLate = sync.OnceFunc(func() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(firstPercent)
		runtime.SetFinalizer(new([16]byte), func(*[16]byte) { debug.SetGCPercent(gcPercent) })
	}
})

func (p *parts) openIndex(ctx context.Context, w wiring) error {
	if w.server && os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	p.ruler = &ruler{log: p.log}
	model, err := setup.BuiltInModel(p.settings)
	if err != nil {
		p.log.Error("search goes on by words alone", "err", err)
	}
	ix, err := index.Open(ctx, index.Options{
		Embedder: model,
		Folders:  w.folders, StoreDir: p.settings.Storage.Dir, NoWatch: !w.server || !p.settings.Index.Watcher.Enabled, Log: p.log,
		Workers: p.settings.Index.Workers,
		Rules:   p.ruler.rules, CacheBytes: int64(p.settings.Index.CacheMaxMB) << 20,
	})
	if err != nil {
		return fmt.Errorf("open index: %w", err)
	}
	p.index, p.closers = ix, append(p.closers, ix.Shutdown)
	return nil
}
