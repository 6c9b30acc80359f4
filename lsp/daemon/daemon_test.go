package daemon

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

const patience = time.Minute

// place is a Place below a home of its own, whose path is short enough for a socket.
func place(t *testing.T) Place {
	t.Helper()
	home, err := os.MkdirTemp("", "aurora-d-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(home) })
	p, err := NewPlace(home, "test")
	if err != nil {
		t.Skip(err)
	}
	return p
}

func background(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return ctx
}

// echo is a Service whose sessions repeat what they are told, and end with code 7 when the client says nothing more.
func echo() Service {
	return Service{
		Build: "this", Version: "test", Root: "/project", Idle: time.Hour, Log: slog.New(slog.DiscardHandler),
		Folders: func() []string { return []string{"/project"} },
		Session: func(ctx context.Context, conn io.ReadWriteCloser) int {
			defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
			if _, err := io.Copy(conn, conn); err != nil {
				return 1
			}
			return 7
		},
		Operations: func(_ context.Context, conn io.ReadWriteCloser) { _, _ = io.Copy(conn, conn) },
	}
}

// run serves in this process. ended gets what Serve returned.
func run(t *testing.T, p Place, s Service) (ended <-chan error, stop context.CancelFunc) {
	t.Helper()
	l, err := Listen(background(t), p)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(background(t))
	result := make(chan error, 1)
	done := make(chan struct{})
	go func() {
		defer close(done)
		result <- errors.Join(l.Serve(ctx, s), l.Close())
	}()
	t.Cleanup(func() { cancel(); <-done })
	return result, cancel
}

// never is a command that must not be needed.
func never() *exec.Cmd { return exec.Command("/nonexistent/aurora") }

func connect(t *testing.T, p Place) *Session {
	t.Helper()
	s, err := Connect(background(t), p, "this", never())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestForward(t *testing.T) {
	p := place(t)
	run(t, p, echo())
	said := strings.Repeat("Content-Length: 2\r\n\r\n{}\n", 50_000) // more than any buffer on the way holds
	var heard bytes.Buffer
	code, err := connect(t, p).Forward(background(t), strings.NewReader(said), &heard)
	if code != 7 || err != nil {
		t.Errorf("code %d, %v", code, err)
	}
	if heard.String() != said {
		t.Errorf("heard %d bytes, said %d", heard.Len(), len(said))
	}
}

func TestForwardEndsWithItsContext(t *testing.T) {
	p := place(t)
	run(t, p, echo())
	ctx, cancel := context.WithCancel(background(t))
	silent, _ := io.Pipe()
	s := connect(t, p)
	cancel()
	if code, err := s.Forward(ctx, silent, io.Discard); code != 7 || err != nil {
		t.Errorf("code %d, %v", code, err)
	}
}

func TestForwardToAClientThatDoesNotRead(t *testing.T) {
	p := place(t)
	run(t, p, echo())
	silent, say := io.Pipe()
	go func() { _, _ = say.Write([]byte("x")) }()
	code, err := connect(t, p).Forward(background(t), silent, brokenPipe{})
	if code != 1 || !errors.Is(err, errClientGone) {
		t.Errorf("code %d, %v", code, err)
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

// A daemon that dies closes its sockets without an end.
func TestForwardFromADeadDaemon(t *testing.T) {
	p := place(t)
	if err := p.makeDir(); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", p.Socket())
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		_, _ = bufio.NewReader(conn).ReadSlice('\n')
		_ = writeLine(conn, welcome{Info: &Info{PID: 4711}})
		_, _ = conn.Write([]byte{0, 0, 0, 9, 'c', 'u', 't'})
		_ = conn.Close()
	}()
	silent, _ := io.Pipe()
	var heard bytes.Buffer
	code, err := connect(t, p).Forward(background(t), silent, &heard)
	if code != 1 || err == nil || !strings.Contains(err.Error(), "process 4711") || heard.String() != "cut" {
		t.Errorf("code %d, %v, heard %q", code, err, &heard)
	}
}

func TestStopEndsSessions(t *testing.T) {
	p := place(t)
	ended, _ := run(t, p, echo())
	silent, _ := io.Pipe()
	session := connect(t, p)
	told := make(chan error, 1)
	go func() {
		_, err := session.Forward(context.Background(), silent, io.Discard)
		told <- err
	}()
	info, err := Stop(background(t), p)
	if err != nil || info.PID != os.Getpid() || info.Clients != 1 {
		t.Errorf("%+v, %v", info, err)
	}
	if err := <-told; err == nil || !strings.Contains(err.Error(), errStopped.Error()) {
		t.Errorf("the session heard %v", err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if entries, err := os.ReadDir(p.dir); err != nil || len(entries) != 0 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

func TestIdleExit(t *testing.T) {
	p := place(t)
	s := echo()
	s.Idle = 0
	ended, _ := run(t, p, s)
	first, second := connect(t, p), connect(t, p)
	for _, session := range []*Session{first, second} {
		select {
		case err := <-ended:
			t.Fatalf("ended while it was needed: %v", err)
		default:
		}
		if code, err := session.Forward(background(t), strings.NewReader(""), io.Discard); code != 7 || err != nil {
			t.Errorf("code %d, %v", code, err)
		}
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestAnotherBuildIsRefused(t *testing.T) {
	p := place(t)
	run(t, p, echo())
	var refusal *Refusal
	if _, err := Connect(background(t), p, "newer", never()); !errors.As(err, &refusal) {
		t.Errorf("connect: %v", err)
	}
	if _, err := Open(background(t), p, "newer"); !errors.As(err, &refusal) {
		t.Errorf("open: %v", err)
	}
	if info, err := Inspect(background(t), p); err != nil || info.Root != "/project" || info.Clients != 0 {
		t.Errorf("inspect: %+v, %v", info, err)
	}
}

// Open connects with Service.Operations, whose context ends with the daemon.
func TestOpen(t *testing.T) {
	p := place(t)
	s := echo()
	ended := make(chan struct{})
	s.Operations = func(ctx context.Context, conn io.ReadWriteCloser) {
		_, _ = io.Copy(conn, conn)
		<-ctx.Done()
		close(ended)
	}
	_, stop := run(t, p, s)
	conn, err := Open(background(t), p, "this")
	if err != nil {
		t.Fatal(err)
	}
	long := bytes.Repeat([]byte("x"), 1<<20) // a tool's argument may be that long
	go func() { _, _ = conn.Write(long) }()
	echoed := make([]byte, len(long))
	if _, err := io.ReadFull(conn, echoed); err != nil || !bytes.Equal(echoed, long) {
		t.Errorf("1 MB: %v", err)
	}
	if info, err := Inspect(background(t), p); err != nil || info.Clients != 0 {
		t.Errorf("inspect: %+v, %v", info, err) // it is no editor
	}
	stop()
	<-ended
	_ = conn.Close()
}

func TestOneDaemonOnly(t *testing.T) {
	p := place(t)
	_, stop := run(t, p, echo())
	if l, err := Listen(background(t), p); !errors.Is(err, ErrTaken) {
		t.Fatalf("a second one: %v, %v", l, err)
	}
	stop() // the next one waits for the end of the first, whether it has begun or not
	for {
		l, err := Listen(background(t), p)
		if errors.Is(err, ErrTaken) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
		return
	}
}

// What a killed daemon leaves behind is a socket that nobody serves and a lock that nobody holds.
func TestListenAfterAKilledDaemon(t *testing.T) {
	p := place(t)
	other := Place{dir: p.dir, key: "other"}
	for _, dead := range []Place{p, other} {
		if err := dead.makeDir(); err != nil {
			t.Fatal(err)
		}
		l, err := net.Listen("unix", dead.Socket())
		if err != nil {
			t.Fatal(err)
		}
		l.(*net.UnixListener).SetUnlinkOnClose(false)
		_ = l.Close()
		if err := os.WriteFile(dead.lockFile(), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run(t, p, echo())
	if info, err := os.Lstat(p.Socket()); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("socket: %v, %v", info, err)
	}
	if _, err := Inspect(background(t), p); err != nil {
		t.Error(err)
	}
	for _, file := range []string{other.Socket(), other.lockFile()} {
		if _, err := os.Lstat(file); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is still there: %v", file, err)
		}
	}
}

// A command that can't serve is told at once, not after the time limit.
func TestConnectToWhatDoesNotStart(t *testing.T) {
	p := place(t)
	for _, command := range []*exec.Cmd{never(), exec.Command(os.Args[0], "-no-such-flag")} {
		if _, err := Connect(background(t), p, "this", command); err == nil || strings.Contains(err.Error(), "no daemon answers") {
			t.Errorf("%s: %v", command.Path, err)
		}
	}
}

func TestFolderOfOthersIsRefused(t *testing.T) {
	p := place(t)
	run(t, p, echo())
	if err := os.Chmod(p.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := Connect(background(t), p, "this", never()); err == nil || !strings.Contains(err.Error(), "0700") {
		t.Errorf("connect: %v", err)
	}
	if _, err := Listen(background(t), p); err == nil || !strings.Contains(err.Error(), "0700") {
		t.Errorf("listen: %v", err)
	}
	if err := os.Chmod(p.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(p.dir, "file.sock"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Inspect(background(t), Place{dir: p.dir, key: "file"}); err == nil || !strings.Contains(err.Error(), "no socket") {
		t.Errorf("a file: %v", err)
	}
}

func TestPlaces(t *testing.T) {
	p := place(t)
	home := filepath.Dir(p.dir)
	if places, err := Places(home); err != nil || len(places) != 0 {
		t.Errorf("before any daemon: %v, %v", places, err)
	}
	run(t, p, echo())
	if places, err := Places(home); err != nil || len(places) != 1 || places[0] != p {
		t.Errorf("%v, %v", places, err)
	}
	if same, err := PlaceOf(p.Socket()); err != nil || same != p {
		t.Errorf("%v, %v", same, err)
	}
	other, err := NewPlace(home, "te", "st")
	if err != nil || other == p || other.dir != p.dir {
		t.Errorf("another identity: %v, %v", other, err)
	}
}

// Where the path of a socket would be too long, the system's folder is used, one folder for each home.
func TestLongHome(t *testing.T) {
	t.Setenv("XDG_RUNTIME_DIR", "/run/user/1")
	long := "/" + strings.Repeat("x", maxSocketPath)
	a, err := NewPlace(long)
	if err != nil {
		t.Skip(err)
	}
	b, err := NewPlace(long + "y")
	if err != nil || a.dir == b.dir || !strings.HasPrefix(a.dir, "/run/user/1/aurora-") || len(a.Socket()) > maxSocketPath {
		t.Errorf("%v, %v, %v", a, b, err)
	}
	t.Setenv("XDG_RUNTIME_DIR", long)
	if p, err := NewPlace(long); err == nil {
		t.Errorf("no folder is short enough, but %v", p)
	}
}

// Who looks at a daemon whose index hangs, or stops it, gets through; the folders are those of before.
func TestADaemonWhoseIndexHangs(t *testing.T) {
	p, release := place(t), make(chan struct{})
	var hangs atomic.Bool
	s := echo()
	s.Folders = func() []string {
		if hangs.Load() {
			<-release
		}
		return []string{"/project"}
	}
	ended, _ := run(t, p, s)
	defer close(release)
	if _, err := Inspect(background(t), p); err != nil {
		t.Fatal(err)
	}
	hangs.Store(true)
	info, err := Inspect(background(t), p)
	if err != nil || len(info.Folders) != 1 {
		t.Fatalf("%+v, %v", info, err)
	}
	if _, err := Stop(background(t), p); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
