package team_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
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

const repository = "repo:example.org/a"

// A person has a store and follows the server.
type person struct {
	t      *testing.T
	store  *sqlite.Store
	path   string
	syncer *team.Syncer
}

func newPerson(t *testing.T, s *postgrestest.Server, role string) *person {
	t.Helper()
	return openPerson(t, s, role, filepath.Join(t.TempDir(), "memory.db"), sqlite.Options{})
}

func openPerson(t *testing.T, s *postgrestest.Server, role, path string, o sqlite.Options) *person {
	t.Helper()
	p := &person{t: t, path: path}
	var err error
	if p.store, err = sqlite.Open(t.Context(), p.path, o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.store.Close() })
	if err := p.store.SetTeamProperty(t.Context(), team.PropertyReplica, "of "+role); err != nil {
		t.Fatal(err)
	}
	p.syncer = team.New(team.Options{
		Replica: p.store, Log: slog.New(slog.DiscardHandler),
		Address:      func() (postgres.Address, bool, error) { return s.Address(role), true, nil },
		Repositories: func() []team.Repository { return []team.Repository{{Name: repository, Folder: "/src/a"}} },
	})
	return p
}

func (p *person) remember(text string) string {
	p.t.Helper()
	r, _, err := p.store.Remember(p.t.Context(), memory.Record{
		Content: text, Workspace: repository, Author: memory.Author{Team: true},
		Citations: []memory.Citation{{Folder: "/home/me/a", Path: "net/retry.go", StartLine: 3, EndLine: 9, TextHash: strings.Repeat("ab", 32), Excerpt: "func retry()"}},
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return r.ID
}

func (p *person) edit(id, text string) {
	p.t.Helper()
	r := p.get(id)
	r.Content, r.Title = text, ""
	if _, _, err := p.store.Remember(p.t.Context(), r.Record); err != nil {
		p.t.Fatal(err)
	}
}

func (p *person) get(id string) memory.Hit {
	p.t.Helper()
	h, err := p.store.Get(p.t.Context(), id)
	if err != nil {
		p.t.Fatal(err)
	}
	return h
}

func (p *person) sync() team.State {
	p.t.Helper()
	state, err := p.syncer.Once(p.t.Context())
	if err != nil {
		p.t.Fatal(err)
	}
	return state
}

// texts are what the records of the team say.
func (p *person) texts() []string {
	p.t.Helper()
	var list []string
	err := p.store.Records(p.t.Context(), func(h memory.Hit) error {
		if h.Team {
			list = append(list, h.ID+": "+h.Content)
		}
		return nil
	})
	if err != nil {
		p.t.Fatal(err)
	}
	slices.Sort(list)
	return list
}

func TestTwoPeople(t *testing.T) {
	s := postgrestest.Start(t)
	s.Team("one", "alice", "bob")
	alice, bob := newPerson(t, s, "alice"), newPerson(t, s, "bob")
	id := alice.remember("Five attempts: the gateway locks an account after six. password = \"hunter22hunter22\"")
	private, _, err := alice.store.Remember(t.Context(), memory.Record{Content: "my own thought", Workspace: repository})
	if err != nil {
		t.Fatal(err)
	}
	alice.sync()
	bob.sync()
	got := bob.get(id)
	if got.By != "alice" || !got.Team || got.Workspace != repository || strings.Contains(got.Content, "hunter22") {
		t.Errorf("bob has %+v", got)
	}
	if c := got.Citations; len(c) != 1 || c[0].Folder != "/src/a" || c[0].Path != "net/retry.go" || c[0].Excerpt != "func retry()" {
		t.Errorf("it cites %+v", c)
	}
	if hits, err := bob.store.Search(t.Context(), memory.Query{Text: "gateway attempts", Workspaces: []string{repository}}); err != nil || len(hits) != 1 {
		t.Errorf("bob finds %v, %v", hits, err)
	}
	if n := s.SQL("team", `SELECT count(*) FROM aurora.versions WHERE body::text LIKE '%hunter22%' OR body::text LIKE '%own thought%' OR body::text LIKE '%/home/me%'`); n != "0" {
		t.Errorf("%s rows hold what was not to leave", n)
	}
	if alice.get(private.ID).Team || alice.get(id).By != "alice" {
		t.Errorf("%+v", alice.get(id).Author)
	}

	bob.edit(id, "Four attempts: the gateway locks an account after five")
	bob.sync()
	alice.sync()
	if got := alice.get(id); got.Content != bob.get(id).Content || got.By != "alice, changed by bob" {
		t.Errorf("alice has %+v", got)
	}

	// Both change it and don't know of each other.
	alice.edit(id, "Three attempts, as alice measured")
	bob.edit(id, "Nine attempts, as bob was told")
	alice.sync()
	bob.sync()
	alice.sync()
	bob.sync()
	a, b := alice.texts(), bob.texts()
	if !slices.Equal(a, b) || len(a) != 2 || !strings.Contains(strings.Join(a, "\n"), "Three attempts") || !strings.Contains(strings.Join(a, "\n"), "Nine attempts") {
		t.Errorf("alice has %q\nbob has %q", a, b)
	}
	for _, p := range []*person{alice, bob} {
		if sum, err := p.store.TeamSummary(t.Context()); err != nil || sum.Conflicts != 1 || sum.Waiting != 0 {
			t.Errorf("%+v, %v", sum, err)
		}
		if h := p.get(id); len(h.Standing.Contradicted) != 1 {
			t.Errorf("nothing contradicts %+v", h.Standing)
		}
	}

	// Forgetting and coming back.
	if _, err := alice.store.Forget(t.Context(), []string{id}); err != nil {
		t.Fatal(err)
	}
	alice.sync()
	bob.sync()
	if got := bob.texts(); len(got) != 1 {
		t.Errorf("bob has %q", got)
	}
	if _, err := bob.store.Restore(t.Context(), []string{id}); err != nil {
		t.Fatal(err)
	}
	bob.sync()
	alice.sync()
	if got := alice.texts(); len(got) != 2 {
		t.Errorf("alice has %q", got)
	}

	// For good.
	if _, err := alice.store.Purge(t.Context(), memory.Purge{IDs: []string{id}}); err != nil {
		t.Fatal(err)
	}
	alice.sync()
	bob.sync()
	if n := s.SQL("team", `SELECT count(*) FROM aurora.versions WHERE body::text LIKE '%as alice measured%'`); n != "0" || len(bob.texts()) != 1 {
		t.Errorf("%s versions on the server, bob has %q", n, bob.texts())
	}

	alice.remember("Prices are in cents")
	alice.sync()
	bob.sync()
	own := bob.remember("bob's own")
	deleted, kept, err := bob.store.TeamLeave(t.Context())
	if err != nil || deleted == 0 || kept == 0 {
		t.Errorf("%d deleted, %d kept, %v", deleted, kept, err)
	}
	if err := bob.store.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := bob.get(own); got.Team || got.By != "" {
		t.Errorf("%+v", got.Author)
	}
	for _, file := range []string{bob.path, bob.path + "-wal"} {
		if text, _ := os.ReadFile(file); strings.Contains(string(text), "Prices are in cents") {
			t.Errorf("%s still holds what was the team's", file)
		}
	}
	if _, err := bob.syncer.Once(t.Context()); !errors.Is(err, memory.ErrLeft) {
		t.Errorf("after leaving: %v", err)
	}
}

func (p *person) relate(from, to, kind string, weight float64) {
	p.t.Helper()
	if err := p.store.Relate(p.t.Context(), []memory.Link{{From: from, To: to, Type: kind, Weight: weight}}); err != nil {
		p.t.Fatal(err)
	}
}

// TestLinks shares what records of the team say of each other.
func TestLinks(t *testing.T) {
	s := postgrestest.Start(t)
	s.Team("one", "alice", "bob", "carol")
	alice, bob := newPerson(t, s, "alice"), newPerson(t, s, "bob")
	older, newer, third := alice.remember("Prices are in euros"), alice.remember("Prices are in cents"), bob.remember("Prices are floats")
	own, _, err := alice.store.Remember(t.Context(), memory.Record{Content: "my own thought", Workspace: repository})
	if err != nil {
		t.Fatal(err)
	}
	all := func(people ...*person) {
		for range 3 {
			for _, p := range people {
				p.sync()
			}
		}
	}
	superseded := func(p *person, id string) string { return fmt.Sprint(p.get(id).Standing.Superseded) }
	alice.relate(newer, older, memory.Supersedes, 1)
	alice.relate(newer, third, memory.Contradicts, 0.5) // which is not here yet
	alice.relate(newer, own.ID, memory.Supersedes, 1)
	all(alice, bob)
	if got := superseded(bob, older); got != fmt.Sprint([]string{newer}) {
		t.Errorf("for bob %s is superseded by %s", older, got)
	}
	if got := bob.get(third).Standing.Contradicted; !slices.Equal(got, []string{newer}) {
		t.Errorf("contradicted by %q", got)
	}
	if n := s.SQL("team", `SELECT count(*) FROM aurora.records WHERE body::text LIKE '%`+own.ID+`%'`); n != "0" {
		t.Errorf("%s records name what is alice's alone", n)
	}
	if links, _ := alice.store.Related(t.Context(), []string{newer}); len(links[newer]) != 3 {
		t.Errorf("alice has %v", links[newer])
	}
	bob.edit(newer, "Prices are in cents, as integers")
	all(bob, alice)
	if superseded(alice, older) == "[]" {
		t.Error("an edit by bob has dropped the link")
	}
	bob.relate(newer, older, memory.Supersedes, 0)
	all(bob, alice)
	if got := superseded(alice, older); got != "[]" {
		t.Errorf("taken back by bob, but for alice %s", got)
	}
	// Each says the contrary of the other.
	alice.relate(newer, older, memory.Supersedes, 1)
	bob.relate(older, newer, memory.Supersedes, 1)
	alice.sync()
	all(bob, alice)
	carol := newPerson(t, s, "carol")
	carol.sync()
	for name, p := range map[string]*person{"alice": alice, "bob": bob, "carol": carol} {
		a, b := superseded(p, older), superseded(p, newer)
		if (a == "[]") == (b == "[]") || a != superseded(alice, older) {
			t.Errorf("%s: %s and %s", name, a, b)
		}
		if sum, err := p.store.TeamSummary(t.Context()); err != nil || sum.Waiting+sum.Conflicts != 0 {
			t.Errorf("%s: %+v, %v", name, sum, err)
		}
	}
}

// TestAnswerIsLost has a process die between the server's commit and the note of it, and the record changed before the next try.
func TestAnswerIsLost(t *testing.T) {
	s := postgrestest.Start(t)
	s.Team("one", "alice", "bob")
	alice, bob := newPerson(t, s, "alice"), newPerson(t, s, "bob")
	lost := func() {
		c, err := postgres.Dial(t.Context(), s.Address("alice"))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		changes, err := alice.store.TeamChanges(t.Context(), repository, 10)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Push(t.Context(), repository, "of alice", changes); err != nil {
			t.Fatal(err)
		}
	}
	id := alice.remember("one")
	lost()
	lost()
	alice.sync()
	if got := alice.texts(); len(got) != 1 || s.SQL("team", `SELECT version FROM aurora.records`) != "1" {
		t.Errorf("%q", got)
	}
	alice.edit(id, "two")
	lost()
	alice.edit(id, "three")
	alice.sync()
	bob.sync()
	if got := bob.texts(); len(got) != 1 || !strings.HasSuffix(got[0], "three") {
		t.Errorf("bob has %q", got)
	}
	if sum, _ := alice.store.TeamSummary(t.Context()); sum.Conflicts+sum.Waiting != 0 {
		t.Errorf("%+v", sum)
	}
}

// TestConverges has three people write, edit and forget while their connections are cut and the server is restarted and crashes; afterwards
// all have the same, and nothing is lost or doubled.
func TestConverges(t *testing.T) {
	s := postgrestest.Start(t)
	roles := []string{"alice", "bob", "carol"}
	s.Team("one", roles...)
	people := make([]*person, len(roles))
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	defer running.Wait()
	defer stop()
	for i, role := range roles {
		people[i] = newPerson(t, s, role)
		running.Go(func() { people[i].syncer.Run(ctx) })
	}
	rounds, troubles := 40, 12
	if testing.Short() {
		rounds, troubles = 15, 6
	}
	var mu sync.Mutex
	wanted := map[string]bool{} // texts that nobody has taken back
	var writing sync.WaitGroup
	for i, p := range people {
		writing.Go(func() {
			for n := range rounds {
				text := fmt.Sprintf("%s says %d", roles[i], n)
				p.remember(text)
				mu.Lock()
				wanted[text] = true
				mu.Unlock()
				if n%5 == 4 { // edits what somebody wrote
					if list := p.texts(); len(list) > 0 {
						id, old, _ := strings.Cut(list[rand.IntN(len(list))], ": ")
						text := fmt.Sprintf("%s changes %d", roles[i], n)
						mu.Lock()
						delete(wanted, old)
						wanted[text] = true
						mu.Unlock()
						p.edit(id, text)
					}
				}
				time.Sleep(time.Duration(rand.IntN(20)) * time.Millisecond) // as people do: the test waits for nothing by it
			}
		})
	}
	trouble := make(chan struct{})
	go func() {
		defer close(trouble)
		for n := range troubles {
			time.Sleep(100 * time.Millisecond)
			switch {
			case n == troubles/3:
				s.Stop()
				s.Up()
			case n == 2*troubles/3:
				s.Kill()
				s.Up()
			default:
				s.SQL("team", `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename <> 'admin' AND application_name = 'aurora' AND random() < 0.7`)
			}
		}
	}()
	writing.Wait()
	<-trouble
	settled := func() bool {
		for _, p := range people {
			if sum, err := p.store.TeamSummary(t.Context()); err != nil || sum.Waiting > 0 {
				return false
			}
		}
		return slices.Equal(people[0].texts(), people[1].texts()) && slices.Equal(people[0].texts(), people[2].texts())
	}
	for !settled() {
		select {
		case <-time.After(50 * time.Millisecond):
		case <-t.Context().Done():
			t.Fatal("they never came to the same")
		}
	}
	times := map[string]int{}
	for _, line := range people[0].texts() {
		_, text, _ := strings.Cut(line, ": ")
		times[text]++
	}
	for text := range wanted {
		if times[text] == 0 && !inHistory(s, text) {
			t.Errorf("lost: %s", text)
		}
	}
	for text, n := range times {
		if n > 1 {
			t.Errorf("%d times: %s", n, text)
		}
	}
	if n := s.SQL("team", `SELECT count(*) FROM aurora.records WHERE NOT deleted`); n != fmt.Sprint(len(people[0].texts())) {
		t.Errorf("the server has %s records, people have %d", n, len(people[0].texts()))
	}
	if n := s.SQL("team", `SELECT count(*) FROM (SELECT op FROM aurora.versions GROUP BY op HAVING count(*) > 1) x`); n != "0" {
		t.Errorf("%s changes were done twice", n)
	}
}

// inHistory reports whether a text was a version of a record that somebody who had seen it has changed since.
func inHistory(s *postgrestest.Server, text string) bool {
	return s.SQL("team", fmt.Sprintf(`SELECT count(*) FROM aurora.versions WHERE body->>'content' = '%s'`, text)) != "0"
}

// TestLyingServer has a server send what no honest one does.
func TestLyingServer(t *testing.T) {
	s := postgrestest.Start(t)
	s.Team("one", "alice", "bob")
	alice, bob := newPerson(t, s, "alice"), newPerson(t, s, "bob")
	id := alice.remember("what is true")
	alice.sync()
	bob.sync()
	lie := func(rows string) {
		s.SQL("team", `CREATE OR REPLACE FUNCTION aurora.changes(repository text, after bigint, at_most integer)
			RETURNS TABLE (seq bigint, id text, version bigint, author text, edited_by text, edited_at bigint, deleted boolean, purged boolean, body jsonb)
			LANGUAGE sql AS $f$ SELECT * FROM (VALUES `+rows+`) v WHERE column1 > after $f$;
			UPDATE aurora.repositories SET last_seq = last_seq + 1`)
	}
	row := func(seq int, id, body string) string {
		return fmt.Sprintf(`(%d::bigint, '%s', 7::bigint, 'eve', 'eve', 0::bigint, false, false, %s::jsonb)`, seq, id, body)
	}
	const good = `'{"title": "t", "content": "c", "importance": 1}'`
	for name, test := range map[string]struct{ rows, says string }{
		"places that fall":    {row(11, "know:b", good) + "," + row(10, "know:a", good), "can't be right"},
		"an odd id":           {row(20, "../../etc", good), "no id"},
		"a path out of here":  {row(30, "know:c", `'{"content": "c", "citations": [{"path": "../../../etc/passwd", "start": 1, "end": 2, "hash": ""}]}'`), "no place in the repository"},
		"nothing":             {row(40, "know:d", `'{}'`), "content is empty"},
		"something else":      {row(50, "know:e", `'[1, 2]'`), "can't be read"},
		"far too large":       {row(60, "know:f", `jsonb_build_object('content', repeat('x', 400000))`), "more than"},
		"larger than allowed": {row(70, "know:g", `jsonb_build_object('content', repeat('x', 9000000))`), ""},
		"a link elsewhere":    {row(75, "know:l", `'{"content": "c", "links": [{"to": "code:a.go:f", "type": "supersedes", "weight": 1}]}'`), "a link to"},
		"too heavy a link":    {row(76, "know:l", `'{"content": "c", "links": [{"to": "know:b", "type": "supersedes", "weight": 7}]}'`), "of weight 7"},
		"an importance":       {row(80, "know:h", `'{"content": "c", "importance": 1e300}'`), "importance"},
	} {
		lie(test.rows)
		state, err := bob.syncer.Once(t.Context())
		if said := state.Why + state.Error; !strings.Contains(said, test.says) || test.says == "" && err == nil {
			t.Errorf("%s: %+v, %v", name, state, err)
		}
		if got := bob.texts(); len(got) != 1 || !strings.Contains(got[0], "what is true") {
			t.Fatalf("%s: bob has %q", name, got)
		}
	}
	_ = id
}

func TestOffline(t *testing.T) {
	s := postgrestest.Start(t)
	s.Team("one", "alice", "bob")
	alice, bob := newPerson(t, s, "alice"), newPerson(t, s, "bob")
	s.Stop()
	alice.remember("written on a train")
	if state, err := alice.syncer.Once(t.Context()); err == nil || state.Error == "" {
		t.Errorf("%+v, %v", state, err)
	}
	if noted, err := team.ReadState(t.Context(), alice.store); err != nil || noted.Error == "" || noted.Since.IsZero() {
		t.Errorf("%+v, %v", noted, err)
	}
	s.Up()
	alice.sync()
	bob.sync()
	if got := bob.texts(); len(got) != 1 {
		t.Errorf("bob has %q", got)
	}
	if noted, err := team.ReadState(t.Context(), alice.store); err != nil || noted.Error != "" || noted.Reached.IsZero() {
		t.Errorf("%+v, %v", noted, err)
	}
	t.Run("after a restore of the server", func(t *testing.T) {
		alice.remember("after the backup")
		alice.sync()
		bob.sync()
		s.SQL("team", `DELETE FROM aurora.versions WHERE body->>'content' = 'after the backup'; DELETE FROM aurora.records WHERE body->>'content' = 'after the backup';
			UPDATE aurora.repositories SET last_seq = last_seq - 1; SELECT aurora.new_epoch('one')`)
		bob.sync()
		alice.sync()
		bob.sync()
		if a, b := alice.texts(), bob.texts(); len(a) != 2 || !slices.Equal(a, b) || s.SQL("team", `SELECT count(*) FROM aurora.records`) != "2" {
			t.Errorf("alice has %q, bob has %q", a, b)
		}
	})
}
