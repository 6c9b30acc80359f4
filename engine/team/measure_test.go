package team_test

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine/team"
	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/postgres"
	"github.com/aurora-sidecar/aurora/memory/postgres/postgrestest"
	"github.com/aurora-sidecar/aurora/memory/sqlite"
)

var (
	clients = flag.Int("clients", 0, "measure with so many people, see docs/performance.md; 0 skips it")
	records = flag.Int("records", 1000, "that are on the server before")
	rate    = flag.Int("rate", 10, "records that all together write in a second")
	lasting = flag.Duration("lasting", 20*time.Second, "how long they write")
	cut     = flag.Bool("cut", false, "cut a third of all connections every two seconds")
)

// arrivals notes when a record was with everybody.
type arrivals struct {
	mu     sync.Mutex
	sent   map[string]time.Time
	copies map[string]int
	took   []time.Duration
	all    int
}

// A counted replica tells of what it took.
type counted struct {
	*sqlite.Store
	a *arrivals
}

func (c counted) TeamApply(ctx context.Context, repository, me string, rows []memory.TeamRow, from, to memory.TeamCursor) (memory.TeamApplied, error) {
	done, err := c.Store.TeamApply(ctx, repository, me, rows, from, to)
	if err != nil {
		return done, err
	}
	c.a.mu.Lock()
	defer c.a.mu.Unlock()
	for _, r := range rows {
		at, known := c.a.sent[r.Record.Content]
		if !known || r.Author == me {
			continue
		}
		if c.a.copies[r.Record.Content]++; c.a.copies[r.Record.Content] == c.a.all-1 {
			c.a.took = append(c.a.took, time.Since(at))
		}
	}
	return done, err
}

// TestMeasure measures how long it takes until a record is with everybody, and whether any is lost or doubled.
func TestMeasure(t *testing.T) {
	if *clients == 0 {
		t.Skip("-clients 50 measures it")
	}
	s := postgrestest.Start(t)
	roles := make([]string, *clients)
	for i := range roles {
		roles[i] = fmt.Sprintf("p%d", i)
	}
	s.Team("one", roles...)
	s.SQL("team", fmt.Sprintf(`INSERT INTO aurora.repositories VALUES ('one', '%s', %d)`, repository, *records))
	s.SQL("team", fmt.Sprintf(`INSERT INTO aurora.records (team, repository, id, version, seq, author, edited_by, body)
		SELECT 'one', '%s', 'know:seed-' || i, 1, i, 'p0', 'p0', jsonb_build_object('title', 'Seed ' || i, 'importance', 1,
			'content', 'Seed ' || i || ': retries of the gateway use jitter since the outage of ' || md5(i::text) || ', see ' || md5((i * 7)::text))
		FROM generate_series(1, %d) i`, repository, *records))
	a := &arrivals{sent: map[string]time.Time{}, copies: map[string]int{}, all: *clients}
	stores := make([]*sqlite.Store, *clients)
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	defer running.Wait()
	defer stop()
	began := time.Now()
	for i, role := range roles {
		store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "memory.db"), sqlite.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { store.Close() })
		if err := store.SetTeamProperty(t.Context(), team.PropertyReplica, role); err != nil {
			t.Fatal(err)
		}
		stores[i] = store
		syncer := team.New(team.Options{
			Replica: counted{store, a}, Log: slog.New(slog.DiscardHandler),
			Address:      func() (postgres.Address, bool, error) { return s.Address(role), true, nil },
			Repositories: func() []team.Repository { return []team.Repository{{Name: repository, Folder: "/src"}} },
		})
		running.Go(func() { syncer.Run(ctx) })
	}
	settled := func(want int) {
		for _, store := range stores {
			for {
				sum, err := store.TeamSummary(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if sum.Waiting == 0 && sum.Records >= want {
					break
				}
				time.Sleep(20 * time.Millisecond)
			}
		}
	}
	settled(*records)
	t.Logf("%d clients on %d processors: %d records with everybody after %.1f s", *clients, runtime.NumCPU(), *records, time.Since(began).Seconds())
	began = time.Now()
	written, every := 0, time.NewTicker(time.Second/time.Duration(*rate))
	lastCut := began
	for time.Since(began) < *lasting {
		<-every.C
		text := fmt.Sprintf("Decision %d, of nobody else: limits are checked before the queue", written)
		a.mu.Lock()
		a.sent[text] = time.Now()
		a.mu.Unlock()
		if _, _, err := stores[written%*clients].Remember(t.Context(), memory.Record{Content: text, Workspace: repository, Author: memory.Author{Team: true}}); err != nil {
			t.Fatal(err)
		}
		written++
		if *cut && time.Since(lastCut) > 2*time.Second {
			lastCut = time.Now()
			s.SQL("team", `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename <> 'admin' AND application_name = 'aurora' AND random() < 0.34`)
		}
	}
	wrote := time.Since(began)
	settled(*records + written)
	lost, doubled := 0, 0
	for _, store := range stores {
		seen := map[string]int{}
		if err := store.Records(t.Context(), func(h memory.Hit) error { seen[h.Content]++; return nil }); err != nil {
			t.Fatal(err)
		}
		for text := range a.sent {
			if seen[text] == 0 {
				lost++
			}
			doubled += max(0, seen[text]-1)
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	slices.Sort(a.took)
	at := func(share float64) float64 { return a.took[int(share*float64(len(a.took)-1))].Seconds() }
	t.Logf("%d records in %.1f s (%.1f/s): with everybody p50 %.2f s, p95 %.2f s, at most %.2f s; lost %d, doubled %d",
		written, wrote.Seconds(), float64(written)/wrote.Seconds(), at(0.5), at(0.95), at(1), lost, doubled)
	if lost+doubled > 0 || len(a.took) != written {
		t.Errorf("%d of %d arrived everywhere", len(a.took), written)
	}
}
