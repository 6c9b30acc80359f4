package workspace

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/journal"
	"github.com/aurora-sidecar/aurora/internal/atrest"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/aurora-sidecar/aurora/memory"
)

// Former says where an earlier version kept questions and costs: in places of its own, and in those that settings named.
func Former(s *config.Settings, policy atrest.Policy) journal.Former {
	return journal.Former{
		HistoryDirs: []string{config.InHome("history"), s.FormerPath("history.dir")},
		BudgetFiles: []string{config.InHome("budget_tracker.json"), s.FormerPath("cost_budgets.tracking_file")},
		Policy:      policy,
	}
}

// openJournal opens the journal in a store, and takes over what an earlier version kept in files.
func (p *Parts) openJournal(ctx context.Context, c *app.App, store memory.Journal) {
	s := p.Settings
	p.Store = store
	p.Journal = journal.Open(store, journal.Options{
		Keep: s.History.Keep, NoHistory: !s.History.Enabled, NoFigures: !s.Metrics.Enabled || !s.Memory.Enabled, Logs: openConversations(c, p),
	})
	err := p.Journal.TakeOver(ctx, Former(s, p.Encryption()))
	if err == nil {
		return
	}
	if p.Log != nil {
		p.Log.Warn("what an earlier version kept is not wholly in the journal", "err", err)
	}
	if config.FirstTime(p.Home, err.Error()) {
		p.Warnings = append(p.Warnings, NotTakenOver(err))
	}
}

// NotTakenOver is the warning about what an earlier version kept and TakeOver could not read.
func NotTakenOver(err error) string {
	first, more, _ := strings.Cut(err.Error(), "\n")
	if more != "" {
		first += fmt.Sprintf(" (and %d more, see aurora logs)", 1+strings.Count(more, "\n"))
	}
	return fmt.Sprintf("What an earlier version kept is not all in the journal: %s. Make it readable, and the next command takes it over; or move it away.", first)
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
