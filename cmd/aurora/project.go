package main

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"

	"github.com/aurora-sidecar/aurora/index/vfs"
)

// rootMarkers are what the top folder of a project has. The top of a repository beats that of a package in it,
// however far up it is (IDX-004).
var rootMarkers = [][]string{{".git", ".aurora"}, vfs.PackageFiles, {"src/../tests"}} // the last: source beside tests

// projectRoot returns the canonical folder that the command works on: --project as given, else the nearest folder
// from start upwards that has a marker of the first rank that is found, else start.
func (c *cli) projectRoot(start string) (string, error) {
	if c.project != "" {
		return checkRoot(c.project)
	}
	dir, err := canonical(start)
	if err != nil {
		return "", err
	}
	if found, ok := findRoot(dir, homeDir()); ok {
		dir = found
	}
	return checkRoot(dir)
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

// checkRoot refuses folders that nobody means to index whole.
func checkRoot(dir string) (string, error) {
	dir, err := canonical(dir)
	if err != nil {
		return "", err
	}
	switch {
	case filepath.Dir(dir) == dir:
		return "", failure("Go to a project folder, or name one: --project DIR",
			fmt.Errorf("refusing to index %s: it is the whole file system", dir))
	case dir == homeDir():
		return "", failure("Go to a project folder, or name one: --project DIR",
			fmt.Errorf("refusing to index %s: it is the home directory", dir))
	}
	return dir, nil
}

// canonical returns the absolute path of an existing folder with every symbolic link resolved.
func canonical(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", failure("The current folder is gone; go to one that exists.", fmt.Errorf("find the current folder: %w", err))
	}
	real, err := filepath.EvalSymlinks(abs)
	if errors.Is(err, os.ErrNotExist) {
		return "", failure("Check the spelling.", fmt.Errorf("no such folder: %s", abs))
	}
	if err != nil {
		return "", fmt.Errorf("resolve %s: %w", abs, err)
	}
	info, err := os.Stat(real)
	if err != nil {
		return "", fmt.Errorf("look at %s: %w", real, err)
	}
	if !info.IsDir() {
		return "", failure("Name the folder it is in.", fmt.Errorf("%s is a file, not a folder", abs))
	}
	return real, nil
}

// homeDir is the canonical home directory, "" when there is none.
func homeDir() string {
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
