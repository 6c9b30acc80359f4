package app

import (
	"cmp"
	"runtime"
	"runtime/debug"
	"strings"
)

// Set by the linker: -ldflags "-X PACKAGE.version=1.2.3 -X PACKAGE.commit=abc1234 -X PACKAGE.date=2026-01-31".
var version, commit, date string

// BuildInfo says which aurora this is.
type BuildInfo struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Date     string `json:"date,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
	Protocol int    `json:"protocol"` // of aurora/* over LSP
}

// ReadBuild takes the linker's values first, then what the Go toolchain recorded.
func ReadBuild() BuildInfo {
	b := BuildInfo{Version: version, Commit: commit, Date: date, Go: runtime.Version(), Protocol: 1,
		Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		b.Version = cmp.Or(b.Version, "devel")
		return b
	}
	for _, setting := range info.Settings {
		switch setting.Key {
		case "vcs.revision":
			b.Commit = cmp.Or(b.Commit, setting.Value[:min(12, len(setting.Value))])
		case "vcs.time":
			b.Date = cmp.Or(b.Date, setting.Value)
		}
	}
	if info.Main.Version != "(devel)" {
		b.Version = cmp.Or(b.Version, info.Main.Version)
	}
	b.Version = cmp.Or(b.Version, "devel")
	return b
}

func (b BuildInfo) String() string {
	s := "aurora " + b.Version
	if b.Commit != "" {
		s += " (" + strings.TrimSpace(b.Commit+" "+b.Date) + ")"
	}
	return s + " " + b.Go + " " + b.Platform
}
