package main

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
)

// rootMarkers are what the top folder of a project has.
var rootMarkers = []string{
	".git", "package.json", "pom.xml", "build.gradle", "build.gradle.kts", "Cargo.toml", "pyproject.toml", "setup.py", "go.mod", ".aurora",
}

// projectRoot returns the canonical folder that the command works on: --project as given, else the nearest folder
// from start upwards that has a root marker, else start.
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

// findRoot looks for a root marker from dir upwards. It stops below the home directory and the file system's root:
// a home directory under version control, or the ~/.aurora that holds our own data, makes nobody's project.
func findRoot(dir, home string) (string, bool) {
	for dir != home && filepath.Dir(dir) != dir {
		for _, marker := range rootMarkers {
			if _, err := os.Lstat(filepath.Join(dir, marker)); err == nil {
				return dir, true
			}
		}
		dir = filepath.Dir(dir)
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
