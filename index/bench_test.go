package index

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// copyTree copies the Go files of a part of the standard library, so that the benchmark may edit them.
func copyTree(b *testing.B, part string) (dir string, lines int) {
	b.Helper()
	dir = b.TempDir()
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		b.Skip("no go command")
	}
	root := filepath.Join(strings.TrimSpace(string(goroot)), "src", part)
	err = filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		lines += strings.Count(string(data), "\n")
		target := filepath.Join(dir, strings.TrimPrefix(path, root))
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		return os.WriteFile(target, data, 0o644)
	})
	if err != nil || lines == 0 {
		b.Skip("the Go sources are not installed")
	}
	return dir, lines
}

func BenchmarkFirstScan(b *testing.B) {
	dir, lines := copyTree(b, "net")
	for b.Loop() {
		x, err := Open(context.Background(), Options{Folders: []string{dir}, StoreDir: b.TempDir(), NoWatch: true})
		if err != nil {
			b.Fatal(err)
		}
		if err := x.WaitReady(b.Context()); err != nil {
			b.Fatal(err)
		}
		if err := x.Shutdown(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(lines)*float64(b.N)/b.Elapsed().Seconds(), "lines/s")
}

func BenchmarkKeystroke(b *testing.B) {
	dir, _ := copyTree(b, "net/http")
	path := filepath.Join(dir, "h2_bundle.go")
	text, err := os.ReadFile(path)
	if err != nil {
		b.Skip("no long file")
	}
	x := open(b, Options{Folders: []string{dir}, NoWatch: true})
	x.Open(path, "go", 0, text)
	at := strings.Index(string(text), "\nfunc ") + 1
	i := int32(0)
	for b.Loop() {
		i++
		e := Edit{Start: at, OldEnd: at, New: []byte("// word\n")}
		text = append(append(append([]byte{}, text[:at]...), e.New...), text[at:]...)
		x.Change(path, i, text, []Edit{e})
		flush(b, x)
	}
}

// BenchmarkWarmStart opens a tree that was indexed before and did not change.
func BenchmarkWarmStart(b *testing.B) {
	dir, _ := copyTree(b, "")
	store := b.TempDir()
	cycle := func(wait func(*Index) error) {
		x, err := Open(context.Background(), Options{Folders: []string{dir}, StoreDir: store, NoWatch: true})
		if err != nil {
			b.Fatal(err)
		}
		if err := wait(x); err != nil {
			b.Fatal(err)
		}
		if err := x.Shutdown(); err != nil {
			b.Fatal(err)
		}
	}
	cycle(func(x *Index) error { return x.Flush(b.Context()) })
	for b.Loop() {
		cycle(func(x *Index) error { return x.WaitReady(b.Context()) })
	}
}
