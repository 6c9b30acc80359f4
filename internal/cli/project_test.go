package cli

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
)

// makeDirs makes folders below a new temporary one, which it returns in canonical form.
func makeDirs(t *testing.T, dirs ...string) string {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range dirs {
		if err := os.MkdirAll(filepath.Join(base, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return base
}

func TestProjectRoot(t *testing.T) {
	base := makeDirs(t, "home/.aurora", "home/.git", "home/notes", "home/repo/.git", "home/repo/a/b", "home/repo/web/src", "home/package/lib/x", "home/plain/src/x", "home/plain/tests")
	home := filepath.Join(base, "home")
	t.Setenv("HOME", home)
	if err := os.WriteFile(filepath.Join(home, "repo/web/package.json"), []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "package/pom.xml"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(home, "repo"), filepath.Join(base, "link")); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ start, want string }{
		{"home/repo/a/b", "home/repo"},
		{"home/repo/web/src", "home/repo"}, // the repository, not the package in it
		{"home/package/lib/x", "home/package"},
		{"home/plain/src/x", "home/plain"}, // source beside tests
		{"home/notes", "home/notes"},       // the markers of the home directory count for nobody
		{"link/a", "home/repo"},
	} {
		got, err := workspace.ProjectRoot((&app.App{}), filepath.Join(base, tt.start))
		if err != nil || got != filepath.Join(base, tt.want) {
			t.Errorf("projectRoot(%s) = %s, %v; want %s", tt.start, got, err, tt.want)
		}
	}
	got, err := workspace.ProjectRoot((&app.App{Flags: app.Flags{Project: filepath.Join(home, "repo/a")}}), ".")
	if want := filepath.Join(home, "repo/a"); err != nil || got != want {
		t.Errorf("--project: %s, %v; want %s", got, err, want)
	}
}

func TestRefusedRoots(t *testing.T) {
	base := makeDirs(t, "home")
	t.Setenv("HOME", filepath.Join(base, "home"))
	file := filepath.Join(base, "file.go")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"/", filepath.Join(base, "home"), filepath.Join(base, "absent"), file} {
		_, err := workspace.CheckRoot(dir)
		var e *app.Exit
		if !errors.As(err, &e) || e.Remedy == "" || e.Code != app.ExitFailed {
			t.Errorf("checkRoot(%s) = %v, want a failure with a remedy", dir, err)
		}
	}
}
