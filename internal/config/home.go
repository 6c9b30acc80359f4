package config

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strings"
)

// Home returns AURORA's own folder: $AURORA_HOME, else .aurora in the user's home folder. It creates nothing.
func Home() (dir string, err error) { return auroraHome(os.LookupEnv) }

// InHome returns a path in AURORA's folder, "" when there is none.
func InHome(elem ...string) string {
	home, err := Home()
	if err != nil {
		return ""
	}
	return below(home, elem...)
}

// lookup returns an environment variable, as os.LookupEnv does.
type lookup func(name string) (value string, ok bool)

func auroraHome(env lookup) (string, error) {
	if dir, _ := env("AURORA_HOME"); dir != "" {
		return filepath.Abs(dir)
	}
	home, err := userHome(env)
	if err != nil {
		return "", err
	}
	return filepath.Join(home, ".aurora"), nil
}

// userHome returns the user's home folder, from the system's records when the environment does not tell.
func userHome(env lookup) (string, error) {
	for _, name := range []string{"HOME", "USERPROFILE"} {
		if dir, _ := env(name); filepath.IsAbs(dir) {
			return dir, nil
		}
	}
	if u, err := user.Current(); err == nil && filepath.IsAbs(u.HomeDir) {
		return u.HomeDir, nil
	}
	return "", errors.New("there is no home folder; set HOME or AURORA_HOME")
}

// below joins home and elem; without a home there is no path.
func below(home string, elem ...string) string {
	if home == "" {
		return ""
	}
	return filepath.Join(append([]string{home}, elem...)...)
}

// expand returns an absolute path for what is written in a configuration.
func expand(path string, env lookup) (string, error) {
	rest, short := strings.CutPrefix(path, "~/")
	switch {
	case path == "" || filepath.IsAbs(path):
		return path, nil
	case short || path == "~":
		home, err := userHome(env)
		if err != nil {
			return "", fmt.Errorf("expand ~: %w", err)
		}
		return filepath.Join(home, strings.TrimPrefix(rest, "~")), nil
	}
	return "", errors.New("relative")
}
