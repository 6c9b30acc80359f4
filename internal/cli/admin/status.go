package admin

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/show"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/aurora-sidecar/aurora/lsp/daemon"
	"github.com/spf13/cobra"
)

// StatusCommand tells how index and memory are.
func StatusCommand(c *app.App) *cobra.Command {
	var timeout time.Duration
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show index and memory status",
		Args:  app.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			project, err := workspace.OpenAnswers(cmd.Context(), c, timeout)
			if err != nil {
				return err
			}
			defer project.Close()
			status, err := api.ReadStatus.Call(cmd.Context(), project.Client, &api.StatusParams{})
			if err != nil {
				return err
			}
			if c.JSON {
				return show.PrintStatusJSON(c, status, project.Daemon)
			}
			printStatus(c, project, status)
			return nil
		},
	}
	app.AddTimeout(cmd, &timeout)
	return cmd
}

func printStatus(c *app.App, project *workspace.Answers, status *api.Status) {
	store := "in memory only"
	if status.SizeBytes > 0 {
		store = fmt.Sprintf("%s in %s", display.Bytes(status.SizeBytes), project.Settings.Storage.Dir)
	}
	model := "none configured; search, hover and structural answers work without one"
	if status.LLM.Configured {
		model = status.LLM.Model
	}
	rows := [][2]string{
		{"State", status.State},
		{"Project", project.Root},
		{"Files", fmt.Sprintf("%d indexed of %d, %d failed", status.Files.Indexed, status.Files.Total, status.Files.Failed)},
		{"Chunks", fmt.Sprint(status.Chunks)},
		{"Languages", languages(status.Languages)},
		{"Index", store},
		{"Indexed", display.Ago(api.Time(status.LastIndexed), c.Now())},
		{"Memory", memoryLine(&status.Memory)},
		{"Model", model},
		{"Version", status.Version},
	}
	if status.SharedCache != "" {
		rows = append(rows, [2]string{"Shared", display.Clean(status.SharedCache) + ", " + display.Ago(api.Time(status.SharedCacheAt), c.Now())})
	}
	if project.Daemon != nil {
		rows = append(rows, [2]string{"Daemon", daemonLine(c, project.Daemon)})
	}
	for _, row := range rows {
		c.Wrapped(display.Pad(row[0]+":", 11), row[1])
	}
	for _, f := range status.Folders {
		if f.Refused != "" {
			c.Warn(display.Clean(f.Path + " is not indexed: " + f.Refused))
		}
	}
	for _, w := range status.Warnings { // those of the index are among them
		c.Warn(display.Clean(w))
	}
}

// daemonLine says who answers for the project, and for whom else.
func daemonLine(c *app.App, d *daemon.Info) string {
	return fmt.Sprintf("process %d serves %s, started %s", d.PID, display.Count(d.Clients, "editor"), display.Ago(d.Since, c.Now()))
}

func memoryLine(m *api.MemoryCounts) string {
	path := m.Path
	if path == "" {
		path = "memory only: lost at the end"
	}
	line := fmt.Sprintf("%d knowledge, %d reasoning, %s in %s", m.Knowledge, m.Reasoning, display.Bytes(m.SizeBytes), path)
	if m.Key != "" {
		line += ", encrypted"
	}
	return line
}

// languages lists the languages with their numbers of files, the most frequent first.
func languages(counts map[string]int) string {
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		if counts[a] != counts[b] {
			return counts[b] - counts[a]
		}
		return strings.Compare(a, b)
	})
	parts := make([]string, 0, len(names))
	for _, name := range names {
		parts = append(parts, fmt.Sprintf("%s %d", name, counts[name]))
	}
	if len(parts) == 0 {
		return "-"
	}
	return strings.Join(parts, ", ")
}
