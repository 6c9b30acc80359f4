package uninstall

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/cli/agents"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
)

// packageCommands are the package managers that leave their name beside what they installed (share/aurora/package),
// and the command by which they remove it.
var packageCommands = map[string]string{
	"deb": "sudo apt-get remove aurora", "rpm": "sudo dnf remove aurora", "apk": "sudo apk del aurora", "brew": "brew uninstall aurora",
}

// extensionID names the VS Code extension.
const extensionID = "aurora-sidecar.aurora"

// addPrograms plans for the program at own, and what was installed with it.
func (p *UninstallPlan) addPrograms(own string) {
	bin := filepath.Dir(own)
	prefix := filepath.Dir(bin)
	switch manager := packagedBy(prefix); {
	case manager != "":
		p.keep(own, "installed by a package manager", packageCommands[manager])
		return
	case strings.Contains(filepath.ToSlash(own), "/extensions/"+extensionID):
		p.keep(own, "part of the VS Code extension", "code --uninstall-extension "+extensionID)
		return
	case Exists(filepath.Join(prefix, "go.mod")):
		p.keep(own, "built in this source tree", "make clean")
		return
	}
	p.addCompletions(prefix)
	if filepath.Base(bin) == "bin" {
		for _, page := range manualPages(filepath.Join(prefix, "share", "man", "man1")) {
			p.Add("manual", page)
		}
	}
	p.addLinks(own)
	p.Add("program", own)
	if runtime.GOOS == "windows" {
		last := &p.Remove[len(p.Remove)-1] // a running program can be renamed there, and not removed
		last.Path, last.Do = own+" (renamed to .old: delete that file)", renaming(own)
	}
}

// packagedBy is the package manager that installed what is in the prefix; "" when none did.
func packagedBy(prefix string) string {
	text, err := os.ReadFile(filepath.Join(prefix, "share", "aurora", "package"))
	name := strings.TrimSpace(string(text))
	if _, ok := packageCommands[name]; err != nil || !ok {
		return ""
	}
	return name
}

// addLinks plans for the links to the program beside it and on PATH, such as aur, and tells of other copies.
func (p *UninstallPlan) addLinks(own string) {
	seen := map[string]bool{own: true}
	for _, dir := range append([]string{filepath.Dir(own)}, filepath.SplitList(os.Getenv("PATH"))...) {
		for _, name := range []string{"aur", "aurora"} {
			if runtime.GOOS == "windows" {
				name += ".exe"
			}
			path := filepath.Join(dir, name)
			if real, err := filepath.EvalSymlinks(dir); err == nil {
				path = filepath.Join(real, name)
			}
			info, err := os.Lstat(path)
			if err != nil || info.IsDir() || seen[path] {
				continue
			}
			seen[path] = true
			switch {
			case agents.SameFile(path, own):
				p.Add("program", path)
			case name == "aurora":
				p.keep(path, "another copy of a program of this name", "its own uninstall")
			}
		}
	}
}

// manualPages are the files there that "aurora man --dir" wrote, those of an older version included.
func manualPages(dir string) []string {
	found, _ := filepath.Glob(filepath.Join(quoteGlob(dir), "aurora*.1"))
	var pages []string
	for _, path := range found {
		if beginsWith(path, `.TH "AURORA`) {
			pages = append(pages, path)
		}
	}
	return pages
}

// addCompletions plans for the completion scripts in the folders in which shells and their users keep them.
func (p *UninstallPlan) addCompletions(prefix string) {
	home := workspace.HomeDir()
	for _, base := range []string{filepath.Join(prefix, "share"), dataHome(), filepath.Join(home, ".config")} {
		for _, elem := range [][]string{
			{"bash-completion", "completions", "aurora"}, {"bash-completion", "completions", "aur"},
			{"zsh", "site-functions", "_aurora"}, {"zsh", "site-functions", "_aur"},
			{"fish", "vendor_completions.d", "aurora.fish"}, {"fish", "vendor_completions.d", "aur.fish"},
			{"fish", "completions", "aurora.fish"}, {"fish", "completions", "aur.fish"},
		} {
			path := filepath.Join(append([]string{base}, elem...)...)
			if beginsWith(path, "__complete") && !p.has(path) {
				p.Add("completion", path)
			}
		}
	}
}

func (p *UninstallPlan) has(path string) bool {
	for _, r := range p.Remove {
		if r.Path == path {
			return true
		}
	}
	return false
}

// addEditors plans for the link of the Neovim plugin, as the README makes it, and tells of what editors installed.
func (p *UninstallPlan) addEditors() {
	links, _ := filepath.Glob(filepath.Join(quoteGlob(dataHome()), "nvim", "site", "pack", "*", "*", "aurora"))
	for _, path := range links {
		if !Exists(filepath.Join(path, "lua", "aurora")) && Exists(filepath.Join(path, ".")) {
			continue // somebody else's plugin of this name
		}
		if info, err := os.Lstat(path); err == nil && info.Mode()&os.ModeSymlink != 0 {
			p.Add("editor", path)
			p.empty = append(p.empty, filepath.Dir(path), filepath.Dir(filepath.Dir(path)))
		} else {
			p.keep(path, "a copy of the Neovim plugin", "by hand")
		}
	}
	installed, _ := filepath.Glob(filepath.Join(quoteGlob(workspace.HomeDir()), ".vscode*", "extensions", extensionID+"-*"))
	for _, path := range installed {
		p.keep(path, "the VS Code extension", "code --uninstall-extension "+extensionID)
	}
}

// dataHome is where a user's programs keep data.
func dataHome() string {
	if dir := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(workspace.HomeDir(), ".local", "share")
}

// beginsWith reports whether the first 4 KiB of a file have the words.
func beginsWith(path, words string) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	head, err := io.ReadAll(io.LimitReader(file, 4<<10))
	return err == nil && bytes.Contains(head, []byte(words))
}

// renaming frees the name of a program that runs, where it can't be removed.
func renaming(path string) func(context.Context) error {
	return func(context.Context) error { return os.Rename(path, path+".old") }
}
