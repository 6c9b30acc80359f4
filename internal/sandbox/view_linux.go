package sandbox

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A mount is a place that the program sees.
type mount struct {
	From   string // on the machine
	To     string // in the sandbox
	Write  bool
	Upper  string // folder for what is written above From, which stays as it is; "" for none
	Target string // of a symbolic link, which is made instead of a mount
}

// A view is all that the program sees. The child gets it as JSON.
type view struct {
	Root    string // empty folder that becomes the root
	Mounts  []mount
	Removed []string // after the mounts
	Dir     string
	Program string
	Args    []string
	Env     []string
}

// system are places of the machine that hold programs, libraries, and what these need to know. Those that are missing, and
// links, are taken as they are.
var system = []string{
	"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store", "/home/linuxbrew/.linuxbrew",
	"/etc/alternatives", "/etc/ca-certificates", "/etc/group", "/etc/hosts", "/etc/java", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d",
	"/etc/localtime", "/etc/mime.types", "/etc/nsswitch.conf", "/etc/os-release", "/etc/passwd", "/etc/pki/tls/certs", "/etc/protocols", "/etc/services",
	"/etc/ssl/certs", "/dev/full", "/dev/null", "/dev/random", "/dev/urandom", "/dev/zero",
}

// toolchains are places of the home folder that hold programs and libraries, and no keys.
var toolchains = []string{
	"go/pkg/mod", ".cargo/bin", ".cargo/registry", ".cargo/git", ".rustup", ".nvm/versions", ".volta/tools", ".local/share/fnm", ".bun/bin", ".deno/bin",
	".pyenv", ".local/lib", ".local/share/uv/python", ".local/share/uv/tools", ".local/share/pipx", ".local/bin", ".asdf", ".local/share/mise", ".rbenv",
	".sdkman/candidates", ".m2/repository",
}

// environments are folders of a workspace with programs that go before those of PATH.
var environments = []string{".venv/bin", "venv/bin", "node_modules/.bin"}

// passed are the variables of the environment that a program gets as they are. None of them holds a key.
var passed = []string{"LANG", "LANGUAGE", "TZ", "USER", "LOGNAME", "JAVA_HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN", "CGO_ENABLED", "CC", "CXX"}

// fixed are those that it gets anyway: nothing asks, nothing is fetched, nothing is watched.
var fixed = []string{
	"CI=1", "TERM=dumb", "NO_COLOR=1", "TMPDIR=/tmp", "SHELL=/bin/sh",
	"GOPROXY=off", "GOTOOLCHAIN=local", "GOFLAGS=-buildvcs=false", "GOTELEMETRY=off", "CARGO_NET_OFFLINE=true", "npm_config_offline=true",
	"npm_config_update_notifier=false", "PYTHONDONTWRITEBYTECODE=1",
}

// newView gathers what a command sees. scratch is the folder of this run, cache that of all runs of the workspace.
func newView(c Command, scratch, cache string) (*view, error) {
	home, err := realHome()
	if err != nil {
		return nil, err
	}
	v := &view{Root: filepath.Join(scratch, "root"), Dir: c.Dir, Args: c.Args}
	path := searchPath(c.Workspace)
	if v.Program = c.Program; v.Program == "" {
		if v.Program, err = lookUp(c.Args[0], path); err != nil {
			return nil, err
		}
	}
	for _, folder := range []string{"root", "home", "tmp", "upper"} {
		if err := os.Mkdir(filepath.Join(scratch, folder), 0o700); err != nil {
			return nil, err
		}
	}
	v.see(system...)
	v.Mounts = append(v.Mounts,
		mount{From: filepath.Join(scratch, "tmp"), To: "/tmp", Write: true},
		mount{From: filepath.Join(scratch, "home"), To: home, Write: true},
		mount{From: cache, To: filepath.Join(home, ".cache"), Write: true},
		mount{From: c.Workspace, To: c.Workspace, Upper: filepath.Join(scratch, "upper")},
	)
	for _, t := range toolchains {
		v.see(filepath.Join(home, t))
	}
	if c.Program != "" && !within(c.Program, c.Workspace) {
		v.see(c.Program)
	}
	v.see(installations(append([]string{v.Program}, programs(path)...), home)...)
	for _, named := range []string{moduleCache(), os.Getenv("RUSTUP_HOME"), os.Getenv("JAVA_HOME")} {
		if !within(home, named) {
			v.see(named)
		}
	}
	hidden, err := hiddenFiles(c)
	if err != nil {
		return nil, err
	}
	for _, h := range hidden {
		v.Mounts = append(v.Mounts, mount{From: os.DevNull, To: h})
	}
	if err := v.replace(c, scratch); err != nil {
		return nil, err
	}
	for _, path := range c.Removed {
		if within(path, c.Workspace) {
			v.Removed = append(v.Removed, path)
		}
	}
	slices.SortStableFunc(v.Mounts, func(a, b mount) int { return strings.Count(a.To, "/") - strings.Count(b.To, "/") })
	v.Env = append(environment(home, path), c.Env...)
	return v, nil
}

// replace adds the texts that stand in for those of files. What is hidden stays so.
func (v *view) replace(c Command, scratch string) error {
	for n, path := range slices.Sorted(maps.Keys(c.Replaced)) {
		if !within(path, c.Workspace) || slices.ContainsFunc(v.Mounts, func(m mount) bool { return m.To == path }) {
			continue
		}
		from := filepath.Join(scratch, fmt.Sprintf("replaced-%d", n))
		mode := fs.FileMode(0o600)
		if info, err := os.Stat(path); err == nil {
			mode |= info.Mode().Perm()
		}
		if err := os.WriteFile(from, []byte(c.Replaced[path]), mode); err != nil {
			return err
		}
		v.Mounts = append(v.Mounts, mount{From: from, To: path})
	}
	return nil
}

// mostHidden is how many files are hidden at most: each is a mount.
const mostHidden = 2000

// hiddenFiles are the files of the workspace that are empty for the program: those that the command names, and sockets, behind
// which other programs listen. Libraries of a project, in node_modules, are not looked through.
func hiddenFiles(c Command) ([]string, error) {
	var hidden []string
	err := filepath.WalkDir(c.Workspace, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil // what can't be listed can't be read by the program either
		case d.IsDir() && (d.Name() == "node_modules" || strings.HasSuffix(path, "/.git/objects")):
			return filepath.SkipDir
		case d.Type()&fs.ModeSocket != 0, d.Type().IsRegular() && c.Hidden != nil && c.Hidden(path):
			hidden = append(hidden, path)
		}
		if len(hidden) > mostHidden {
			return fmt.Errorf("more than %d files of the workspace would have to be hidden", mostHidden)
		}
		return nil
	})
	return hidden, err
}

// see adds places that are there, as they are.
func (v *view) see(places ...string) {
	for _, p := range places {
		info, err := os.Lstat(p)
		if err != nil || !filepath.IsAbs(p) {
			continue
		}
		m := mount{From: p, To: p}
		if info.Mode()&os.ModeSymlink != 0 {
			if real, err := filepath.EvalSymlinks(p); err == nil && strings.Count(p, "/") > 1 {
				m.From = real // a file such as /etc/localtime, whose target may not be visible
			} else if m.Target, err = os.Readlink(p); err != nil {
				continue
			}
		}
		v.Mounts = append(v.Mounts, m)
	}
}

// searchPath are the folders in which programs are looked for.
func searchPath(workspace string) []string {
	var out []string
	for _, e := range environments {
		out = append(out, filepath.Join(workspace, e))
	}
	for _, p := range filepath.SplitList(os.Getenv("PATH")) {
		if filepath.IsAbs(p) {
			out = append(out, filepath.Clean(p))
		}
	}
	return out
}

// lookUp finds a program by its name.
func lookUp(name string, path []string) (string, error) {
	if name != filepath.Base(name) {
		return "", fmt.Errorf("%s is no name of a program", name)
	}
	for _, folder := range path {
		at := filepath.Join(folder, name)
		if info, err := os.Stat(at); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return at, nil
		}
	}
	return "", fmt.Errorf("the program %s is not in PATH", name)
}

// programs are those that tests and builds start in their turn, where they are.
func programs(path []string) []string {
	var out []string
	for _, name := range []string{"go", "cargo", "node", "python3"} {
		if at, err := lookUp(name, path); err == nil {
			out = append(out, at)
		}
	}
	return out
}

// installations are the folders that programs were installed to: what holds the folder bin that a program really lies in. A
// folder that holds more than that is none: the home folder, or one of which toolchains names the parts without keys.
func installations(programs []string, home string) []string {
	var out []string
	for _, p := range programs {
		real, err := filepath.EvalSymlinks(p)
		if err != nil {
			continue
		}
		bin := filepath.Dir(real)
		folder := filepath.Dir(bin)
		holdsMore := within(home, folder) || slices.ContainsFunc(toolchains, func(t string) bool { return within(filepath.Join(home, t), folder) })
		if filepath.Base(bin) == "bin" && !holdsMore && !within(folder, "/usr") && !slices.Contains(out, folder) {
			out = append(out, folder)
		}
	}
	return out
}

// environment is what a program sees of the environment.
func environment(home string, path []string) []string {
	env := append(slices.Clone(fixed), "HOME="+home, "PATH="+strings.Join(path, string(filepath.ListSeparator)), "CARGO_TARGET_DIR="+filepath.Join(home, ".cache", "cargo-target"))
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		if slices.Contains(passed, name) || strings.HasPrefix(name, "LC_") {
			env = append(env, entry)
		}
	}
	if modules := moduleCache(); modules != "" {
		env = append(env, "GOMODCACHE="+modules)
	}
	return env
}

// moduleCache is where Go's modules lie when the environment says so, else "".
func moduleCache() string {
	if modules := os.Getenv("GOMODCACHE"); modules != "" {
		return modules
	}
	if path := filepath.SplitList(os.Getenv("GOPATH")); len(path) > 0 {
		return filepath.Join(path[0], "pkg", "mod")
	}
	return ""
}
