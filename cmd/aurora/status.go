package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/cmd/aurora/internal/display"
	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/lsp/daemon"
	"github.com/spf13/cobra"
)

// statusCommand tells how index and memory are.
func (c *cli) statusCommand() *cobra.Command {
	var timeout time.Duration
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Tell how the index and the memory of the project are",
		Args:  usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			project, err := c.openAnswers(cmd.Context(), timeout)
			if err != nil {
				return err
			}
			defer project.close()
			status, err := project.Status(cmd.Context())
			if err != nil {
				return err
			}
			if c.json {
				return c.printStatusJSON(status, project.daemon)
			}
			c.printStatus(project, status)
			return nil
		},
	}
	addTimeout(cmd, &timeout)
	return cmd
}

func (c *cli) printStatus(project *answers, status *engine.Status) {
	st := &status.Index
	store := "in memory only"
	if st.SizeBytes > 0 {
		store = fmt.Sprintf("%s in %s", display.Bytes(st.SizeBytes), project.settings.Storage.Dir)
	}
	model := "none configured; search, hover and structural answers work without one"
	if status.LLM.Configured {
		model = status.LLM.Model
	}
	rows := [][2]string{
		{"State", string(st.State)},
		{"Project", project.root},
		{"Files", fmt.Sprintf("%d indexed of %d, %d failed", st.Indexed, st.Total, st.Failed)},
		{"Chunks", fmt.Sprint(st.Chunks)},
		{"Languages", languages(st.Languages)},
		{"Index", store},
		{"Indexed", display.Ago(st.LastIndexed, c.now())},
		{"Memory", memoryLine(&status.Memory)},
		{"Model", model},
		{"Version", status.Version},
	}
	if project.daemon != nil {
		rows = append(rows, [2]string{"Daemon", c.daemonLine(project.daemon)})
	}
	for _, row := range rows {
		c.wrapped(display.Pad(row[0]+":", 11), row[1])
	}
	for _, f := range st.Folders {
		if f.Refused != "" {
			c.warn(display.Clean(f.Path + " is not indexed: " + f.Refused))
		}
	}
	for _, w := range status.Warnings { // those of the index are among them
		c.warn(display.Clean(w))
	}
}

// daemonLine says who answers for the project, and for whom else.
func (c *cli) daemonLine(d *daemon.Info) string {
	return fmt.Sprintf("process %d serves %s, started %s", d.PID, display.Count(d.Clients, "editor"), display.Ago(d.Since, c.now()))
}

func memoryLine(m *engine.MemoryStatus) string {
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
