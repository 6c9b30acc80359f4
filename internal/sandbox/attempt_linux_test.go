package sandbox

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
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

// TestMain makes this test the program that becomes a sandboxed one, and one that tries to get out.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == Argument {
		fmt.Fprintln(os.Stderr, Enter())
		os.Exit(1)
	}
	if len(os.Args) > 2 && os.Args[1] == "attempt" {
		attempt(os.Args[2], os.Args[3:])
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// attempt does what a hostile test of a project would, and prints what came of it.
func attempt(what string, args []string) {
	say := func(err error) {
		if err != nil {
			fmt.Println("failed:", err)
			os.Exit(3)
		}
		fmt.Println("done")
	}
	switch what {
	case "dial":
		say(exchange(args[0], args[1]))
	case "serve":
		say(serve())
	case "read":
		data, err := os.ReadFile(args[0])
		fmt.Printf("%s\n", data)
		say(err)
	case "write":
		say(errors.Join(os.MkdirAll(filepath.Dir(args[0]), 0o700), os.WriteFile(args[0], []byte("written"), 0o600)))
	case "answer":
		task, err := io.ReadAll(os.Stdin)
		fmt.Fprintln(os.Stderr, "reads", len(task), os.Getenv("AURORA_TEST_NAMED"))
		n, _ := strconv.Atoi(args[0])
		_, writeErr := os.Stdout.WriteString(strings.Repeat("a", n))
		if err = errors.Join(err, writeErr); err != nil {
			os.Exit(3)
		}
	case "hoard":
		hoard()
	case "environment":
		fmt.Println(os.Environ())
	case "find":
		find(args[0])
	case "namespace":
		cmd := exec.Command("/proc/self/exe")
		cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER}
		say(cmd.Start())
	case "signal":
		pid, _ := strconv.Atoi(args[0])
		say(syscall.Kill(pid, syscall.SIGCONT))
	case "multiply":
		multiply()
	case "flee":
		flee(args)
	}
}

// exchange sends a word and waits for what comes back, so that UDP tells, too.
func exchange(network, address string) error {
	conn, err := net.DialTimeout(network, address, 2*time.Second)
	if err != nil {
		return err
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(2 * time.Second))
	if _, err := conn.Write([]byte("hello")); err != nil {
		return err
	}
	_, err = conn.Read(make([]byte, 5))
	return err
}

// serve is what tests with a server of their own do.
func serve() error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	go echo(l)
	return exchange("tcp", l.Addr().String())
}

func echo(l net.Listener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		_, _ = io.CopyN(conn, conn, int64(len("hello")))
		_ = conn.Close()
	}
}

// find prints where a word is in the files that can be seen.
func find(word string) {
	_ = filepath.WalkDir("/", func(path string, _ fs.DirEntry, _ error) error {
		for _, vast := range []string{"/usr", "/proc", "/opt"} {
			if path == vast {
				return filepath.SkipDir
			}
		}
		info, err := os.Lstat(path) // a mounted device is a file to the listing of its folder
		if err != nil || !info.Mode().IsRegular() || info.Size() > 1<<16 {
			return nil
		}
		if data, err := os.ReadFile(path); err == nil && strings.Contains(string(data), word) {
			fmt.Println("found in", path)
		}
		return nil
	})
}

// hoard takes 1.6 GB of memory, and waits.
func hoard() {
	var taken [][]byte
	for range 100 {
		b := make([]byte, 16<<20)
		for i := 0; i < len(b); i += 4096 {
			b[i] = 1
		}
		taken = append(taken, b)
	}
	fmt.Println("holds", len(taken))
	time.Sleep(time.Hour)
}

// multiply starts processes until the system refuses.
func multiply() {
	for n := range 5000 {
		if err := exec.Command("sleep", "1000").Start(); err != nil {
			fmt.Println("refused after", n)
			return
		}
	}
	fmt.Println("never refused")
}

// flee leaves a process in a session of its own behind, which holds a pipe. The first of the two waits with it.
func flee(args []string) {
	pipe, err := os.OpenFile(args[0], os.O_WRONLY, 0)
	if err != nil {
		fmt.Println(err)
		os.Exit(3)
	}
	cmd := exec.Command("sleep", "1000")
	cmd.ExtraFiles, cmd.SysProcAttr = []*os.File{pipe}, &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		fmt.Println(err)
		os.Exit(3)
	}
	if _, err := pipe.WriteString("fled"); err != nil || len(args) == 1 {
		return
	}
	_ = cmd.Wait()
}
