package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/memory/postgres/postgrestest"
)

// commitProject makes the folder a repository of a team.
func commitProject(t *testing.T) {
	t.Helper()
	for _, args := range [][]string{
		{"init", "-q"}, {"add", "retry.go"}, {"-c", "user.name=P", "-c", "user.email=p@example.org", "commit", "-qm", "first"},
		{"remote", "add", "origin", "https://example.org/team/project.git"},
	} {
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
}

// TestTeamConflict has two people change the same record at the same time; one of them ends that, for both.
func TestTeamConflict(t *testing.T) {
	s := postgrestest.Start(t)
	p := smallProject(t)
	commitProject(t)
	as := func(name string) {
		if p.home = filepath.Join(filepath.Dir(p.home), name); os.MkdirAll(p.home, 0o700) != nil {
			t.Fatal("no home")
		}
		t.Setenv("HOME", p.home)
	}
	t.Setenv("AURORA_TEAM_PASSWORD", postgrestest.Password)
	s.Team("one", "alice", "bob")
	as("alice")
	p.expect(0, nil, "team", "join", s.Address("alice").URL)
	p.expect(0, nil, "remember", "Six attempts lock the account", "--team")
	id := s.SQL("team", `SELECT id FROM aurora.records`)
	as("bob")
	p.expect(0, []string{"1 record, 0 of them yours"}, "team", "join", s.Address("bob").URL)
	p.expect(0, []string{"Changed"}, "mem", "edit", id, "Seven attempts, says bob")
	as("alice")
	p.expect(0, []string{"Changed"}, "mem", "edit", id, "Eight attempts, says alice")
	p.expect(0, []string{"0 wait to be sent; 1 in conflict"}, "team", "status")
	p.expect(0, []string{"Contradicted (1)", id}, "mem", "audit")
	p.expect(0, []string{"Seven attempts, says bob", "contradicted by"}, "mem", "show", id)
	p.expect(0, []string{"Accepted"}, "mem", "edit", "--accept", id)
	as("bob")
	p.expect(0, nil, "remember", "bob goes on", "--team")
	for _, name := range []string{"bob", "alice"} {
		as(name)
		if got := p.expect(0, []string{"0 wait to be sent"}, "team", "status"); strings.Contains(got, "conflict") {
			t.Errorf("for %s: %s", name, got)
		}
	}
}

// TestTeam has two people share a record through a server: one remembers it at a place, the other is shown it there with its author.
func TestTeam(t *testing.T) {
	s := postgrestest.Start(t)
	p := smallProject(t)
	commitProject(t)
	expect := p.expect
	as := func(name string) {
		if p.home = filepath.Join(filepath.Dir(p.home), name); os.MkdirAll(p.home, 0o700) != nil {
			t.Fatal("no home")
		}
		t.Setenv("HOME", p.home)
	}
	t.Setenv("AURORA_TEAM_PASSWORD", postgrestest.Password)
	address := func(role string) string { return s.Address(role).URL }
	const text = "Six attempts lock the account"

	expect(app.ExitFailed, []string{"no memory of a team"}, "team", "join", address("admin"))
	expect(0, []string{"has schema 2 now; it had 0"}, "team", "migrate", address("admin"))
	expect(0, []string{"has schema 2 already"}, "team", "migrate", address("admin"))
	s.Team("one", "alice", "bob")

	as("alice")
	expect(0, []string{"You are in no team."}, "team", "status")
	expect(app.ExitUsage, []string{"leave the password out"}, "team", "join", "postgres://alice:secret@localhost/team")
	expect(app.ExitUsage, []string{"you are in no team"}, "remember", text, "--team")
	t.Setenv("AURORA_TEAM_PASSWORD", "wrong")
	expect(app.ExitFailed, []string{"refuses the role or its password"}, "team", "join", address("alice"))
	t.Setenv("AURORA_TEAM_PASSWORD", postgrestest.Password)
	expect(0, []string{"one, as alice", "0 records"}, "team", "join", address("alice"))
	expect(app.ExitUsage, []string{"it is not personal"}, "remember", text, "--team", "--personal")
	expect(0, []string{"Remembered as know:six-attempts"}, "remember", text, "--team", "--source", "retry.go:4")
	expect(0, []string{"1 record, 1 of them yours; 0 wait"}, "team", "status")
	expect(0, nil, "remember", "my own thought")

	as("bob")
	expect(0, []string{"one, as bob", "1 record, 0 of them yours"}, "team", "join", address("bob"))
	expect(0, []string{text, "by alice"}, "search", "attempts", "--recall")
	expect(0, []string{`"author": "alice"`}, "search", "attempts", "--recall", "--json")
	expect(0, []string{"by alice: " + text}, "why", "retry.go:4")
	if got := expect(app.ExitNothing, nil, "search", "--recall", "thought"); strings.Contains(got, "my own thought") {
		t.Errorf("bob is shown what alice kept to herself: %s", got)
	}
	expect(app.ExitFailed, []string{"you are in the team at"}, "team", "join", address("alice"))

	s.Stop()
	expect(0, []string{"it waits to be sent"}, "remember", "written offline", "--team")
	expect(0, []string{"1 wait to be sent", "not reached"}, "team", "status")
	if got := p.run("aurora", "doctor"); !strings.Contains(got.out, "warn  team: ") {
		t.Error(got)
	}
	expect(app.ExitFailed, []string{"not sent yet: 1 change"}, "team", "leave")
	s.Up()
	if got := p.run("aurora", "doctor"); !strings.Contains(got.out, "ok    team: ") {
		t.Error(got)
	}
	expect(0, []string{"1 record of others deleted, 1 of yours kept"}, "team", "leave")
	expect(0, []string{"You are in no team."}, "team", "status")
	if got := expect(app.ExitNothing, nil, "search", "--recall", "attempts"); strings.Contains(got, text) {
		t.Errorf("it is still there: %s", got)
	}
	expect(0, []string{"written offline"}, "search", "--recall", "offline")
	err := filepath.WalkDir(filepath.Join(p.home, ".aurora"), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		for _, gone := range []string{text, address("bob"), postgrestest.Password} {
			if strings.Contains(string(content), gone) {
				t.Errorf("%s holds %q", path, gone)
			}
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	if got := s.SQL("team", `SELECT string_agg(body->>'content', ', ' ORDER BY seq) FROM aurora.records`); got != text+", written offline" {
		t.Errorf("the server has %q", got)
	}
}

// TestTeammatesEditors has two people with an editor each: one remembers something at a place, the other one's hover there shows it, and both
// go on when the server is restarted.
func TestTeammatesEditors(t *testing.T) {
	p := sharing(t, 600)
	s := postgrestest.Start(t)
	s.Team("one", "alice", "bob")
	for _, args := range [][]string{
		{"init", "-q"}, {"add", "retry.go"}, {"-c", "user.name=P", "-c", "user.email=p@example.org", "commit", "-qm", "first"},
		{"remote", "add", "origin", "https://example.org/team/project.git"},
	} {
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	editors := map[string]*server{}
	for _, name := range []string{"alice", "bob"} {
		p.home = filepath.Join(filepath.Dir(p.home), name)
		if err := os.MkdirAll(p.home, 0o700); err != nil {
			t.Fatal(err)
		}
		home := p.home
		t.Cleanup(func() { p.home = home; p.binary("daemon", "stop", "--all") })
		line := fmt.Sprintf("127.0.0.1:%d:team:%s:%s\n", s.Port(), name, postgrestest.Password)
		if err := os.WriteFile(filepath.Join(p.home, ".pgpass"), []byte(line), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := p.binary("team", "join", s.Address(name).URL); got.code != 0 {
			t.Fatal(got)
		}
		editors[name] = p.serveShared()
		editors[name].begin(p.dir)
	}
	id := 100
	remember := func(name, text string) {
		t.Helper()
		id++
		editors[name].send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"aurora/remember","params":{"content":%q,"sourceRef":"retry.go:4","team":true}}`, id, text))
		if got := editors[name].receive(id); !strings.Contains(got, `"created":true`) {
			t.Fatalf("%s remembers: %s", name, got)
		}
	}
	shows := func(name string, words ...string) func() bool {
		return func() bool {
			id++
			editors[name].send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"textDocument/hover","params":{"textDocument":{"uri":"file://%s/retry.go"},"position":{"line":3,"character":6}}}`, id, p.dir))
			got := editors[name].receive(id)
			for _, w := range words {
				if !strings.Contains(got, w) {
					return false
				}
			}
			return true
		}
	}
	remember("alice", "Six attempts lock the account")
	p.eventually("bob's hover shows what alice remembered", shows("bob", "by alice", "Six attempts lock the account"))
	s.Stop()
	remember("bob", "Five attempts since the audit")
	s.Up()
	p.eventually("alice's hover shows what bob remembered while the server was down", shows("alice", "by bob", "Five attempts since the audit"))
}
