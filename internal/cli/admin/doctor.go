package admin

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/spf13/cobra"
)

// An examination is the result of doctor.
type examination struct {
	OK     bool      `json:"ok"`
	Checks []Finding `json:"checks"`
}

// A Finding is one line of the doctor's report.
type Finding struct {
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
	LevelFail level = "fail"
)

func DoctorCommand(c *app.App) *cobra.Command {
	call := false
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check this machine and suggest fixes",
		Long: `Check what AURORA needs of the machine: git, a sandbox, its folders and their permissions, the databases, the limit of
watched folders, the settings, the model and the project. Each line says ok, warn or fail, and what to do.
The exit code is 1 when a check fails.`,
		Args: app.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			findings := examine(cmd.Context(), c, call)
			if err := cmd.Context().Err(); err != nil {
				return err
			}
			return printFindings(c, findings)
		},
	}
	cmd.Flags().BoolVar(&call, "llm", false, "ask the model one question, and the embedding endpoint for vectors, which may cost a fraction of a cent")
	return cmd
}

// examine runs every check; with call the model is asked a question, too. Each gets on without the others, so that one trouble never hides another.
func examine(ctx context.Context, c *app.App, call bool) []Finding {
	project, root := checkProject(c)
	findings := []Finding{checkVersion(), checkGit(ctx), checkSandbox(c)}
	settings, home := checkSettings(root)
	findings = append(findings, settings...)
	findings = append(findings, project)
	findings = append(findings, CheckHome(home), checkIndex(ctx, root), checkMemory(ctx, root))
	findings = append(findings, checkBackups(ctx, root, c.Now)...)
	if root != "" {
		findings = append(findings, checkWatches(ctx, root), checkDaemon(ctx, root))
	}
	findings = append(findings, checkSharedCache(ctx, root)...)
	findings = append(findings, checkSearchServer(ctx, root)...)
	findings = append(findings, checkTeam(ctx, home)...)
	findings = append(findings, checkModel(ctx, c, root, call)...)
	return append(findings, checkEmbeddings(ctx, c, root, call)...)
}

func printFindings(c *app.App, findings []Finding) error {
	failed := 0
	for _, f := range findings {
		if f.Level == LevelFail {
			failed++
		}
	}
	if c.JSON {
		if err := c.PrintJSON(examination{OK: failed == 0, Checks: findings}); err != nil {
			return err
		}
	} else {
		for _, f := range findings {
			printFinding(c, f)
		}
	}
	if failed > 0 {
		return &app.Exit{Code: app.ExitFailed, Err: errors.New(strings.ToLower(display.Count(failed, "check")) + " failed")}
	}
	return nil
}

func printFinding(c *app.App, f Finding) {
	c.Wrapped(fmt.Sprintf("%-4s  ", f.Level), f.Check+": "+f.Detail)
	if f.Remedy != "" && f.Level != levelOK {
		c.Wrapped("      -> ", f.Remedy)
	}
}
