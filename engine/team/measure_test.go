//go:build unix

package team_test

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"syscall"
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
	full    = flag.Int("full", -1, "so many of them keep their copy in SQLite, as everyone does; the rest, who stand for other machines, note versions alone")
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

// arrived notes what somebody has taken.
func (a *arrivals) arrived(me string, rows []memory.TeamRow) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, r := range rows {
		at, known := a.sent[r.Record.Content]
		if !known || r.Author == me {
			continue
		}
		if a.copies[r.Record.Content]++; a.copies[r.Record.Content] == a.all-1 {
			a.took = append(a.took, time.Since(at))
		}
	}
}

// A counted replica tells of what it took.
type counted struct {
	*sqlite.Store
	a *arrivals
}

func (c counted) TeamApply(ctx context.Context, repository, me string, rows []memory.TeamRow, from, to memory.TeamCursor) (memory.TeamApplied, error) {
	done, err := c.Store.TeamApply(ctx, repository, me, rows, from, to)
	if err == nil {
		c.a.arrived(me, rows)
	}
	return done, err
}

// A light replica stands for a person at another machine: it says the same to the server, and keeps no more than versions.
type light struct {
	a    *arrivals
	from int64 // it has joined before

	mu       sync.Mutex
	cursor   memory.TeamCursor
	versions map[string]int64
	seen     map[string]int
	out      []memory.TeamChange
	written  int
}

func (l *light) TeamChanges(_ context.Context, _ string, limit int) ([]memory.TeamChange, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.out[:min(limit, len(l.out))]), nil
}

func (l *light) TeamAnswered(_ context.Context, _ string, answers []memory.TeamAnswer) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, a := range answers {
		l.out = slices.DeleteFunc(l.out, func(c memory.TeamChange) bool { return c.ID == a.ID })
	}
	return nil
}

func (l *light) TeamCursor(context.Context, string) (memory.TeamCursor, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.cursor, nil
}

func (l *light) TeamRestart(_ context.Context, _, epoch, _ string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cursor = memory.TeamCursor{Epoch: epoch, Seq: l.from}
	return nil
}

func (l *light) TeamApply(_ context.Context, _, me string, rows []memory.TeamRow, from, to memory.TeamCursor) (memory.TeamApplied, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cursor != from {
		return memory.TeamApplied{}, nil
	}
	l.cursor = to
	for _, r := range rows {
		if l.versions[r.ID] < r.Version {
			l.versions[r.ID] = r.Version
			l.seen[r.Record.Content]++
		}
	}
	l.a.arrived(me, rows)
	return memory.TeamApplied{Taken: len(rows)}, nil
}

func (l *light) TeamProperty(context.Context, string) (string, error)  { return "light", nil }
func (l *light) SetTeamProperty(context.Context, string, string) error { return nil }

func (l *light) peer(role string) peer {
	return peer{l, func(text string) error {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.written++
		l.out = append(l.out, memory.TeamChange{ID: fmt.Sprintf("know:%s-%d", role, l.written), Seen: 1, Record: memory.Record{
			Content: text, Workspace: repository, Type: memory.Knowledge, Importance: 1,
		}})
		return nil
	}, func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		return len(l.out) > 0
	}, func() map[string]int {
		l.mu.Lock()
		defer l.mu.Unlock()
		return maps.Clone(l.seen)
	}}
}

// A peer is somebody who is measured.
type peer struct {
	team.Replica
	remember func(text string) error
	waiting  func() bool
	texts    func() map[string]int
}

func fullPeer(t *testing.T, a *arrivals, role string) (peer, *sqlite.Store) {
	t.Helper()
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "memory.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	if err := store.SetTeamProperty(t.Context(), team.PropertyReplica, role); err != nil {
		t.Fatal(err)
	}
	return peer{counted{store, a}, func(text string) error {
		_, _, err := store.Remember(t.Context(), memory.Record{Content: text, Workspace: repository, Author: memory.Author{Team: true}})
		return err
	}, func() bool {
		sum, err := store.TeamSummary(t.Context())
		return err != nil || sum.Waiting > 0
	}, func() map[string]int {
		seen := map[string]int{}
		if err := store.Records(t.Context(), func(h memory.Hit) error { seen[h.Content]++; return nil }); err != nil {
			t.Error(err)
		}
		return seen
	}}, store
}

// searched asks a store as an editor does until ctx ends, and returns how long that took at 95 of 100 times.
func searched(ctx context.Context, t *testing.T, store *sqlite.Store) time.Duration {
	t.Helper()
	var took []time.Duration
	for ctx.Err() == nil {
		began := time.Now()
		if _, err := store.Search(t.Context(), memory.Query{Text: "gateway retries", Workspaces: []string{repository}, Limit: 10}); err != nil {
			t.Error(err)
		}
		took = append(took, time.Since(began))
		select {
		case <-ctx.Done():
		case <-time.After(50 * time.Millisecond):
		}
	}
	slices.Sort(took)
	return took[len(took)*95/100]
}

func ownCPU() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// TestMeasure measures how long it takes until a record is with everybody, what that costs, and whether any is lost or doubled.
func TestMeasure(t *testing.T) {
	if *clients == 0 {
		t.Skip("-clients 50 measures it")
	}
	s := postgrestest.Start(t)
	s.Durable()
	roles := make([]string, *clients)
	for i := range roles {
		roles[i] = fmt.Sprintf("p%d", i)
	}
	s.Team("one", roles...)
	s.Seed("one", repository, *records)
	if *full < 0 {
		*full = *clients
	}
	a := &arrivals{sent: map[string]time.Time{}, copies: map[string]int{}, all: *clients}
	peers := make([]peer, *clients)
	var stores []*sqlite.Store
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	defer running.Wait()
	defer stop()
	began, server, own := time.Now(), s.CPU(), ownCPU()
	used := func() string {
		seconds := time.Since(began).Seconds()
		text := fmt.Sprintf("processors: server %.2f, clients %.2f", (s.CPU()-server).Seconds()/seconds, (ownCPU()-own).Seconds()/seconds)
		began, server, own = time.Now(), s.CPU(), ownCPU()
		return text
	}
	for i, role := range roles {
		if i < *full {
			var store *sqlite.Store
			peers[i], store = fullPeer(t, a, role)
			stores = append(stores, store)
		} else {
			peers[i] = (&light{a: a, from: int64(*records), versions: map[string]int64{}, seen: map[string]int{}}).peer(role)
		}
		syncer := team.New(team.Options{
			Replica: peers[i], Log: slog.New(slog.DiscardHandler),
			Address:      func() (postgres.Address, bool, error) { return s.Address(role), true, nil },
			Repositories: func() []team.Repository { return []team.Repository{{Name: repository, Folder: "/src"}} },
		})
		running.Go(func() { syncer.Run(ctx) })
	}
	settled := func(at int64) {
		for _, p := range peers {
			for {
				c, err := p.TeamCursor(t.Context(), repository)
				if err != nil {
					t.Fatal(err)
				}
				if !p.waiting() && c.Seq >= at {
					break
				}
				time.Sleep(20 * time.Millisecond)
			}
		}
	}
	settled(int64(*records))
	took := time.Since(began).Seconds()
	t.Logf("%d clients, %d of them with SQLite, on %d processors: %d records with these after %.1f s; %s", *clients, *full, runtime.NumCPU(), *records, took, used())
	var idle time.Duration
	busy := make(chan time.Duration, 1)
	if *full > 0 {
		quiet, end := context.WithTimeout(t.Context(), 5*time.Second)
		idle = searched(quiet, t, stores[0])
		end()
		t.Logf("while nobody writes: %s", used())
	}
	writing, end := context.WithTimeout(t.Context(), *lasting)
	defer end()
	if *full > 0 {
		go func() { busy <- searched(writing, t, stores[0]) }()
	} else {
		busy <- 0
	}
	var writers sync.WaitGroup
	written, every, lastCut := 0, time.NewTicker(time.Second/time.Duration(*rate)), time.Now()
	for writing.Err() == nil {
		<-every.C
		text := fmt.Sprintf("Decision %d, of nobody else: limits are checked before the queue", written)
		a.mu.Lock()
		a.sent[text] = time.Now()
		a.mu.Unlock()
		writer := peers[written%*clients]
		writers.Go(func() { // nobody waits for another one's disk
			if err := writer.remember(text); err != nil {
				t.Error(err)
			}
		})
		written++
		if *cut && time.Since(lastCut) > 2*time.Second {
			lastCut = time.Now()
			s.SQL("team", `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename <> 'admin' AND application_name = 'aurora' AND random() < 0.34`)
		}
	}
	writers.Wait()
	wrote := time.Since(began)
	load := used()
	settled(int64(*records + written))
	lost, doubled := 0, 0
	for _, p := range peers {
		seen := p.texts()
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
	t.Logf("%d records in %.1f s (%.1f/s): with everybody p50 %.2f s, p95 %.2f s, at most %.2f s; lost %d, doubled %d; %s",
		written, wrote.Seconds(), float64(written)/wrote.Seconds(), at(0.5), at(0.95), at(1), lost, doubled, load)
	t.Logf("a search in SQLite, p95: %.1f ms; %.1f ms while nobody wrote", float64((<-busy).Microseconds())/1e3, float64(idle.Microseconds())/1e3)
	if lost+doubled > 0 || len(a.took) != written {
		t.Errorf("%d of %d arrived everywhere", len(a.took), written)
	}
}
