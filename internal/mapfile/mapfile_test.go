package mapfile

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// mapped maps a file with the content and returns its path, too.
func mapped(t *testing.T, content []byte) (*Mapping, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := Map(f, int64(len(content)))
	if errors.Is(err, ErrUnsupported) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return m, path
}

func TestMap(t *testing.T) {
	content := bytes.Repeat([]byte("0123456789abcdef"), 5000)
	m, path := mapped(t, content)
	if !bytes.Equal(m.Bytes(), content) {
		t.Error("another content")
	}
	other := path + ".new"
	if err := os.WriteFile(other, []byte("new"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(other, path); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(m.Bytes(), content) {
		t.Error("another content after the file was replaced")
	}
	runtime.KeepAlive(m)
}

// TestMappingIsGivenBack looks for the file among the process's mappings.
func TestMappingIsGivenBack(t *testing.T) {
	m, path := mapped(t, make([]byte, 100_000))
	is := func() bool {
		maps, err := os.ReadFile("/proc/self/maps")
		if err != nil {
			t.Skip("the system does not tell what is mapped")
		}
		return strings.Contains(string(maps), path)
	}
	if !is() {
		t.Fatal("not mapped")
	}
	runtime.KeepAlive(m)
	for end := time.Now().Add(10 * time.Second); is(); runtime.GC() {
		if time.Now().After(end) {
			t.Fatal("still mapped")
		}
	}
}

func TestNothingToMap(t *testing.T) {
	f, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, size := range []int64{0, -1} {
		if _, err := Map(f, size); err == nil || !strings.Contains(err.Error(), os.DevNull) {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
}

func TestGuard(t *testing.T) {
	m, path := mapped(t, make([]byte, 100_000))
	sum := 0
	read := func() {
		for _, b := range m.Bytes() {
			sum += int(b)
		}
	}
	if !Guard(read) {
		t.Error("a file in order can't be read")
	}
	if err := os.Truncate(path, 5000); err != nil {
		t.Fatal(err)
	}
	if Guard(read) {
		t.Error("a shortened file was read")
	}
	runtime.KeepAlive(m)
}

func TestGuardLetsOtherPanicsPass(t *testing.T) {
	for _, f := range []func(){
		func() { panic("mine") },
		func() { var list []int; _ = list[len(os.Args)] },
		func() { var m *Mapping; _ = m.data },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("swallowed")
				}
			}()
			Guard(f)
		}()
	}
}
