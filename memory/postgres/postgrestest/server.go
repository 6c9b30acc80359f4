package postgrestest

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/memory/postgres"
)

// Password is that of every role.
const Password = "correct horse"

// A Server is a running cluster with the database team.
type Server struct {
	t      testing.TB
	bin    string // folder of the programs
	folder string
	port   int
	fsync  string
}

// Start starts a server. Where PostgreSQL is not installed the test is skipped, but in CI it fails.
func Start(t testing.TB) *Server {
	t.Helper()
	s := &Server{t: t, bin: find(), fsync: "off"}
	if s.bin == "" {
		if os.Getenv("CI") != "" {
			t.Fatal("PostgreSQL is not installed: scripts/install-test-deps.sh installs it")
		}
		t.Skip("PostgreSQL is not installed: scripts/install-test-deps.sh installs it")
	}
	folder, err := os.MkdirTemp("", "aurora-pg-")
	if err != nil {
		t.Fatal(err)
	}
	s.folder = folder
	t.Cleanup(func() { os.RemoveAll(folder) })
	if err := give(folder); err != nil {
		t.Fatal(err)
	}
	password := filepath.Join(folder, "password")
	if err := os.WriteFile(password, []byte(Password), 0o644); err != nil {
		t.Fatal(err)
	}
	s.run("initdb", "-D", s.data(), "-U", "admin", "-A", "scram-sha-256", "--pwfile", password, "--no-sync", "-E", "UTF8", "--locale=C")
	s.port = freePort(t)
	s.Up()
	t.Cleanup(s.Kill)
	s.SQL("postgres", "CREATE DATABASE team")
	return s
}

func (s *Server) data() string { return filepath.Join(s.folder, "data") }

// Up starts the server and waits until it answers.
func (s *Server) Up() {
	s.t.Helper()
	s.run("pg_ctl", "start", "-w", "-t", "60", "-D", s.data(), "-l", filepath.Join(s.folder, "log"), "-o",
		fmt.Sprintf("-p %d -k %s -c listen_addresses=127.0.0.1 -c fsync=%s -c max_connections=300 -c shared_buffers=32MB", s.port, s.folder, s.fsync))
}

// Give makes a folder the server's.
func (s *Server) Give(folder string) {
	s.t.Helper()
	if err := give(folder); err != nil {
		s.t.Fatal(err)
	}
}

// Durable has the server wait for the disk from now on, as everyone's does. Tests do without: no machine fails under them.
func (s *Server) Durable() {
	s.t.Helper()
	s.Stop()
	s.fsync = "on"
	s.Up()
}

// Stop ends the server as an administrator does who does not wait for clients.
func (s *Server) Stop() {
	s.t.Helper()
	s.run("pg_ctl", "stop", "-w", "-m", "fast", "-D", s.data())
}

// Kill ends the server as a crash does. That it has ended already is no error.
func (s *Server) Kill() {
	cmd := s.command("pg_ctl", "stop", "-w", "-m", "immediate", "-D", s.data())
	_ = cmd.Run()
}

// Address is that of a role.
func (s *Server) Address(role string) postgres.Address {
	return postgres.Address{URL: fmt.Sprintf("postgres://%s@127.0.0.1:%d/team", role, s.port), Password: Password}
}

// Port is where the server listens.
func (s *Server) Port() int { return s.port }

// TLS has the server show a certificate to those who ask for it.
func (s *Server) TLS(certificate, key []byte) {
	s.t.Helper()
	for name, text := range map[string][]byte{"server.crt": certificate, "server.key": key} {
		path := filepath.Join(s.data(), name)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			s.t.Fatal(err)
		}
		if err := give(path); err != nil {
			s.t.Fatal(err)
		}
	}
	s.SQL("postgres", "ALTER SYSTEM SET ssl = on")
	s.Stop()
	s.Up()
}

// SQL runs statements as the administrator and returns what they print, without a frame.
func (s *Server) SQL(database, statements string) string {
	s.t.Helper()
	cmd := s.command("psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", s.folder, "-p", fmt.Sprint(s.port), "-U", "admin", "-d", database, "-c", statements)
	cmd.Env = append(os.Environ(), "PGPASSWORD="+Password)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		s.t.Fatalf("%s: %v %s", statements, err, stderr.String())
	}
	return strings.TrimSpace(string(out))
}

// Team migrates the database and makes roles that are members of a team.
func (s *Server) Team(team string, roles ...string) {
	s.t.Helper()
	if _, _, err := postgres.Migrate(s.t.Context(), s.Address("admin"), "test"); err != nil {
		s.t.Fatal(err)
	}
	for _, role := range roles {
		s.SQL("team", fmt.Sprintf(`CREATE ROLE %q LOGIN PASSWORD '%s'; SELECT aurora.add_member('%s', '%s')`, role, Password, role, team))
	}
}

// Seed puts so many records of the first member's into a repository, which has none yet.
func (s *Server) Seed(team, repository string, records int) {
	s.t.Helper()
	s.SQL("team", fmt.Sprintf(`INSERT INTO aurora.repositories VALUES ('%[1]s', '%[2]s', %[3]d);
		INSERT INTO aurora.records (team, repository, id, version, seq, author, edited_by, body)
		SELECT '%[1]s', '%[2]s', 'know:seed-' || i, 1, i, m.role, m.role, jsonb_build_object('title', 'Seed ' || i, 'importance', 1,
			'content', 'Seed ' || i || ': retries of the gateway use jitter since the outage of ' || md5(i::text) || ', see ' || md5((i * 7)::text))
		FROM generate_series(1, %[3]d) i, (SELECT role FROM aurora.members WHERE team = '%[1]s' ORDER BY role LIMIT 1) m;
		ANALYZE aurora.records`, team, repository, records))
}

// CPU is the processor time that all processes of the server have taken, those that have ended included. It is zero where /proc does not tell.
func (s *Server) CPU() time.Duration {
	text, err := os.ReadFile(filepath.Join(s.data(), "postmaster.pid"))
	if err != nil {
		return 0
	}
	pid, _, _ := strings.Cut(string(text), "\n")
	var ticks int64
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		text, err := os.ReadFile(path)
		_, rest, found := strings.Cut(string(text), ") ") // the name of the program may hold anything
		fields := strings.Fields(rest)
		if err != nil || !found || len(fields) < 15 {
			continue
		}
		counted := fields[11:13] // user and system
		switch {
		case filepath.Base(filepath.Dir(path)) == pid:
			counted = fields[11:15] // and those of children that have ended
		case fields[1] != pid:
			continue
		}
		for _, field := range counted {
			n, _ := strconv.ParseInt(field, 10, 64)
			ticks += n
		}
	}
	return time.Duration(ticks) * time.Second / 100
}

func (s *Server) run(program string, args ...string) {
	s.t.Helper()
	// Nobody reads what it prints from a pipe: the server would keep that open.
	log, err := os.CreateTemp(s.folder, "out")
	if err != nil {
		s.t.Fatal(err)
	}
	defer log.Close()
	cmd := s.command(program, args...)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Run(); err != nil {
		text, _ := os.ReadFile(log.Name())
		server, _ := os.ReadFile(filepath.Join(s.folder, "log"))
		s.t.Fatalf("%s: %v\n%s%s", program, err, text, server)
	}
}

func (s *Server) command(program string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(s.bin, program), args...)
	cmd.Dir = s.folder
	asOther(cmd)
	return cmd
}

// find is the folder with the programs of the newest PostgreSQL, "" without one.
func find() string {
	folders, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
	if path, err := exec.LookPath("initdb"); err == nil {
		folders = append(folders, filepath.Dir(path))
	}
	slices.Reverse(folders)
	for _, folder := range folders {
		if _, err := os.Stat(filepath.Join(folder, "psql")); err == nil {
			if _, err := os.Stat(filepath.Join(folder, "initdb")); err == nil {
				return folder
			}
		}
	}
	return ""
}

func freePort(t testing.TB) int {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	addr, _ := l.Addr().(*net.TCPAddr)
	return addr.Port
}
