package uninstall

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/cli/agents"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/aurora-sidecar/aurora/internal/sandbox"
)

// addData plans for what AURORA keeps: each sort goes when its flag is set, else stays and is named.
func (p *UninstallPlan) addData(f *uninstallFlags) {
	home, err := config.Home()
	if err != nil {
		return // nothing was ever kept
	}
	settings, _, _ := config.Load(config.LoadOptions{})
	p.addFiles("memory", settings.Memory.DatabasePath, "what you told AURORA to remember, what was asked, answered and spent, and backups of that", f.memory, memoryFiles(settings.Memory.DatabasePath))
	if ownsTooMuch(home) {
		p.keep(home, "AURORA_HOME holds other things, too, so nothing in it is removed", "by hand")
		return
	}
	p.addFiles("index", settings.Storage.Dir, "the index, derived from your files", f.index, append(indexFolders(settings.Storage.Dir), present(home, sandbox.Folder)...))
	p.addFiles("logs", home, "logs, conversations, reports, and history files of an earlier version", f.logs, present(home, "logs", "reports", "history", "state"))
	p.addFiles("settings", home, "settings, tokens and trust", f.settings, present(home,
		"config.json", "trusted.json", "mcp-token", "http-token", agents.McpLedger, "agents.json", "agents_state.json", "agents_state.json.lock",
		"budget_tracker.json", "budget_tracker.json.lock", "budget_tracker.json.taken-over"))
	p.empty = []string{settings.Storage.Dir, home}
	for _, path := range []string{settings.Logging.File, settings.Logging.Conversations.Path} {
		if path != "" && !strings.HasPrefix(path, home+string(filepath.Separator)) && Exists(path) {
			p.keep(path, "logs, in a place of your choice", "by hand")
		}
	}
}

// addFiles removes the files, or keeps what is at the place and says which flag removes it.
func (p *UninstallPlan) addFiles(sort, place, what string, wanted bool, files []string) {
	if wanted {
		for _, path := range files {
			p.Add(sort, path)
		}
	} else if len(files) > 0 {
		p.keep(place, what, "--"+sort)
	}
}

// ownsTooMuch reports whether AURORA's folder is one in which others keep files of such names.
func ownsTooMuch(home string) bool {
	return home == workspace.HomeDir() || filepath.Dir(home) == home
}

// memoryFiles are the database, what SQLite and the locks put beside it, backups, and the copies made before repairs.
func memoryFiles(path string) []string {
	if path == "" {
		return nil
	}
	var files []string
	for _, ending := range []string{"", "-wal", "-shm", "-journal", ".lock", ".lock-journal"} {
		if Exists(path + ending) {
			files = append(files, path+ending)
		}
	}
	for _, pattern := range []string{".bak-*", ".bak.lock", ".damaged-*", ".replaced-*", ".salvaging*"} {
		copies, _ := filepath.Glob(quoteGlob(path) + pattern)
		files = append(files, copies...)
	}
	return files
}

// quoteGlob makes a path a pattern that stands for itself.
func quoteGlob(path string) string {
	if filepath.Separator == '\\' {
		return path // there a backslash quotes nothing, and [ is rare
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// indexFolders are the folders below dir that hold an index. Anything else there is somebody else's.
func indexFolders(dir string) []string {
	var folders []string
	for _, name := range []string{"index-v*.db", "content-v*.db"} {
		found, _ := filepath.Glob(filepath.Join(quoteGlob(dir), "*", name))
		for _, file := range found {
			folders = append(folders, filepath.Dir(file))
		}
	}
	slices.Sort(folders)
	return slices.Compact(folders)
}

// present are those of the names that are in the folder.
func present(dir string, names ...string) []string {
	var found []string
	for _, name := range names {
		if path := filepath.Join(dir, name); Exists(path) {
			found = append(found, path)
		}
	}
	return found
}
