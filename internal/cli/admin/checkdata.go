package admin

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/aurora-sidecar/aurora/memory/sqlite"
)

// checkSettings reports the settings' errors and warnings, and finds the folder of all that is kept.
func checkSettings(root string) (findings []Finding, home string) {
	home, _ = config.Home()
	_, warnings, err := workspace.SettingsFor(root)
	if err != nil {
		return []Finding{{"settings", LevelFail, err.Error(), "Correct the values. Commands stop until then; editors go on with the defaults."}}, home
	}
	for _, w := range warnings {
		findings = append(findings, Finding{"settings", levelWarn, w.String(), "Correct or remove the key."})
	}
	if len(findings) == 0 {
		findings = []Finding{{Check: "settings", Level: levelOK, Detail: "no complaints"}}
	}
	return findings, home
}

// checkIndex examines the databases of every project's index. They may be deleted at any time.
func checkIndex(ctx context.Context, root string) Finding {
	const name = "index"
	settings, _, _ := workspace.SettingsFor(root)
	dir := settings.Storage.Dir
	if dir == "" {
		return Finding{Check: name, Level: levelOK, Detail: "not kept on disk"}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.db"))
	if err != nil || len(files) == 0 {
		return Finding{Check: name, Level: levelOK, Detail: dir + " (will be made when first needed)"}
	}
	for _, file := range files {
		f := CheckDatabase(ctx, name, file,
			"Delete the folder "+filepath.Dir(file)+": nothing precious is in it, and it costs one new indexing.")
		if f.Level != levelOK {
			return f
		}
	}
	return Finding{Check: name, Level: levelOK, Detail: fmt.Sprintf("%s in %s", display.Count(len(files), "database"), dir)}
}

// checkMemory examines the database of what was remembered.
func checkMemory(ctx context.Context, root string) Finding {
	const name = "memory"
	settings, _, _ := workspace.SettingsFor(root)
	path := settings.Memory.DatabasePath
	if path == "" {
		return Finding{name, levelWarn, "there is no place for it: what is remembered is lost at the end", "Set memory.database_path."}
	}
	const remedy = "Keep a copy of the file; the next start saves what can be read of it and moves it aside."
	policy := (&workspace.Parts{Settings: settings}).Encryption()
	state := sqlite.StateOf(path, sqlite.Encryption(policy))
	switch {
	case state.Err != nil && state.Encrypted:
		return Finding{name, LevelFail, state.Err.Error(), "aurora mem encryption says where the key is looked for. The file was not changed."}
	case policy.Enabled && policy.Keys.Count() == 0:
		return Finding{name, LevelFail, "it is to be encrypted: " + policy.NoKeys.Error(), "Give AURORA the key, or run: aurora mem encryption --enable"}
	case policy.Enabled && state.Exists && !state.Encrypted:
		return Finding{name, levelWarn, path + " is not encrypted yet", "Run: aurora mem encryption --enable"}
	case !state.Encrypted:
		return CheckDatabase(ctx, name, path, remedy)
	}
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	if err := sqlite.Check(ctx, path, sqlite.Encryption(policy)); err != nil {
		return Finding{name, LevelFail, fmt.Sprintf("%s: %v", path, err), remedyFor(err, path, remedy)}
	}
	return Finding{Check: name, Level: levelOK, Detail: fmt.Sprintf("%s, encrypted with key %s from %s", path, policy.Keys.Fingerprint(), policy.Keys.Source())}
}

// unsavedAge is how long what is remembered may be in no backup: one is made a day while AURORA runs.
const unsavedAge = 3 * 24 * time.Hour

// checkBackups finds out whether memory has changed for days without being backed up. It is silent when all is well.
func checkBackups(ctx context.Context, root string, now func() time.Time) []Finding {
	settings, _, _ := workspace.SettingsFor(root)
	path := settings.Memory.DatabasePath
	if path == "" {
		return nil
	}
	policy := (&workspace.Parts{Settings: settings}).Encryption()
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	since, newest, err := sqlite.Unsaved(ctx, path, sqlite.Options{Encryption: sqlite.Encryption(policy), Now: now}, unsavedAge)
	if err != nil || since.IsZero() { // what is wrong with memory itself is told by its own check
		return nil
	}
	return []Finding{{"backups", levelWarn, fmt.Sprintf("the newest backup of memory is of %s (%s); what was remembered since %s is in none",
		newest.Date, display.Ago(newest.Changed, now()), display.Date(since)),
		"One is made by itself when AURORA has run for a minute: aurora status and the log say what keeps it from that."}}
}
