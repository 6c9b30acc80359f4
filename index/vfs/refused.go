package vfs

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// systemFolders are refused together with what lies below them.
var systemFolders = []string{
	"/etc", "/sys", "/proc", "/dev", "/boot", "/run", "/lost+found", "/private/etc", "/System",
	`C:\Windows`, `C:\$Recycle.Bin`,
}

// sharedMemory lies below a system folder but holds ordinary files.
const sharedMemory = "/dev/shm"

// homesFolders hold everybody's home folders; refused, but not what lies below.
var homesFolders = []string{"/home", "/Users", `C:\Users`}

// broadFolders are allowed with a warning.
var broadFolders = []string{
	"/usr", "/var", "/opt", "/srv", "/mnt", "/media", "/tmp", "/bin", "/sbin", "/lib", "/lib64", "/private/var",
	"/private/tmp", "/Library", "/Applications", "/Volumes", `C:\Program Files`, `C:\Program Files (x86)`,
}

// refusal says what a canonical path is when it must not be indexed, "" when it may.
func refusal(path string) string {
	if filepath.Dir(path) == path {
		return "the root of the file system"
	}
	if path == homeFolder() {
		return "your home folder"
	}
	for _, home := range homesFolders {
		if path == home {
			return "the folder of all home folders"
		}
	}
	if strings.HasPrefix(path, sharedMemory+"/") {
		return ""
	}
	for _, system := range systemFolders {
		if path == system || within(path, system) {
			return "a system folder (" + system + ")"
		}
	}
	return ""
}

// broadness returns the warnings about a folder that is allowed but likely a mistake.
func broadness(path string) []string {
	var warnings []string
	for _, broad := range broadFolders {
		if path == broad {
			warnings = append(warnings, path+" is very broad; indexing it may take long. Open a project inside it instead")
		}
	}
	if home := homeFolder(); home != "" && within(home, path) {
		warnings = append(warnings, path+" holds your home folder, which is left out")
	}
	return warnings
}

// homeFolder returns the canonical home folder, "" when there is none.
func homeFolder() string {
	home, err := os.UserHomeDir()
	if err != nil || !filepath.IsAbs(home) {
		return ""
	}
	return Canonical(home)
}

// within reports whether path lies below dir.
func within(path, dir string) bool {
	return strings.HasPrefix(path, dir) && len(path) > len(dir) && os.IsPathSeparator(path[len(dir)])
}

func isEOF(err error) bool { return errors.Is(err, io.EOF) }
