package workspace

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"

	"github.com/aurora-sidecar/aurora/index/vfs"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
)

// rootMarkers are what the top folder of a project has. The top of a repository beats that of a package in it,
// however far up it is.
var rootMarkers = [][]string{{".git", ".aurora"}, vfs.PackageFiles, {"src/../tests"}} // the last: source beside tests

// ProjectRoot returns the canonical folder that the command works on: --project as given, else the nearest folder
// from start upwards that has a marker of the first rank that is found, else start.
func ProjectRoot(c *app.App, start string) (string, error) {
	if c.Project != "" {
		return CheckRoot(c.Project)
	}
	dir, err := Canonical(start)
	if err != nil {
		return "", err
	}
	if found, ok := findRoot(dir, HomeDir()); ok {
		dir = found
	}
	return CheckRoot(dir)
}

// findRoot looks for root markers from dir upwards. It stops below the home directory and the file system's root:
// a home directory under version control, or the ~/.aurora that holds our own data, makes nobody's project.
func findRoot(dir, home string) (string, bool) {
	for _, rank := range rootMarkers {
		for at := dir; at != home && filepath.Dir(at) != at; at = filepath.Dir(at) {
			for _, marker := range rank {
				if _, err := os.Lstat(at + string(filepath.Separator) + marker); err == nil {
					return at, true
				}
			}
		}
	}
	return "", false
}

// CheckRoot refuses folders that nobody means to index whole.
func CheckRoot(dir string) (string, error) {
	dir, err := Canonical(dir)
	if err != nil {
		return "", err
	}
	switch {
	case filepath.Dir(dir) == dir:
		return "", app.Failure("Go to a project folder, or name one: --project DIR",
			fmt.Errorf("refusing to index %s: it is the whole file system", dir))
	case dir == HomeDir():
		return "", app.Failure("Go to a project folder, or name one: --project DIR",
			fmt.Errorf("refusing to index %s: it is the home directory", dir))
	}
	return dir, nil
}

// Canonical returns the absolute path of an existing folder with every symbolic link resolved.
func Canonical(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", app.Failure("The current folder is gone; go to one that exists.", fmt.Errorf("find the current folder: %w", err))
	}
	real, err := filepath.EvalSymlinks(abs)
	if errors.Is(err, os.ErrNotExist) {
		return "", app.Failure("Check the spelling.", fmt.Errorf("no such folder: %s", abs))
	}
	if err != nil {
		return "", fmt.Errorf("resolve %s: %w", abs, err)
	}
	info, err := os.Stat(real)
	if err != nil {
		return "", fmt.Errorf("look at %s: %w", real, err)
	}
	if !info.IsDir() {
		return "", app.Failure("Name the folder it is in.", fmt.Errorf("%s is a file, not a folder", abs))
	}
	return real, nil
}

// HomeDir is the canonical home directory, "" when there is none.
func HomeDir() string {
	home, err := os.UserHomeDir()
	if err != nil {
		account, err := user.Current()
		if err != nil {
			return ""
		}
		home = account.HomeDir
	}
	if real, err := filepath.EvalSymlinks(home); err == nil {
		return real
	}
	return home
}

func Absolute(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", app.Failure("The current folder is gone; go to one that exists.", err)
	}
	return abs, nil
}
