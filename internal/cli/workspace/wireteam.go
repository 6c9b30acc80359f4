package workspace

import (
	"context"

	"github.com/aurora-sidecar/aurora/engine/recall"
	"github.com/aurora-sidecar/aurora/engine/team"
	"github.com/aurora-sidecar/aurora/internal/setup"
	"github.com/aurora-sidecar/aurora/memory"
)

// A TeamStore is memory as the replica of a team's records.
type TeamStore interface {
	team.Replica
	TeamSummary(ctx context.Context) (memory.TeamSummary, error)
	TeamLeave(ctx context.Context) (deleted, kept int, err error)
}

// TeamStore returns the replica, nil without a memory on the disk.
func (p *Parts) TeamStore() TeamStore {
	store, _ := p.Memory.(TeamStore)
	if store == nil || p.Store.Volatile() || p.locked != nil {
		return nil
	}
	return store
}

// TeamSyncer returns what keeps the records of the open folders the same here and on the team's server, nil without a memory.
func (p *Parts) TeamSyncer() *team.Syncer {
	store := p.TeamStore()
	if store == nil {
		return nil
	}
	account := &setup.TeamReader{Home: p.Home}
	return team.New(team.Options{Replica: store, Log: p.Log, Address: account.Address, Repositories: func() []team.Repository {
		var list []team.Repository
		for name, folder := range recall.Repositories(p.Engine.Memory()) {
			list = append(list, team.Repository{Name: name, Folder: folder})
		}
		return list
	}})
}

// followTeam keeps the team's records in the background until the parts are closed. Nobody waits for it.
func (p *Parts) followTeam() {
	syncer := p.TeamSyncer()
	if syncer == nil {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		syncer.Run(ctx)
	}()
	p.closers = append(p.closers, func() error {
		cancel()
		<-ended
		return nil
	})
}
