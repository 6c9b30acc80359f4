package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/aurora-sidecar/aurora/cmd/aurora/internal/display"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/aurora-sidecar/aurora/memory/sqlite"
)

// settingsFor reads the settings as a command in root would.
func settingsFor(root string) (*config.Settings, []config.Warning, error) {
	return config.Load(config.LoadOptions{Project: root})
}

// checkSettings reports the settings' errors and warnings, and finds the folder of all that is kept.
func checkSettings(root string) (findings []finding, home string) {
	home, _ = config.Home()
	_, warnings, err := settingsFor(root)
	if err != nil {
		return []finding{{"settings", levelFail, err.Error(), "Correct the values. Commands stop until then; editors go on with the defaults."}}, home
	}
	for _, w := range warnings {
		findings = append(findings, finding{"settings", levelWarn, w.String(), "Correct or remove the key."})
	}
	if len(findings) == 0 {
		findings = []finding{{Check: "settings", Level: levelOK, Detail: "no complaints"}}
	}
	return findings, home
}

// checkIndex examines the databases of every project's index. They may be deleted at any time.
func checkIndex(ctx context.Context, root string) finding {
	const name = "index"
	settings, _, _ := settingsFor(root)
	dir := settings.Storage.Dir
	if dir == "" {
		return finding{Check: name, Level: levelOK, Detail: "not kept on disk"}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.db"))
	if err != nil || len(files) == 0 {
		return finding{Check: name, Level: levelOK, Detail: dir + " (will be made when first needed)"}
	}
	for _, file := range files {
		f := checkDatabase(ctx, name, file,
			"Delete the folder "+filepath.Dir(file)+": nothing precious is in it, and it costs one new indexing.")
		if f.Level != levelOK {
			return f
		}
	}
	return finding{Check: name, Level: levelOK, Detail: fmt.Sprintf("%s in %s", display.Count(len(files), "database"), dir)}
}

// checkMemory examines the database of what was remembered.
func checkMemory(ctx context.Context, root string) finding {
	const name = "memory"
	settings, _, _ := settingsFor(root)
	path := settings.Memory.DatabasePath
	if path == "" {
		return finding{name, levelWarn, "there is no place for it: what is remembered is lost at the end", "Set memory.database_path."}
	}
	const remedy = "Keep a copy of the file; the next start saves what can be read of it and moves it aside."
	policy := (&parts{settings: settings}).encryption()
	state := sqlite.StateOf(path, sqlite.Encryption(policy))
	switch {
	case state.Err != nil && state.Encrypted:
		return finding{name, levelFail, state.Err.Error(), "aurora mem encryption status says where the key is looked for. The file was not changed."}
	case policy.Enabled && policy.Keys.Count() == 0:
		return finding{name, levelFail, "it is to be encrypted: " + policy.NoKeys.Error(), "Give AURORA the key, or run: aurora mem encryption enable"}
	case policy.Enabled && state.Exists && !state.Encrypted:
		return finding{name, levelWarn, path + " is not encrypted yet", "Run: aurora mem encryption enable"}
	case !state.Encrypted:
		return checkDatabase(ctx, name, path, remedy)
	}
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	if err := sqlite.Check(ctx, path, sqlite.Encryption(policy)); err != nil {
		return finding{name, levelFail, fmt.Sprintf("%s: %v", path, err), remedy}
	}
	return finding{Check: name, Level: levelOK, Detail: fmt.Sprintf("%s, encrypted with key %s from %s", path, policy.Keys.Fingerprint(), policy.Keys.Source())}
}
