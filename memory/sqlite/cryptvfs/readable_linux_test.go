package cryptvfs

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestReadable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := Readable(path); err != nil {
		t.Errorf("a file that is not there: %v", err)
	}
	if err := os.WriteFile(path, make([]byte, 3*headerSize+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Readable(path); err != nil {
		t.Errorf("a file of zeros: %v", err)
	}
	// Nothing is mapped at the beginning of a process: reading there gives the error of a failing disk.
	if err := Readable("/proc/self/mem"); !errors.Is(err, syscall.EIO) {
		t.Errorf("a file that can't be read: %v", err)
	}
}
