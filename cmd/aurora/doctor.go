package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/aurora-sidecar/aurora/cmd/aurora/internal/display"
	"github.com/spf13/cobra"
)

// A finding is one line of the doctor's report.
type finding struct {
	Check  string `json:"check"`
	Level  level  `json:"status"`
	Detail string `json:"detail"`
	Remedy string `json:"remedy,omitempty"` // what to do, when the status is not ok
}

// level is how a finding stands.
type level string

// The levels. Only a failure makes the doctor's exit code 1.
const (
	levelOK   level = "ok"
	levelWarn level = "warn"
	levelFail level = "fail"
)

func (c *cli) doctorCommand() *cobra.Command {
	call := false
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check the machine and say what to do",
		Long: `Check what AURORA needs of the machine: git, its folders and their permissions, the databases, the limit of
watched folders, the settings, the model and the project. Each line says ok, warn or fail, and what to do.
The exit code is 1 when a check fails.`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			findings := c.examine(cmd.Context(), call)
			if err := cmd.Context().Err(); err != nil {
				return err
			}
			return c.printFindings(findings)
		},
	}
	cmd.Flags().BoolVar(&call, "llm", false, "ask the model one question, and the embedding endpoint for vectors, which may cost a fraction of a cent")
	return cmd
}

// examine runs every check; with call the model is asked a question, too. Each gets on without the others, so that one trouble never hides another.
func (c *cli) examine(ctx context.Context, call bool) []finding {
	project, root := c.checkProject()
	findings := []finding{checkVersion(), checkGit(ctx)}
	settings, home := checkSettings(root)
	findings = append(findings, settings...)
	findings = append(findings, project)
	findings = append(findings, checkHome(home), checkIndex(ctx, root), checkMemory(ctx, root))
	if root != "" {
		findings = append(findings, checkWatches(ctx, root))
	}
	findings = append(findings, c.checkModel(ctx, root, call)...)
	return append(findings, c.checkEmbeddings(ctx, root, call)...)
}

func (c *cli) printFindings(findings []finding) error {
	failed := 0
	for _, f := range findings {
		if f.Level == levelFail {
			failed++
		}
	}
	if c.json {
		if err := c.printJSON(map[string]any{"ok": failed == 0, "checks": findings}); err != nil {
			return err
		}
	} else {
		for _, f := range findings {
			c.printFinding(f)
		}
	}
	if failed > 0 {
		return &exit{code: exitFailed, err: errors.New(strings.ToLower(display.Count(failed, "check")) + " failed")}
	}
	return nil
}

func (c *cli) printFinding(f finding) {
	c.wrapped(fmt.Sprintf("%-4s  ", f.Level), f.Check+": "+f.Detail)
	if f.Remedy != "" && f.Level != levelOK {
		c.wrapped("      -> ", f.Remedy)
	}
}
