package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/postgres"
	"github.com/aurora-sidecar/aurora/memory/postgres/postgrestest"
)

const repository = "repo:example.org/a"

func dial(t testing.TB, s *postgrestest.Server, role string) *postgres.Client {
	t.Helper()
	c, err := postgres.Dial(t.Context(), s.Address(role))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func change(id, text string, base int64) memory.TeamChange {
	return memory.TeamChange{ID: "know:" + id, Base: base, Record: memory.Record{Content: text, Workspace: repository, Importance: 1}}
}

func push(t testing.TB, c *postgres.Client, changes ...memory.TeamChange) []memory.TeamAnswer {
	t.Helper()
	answers, err := c.Push(t.Context(), repository, "replica", changes)
	if err != nil {
		t.Fatal(err)
	}
	return answers
}

func pull(t testing.TB, c *postgres.Client) []memory.TeamRow {
	t.Helper()
	rows, _, bad, err := c.Pull(t.Context(), repository, 0, 500)
	if err != nil || len(bad) > 0 {
		t.Fatal(err, bad)
	}
	return rows
}

func TestTeam(t *testing.T) {
	s := postgrestest.Start(t)
	s.Team("one", "alice", "bob")
	s.Team("two", "eve")
	alice, bob, eve := dial(t, s, "alice"), dial(t, s, "bob"), dial(t, s, "eve")
	t.Run("records reach the team", func(t *testing.T) {
		a := push(t, alice, change("retry", "Retries use jitter", 0))
		if a[0].Version != 1 || a[0].Author != "alice" || a[0].Refused != "" {
			t.Fatalf("%+v", a)
		}
		again := push(t, alice, change("retry", "Retries use jitter", 0))
		if again[0].Version != 1 {
			t.Errorf("sent again: %+v", again)
		}
		rows := pull(t, bob)
		if len(rows) != 1 || rows[0].Record.Content != "Retries use jitter" || rows[0].By() != "alice" {
			t.Fatalf("bob reads %+v", rows)
		}
		if rows := pull(t, eve); len(rows) != 0 {
			t.Errorf("another team reads %+v", rows)
		}
	})
	t.Run("a change to an old version is a conflict", func(t *testing.T) {
		push(t, bob, change("retry", "Retries use full jitter", 1))
		a := push(t, alice, change("retry", "Retries use no jitter", 1))
		if a[0].Seq == 0 || a[0].Version != 2 {
			t.Errorf("%+v", a)
		}
		if rows := pull(t, alice); rows[0].Record.Content != "Retries use full jitter" || rows[0].By() != "alice, changed by bob" {
			t.Errorf("%+v", rows)
		}
	})
	t.Run("what is deleted for good is gone", func(t *testing.T) {
		push(t, alice, change("secret", "hunter two", 0))
		if a := push(t, bob, memory.TeamChange{ID: "know:secret", Purged: true}); !strings.Contains(a[0].Refused, "alice") {
			t.Errorf("bob deletes what alice wrote: %+v", a)
		}
		push(t, alice, memory.TeamChange{ID: "know:secret", Purged: true})
		if n := s.SQL("team", `SELECT count(*) FROM aurora.versions WHERE body::text LIKE '%hunter%'`) + s.SQL("team", `SELECT count(*) FROM aurora.records WHERE body::text LIKE '%hunter%'`); n != "00" {
			t.Errorf("%s texts are left", n)
		}
		if a := push(t, bob, change("secret", "hunter two", 0)); !strings.Contains(a[0].Refused, "for good") {
			t.Errorf("it came back: %+v", a)
		}
	})
	t.Run("words are found in any form", func(t *testing.T) {
		if got := s.SQL("team", `SET SESSION AUTHORIZATION bob; SELECT id FROM aurora.search('retrying jitters')`); got != "know:retry" {
			t.Errorf("found %q", got)
		}
	})
	t.Run("a member of some repositories sees no other", func(t *testing.T) {
		s.SQL("team", `CREATE ROLE guest LOGIN PASSWORD '`+postgrestest.Password+`'; SELECT aurora.add_member('guest', 'one', ARRAY['repo:example.org/b'])`)
		guest := dial(t, s, "guest")
		if w, err := guest.Hello(t.Context(), repository); err != nil || w.Allowed {
			t.Errorf("%+v, %v", w, err)
		}
		if rows := pull(t, guest); len(rows) != 0 {
			t.Errorf("reads %+v", rows)
		}
		if _, err := guest.Push(t.Context(), repository, "r", []memory.TeamChange{change("x", "y", 0)}); err == nil || !strings.Contains(postgres.Explain(err), "no member") {
			t.Errorf("writes: %v", err)
		}
	})
	t.Run("who was removed is refused", func(t *testing.T) {
		s.SQL("team", `SELECT aurora.remove_member('bob')`)
		_, _, _, err := bob.Pull(t.Context(), repository, 0, 10)
		if err == nil || !strings.Contains(postgres.Explain(err), "no member") {
			t.Errorf("%v", err)
		}
	})
	t.Run("a person's data is deleted", func(t *testing.T) {
		s.SQL("team", `SELECT aurora.add_member('bob', 'one')`)
		push(t, bob, change("bobs", "bob was here", 0))
		if n := s.SQL("team", `SELECT aurora.delete_person('bob')`); n != "1" {
			t.Errorf("%s records", n)
		}
		for _, table := range []string{"records", "versions"} {
			if n := s.SQL("team", `SELECT count(*) FROM aurora.`+table+` r WHERE r::text LIKE '%bob%'`); n != "1" { // its id
				t.Errorf("%s of %s name bob", n, table)
			}
		}
		rows := pull(t, alice)
		if last := rows[len(rows)-1]; last.ID != "know:bobs" || !last.Purged || last.Author != "former member" {
			t.Errorf("alice is told %+v", last)
		}
	})
	t.Run("migrating again changes nothing", func(t *testing.T) {
		if from, to, err := postgres.Migrate(t.Context(), s.Address("admin"), "test"); err != nil || from != to {
			t.Errorf("%d to %d, %v", from, to, err)
		}
	})
}

// TestHostileMember runs statements that try to read and write what belongs to another team, thousands of them at random.
func TestHostileMember(t *testing.T) {
	s := postgrestest.Start(t)
	s.Team("one", "alice")
	s.Team("two", "eve")
	alice := dial(t, s, "alice")
	for i := range 50 {
		push(t, alice, change(fmt.Sprintf("plan-%d", i), fmt.Sprintf("ours alone %d", i), 0))
	}
	state := func() string {
		return s.SQL("team", `SELECT md5(string_agg(r::text, '' ORDER BY id)) FROM aurora.records r`) +
			s.SQL("team", `SELECT md5(string_agg(v::text, '' ORDER BY id, version)) FROM aurora.versions v`) +
			s.SQL("team", `SELECT string_agg(m::text, '') FROM aurora.members m`) + s.SQL("team", `SELECT string_agg(t::text, '') FROM aurora.teams t`) +
			s.SQL("team", `SELECT string_agg(t::text, '') FROM aurora.repositories t WHERE team = 'one'`)
	}
	before := state()
	channel := s.SQL("team", `SELECT channel FROM aurora.teams WHERE name = 'one'`)
	config, err := pgconn.ConnectConfig(t.Context(), hostile(t, s))
	if err != nil {
		t.Fatal(err)
	}
	defer config.Close(context.Background())
	tables := []string{"aurora.records", "aurora.versions", "aurora.members", "aurora.teams", "aurora.repositories", "aurora.migrations"}
	columns := []string{"*", "body", "id", "words", "author", "count(*)", "channel", "team, repositories"}
	wheres := []string{"", " WHERE team = 'one'", " WHERE true OR true", " WHERE id LIKE 'know:%'", " WHERE team <> aurora.my_team()", " LIMIT 5", " FOR UPDATE"}
	sets := []string{"SET ROLE aurora_owner", "SET ROLE alice", "SET SESSION AUTHORIZATION alice", "SET row_security = off", "SET search_path = aurora, pg_temp", "RESET ALL",
		"SET LOCAL ROLE admin", "CREATE TEMP TABLE members AS SELECT 'eve' AS role, 'one' AS team, NULL::text[] AS repositories",
		"CREATE FUNCTION pg_temp.my_team() RETURNS text LANGUAGE sql AS $$SELECT 'one'$$", "GRANT aurora_owner TO eve", "ALTER TABLE aurora.records DISABLE ROW LEVEL SECURITY",
		"CREATE OR REPLACE FUNCTION aurora.my_team() RETURNS text LANGUAGE sql AS $$SELECT 'one'$$", "DROP POLICY own_team ON aurora.records", "SELECT aurora.add_member('eve', 'one')",
		"SELECT aurora.remove_member('alice')", "SELECT aurora.new_epoch('one')", "CREATE VIEW public.peek AS SELECT * FROM aurora.records", "COPY aurora.records TO STDOUT",
		"CREATE FUNCTION public.leak(text) RETURNS boolean LANGUAGE plpgsql COST 0.0000001 AS $$BEGIN RAISE NOTICE 'leaked %', $1; RETURN true; END$$"}
	pick := func(list []string) string { return list[rand.IntN(len(list))] }
	ids := []string{"know:plan-1", "know:plan-2", "know:mine"}
	const body = `{"title": "x", "content": "taken"}`
	statement := func() string {
		switch rand.IntN(9) {
		case 0:
			return pick(sets)
		case 1:
			return fmt.Sprintf("UPDATE %s SET %s%s", pick(tables), pick([]string{"body = '{}'", "team = 'two'", "repositories = NULL", "deleted = true"}), pick(wheres))
		case 2:
			return "DELETE FROM " + pick(tables) + pick(wheres)
		case 3:
			return fmt.Sprintf(`INSERT INTO %s VALUES ('eve', 'one', NULL)`, pick(tables))
		case 4:
			return fmt.Sprintf(`SELECT * FROM aurora.push('%s', '[{"op": "op-%d-%d", "id": "%s", "base": %d, "%s": true, "body": %s}]')`,
				repository, rand.IntN(50), rand.IntN(50), pick(ids), rand.IntN(3), pick([]string{"deleted", "purged", "x"}), body)
		case 5:
			return fmt.Sprintf(`SELECT * FROM aurora.changes('%s', 0, 100)`, pick([]string{repository, "repo:mine", "' OR team = 'one"}))
		case 6:
			return fmt.Sprintf(`SELECT * FROM aurora.search('%s', 100)`, pick([]string{"ours", "alone or ours", "plan"}))
		case 7:
			if rand.IntN(2) == 0 {
				return fmt.Sprintf("SELECT aurora.%s", pick([]string{"my_repositories()", "may_see('" + repository + "')", "mark('" + repository + "')", "hello('" + repository + "')",
					"delete_person('alice')", "schema_version()"}))
			}
			return fmt.Sprintf("SELECT v.body FROM aurora.versions v JOIN aurora.records r ON r.id = v.id%s", pick([]string{"", " AND v.team = 'one'", " WHERE public.leak(r.body::text)"}))
		}
		return fmt.Sprintf("SELECT %s FROM %s%s", pick(columns), pick(tables), pick(wheres))
	}
	tries := 4000
	if testing.Short() {
		tries = 1000
	}
	for range tries {
		sql := statement()
		results, err := config.Exec(t.Context(), sql).ReadAll()
		if err != nil && config.IsClosed() {
			t.Fatalf("%s: %v", sql, err)
		}
		for _, r := range results {
			for _, row := range r.Rows {
				text := fmt.Sprintf("%s", row)
				if strings.Contains(text, "ours alone") || strings.Contains(text, channel) || strings.Contains(text, "alice") {
					t.Fatalf("%s\nreads %s", sql, text)
				}
			}
		}
	}
	if leaked.Load() != "" {
		t.Errorf("a function saw %s", leaked.Load())
	}
	if own := `SELECT md5(string_agg(r::text, '' ORDER BY id)) FROM aurora.records r WHERE team = 'one'`; s.SQL("team", own) == "" {
		t.Fatal("the records of the team are gone")
	}
	s.SQL("team", `DELETE FROM aurora.versions WHERE team = 'two'; DELETE FROM aurora.records WHERE team = 'two'`)
	if after := state(); after != before {
		t.Errorf("something has changed:\n%s\n%s", before, after)
	}
}

type text struct {
	mu sync.Mutex
	s  string
}

func (l *text) Load() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.s
}

var leaked text

func hostile(t *testing.T, s *postgrestest.Server) *pgconn.Config {
	t.Helper()
	c, err := pgconn.ParseConfig(s.Address("eve").URL)
	if err != nil {
		t.Fatal(err)
	}
	c.Password = postgrestest.Password
	c.OnNotice = func(_ *pgconn.PgConn, n *pgconn.Notice) {
		if strings.Contains(n.Message, "ours alone") {
			leaked.mu.Lock()
			leaked.s = n.Message
			leaked.mu.Unlock()
		}
	}
	return c
}

// TestFeedHasNoGaps follows the feed while many write, and compares what was seen with what is there: who has read up to a number never
// misses a change below it that was committed later.
func TestFeedHasNoGaps(t *testing.T) {
	s := postgrestest.Start(t)
	const writers, each = 8, 60
	var roles []string
	for i := range writers {
		roles = append(roles, fmt.Sprintf("w%d", i))
	}
	s.Team("one", append(slices.Clone(roles), "reader")...)
	reader := dial(t, s, "reader")
	var wg sync.WaitGroup
	for w, role := range roles {
		c := dial(t, s, role)
		wg.Go(func() {
			for i := range each {
				changes := make([]memory.TeamChange, 1+(i+w)%3)
				for k := range changes {
					changes[k] = change(fmt.Sprintf("w%d-%d-%d", w, i, k), fmt.Sprintf("text %d %d %d", w, i, k), 0)
				}
				if _, err := c.Push(context.Background(), repository, role, changes); err != nil {
					t.Error(err)
				}
			}
		})
	}
	done := make(chan struct{})
	go func() { wg.Wait(); close(done) }()
	seen, after, last := map[string]int{}, int64(0), false
	for {
		rows, next, bad, err := reader.Pull(t.Context(), repository, after, 50)
		if err != nil || len(bad) > 0 {
			t.Fatal(err, bad)
		}
		for _, r := range rows {
			seen[r.ID]++
			if r.Seq != after+1 {
				t.Fatalf("change %d after %d", r.Seq, after) // new records only, so that none moves
			}
			after = r.Seq
		}
		if len(rows) == 0 && last {
			break
		}
		after = next
		select {
		case <-done:
			last = true
		default:
		}
	}
	want := s.SQL("team", `SELECT count(*) FROM aurora.records`)
	if fmt.Sprint(len(seen)) != want {
		t.Errorf("%d of %s records were seen", len(seen), want)
	}
	for id, n := range seen {
		if n != 1 {
			t.Errorf("%s was seen %d times", id, n)
		}
	}
}

func TestExplain(t *testing.T) {
	s := postgrestest.Start(t)
	for name, test := range map[string]struct {
		address postgres.Address
		says    string
	}{
		"a wrong password":       {postgres.Address{URL: s.Address("admin").URL, Password: "wrong"}, "refuses the role"},
		"no such database":       {postgres.Address{URL: strings.Replace(s.Address("admin").URL, "/team", "/none", 1), Password: postgrestest.Password}, "no such database"},
		"an empty database":      {s.Address("admin"), "aurora team migrate"},
		"nobody there":           {postgres.Address{URL: "postgres://a@127.0.0.1:1/b"}, "refused"},
		"no TLS":                 {postgres.Address{URL: s.Address("admin").URL + "?sslmode=verify-full", Password: "x"}, "TLS"},
		"a password in the URL":  {postgres.Address{URL: "postgres://a:secret@h/b"}, "leave the password out"},
		"no database":            {postgres.Address{URL: "postgres://a@h"}, "names no database"},
		"something else":         {postgres.Address{URL: "https://h"}, "must look like"},
		"no role in the address": {postgres.Address{URL: "postgres://h/b"}, "names no role"},
	} {
		_, err := postgres.Dial(t.Context(), test.address)
		if err == nil || !strings.Contains(postgres.Explain(err), test.says) || strings.Contains(postgres.Explain(err), "secret") {
			t.Errorf("%s: %v", name, postgres.Explain(err))
		}
	}
	s.Team("one", "alice")
	s.SQL("team", `INSERT INTO aurora.migrations (version, name, least_client, applied_by) VALUES (99, 'x', 99, 'later')`)
	if _, err := postgres.Dial(t.Context(), s.Address("alice")); err == nil || !strings.Contains(err.Error(), "update AURORA") {
		t.Errorf("a newer schema: %v", err)
	}
	s.SQL("team", `UPDATE aurora.migrations SET least_client = 1 WHERE version = 99`)
	if c, err := postgres.Dial(t.Context(), s.Address("alice")); err != nil {
		t.Errorf("a newer schema that knows this client: %v", err)
	} else {
		c.Close()
	}
	if _, _, err := postgres.Migrate(t.Context(), s.Address("admin"), "test"); err == nil {
		t.Error("a newer schema was migrated")
	}
	s.SQL("team", `ALTER ROLE alice SET default_transaction_read_only = on`)
	if _, err := dial(t, s, "alice").Push(t.Context(), repository, "r", []memory.TeamChange{change("x", "y", 0)}); err == nil || !strings.Contains(postgres.Explain(err), "takes no changes") {
		t.Errorf("a server that takes no changes: %v", postgres.Explain(err))
	}
	s.SQL("team", `DELETE FROM aurora.migrations`)
	if _, err := postgres.Dial(t.Context(), s.Address("alice")); !errors.Is(err, postgres.ErrLies) {
		t.Errorf("no schema: %v", err)
	}
}
