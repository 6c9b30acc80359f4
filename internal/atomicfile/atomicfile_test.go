package atomicfile

import (
	"os"
	"path/filepath"
	"testing"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "notes")
	for _, text := range []string{"the first text, which is longer", "the second"} {
		if err := Write(path, []byte(text), Private); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("%q, %v", got, err)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != Private {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

func TestNothingIsLeftBehind(t *testing.T) {
	dir := t.TempDir()
	taken := filepath.Join(dir, "folder")
	if err := os.MkdirAll(filepath.Join(taken, "below"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := Write(taken, []byte("text"), Private); err == nil {
		t.Error("a folder was replaced")
	}
	if err := Write(filepath.Join(dir, "missing", "file"), nil, Private); err == nil {
		t.Error("a folder was made")
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("left: %v, %v", left, err)
	}
}
