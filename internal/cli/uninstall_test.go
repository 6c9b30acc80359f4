package cli

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/cli/agents"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/uninstall"
	"github.com/aurora-sidecar/aurora/internal/sandbox"
)

// An installation is the real program, put into a home folder by the script behind "make install".
type installation struct {
	*project
	prefix string
}

func installed(t *testing.T) *installation {
	t.Helper()
	p := sharing(t, 60)
	p.command("aurora")
	i := &installation{p, filepath.Join(p.home, ".local")}
	i.shell("bash", filepath.Join(testDir, "../../scripts/install.sh"), filepath.Join(binary.dir, "aurora"), i.prefix)
	return i
}

// aurora runs the installed program.
func (i *installation) aurora(typed string, args ...string) outcome {
	i.t.Helper()
	var out, err strings.Builder
	cmd := exec.Command(filepath.Join(i.prefix, "bin", "aurora"), args...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = i.dir, strings.NewReader(typed), &out, &err
	cmd.Env = []string{"HOME=" + i.home, "PATH=" + filepath.Join(i.prefix, "bin") + ":" + os.Getenv("PATH")}
	code := exitCode(cmd.Run())
	return outcome{out.String(), err.String(), code}
}

func (i *installation) shell(name string, args ...string) {
	i.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = i.dir, []string{"HOME=" + i.home, "PATH=" + os.Getenv("PATH")}
	if out, err := cmd.CombinedOutput(); err != nil {
		i.t.Fatalf("%s %q: %v: %s", name, args, err, out)
	}
}

// used leaves all that AURORA can leave: an index, memory, a log, a client's entry in the project and in the home
// folder, the link of the plugin, a daemon.
func (i *installation) used() *server {
	i.t.Helper()
	i.write(".mcp.json", "{\n  \"mcpServers\": {\n    \"other\": {\n      \"command\": \"x\"\n    }\n  }\n}\n")
	for _, args := range [][]string{
		{"index"}, {"mem", "remember", "Backoff has jitter"},
		{"setup", "--shared", "--client", "claude-code", "--write"}, {"setup", "--client", "cursor", "--write"},
	} {
		if got := i.aurora("", args...); got.code != app.ExitOK {
			i.t.Fatalf("%q: %s", args, got)
		}
	}
	plugin := filepath.Join(i.home, ".local/share/nvim/site/pack/aurora/start/aurora")
	if err := os.MkdirAll(filepath.Dir(plugin), 0o755); err != nil {
		i.t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(testDir, "../../editors/nvim"), plugin); err != nil {
		i.t.Fatal(err)
	}
	s := i.serveShared()
	s.initialize(i.dir)
	return s
}

// tree lists the files and links in the home folder.
func (i *installation) tree() []string {
	i.t.Helper()
	var files []string
	err := filepath.WalkDir(i.home, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(i.home, path)
			files = append(files, rel)
		}
		return err
	})
	if err != nil {
		i.t.Fatal(err)
	}
	return files
}

// What was installed goes, the data stays, and nothing at all goes before it is asked for.
func TestUninstall(t *testing.T) {
	i := installed(t)
	s := i.used()
	before := i.tree()
	for _, args := range [][]string{{"uninstall"}, {"uninstall", "--dry-run", "--index", "--logs", "--settings", "--memory"}, {"uninstall", "--json"}} {
		got := i.aurora("", args...)
		if got.code != app.ExitOK || !strings.Contains(got.out, ".local/bin/aurora") {
			t.Errorf("%q: %s", args, got)
		}
	}
	if after := i.tree(); !slices.Equal(before, after) {
		t.Fatalf("a dry run changed files:\n%s\nwere\n%s", strings.Join(after, "\n"), strings.Join(before, "\n"))
	}
	got := i.aurora("", "uninstall", "--yes")
	if got.code != app.ExitOK || !strings.Contains(got.out, "AURORA is uninstalled") {
		t.Fatalf("uninstall: %s", got)
	}
	for _, words := range []string{"~/.local/bin/aur\n", "~/.local/share/man/man1 (", " files), ", "_aurora", ".mcp.json (the entry of Claude Code)",
		"~/.cursor/mcp.json (the entry of Cursor)", "pack/aurora/start/aurora", "process ", "~/.aurora/memory.db: ", "to remove: --memory", "to remove: --index"} {
		if !strings.Contains(got.out, words) {
			t.Errorf("not told: %s in\n%s", words, got)
		}
	}
	if code := exitCode(s.cmd.Wait()); code != 1 {
		t.Errorf("the session of the daemon ended with %d", code)
	}
	for _, file := range i.tree() {
		if !strings.HasPrefix(file, ".aurora/") {
			t.Errorf("left behind: %s", file)
		}
	}
	for _, kept := range []string{"memory.db", "config.json", "index/shared", "logs"} {
		if !uninstall.Exists(filepath.Join(i.home, ".aurora", kept)) {
			t.Errorf("%s is gone", kept)
		}
	}
	if text := i.read(".mcp.json"); strings.Contains(text, "aurora") || !strings.Contains(text, `"other"`) || i.has(".mcp.json"+agents.BackupSuffix) {
		t.Errorf("the client's file: %s", text)
	}
	if !uninstall.Exists(filepath.Join(testDir, "../../editors/nvim/lua/aurora")) {
		t.Fatal("the plugin behind the link is gone")
	}
}

// Memory goes with its flag and the typed words only, and with all flags nothing is left.
func TestUninstallAll(t *testing.T) {
	i := installed(t)
	i.used().in.Close()
	if err := os.MkdirAll(filepath.Join(i.home, ".aurora", sandbox.Folder, "cache-1", "go-build"), 0o700); err != nil {
		t.Fatal(err)
	}
	all := []string{"uninstall", "--yes", "--index", "--logs", "--settings", "--memory"}
	before := i.tree()
	for _, typed := range []string{"", "yes\n", "Delete my memory\n"} {
		got := i.aurora(typed, all...)
		if got.code != app.ExitFailed || !strings.Contains(got.err, "type: delete my memory") || !strings.Contains(got.err, "Nothing was removed") {
			t.Errorf("%q: %s", typed, got)
		}
	}
	if after := i.tree(); len(after) < len(before)-2 { // the daemon may end by itself, and take its socket along
		t.Fatalf("something was removed: %q", after)
	}
	if got := i.aurora(uninstall.MemoryPhrase+"\n", all...); got.code != app.ExitOK {
		t.Fatalf("%s", got)
	}
	if left := i.tree(); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
	if uninstall.Exists(filepath.Join(i.home, ".aurora")) {
		t.Error("the empty folder is left")
	}
}

// The flags say where history is: in memory, but for the files of an earlier version, which go with the logs.
func TestUninstallHistory(t *testing.T) {
	p := smallProject(t)
	p.mustRun("aurora", "ask", "where is Backoff defined?")
	spent := filepath.Join(p.home, ".aurora", "history", "spent.json.gz")
	p.writeHome(".aurora/history/spent.json.gz", "{}")
	var plan uninstall.UninstallPlan
	got := p.run("aurora", "uninstall", "--logs", "--json")
	if err := json.Unmarshal([]byte(got.out), &plan); err != nil {
		t.Fatalf("%v: %s", err, got)
	}
	removed := map[string]string{}
	for _, r := range plan.Remove {
		removed[r.Path] = r.Sort
	}
	if database := filepath.Join(p.home, ".aurora", "memory.db"); removed[filepath.Dir(spent)] != "logs" || removed[database] != "" || !strings.Contains(got.out, "what was asked, answered and spent") {
		t.Errorf("logs: %s", got)
	}
}

// A terminal is asked, and no is the answer of somebody who only presses return.
func TestUninstallAsks(t *testing.T) {
	p := smallProject(t)
	p.run("aurora", "index")
	got := p.onTerminal("\n\n", "aurora", "uninstall")
	if got.code != app.ExitFailed || !strings.Contains(got.err, "Remove the index, too?") || !strings.Contains(got.err, "Remove all of it? [y/N]") || !strings.Contains(got.out, "Nothing was removed.") {
		t.Errorf("%s", got)
	}
	if got := p.onTerminal("yes\n", "aurora", "uninstall", "--memory"); got.code != app.ExitFailed || !uninstall.Exists(filepath.Join(p.home, ".aurora/memory.db")) {
		t.Errorf("memory: %s", got)
	}
}

// Folders in which others keep things are left alone.
func TestUninstallKeepsWhatIsNotOurs(t *testing.T) {
	i := installed(t)
	for _, file := range []string{
		".aurora/index/photos/cat.jpg", ".local/share/man/man1/aurora-borealis.1", ".local/share/fish/vendor_completions.d/other.fish",
		".local/share/nvim/site/pack/x/start/aurora/plugin/theirs.vim", ".cursor/mcp.json",
	} {
		path := filepath.Join(i.home, file)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(`{"mcpServers": {"aurora": {"command": "/opt/weather/northern-lights"}}}`), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept := i.tree()
	if got := i.aurora("", "uninstall", "--yes", "--index", "--json"); got.code != app.ExitOK {
		t.Fatalf("%s", got)
	}
	left := i.tree()
	for _, file := range kept {
		theirs := strings.Contains(file, "photos") || strings.Contains(file, "borealis") || strings.Contains(file, "other.fish") ||
			strings.Contains(file, "theirs.vim") || strings.Contains(file, "cursor")
		if theirs != slices.Contains(left, file) && !strings.HasPrefix(file, ".aurora/config") {
			t.Errorf("%s: is there %t", file, slices.Contains(left, file))
		}
	}
	// A home folder of AURORA that is the person's own is never emptied.
	p := smallProject(t)
	t.Setenv("AURORA_HOME", p.home)
	var plan uninstall.UninstallPlan
	got := p.run("aurora", "uninstall", "--index", "--logs", "--settings", "--json")
	if err := json.Unmarshal([]byte(got.out), &plan); err != nil {
		t.Fatalf("%v: %s", err, got)
	}
	for _, r := range plan.Remove {
		if r.Sort == "index" || r.Sort == "logs" || r.Sort == "settings" {
			t.Errorf("would remove %s", r.Path)
		}
	}
}

// What a package manager installed is left to it.
func TestUninstallPackage(t *testing.T) {
	i := installed(t)
	marker := filepath.Join(i.prefix, "share/aurora/package")
	if err := os.MkdirAll(filepath.Dir(marker), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(marker, []byte("deb\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	got := i.aurora("", "uninstall", "--yes")
	if got.code != app.ExitOK || !strings.Contains(got.out, "sudo apt-get remove aurora") || !uninstall.Exists(filepath.Join(i.prefix, "bin/aurora")) {
		t.Errorf("%s", got)
	}
	if got := i.aurora("", "uninstall", "--yes", "--dry-run"); got.code == app.ExitOK {
		t.Errorf("both flags: %s", got)
	}
}

// What can't be removed is told, and the rest goes.
func TestUninstallGoesOn(t *testing.T) {
	var errs strings.Builder
	c := &app.App{Out: &strings.Builder{}, Err: &errs}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	plan := &uninstall.UninstallPlan{}
	plan.Remove = []uninstall.Removal{{Sort: "program", Path: "/bin/stuck", Do: func(context.Context) error { return os.ErrPermission }}}
	plan.Add("program", file)
	err := uninstall.CarryOut(t.Context(), c, plan)
	if err == nil || uninstall.Exists(file) || !strings.Contains(errs.String(), "/bin/stuck is still there: permission denied") {
		t.Errorf("%v: %s", err, errs.String())
	}
}
