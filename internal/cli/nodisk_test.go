package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
)

// TestMemoryThatIsNotKept has a file where the folder of memory should be, which stops even root: what a command would
// change is lost when it ends, so it says that nothing was done. Reading goes on.
func TestMemoryThatIsNotKept(t *testing.T) {
	p := newProject(t)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("AURORA_MEMORY_DATABASE_PATH", filepath.Join(file, "memory.db"))
	for _, args := range [][]string{
		{"remember", "lost?"}, {"forget", "know:x"}, {"forget", "--undo", "know:x"}, {"import", file}, {"rate", "good", "know:x"},
		{"use", "opened", "know:x"}, {"relate", "know:x", "know:y"},
	} {
		got := p.run(append([]string{"aurora", "mem"}, args...)...)
		if got.code == app.ExitOK || got.out != "" || !strings.Contains(got.err, "memory can't be written to its file; nothing was done") {
			t.Errorf("%v: %s", args, got)
		}
	}
	if got := p.mustRun("aurora", "mem", "stats"); !strings.Contains(got.err, "kept only until AURORA exits") {
		t.Errorf("stats: %s", got)
	}
}
