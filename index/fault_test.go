package index

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/index/internal/disktest"
	"github.com/aurora-sidecar/aurora/index/snapshot"
)

// childVar names the folders that a child process is to index until it is killed: workspace and store.
const childVar = "AURORA_INDEX_TEST_CHILD"

func TestMain(m *testing.M) {
	if dirs := os.Getenv(childVar); dirs != "" {
		dir, store, _ := strings.Cut(dirs, "\n")
		fmt.Fprintln(os.Stderr, changeForEver(dir, store))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// changeForEver indexes a workspace that it keeps changing, and prints a line for every round.
func changeForEver(dir, store string) error {
	x, err := Open(context.Background(), Options{Folders: []string{dir}, StoreDir: store, NoWatch: true})
	if err != nil {
		return err
	}
	rng := rand.New(rand.NewPCG(uint64(os.Getpid()), 3))
	for i := 0; ; i++ {
		fmt.Println(i)
		for range 5 {
			path := filepath.Join(dir, fmt.Sprintf("f%d.go", rng.IntN(40)))
			if err := os.WriteFile(path, []byte(randomGo(rng)), 0o644); err != nil {
				return err
			}
		}
		if _, err := x.Refresh(context.Background(), nil, false); err != nil {
			return err
		}
		if i%3 == 2 {
			if err := x.Flush(context.Background()); err != nil {
				return err
			}
		}
	}
}

// TestKilledAtAnyMoment kills processes that index and save, and holds what they left against a fresh index.
func TestKilledAtAnyMoment(t *testing.T) {
	dir, store := workspace(t, nil), t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for round := range 6 {
		cmd := exec.CommandContext(t.Context(), self)
		cmd.Env = append(os.Environ(), childVar+"="+dir+"\n"+store)
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for range 1 + 3*round {
			lines.Scan()
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // killed
		got, _ := once(t, Options{Folders: []string{dir}, StoreDir: store})
		want, _ := once(t, Options{Folders: []string{dir}})
		if !maps.Equal(got, want) {
			t.Fatalf("round %d: got %v\nwant %v", round, got, want)
		}
	}
}

// TestSpoiledSavedSnapshot: whatever became of the file, the index is what a fresh one is.
func TestSpoiledSavedSnapshot(t *testing.T) {
	dir, store := workspace(t, numberedFiles(30)), t.TempDir()
	want, _ := once(t, Options{Folders: []string{dir}, StoreDir: store})
	saved, err := filepath.Glob(filepath.Join(store, "*", snapshot.SavedName))
	if err != nil || len(saved) != 1 {
		t.Fatal(saved, err)
	}
	good, err := os.ReadFile(saved[0])
	if err != nil {
		t.Fatal(err)
	}
	header := func(layout, chunks byte) []byte { return append(bytes.Clone(good[:7]), layout, chunks) }
	layout, chunks := good[7], good[8]
	spoiled := map[string][]byte{
		"empty": {}, "cut in the header": good[:9], "cut in the table": good[:len(good)/3], "without its last byte": good[:len(good)-1],
		"with more behind it": append(bytes.Clone(good), good...), "foreign": bytes.Repeat([]byte("GIF89a"), 999),
		"of the next version":             append(header(layout+1, chunks), good[9:]...),
		"of chunks of the version before": append(header(layout, chunks-1), good[9:]...), // an upgrade that cuts texts otherwise
		"with a huge table":               append(header(layout, chunks), bytes.Repeat([]byte{0x7f}, 100)...),
	}
	rng := rand.New(rand.NewPCG(7, 7))
	for i := range 25 {
		flipped := bytes.Clone(good)
		flipped[rng.IntN(len(flipped))] ^= 1 << rng.IntN(8)
		spoiled[fmt.Sprint("flipped ", i)] = flipped
	}
	for name, data := range spoiled {
		if err := os.WriteFile(saved[0], data, 0o600); err != nil {
			t.Fatal(err)
		}
		var log strings.Builder
		opts := Options{Folders: []string{dir}, StoreDir: store, Log: slog.New(slog.NewTextHandler(&log, nil))}
		if got, _ := once(t, opts); !maps.Equal(got, want) {
			t.Errorf("%s: %d chunks, want %d", name, len(got), len(want))
		}
		if !strings.Contains(log.String(), "level=WARN") || !strings.Contains(log.String(), "saved index not used; it will be built again") { // BMX-025
			t.Errorf("%s: the log says %q", name, log.String())
		}
	}
}

// TestOddFiles: each of these has broken an indexer.
func TestOddFiles(t *testing.T) {
	dir := workspace(t, map[string]string{
		"brackets.go":     "package p\n\nfunc Before() {}\n\nvar x = " + strings.Repeat("[", 1_000_000),
		"line.js":         "function longLine() { return '" + strings.Repeat("x", 3_000_000) + "' }\n",
		"bom.go":          "\ufeffpackage p\n\nfunc WithMark() {}\n",
		"crlf.go":         "package p\r\n\r\n// Windows ends its lines so.\r\nfunc Windows() {}\r\n",
		"nul.go":          "package p\n\nfunc Nul() {}\x00\n",
		"latin1.txt":      "caf\xe9 au lait\n",
		"empty.go":        "",
		"one.go":          "p",
		"wide.py":         "def größe():\n    return '😀𝔘𝔫𝔦'\n",
		"a b/ü/naïve.go":  "package p\n\nfunc Spaced() {}\n",
		"new\nline.go":    "package p\n\nfunc NewLine() {}\n",
		"bad\xff\xfe.go":  "package p\n\nfunc BadName() {}\n",
		"unfinished.rb":   "def broken\n  x = <<" + strings.Repeat("A", 400) + "\n",
		"yaml.yaml":       strings.Repeat("- ", 5000) + "deep\n",
		"deep.json":       strings.Repeat("[", 100_000),
		"markup.html":     strings.Repeat("<div>", 20_000),
		"many.md":         strings.Repeat("> ", 3000) + "quote\n",
		"conflict.go":     "package p\n\n<<<<<<< HEAD\nfunc Ours() {}\n=======\nfunc Theirs() {}\n>>>>>>> other\n",
		"trailing.go.bak": "package p\n\nfunc Backup() {}\n",
	})
	long := strings.Repeat("n", 252) + ".go" // 255 bytes
	if runtime.GOOS != "darwin" && runtime.GOOS != "windows" {
		write(t, dir, map[string]string{long: "package p\n\nfunc LongName() {}\n"})
	}
	x := open(t, Options{Folders: []string{dir}, StoreDir: t.TempDir(), NoWatch: true})
	s := flush(t, x)
	for _, name := range []string{"WithMark", "Windows", "größe", "Spaced", "NewLine", "BadName", "LongName", "Ours", "Theirs"} {
		if !has(name)(s) {
			t.Errorf("%s is not found", name)
		}
	}
	if hits, _ := s.Search(Query{Text: "Before"}); len(hits) != 1 { // cut as text, searchable all the same
		t.Errorf("%d hits in a text of a million brackets", len(hits))
	}
	if v := x.Explain(filepath.Join(dir, "nul.go")); v.Indexed {
		t.Errorf("a file with a NUL is indexed: %+v", v)
	}
	if checked, faults, err := x.Verify(t.Context()); err != nil || len(faults) > 0 || checked == 0 {
		t.Errorf("Verify: %d, %v, %v", checked, faults, err)
	}
}

// TestFileThatNeverStandsStill is written to while it is read.
func TestFileThatNeverStandsStill(t *testing.T) {
	dir := workspace(t, map[string]string{"a.go": serverGo})
	path := filepath.Join(dir, "a.go")
	x := open(t, Options{Folders: []string{dir}, NoWatch: true})
	done := make(chan error)
	go func() {
		rng := rand.New(rand.NewPCG(1, 9))
		for range 300 {
			if err := os.WriteFile(path, []byte(strings.Repeat(randomGo(rng), 20)), 0o644); err != nil {
				done <- err
				return
			}
		}
		done <- os.WriteFile(path, []byte("package p\n\nfunc Last() {}\n"), 0o644)
	}()
	for writing := true; writing; {
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			writing = false
		default:
			x.Saved(path)
			flush(t, x)
		}
	}
	x.Saved(path)
	if s := flush(t, x); !has("Last")(s) {
		t.Error("the last text is not in the index")
	}
	if _, faults, _ := x.Verify(t.Context()); len(faults) > 0 {
		t.Errorf("faults %v", faults)
	}
}

// TestStoreThatFillsUp: the disk of the store is full in the middle of a scan.
func TestStoreThatFillsUp(t *testing.T) {
	store := disktest.Small(t, "size=600k")
	files := map[string]string{}
	rng := rand.New(rand.NewPCG(2, 2))
	for i := range 600 {
		files[fmt.Sprintf("f%d.go", i)] = randomGo(rng) + fmt.Sprintf("\nfunc Unique%d() { %x() }\n", i, rng.Uint64())
	}
	dir := workspace(t, files)
	x, err := Open(t.Context(), Options{Folders: []string{dir}, StoreDir: filepath.Join(store, "index"), NoWatch: true})
	if err != nil {
		t.Fatal(err)
	}
	s := flush(t, x)
	if !has("Unique0")(s) || !has("Unique599")(s) {
		t.Error("a full disk keeps files out of the index")
	}
	if err := x.Shutdown(); err != nil && !strings.Contains(err.Error(), "full") && !strings.Contains(err.Error(), "space") {
		t.Errorf("shutting down: %v", err)
	}
	again, err := Open(t.Context(), Options{Folders: []string{dir}, StoreDir: filepath.Join(store, "index"), NoWatch: true})
	if err != nil {
		t.Fatal(err)
	}
	if s := flush(t, again); !has("Unique599")(s) {
		t.Error("what a full disk left behind keeps files out of the index")
	}
	_ = again.Shutdown() // the disk is still full
}

// TestFolderWithoutRights: what can't be listed is named, the rest is indexed.
func TestFolderWithoutRights(t *testing.T) {
	if os.Geteuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("nobody keeps this user out")
	}
	dir := workspace(t, map[string]string{"a.go": serverGo, "closed/b.go": "package b\n"})
	closed := filepath.Join(dir, "closed")
	if err := os.Chmod(closed, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.Chmod(closed, 0o755); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
	})
	x := open(t, Options{Folders: []string{dir}, NoWatch: true})
	if s := x.Status(); s.State != Degraded || len(s.Warnings) != 1 || !has("ParseHeader")(x.Snapshot()) {
		t.Errorf("status %s, %q", s.State, s.Warnings)
	}
}
