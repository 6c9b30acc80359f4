package workspace

import (
	"context"
	"errors"

	"github.com/aurora-sidecar/aurora/engine/journal"
	"github.com/aurora-sidecar/aurora/internal/atrest"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/aurora-sidecar/aurora/memory"
)

// Former says where an earlier version kept questions and costs.
func Former(policy atrest.Policy) journal.Former {
	return journal.Former{HistoryDir: config.InHome("history"), BudgetFile: config.InHome("budget_tracker.json"), Policy: policy}
}

// openJournal opens the journal in a store, and takes over what an earlier version kept in files.
func (p *Parts) openJournal(ctx context.Context, c *app.App, store memory.Journal) {
	s := p.Settings
	p.Store = store
	p.Journal = journal.Open(store, journal.Options{
		Keep: s.History.Keep, NoHistory: !s.History.Enabled, NoFigures: !s.Metrics.Enabled || !s.Memory.Enabled, Logs: openConversations(c, p),
	})
	if err := p.Journal.TakeOver(ctx, Former(p.Encryption())); err != nil && p.Log != nil {
		p.Log.Warn("what an earlier version kept is not wholly in the journal", "err", err)
	}
}

// OnJournal opens the journal of the user's settings for one command.
func OnJournal(ctx context.Context, c *app.App, run func(*Parts) error) error {
	p := &Parts{}
	if err := LoadSettings(c, p, Wiring{}); err != nil {
		return err
	}
	OpenLog(c, p, Wiring{})
	OpenMemoryStore(ctx, c, p)
	if err := ctx.Err(); err != nil { // what was opened under an ended context is not worth a warning
		return errors.Join(err, p.Close())
	}
	for _, w := range p.Warnings {
		c.Warn(w)
	}
	if err := p.MemoryOpen(); err != nil {
		return errors.Join(err, p.Close())
	}
	return errors.Join(run(p), p.Close())
}
