package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// Set by the linker: -ldflags "-X main.version=1.2.3 -X main.commit=abc1234 -X main.date=2026-01-31".
var version, commit, date string

// buildInfo says which aurora this is.
type buildInfo struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Date     string `json:"date,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
	Protocol int    `json:"protocol"` // of aurora/* over LSP
}

// readBuild takes the linker's values first, then what the Go toolchain recorded.
func readBuild() buildInfo {
	b := buildInfo{Version: version, Commit: commit, Date: date, Go: runtime.Version(), Protocol: 1,
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

func (b buildInfo) String() string {
	s := "aurora " + b.Version
	if b.Commit != "" {
		s += " (" + strings.TrimSpace(b.Commit+" "+b.Date) + ")"
	}
	return s + " " + b.Go + " " + b.Platform
}

func (c *cli) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  usageArgs(cobra.NoArgs),
		RunE:  func(*cobra.Command, []string) error { return c.printVersion() },
	}
}

func (c *cli) printVersion() error {
	if c.json {
		return c.printJSON(readBuild())
	}
	fmt.Fprintln(c.out, readBuild())
	return nil
}
