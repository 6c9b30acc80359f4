package index

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// A moveList gathers what OnMove tells.
type moveList struct {
	mu    sync.Mutex
	moves []Move
}

func (l *moveList) add(moves []Move) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.moves = append(l.moves, moves...)
}

// take returns "from -> to" for each move so far and forgets them.
func (l *moveList) take() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []string
	for _, m := range l.moves {
		out = append(out, m.From+" -> "+m.To)
	}
	l.moves = nil
	slices.Sort(out)
	return out
}

func TestMovesAreFollowed(t *testing.T) {
	dir := workspace(t, map[string]string{
		"server.go": serverGo, "notes.md": "# Notes\n\nSome text.\n", "plain.txt": "words\n", "other.go": "package server\n\nfunc Other() {}\n",
	})
	x := open(t, Options{Folders: []string{dir}, NoWatch: true})
	var list moveList
	x.OnMove(list.add)
	path := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	step := func(what string, want []string, do ...error) {
		t.Helper()
		for _, err := range do {
			if err != nil {
				t.Fatal(err)
			}
		}
		if _, err := x.Refresh(t.Context(), nil, false); err != nil {
			t.Fatal(err)
		}
		flush(t, x)
		if got := list.take(); !slices.Equal(got, want) {
			t.Errorf("%s: moves %q, want %q", what, got, want)
		}
	}

	step("a rename", []string{"server.go -> listen.go"}, os.Rename(path("server.go"), path("listen.go")))
	step("a move of a folder", []string{"listen.go -> net/listen.go", "notes.md -> net/notes.md"}, os.Mkdir(path("net"), 0o755),
		os.Rename(path("listen.go"), path("net/listen.go")), os.Rename(path("notes.md"), path("net/notes.md")))
	step("a text without structure", nil, os.Rename(path("plain.txt"), path("plainer.txt")))
	step("a copy", nil, os.WriteFile(path("copy.go"), []byte(serverGo), 0o644))
	step("then its original goes", []string{"net/listen.go -> copy.go"}, os.Remove(path("net/listen.go")))
	edited := strings.Replace(serverGo, "empty:", "nothing in:", 1)
	step("a move with an edit", []string{"copy.go -> edited.go"}, os.Remove(path("copy.go")), os.WriteFile(path("edited.go"), []byte(edited), 0o644))
	step("another file instead", nil, os.Remove(path("other.go")), os.WriteFile(path("new.go"), []byte("package server\n\nfunc New() {}\n"), 0o644))
	step("gone for good", nil, os.Remove(path("edited.go")))
}

// TestMoveInTheEditor: the editor closes one buffer and opens another before anything is saved under the new name.
func TestMoveInTheEditor(t *testing.T) {
	dir := workspace(t, map[string]string{"server.go": serverGo})
	x := open(t, Options{Folders: []string{dir}, NoWatch: true})
	var list moveList
	x.OnMove(list.add)
	from, to := filepath.Join(dir, "server.go"), filepath.Join(dir, "listen.go")
	x.Open(from, "go", 1, []byte(serverGo))
	flush(t, x)
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
	x.Close(from)
	x.Open(to, "go", 1, []byte(serverGo+"\nfunc more() {}\n"))
	flush(t, x)
	if got := list.take(); !slices.Equal(got, []string{"server.go -> listen.go"}) {
		t.Errorf("moves %q", got)
	}
}

// TestMoveWhileNobodyLooked: the file was renamed between two runs.
func TestMoveWhileNobodyLooked(t *testing.T) {
	files := numberedFiles(60)
	dir, store := workspace(t, files), t.TempDir()
	once(t, Options{Folders: []string{dir}, StoreDir: store})
	if err := os.Rename(filepath.Join(dir, "p3"), filepath.Join(dir, "q3")); err != nil {
		t.Fatal(err)
	}
	x, err := Open(t.Context(), Options{StoreDir: store, NoWatch: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := x.Shutdown(); err != nil {
			t.Error(err)
		}
	}()
	var list moveList
	x.OnMove(list.add)
	x.AddFolder(dir)
	flush(t, x)
	var want []string
	for name := range files {
		if rest, ok := strings.CutPrefix(name, "p3/"); ok {
			want = append(want, "p3/"+rest+" -> q3/"+rest)
		}
	}
	slices.Sort(want)
	if got := list.take(); !slices.Equal(got, want) {
		t.Errorf("moves %q, want %q", got, want)
	}
}
