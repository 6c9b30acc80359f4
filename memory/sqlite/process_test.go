//go:build unix

package sqlite

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/aurora-sidecar/aurora/memory"
)

// The test binary runs itself as another process when this variable names a role.
const roleVariable = "AURORA_TEST_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(roleVariable) {
	case "":
		os.Exit(m.Run())
	case "writer":
		fmt.Fprintln(os.Stderr, "writer:", writeUntilKilled(os.Args[1]))
		os.Exit(1)
	case "spender":
		fmt.Fprintln(os.Stderr, "spender:", spendUntilKilled(os.Args[1]))
		os.Exit(1)
	case "converter":
		fmt.Fprintln(os.Stderr, "converter:", convertUntilKilled(os.Args[1]))
		os.Exit(1)
	case "saver":
		fmt.Fprintln(os.Stderr, "saver:", backUpUntilKilled(os.Args[1]))
		os.Exit(1)
	case "holder":
		if err := holdUntilTold(os.Args[1]); err != nil {
			fmt.Fprintln(os.Stderr, "holder:", err)
			os.Exit(1)
		}
	case "reader":
		s := OpenOrMemory(context.Background(), os.Args[1], Options{})
		hits, err := s.Search(context.Background(), memory.Query{Text: "readable"})
		fmt.Printf("found %d, %v: %s\n", len(hits), err, s.Warning())
	}
}

// writeUntilKilled says the id of every record that Remember acknowledged. It returns only when something fails.
func writeUntilKilled(path string) error {
	s, err := Open(context.Background(), path, Options{Encryption: roleEncryption()})
	if err != nil {
		return err
	}
	for i := 0; ; i++ {
		r, _, err := s.Remember(context.Background(), memory.Record{Content: fmt.Sprintf("written by %d, item %d", os.Getpid(), i)})
		if err != nil {
			return err
		}
		fmt.Println(r.ID)
	}
}

// holdUntilTold remembers something in a transaction that it commits when its input ends.
func holdUntilTold(path string) error {
	s, err := Open(context.Background(), path, Options{Encryption: roleEncryption()})
	if err != nil {
		return err
	}
	defer s.Close()
	return s.write(context.Background(), func(tx tx) error {
		r, err := memory.Prepare(memory.Record{Content: "held back"})
		if err != nil {
			return err
		}
		if _, _, err := remember(context.Background(), tx, r); err != nil {
			return err
		}
		fmt.Println("holding")
		_, err = io.Copy(io.Discard, os.Stdin)
		return err
	})
}

// inRole is a command that runs this test binary as another process.
func inRole(t *testing.T, binary, role, path string) *exec.Cmd {
	t.Helper()
	home := t.TempDir()
	command := exec.Command(binary, path)
	command.Env = []string{roleVariable + "=" + role, "HOME=" + home, "XDG_CONFIG_HOME=" + home, "TMPDIR=" + home}
	if *encrypted {
		withKeys(command, flagKeys())
	}
	command.Stderr = os.Stderr
	return command
}

func thisBinary(t *testing.T) string {
	t.Helper()
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return binary
}

// Two processes write while this one does, then they are killed in the midst of it: nothing acknowledged is lost.
func TestKilledInTheMidst(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	s := openAt(t, path, Options{})
	var writers [2]*exec.Cmd
	var outputs [2]*bufio.Scanner
	for i := range writers {
		writers[i] = inRole(t, thisBinary(t), "writer", path)
		pipe, err := writers[i].StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := writers[i].Start(); err != nil {
			t.Fatal(err)
		}
		outputs[i] = bufio.NewScanner(pipe)
	}
	var acknowledged []string
	for range 15 {
		for _, output := range outputs {
			if !output.Scan() {
				t.Fatalf("a writer ended: %v", output.Err())
			}
			acknowledged = append(acknowledged, output.Text())
		}
		acknowledged = append(acknowledged, mustRemember(t, s, fmt.Sprintf("of the parent, item %d", len(acknowledged))).ID)
	}
	for i, writer := range writers {
		if err := writer.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		for outputs[i].Scan() { // what it had said before
			acknowledged = append(acknowledged, outputs[i].Text())
		}
		_ = writer.Wait() // it was killed
	}
	s.Close()

	s = openAt(t, path, Options{})
	if s.Warning() != "" {
		t.Errorf("warning %q", s.Warning())
	}
	for _, id := range acknowledged {
		if _, err := s.Get(t.Context(), id); err != nil {
			t.Errorf("lost although acknowledged: %v", err)
		}
	}
	if err := checkHealth(t.Context(), s.database); err != nil {
		t.Error(err)
	}
	stats, err := s.Stats(t.Context())
	if got := len(found(t, s, "item")); err != nil || got != min(stats.Records[memory.Knowledge], maxLimit) {
		t.Errorf("the text index has %d of %d records, %v", got, stats.Records[memory.Knowledge], err)
	}
}

func TestReadOnlyHome(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "memory.db")
	s := openAt(t, path, Options{})
	mustRemember(t, s, "still readable")
	s.Close()
	binary := thisBinary(t)
	command := inRole(t, binary, "reader", path)
	if os.Geteuid() == 0 { // root may write anywhere, so somebody else has to try
		binary = copyOf(t, binary)
		command = inRole(t, binary, "reader", path)
		command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		for _, open := range []string{filepath.Dir(folder), filepath.Dir(filepath.Dir(binary))} {
			if err := os.Chmod(open, 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, mode := range map[string]os.FileMode{path: 0o444, folder: 0o555} {
		if err := os.Chmod(name, mode); err != nil {
			t.Fatal(err)
		}
	}
	defer os.Chmod(folder, 0o700)
	output, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	got := string(output)
	for _, want := range []string{"found 1, <nil>", "kept only until AURORA exits", "Records read from the file: 1.", "Make the folder writable"} {
		if !strings.Contains(got, want) {
			t.Errorf("output lacks %q:\n%s", want, got)
		}
	}
}

// copyOf copies the test binary to where other users may run it.
func copyOf(t *testing.T, binary string) string {
	t.Helper()
	content, err := os.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "sqlite.test")
	if err := os.WriteFile(copied, content, 0o755); err != nil {
		t.Fatal(err)
	}
	return copied
}
