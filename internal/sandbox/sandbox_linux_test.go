package sandbox

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A cell is a workspace with a hostile program, below a home folder with a key.
type cell struct {
	t                    *testing.T
	box                  *Box
	home, workspace, out string
}

const key = "the-words-of-a-private-key"

func newCell(t *testing.T) *cell {
	t.Helper()
	base := t.TempDir()
	c := &cell{t: t, home: filepath.Join(base, "home"), out: filepath.Join(base, "elsewhere")}
	c.workspace = filepath.Join(c.home, "code", "shop")
	for path, text := range map[string]string{
		filepath.Join(c.home, ".ssh", "id"): key, filepath.Join(c.home, ".aurora", "memory.db"): key, filepath.Join(c.home, ".cargo", "credentials.toml"): key,
		filepath.Join(c.home, ".cargo", "bin", "cargo"): "", filepath.Join(c.out, "notes"): key,
		filepath.Join(c.workspace, "cart.go"): "package shop", filepath.Join(c.workspace, ".env"): key,
	} {
		c.put(path, text)
	}
	self, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	c.put(filepath.Join(c.workspace, ".venv", "bin", "hostile"), string(self))
	t.Setenv("HOME", c.home)
	t.Setenv("PATH", filepath.Join(c.home, ".cargo", "bin")+":/usr/local/bin:/usr/bin:/bin")
	t.Setenv("AURORA_API_KEY", key)
	c.box = New(filepath.Join(c.home, ".aurora", "sandbox"), "/proc/self/exe")
	if err := c.box.Check(); err != nil {
		t.Skip("no sandbox here:", err)
	}
	return c
}

func (c *cell) put(path, text string) {
	c.t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o700)); err != nil {
		c.t.Fatal(err)
	}
}

func (c *cell) command(args ...string) Command {
	return Command{
		Workspace: c.workspace, Dir: c.workspace, Args: append([]string{"hostile", "attempt"}, args...), Limit: time.Minute,
		Hidden: func(path string) bool { return filepath.Base(path) == ".env" },
	}
}

func (c *cell) run(args ...string) Result {
	c.t.Helper()
	r, err := c.box.Run(c.t.Context(), c.command(args...))
	if err != nil {
		c.t.Fatalf("%v: %v", args, err)
	}
	return r
}

// refused runs an attempt that must fail, and be the attempt.
func (c *cell) refused(args ...string) {
	c.t.Helper()
	if r := c.run(args...); r.Code != 3 || !strings.Contains(r.Output, "failed: ") || strings.Contains(r.Output, key) {
		c.t.Errorf("%v: exit %d: %s", args, r.Code, r.Output)
	}
}

func TestNoNetworkButItsOwn(t *testing.T) {
	c := newCell(t)
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer tcp.Close()
	udp, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer udp.Close()
	go func() {
		for {
			_, from, err := udp.ReadFrom(make([]byte, 5))
			if err != nil {
				return
			}
			_, _ = udp.WriteTo([]byte("hello"), from)
		}
	}()
	go echo(tcp)
	addresses := [][2]string{{"tcp", tcp.Addr().String()}, {"udp", udp.LocalAddr().String()}}
	for _, path := range []string{filepath.Join(c.out, "agent.sock"), filepath.Join(c.home, "agent.sock"), filepath.Join(c.workspace, "dev.sock"), "@aurora-test-" + strconv.Itoa(os.Getpid())} {
		l, err := net.Listen("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		go echo(l)
		addresses = append(addresses, [2]string{"unix", path})
	}
	for _, a := range addresses {
		if err := exchange(a[0], a[1]); err != nil {
			t.Fatalf("without a sandbox, %v does not answer: %v", a, err)
		}
		c.refused("dial", a[0], a[1])
	}
	if r := c.run("serve"); r.Code != 0 {
		t.Errorf("a server of its own: %s", r.Output)
	}
}

func TestOnlyTheWorkspaceIsSeen(t *testing.T) {
	c := newCell(t)
	for _, path := range []string{
		filepath.Join(c.home, ".ssh", "id"), filepath.Join(c.home, ".aurora", "memory.db"), filepath.Join(c.home, ".cargo", "credentials.toml"),
		filepath.Join(c.out, "notes"), "/etc/shadow", "/proc/" + strconv.Itoa(os.Getpid()) + "/environ", "/dev/kmsg",
	} {
		c.refused("read", path)
	}
	for path, want := range map[string]string{filepath.Join(c.workspace, "cart.go"): "package shop", filepath.Join(c.workspace, ".env"): ""} {
		if r := c.run("read", path); r.Code != 0 || strings.TrimSpace(strings.TrimSuffix(r.Output, "done\n")) != want {
			t.Errorf("%s: exit %d: %q", path, r.Code, r.Output)
		}
	}
	for _, args := range [][]string{{"find", key}, {"environment"}} {
		if r := c.run(args...); r.Code != 0 || strings.Contains(r.Output, "found") || strings.Contains(r.Output, key) {
			t.Errorf("%v: exit %d: %s", args, r.Code, r.Output)
		}
	}
}

func TestNothingIsWrittenOutside(t *testing.T) {
	c := newCell(t)
	for _, path := range []string{"/usr/lib/written", "/etc/passwd", "/proc/sys/kernel/core_pattern", "/written", filepath.Join(c.home, ".cargo", "bin", "cargo")} {
		c.refused("write", path)
	}
	code, cached, home := filepath.Join(c.workspace, "cart.go"), filepath.Join(c.home, ".cache", "build"), filepath.Join(c.home, ".profile")
	for _, path := range []string{cached, home, "/tmp/written", "/dev/shm/written", filepath.Join(c.out, "new")} {
		r := c.run("write", path)
		if _, err := os.Stat(path); err == nil || r.Code != 0 && path != filepath.Join(c.out, "new") {
			t.Errorf("%s: exit %d: %s%v", path, r.Code, r.Output, err)
		}
	}
	if r := c.run("write", code); r.Code != 0 && !strings.Contains(r.Output, "read-only file system") {
		t.Errorf("the workspace: %+v", r)
	}
	if data, err := os.ReadFile(code); err != nil || string(data) != "package shop" {
		t.Errorf("the workspace was changed: %q, %v", data, err)
	}
	if r := c.run("read", cached); !strings.Contains(r.Output, "written") {
		t.Errorf("the next run has no cache: %s", r.Output)
	}
	left, err := filepath.Glob(filepath.Join(c.home, ".aurora", "sandbox", scratchPrefix+"*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestNoRightsAreGained(t *testing.T) {
	c := newCell(t)
	c.refused("namespace")
	c.refused("signal", strconv.Itoa(os.Getpid()))
	if err := Enter(); err == nil {
		t.Error("a process that is not the first of its namespace")
	}
}

func TestAHomeFolderIsNoWorkspace(t *testing.T) {
	c := newCell(t)
	for _, folder := range []string{c.home, filepath.Dir(c.home), "/"} {
		if _, err := c.box.Run(t.Context(), Command{Workspace: folder, Dir: folder, Args: []string{"true"}, Limit: time.Minute}); err == nil || !strings.Contains(err.Error(), "home folder") {
			t.Errorf("%s: %v", folder, err)
		}
	}
	outside := c.command("environment")
	outside.Dir = c.out
	if _, err := c.box.Run(t.Context(), outside); err == nil || !strings.Contains(err.Error(), "not in the workspace") {
		t.Errorf("started outside: %v", err)
	}
	for _, name := range []string{"no-such-program", "/bin/sh", "../hostile"} {
		if _, err := c.box.Run(t.Context(), Command{Workspace: c.workspace, Dir: c.workspace, Args: []string{name}, Limit: time.Minute}); err == nil {
			t.Errorf("%s was started", name)
		}
	}
}

// TestAnAnswerIsApart gives a program that lies elsewhere an input.
func TestAnAnswerIsApart(t *testing.T) {
	c := newCell(t)
	program := filepath.Join(c.out, "tool")
	if err := os.Rename(filepath.Join(c.workspace, ".venv", "bin", "hostile"), program); err != nil {
		t.Fatal(err)
	}
	ask := func(length int) (Result, error) {
		command := c.command()
		command.Program, command.Args, command.Input = program, []string{"tool", "attempt", "answer", strconv.Itoa(length)}, bytes.Repeat([]byte("x"), 100_000)
		command.Env = []string{"AURORA_TEST_NAMED=yes"}
		return c.box.Run(t.Context(), command)
	}
	if r, err := ask(200_000); err != nil || r.Code != 0 || len(r.Answer) != 200_000 || r.Output != "reads 100000 yes\n" {
		t.Errorf("%d bytes of answer, exit %d, %q, %v", len(r.Answer), r.Code, r.Output, err)
	}
	if r, err := ask(mostAnswer + 1); !errors.Is(err, ErrAnswerTooLong) {
		t.Errorf("%d bytes of answer, exit %d, %q, %v", len(r.Answer), r.Code, r.Output, err)
	}
}

// TestALinkLeftInTheCacheLeadsNowhere has a run replace a folder of its cache, in which another run has a place mounted.
func TestALinkLeftInTheCacheLeadsNowhere(t *testing.T) {
	c := newCell(t)
	modules := filepath.Join(c.home, ".cache", "modules")
	c.put(filepath.Join(modules, "m"), "")
	t.Setenv("GOMODCACHE", modules)
	cache, err := c.box.cacheOf(c.workspace)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(c.out, filepath.Join(cache, "modules")); err != nil {
		t.Fatal(err)
	}
	if r, err := c.box.Run(t.Context(), c.command("environment")); err == nil {
		t.Errorf("mounted through a link: %+v", r)
	}
}

// TestAWorkspaceWithoutALayerIsReadOnly has a workspace whose path the options of overlayfs can't name.
func TestAWorkspaceWithoutALayerIsReadOnly(t *testing.T) {
	c := newCell(t)
	moved := filepath.Join(c.home, "a:b")
	if err := os.Rename(c.workspace, moved); err != nil {
		t.Fatal(err)
	}
	c.workspace = moved
	l, err := net.Listen("unix", filepath.Join(moved, "dev.sock"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go echo(l)
	c.refused("dial", "unix", filepath.Join(moved, "dev.sock"))
	if r := c.run("write", filepath.Join(moved, "cart.go")); r.Code != 3 || !strings.Contains(r.Output, "read-only file system") {
		t.Errorf("%+v", r)
	}
}

// pipe makes a named pipe that a sandboxed program of the workspace sees at inside.
func (c *cell) pipe() (reader func() *os.File, inside string) {
	c.t.Helper()
	cache, err := c.box.cacheOf(c.workspace)
	if err != nil {
		c.t.Fatal(err)
	}
	at := filepath.Join(cache, "pipe")
	if err := syscall.Mkfifo(at, 0o600); err != nil {
		c.t.Fatal(err)
	}
	return func() *os.File {
		f, err := os.Open(at)
		if err != nil {
			c.t.Fatal(err)
		}
		if _, err := io.ReadFull(f, make([]byte, len("fled"))); err != nil {
			c.t.Fatal(err)
		}
		return f
	}, filepath.Join(c.home, ".cache", "pipe")
}

// gone waits until nobody holds a pipe, which a process that fled does.
func gone(t *testing.T, pipe *os.File) {
	t.Helper()
	defer pipe.Close()
	if _, err := io.Copy(io.Discard, pipe); err != nil {
		t.Error(err)
	}
}

func TestAllItsProcessesEndWithIt(t *testing.T) {
	c := newCell(t)
	reader, inside := c.pipe()
	t.Run("its end", func(t *testing.T) {
		ended := make(chan Result, 1)
		go func() { ended <- c.run("flee", inside) }()
		gone(t, reader())
		if r := <-ended; r.Code != 0 || r.TimedOut {
			t.Errorf("%+v", r)
		}
	})
	t.Run("cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() {
			_, err := c.box.Run(ctx, c.command("flee", inside, "wait"))
			ended <- err
		}()
		pipe := reader()
		cancel()
		gone(t, pipe)
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
	})
	t.Run("its time is over", func(t *testing.T) {
		command := c.command("flee", inside, "wait")
		command.Limit = 700 * time.Millisecond
		ended := make(chan Result, 1)
		go func() {
			r, _ := c.box.Run(t.Context(), command)
			ended <- r
		}()
		if r := <-ended; !r.TimedOut || r.Code != -1 {
			t.Errorf("%+v", r)
		}
	})
}

// TestItEndsWithAKilledCaller kills the process that runs a command.
func TestItEndsWithAKilledCaller(t *testing.T) {
	c := newCell(t)
	if os.Getenv("AURORA_TEST_WORKSPACE") != "" {
		t.Skip("this is the caller")
	}
	reader, inside := c.pipe()
	caller := exec.Command("/proc/self/exe", "-test.run=^TestCaller$")
	caller.Env = append(os.Environ(), "AURORA_TEST_WORKSPACE="+c.workspace, "AURORA_TEST_PIPE="+inside)
	var said bytes.Buffer
	caller.Stdout = &said
	if err := caller.Start(); err != nil {
		t.Fatal(err)
	}
	pipe := reader()
	if err := caller.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = caller.Wait()
	gone(t, pipe)
}

// TestCaller is the process that TestItEndsWithAKilledCaller kills.
func TestCaller(t *testing.T) {
	workspace := os.Getenv("AURORA_TEST_WORKSPACE")
	if workspace == "" {
		t.Skip("started by another test")
	}
	home, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	c := &cell{t: t, box: New(filepath.Join(home, ".aurora", "sandbox"), "/proc/self/exe"), workspace: workspace, home: home}
	t.Logf("%+v", c.run("flee", os.Getenv("AURORA_TEST_PIPE"), "wait"))
}

func TestAForkBombIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a thousand processes")
	}
	c := newCell(t)
	r := c.run("multiply")
	_, after, _ := strings.Cut(strings.TrimSpace(r.Output), "refused after ")
	if n, err := strconv.Atoi(after); err != nil || n > mostProcesses {
		t.Errorf("%+v", r)
	}
}

// TestBoundsOfTheMachine has a program take more memory than it may, and more of the disk than there is left.
func TestBoundsOfTheMachine(t *testing.T) {
	for name, test := range map[string]struct {
		most bounds
		want error
	}{
		"memory": {bounds{memory: 256 << 20}, errMemory}, "disk": {bounds{memory: 1 << 62, diskLeft: 1 << 62}, errDisk}, "neither": {bounds{memory: 1 << 62}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCell(t)
			c.box.bounds = func(string) (bounds, error) { return test.most, nil }
			attempt := "hoard"
			if test.want == nil {
				attempt = "environment"
			}
			r := c.run(attempt)
			if !errors.Is(r.Exhausted, test.want) || r.TimedOut || (r.Code == 0) != (test.want == nil) {
				t.Errorf("%+v", r)
			}
		})
	}
	if most, err := machineBounds(t.TempDir()); err != nil || most.memory < 64<<20 || most.diskLeft == 0 || most.diskLeft > leastLeft {
		t.Errorf("of this machine: %+v, %v", most, err)
	}
}

// TestOtherTexts has a program find other texts in files than theirs, which stay as they are.
func TestOtherTexts(t *testing.T) {
	c := newCell(t)
	code, fresh := filepath.Join(c.workspace, "cart.go"), filepath.Join(c.workspace, "sub", "new.go")
	for path, want := range map[string]string{code: "package other", fresh: "package fresh", filepath.Join(c.workspace, ".env"): ""} {
		command := c.command("read", path)
		command.Replaced = map[string]string{code: "package other", fresh: "package fresh", filepath.Join(c.workspace, ".env"): key, filepath.Join(c.out, "notes"): "else"}
		if r, err := c.box.Run(t.Context(), command); err != nil || strings.TrimSpace(r.Output) != strings.TrimSpace(want+"\ndone") {
			t.Errorf("%s: %+v, %v", path, r, err)
		}
	}
	command := c.command("read", code)
	command.Removed = []string{code, filepath.Join(c.workspace, "absent.go"), filepath.Join(c.out, "notes")}
	if r, err := c.box.Run(t.Context(), command); err != nil || !strings.Contains(r.Output, "no such file") {
		t.Errorf("a file that is taken away: %+v, %v", r, err)
	}
	if text, err := os.ReadFile(code); err != nil || string(text) != "package shop" {
		t.Errorf("the file is %q, %v", text, err)
	}
	if _, err := os.Stat(filepath.Dir(fresh)); err == nil {
		t.Error("a file was made")
	}
}

// TestMemoryOfAFamily counts a process with what it started.
func TestMemoryOfAFamily(t *testing.T) {
	cmd := exec.Command("sh", "-c", "sleep 1000 & sleep 1000 & echo started; wait")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait()
	}()
	if _, err := io.ReadFull(out, make([]byte, 7)); err != nil {
		t.Fatal(err)
	}
	alone := pagesOf(cmd.Process.Pid) * uint64(os.Getpagesize())
	if family := memoryOf(cmd.Process.Pid); alone == 0 || family <= alone {
		t.Errorf("alone %d, with its children %d bytes", alone, family)
	}
	if self := memoryOf(os.Getpid()); self <= memoryOf(cmd.Process.Pid) {
		t.Errorf("this process with its child holds %d bytes", self)
	}
}
