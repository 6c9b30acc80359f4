//go:build unix

package team_test

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine/team"
	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/postgres"
	"github.com/aurora-sidecar/aurora/memory/postgres/postgrestest"
	"github.com/aurora-sidecar/aurora/memory/sqlite"
)

// once fails unless each text is the text of one record, for a person and on the server.
func once(t *testing.T, s *postgrestest.Server, p *person, texts []string) {
	t.Helper()
	times := map[string]int{}
	for _, line := range p.texts() {
		_, text, _ := strings.Cut(line, ": ")
		times[text]++
	}
	for _, text := range texts {
		if times[text] != 1 {
			t.Errorf("%d times: %s", times[text], text)
		}
	}
	for text, n := range times {
		if n > 1 {
			t.Errorf("%d times: %s", n, text)
		}
	}
	if n := s.SQL("team", `SELECT count(*) FROM aurora.records WHERE NOT deleted`); n != fmt.Sprint(len(times)) {
		t.Errorf("the server has %s records, a person %d texts", n, len(times))
	}
}

// Of the process of somebody who is killed.
const (
	killedStore = "AURORA_TEST_TEAM_STORE"
	killedURL   = "AURORA_TEST_TEAM_URL"
)

// TestKilled kills processes with kill -9 while they write and follow the server. What they said that they had written is there, once.
func TestKilled(t *testing.T) {
	if path := os.Getenv(killedStore); path != "" {
		writeUntilKilled(t, path)
		return
	}
	s := postgrestest.Start(t)
	s.Team("one", "alice", "bob")
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	kills := 6
	if testing.Short() {
		kills = 3
	}
	paths := map[string]string{"alice": filepath.Join(t.TempDir(), "memory.db"), "bob": filepath.Join(t.TempDir(), "memory.db")}
	var mu sync.Mutex
	var written []string
	var running sync.WaitGroup
	for role, path := range paths {
		running.Go(func() {
			for range kills {
				cmd := exec.CommandContext(t.Context(), binary, "-test.run=^TestKilled$")
				cmd.Env = append(os.Environ(), killedStore+"="+path, killedURL+"="+s.Address(role).URL)
				pipe, err := cmd.StdoutPipe()
				if err != nil {
					t.Error(err)
					return
				}
				if err := cmd.Start(); err != nil {
					t.Error(err)
					return
				}
				lines, most := bufio.NewScanner(pipe), 5+rand.IntN(25)
				for n := 0; lines.Scan(); n++ {
					if n == most {
						_ = cmd.Process.Kill() // what it said until then is read to the end
					}
					if text, is := strings.CutPrefix(lines.Text(), "wrote "); is {
						mu.Lock()
						written = append(written, text)
						mu.Unlock()
					}
				}
				_ = cmd.Wait() // it was killed
			}
		})
	}
	running.Wait()
	people := []*person{openPerson(t, s, "alice", paths["alice"], sqlite.Options{}), openPerson(t, s, "bob", paths["bob"], sqlite.Options{})}
	for range 2 {
		for _, p := range people {
			p.sync()
		}
	}
	if len(written) == 0 {
		t.Fatal("nobody wrote")
	}
	for _, p := range people {
		once(t, s, p, written)
	}
	fresh := newPerson(t, s, "bob")
	fresh.sync()
	once(t, s, fresh, written)
}

func writeUntilKilled(t *testing.T, path string) {
	store, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := store.SetTeamProperty(t.Context(), team.PropertyReplica, path); err != nil {
		t.Fatal(err)
	}
	address := postgres.Address{URL: os.Getenv(killedURL), Password: postgrestest.Password}
	go team.New(team.Options{
		Replica: store, Log: slog.New(slog.DiscardHandler),
		Address:      func() (postgres.Address, bool, error) { return address, true, nil },
		Repositories: func() []team.Repository { return []team.Repository{{Name: repository, Folder: "/src/a"}} },
	}).Run(t.Context())
	for n := 0; ; n++ {
		text := fmt.Sprintf("process %d of %s says %d", os.Getpid(), filepath.Base(filepath.Dir(path)), n)
		if _, _, err := store.Remember(t.Context(), memory.Record{Content: text, Workspace: repository, Author: memory.Author{Team: true}}); err != nil {
			t.Fatal(err)
		}
		fmt.Println("wrote " + text)
		time.Sleep(5 * time.Millisecond) // as people do: the test waits for nothing by it
	}
}

// TestPartition cuts one person off in every way that networks do, while both write.
func TestPartition(t *testing.T) {
	s := postgrestest.Start(t)
	s.Team("one", "alice", "bob")
	proxy := s.Proxy()
	alice, bob := newPerson(t, s, "alice"), newPerson(t, s, "bob")
	alice.syncer.Address = func() (postgres.Address, bool, error) { return proxy.Address(t, s.Address("alice")), true, nil }
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	for _, p := range []*person{alice, bob} {
		running.Go(func() { p.syncer.Run(ctx) })
	}
	var written []string
	say := func(p *person, text string) {
		p.remember(text)
		written = append(written, text)
	}
	settled := func() {
		for {
			a, errA := alice.store.TeamSummary(t.Context())
			b, errB := bob.store.TeamSummary(t.Context())
			if errA != nil || errB != nil {
				t.Fatal(errA, errB)
			}
			if a.Waiting+b.Waiting == 0 && a.Records == len(written) && b.Records == len(written) {
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
	for i, way := range []int{postgrestest.Refuses, postgrestest.Swallows, postgrestest.Holds, postgrestest.Refuses, postgrestest.Holds} {
		say(alice, fmt.Sprintf("alice before %d", i))
		proxy.Set(way)
		for k := range 5 {
			say(alice, fmt.Sprintf("alice, cut off %d, says %d", i, k))
			say(bob, fmt.Sprintf("bob, meanwhile %d, says %d", i, k))
		}
		for { // bob goes on without alice
			sum, err := bob.store.TeamSummary(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if sum.Waiting == 0 {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
		proxy.Set(postgrestest.Passes)
		settled()
	}
	stop()
	running.Wait()
	once(t, s, alice, written)
	once(t, s, bob, written)
	if !slices.Equal(alice.texts(), bob.texts()) {
		t.Errorf("alice has %q\nbob has %q", alice.texts(), bob.texts())
	}
}

// TestClocks has people whose clocks are ten years off change the same record by turns: the order is that in which the server was told.
func TestClocks(t *testing.T) {
	s := postgrestest.Start(t)
	s.Team("one", "alice", "bob")
	off := func(years int) sqlite.Options {
		return sqlite.Options{Now: func() time.Time { return time.Now().AddDate(years, 0, 0) }}
	}
	alice := openPerson(t, s, "alice", filepath.Join(t.TempDir(), "memory.db"), off(-10))
	bob := openPerson(t, s, "bob", filepath.Join(t.TempDir(), "memory.db"), off(10))
	id := alice.remember("version 0")
	alice.sync()
	for turn := 1; turn <= 6; turn++ {
		writer, reader := bob, alice
		if turn%2 == 0 {
			writer, reader = alice, bob
		}
		writer.sync()
		text := fmt.Sprintf("version %d", turn)
		writer.edit(id, text)
		writer.sync()
		reader.sync()
		for _, p := range []*person{writer, reader} {
			if got := p.texts(); len(got) != 1 || !strings.HasSuffix(got[0], text) {
				t.Errorf("turn %d: %q", turn, got)
			}
		}
		if at := reader.get(id).UpdatedAt; time.Since(at).Abs() > time.Hour {
			t.Errorf("turn %d: the reader is told that it was changed at %v, which is no clock of the server", turn, at)
		}
	}
	if n := s.SQL("team", `SELECT count(*) FROM aurora.versions WHERE abs(extract(epoch FROM edited_at - now())) > 3600`); n != "0" {
		t.Errorf("%s versions have the time of a client", n)
	}
}

// TestFullDisk fills the disk of the server, then makes it larger. Without rights to mount one the server is made to say that its disk is full.
func TestFullDisk(t *testing.T) {
	s := postgrestest.Start(t)
	s.Team("one", "alice", "bob")
	alice, bob := newPerson(t, s, "alice"), newPerson(t, s, "bob")
	disk, free, mounted := smallDisk(t)
	if mounted {
		s.Give(disk)
		s.SQL("team", fmt.Sprintf(`CREATE TABLESPACE small LOCATION '%s'`, disk))
		s.SQL("team", `ALTER TABLE aurora.records SET TABLESPACE small`)
	} else {
		s.SQL("team", `CREATE FUNCTION public.full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE disk_full USING MESSAGE = 'no space left'; END $$;
			CREATE TRIGGER full_disk BEFORE INSERT ON aurora.records EXECUTE FUNCTION public.full_disk()`)
		free = func() { s.SQL("team", `DROP TRIGGER full_disk ON aurora.records`) }
	}
	var written []string
	var state team.State
	var err error
	for n := 0; err == nil && n < 2000; n++ {
		for k := range 10 {
			text := fmt.Sprintf("%d.%d: ", n, k)
			for range 1000 {
				text += fmt.Sprintf("%x ", rand.Uint64()) // what can't be made smaller
			}
			text = strings.TrimSpace(text)
			alice.remember(text)
			written = append(written, text)
		}
		state, err = alice.syncer.Once(t.Context())
	}
	if err == nil || !strings.Contains(state.Error, "disk is full") {
		t.Fatalf("%+v, %v", state, err)
	}
	if sum, err := alice.store.TeamSummary(t.Context()); err != nil || sum.Waiting == 0 || sum.Records != len(written) {
		t.Errorf("%+v, %v", sum, err)
	}
	free()
	alice.sync()
	bob.sync()
	once(t, s, bob, written)
}

// TestLyingAnswers has a server answer changes with what can't be right. What was written waits, and arrives when it is honest again.
func TestLyingAnswers(t *testing.T) {
	s := postgrestest.Start(t)
	s.Team("one", "alice", "bob")
	alice, bob := newPerson(t, s, "alice"), newPerson(t, s, "bob")
	alice.sync()
	s.SQL("team", `ALTER FUNCTION aurora.push(text, jsonb) RENAME TO honest`)
	var written []string
	for name, rows := range map[string]string{
		"no answer":               `SELECT 'x', 'done', 1::bigint, 'alice', 0::bigint WHERE false`,
		"an answer to another":    `SELECT 'another op', 'done', 1::bigint, 'alice', 0::bigint`,
		"two answers":             `SELECT c->>'op', 'done', 1::bigint, 'alice', 0::bigint FROM jsonb_array_elements(changes) c, generate_series(1, 2)`,
		"a version below nothing": `SELECT c->>'op', 'done', -5::bigint, 'alice', 0::bigint FROM jsonb_array_elements(changes) c`,
		"a conflict with nothing": `SELECT c->>'op', 'conflict', 1::bigint, 'alice', 0::bigint FROM jsonb_array_elements(changes) c`,
	} {
		s.SQL("team", `DROP FUNCTION IF EXISTS aurora.push(text, jsonb); CREATE FUNCTION aurora.push(repository text, changes jsonb)
			RETURNS TABLE (op text, outcome text, version bigint, author text, seq bigint) LANGUAGE sql AS $f$ `+rows+` $f$`)
		alice.remember(name)
		written = append(written, name)
		state, err := alice.syncer.Once(t.Context())
		if err == nil || !strings.Contains(state.Error, "can't be right") {
			t.Errorf("%s: %+v, %v", name, state, err)
		}
		if sum, err := alice.store.TeamSummary(t.Context()); err != nil || sum.Waiting != len(written) {
			t.Errorf("%s: %+v, %v", name, sum, err)
		}
	}
	s.SQL("team", `DROP FUNCTION aurora.push(text, jsonb); ALTER FUNCTION aurora.honest(text, jsonb) RENAME TO push`)
	alice.sync()
	bob.sync()
	once(t, s, bob, written)
}

// TestOtherSchema has the server be of another version than the client, and come to the same.
func TestOtherSchema(t *testing.T) {
	s := postgrestest.Start(t)
	s.Team("one", "alice", "bob")
	alice, bob := newPerson(t, s, "alice"), newPerson(t, s, "bob")
	alice.remember("before")
	alice.sync()
	kept := s.SQL("team", `SELECT string_agg(format('INSERT INTO aurora.migrations VALUES (%s, %L, %s, %L, %L);', version, name, least_client, applied_at, applied_by), '') FROM aurora.migrations`)
	for name, test := range map[string]struct{ sql, says string }{
		"older":           {`DELETE FROM aurora.migrations WHERE version > 1`, "aurora team migrate"},
		"newer":           {`INSERT INTO aurora.migrations VALUES (99, 'x', 99, now(), 'later')`, "update AURORA"},
		"not ours at all": {`DELETE FROM aurora.migrations`, "can't be right"},
	} {
		s.SQL("team", test.sql)
		alice.remember(name)
		if state, err := alice.syncer.Once(t.Context()); err == nil || !strings.Contains(state.Error, test.says) {
			t.Errorf("%s: %+v, %v", name, state, err)
		}
		s.SQL("team", `DELETE FROM aurora.migrations; `+kept)
	}
	alice.sync()
	bob.sync()
	once(t, s, bob, []string{"before", "older", "newer", "not ours at all"})
}
