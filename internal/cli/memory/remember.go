package memory

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/search"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/spf13/cobra"
)

// RememberCommand stores a record.
func RememberCommand(c *app.App) *cobra.Command {
	r, commits := &api.RememberParams{}, &commitsFlags{}
	cmd := &cobra.Command{
		Use:   "remember <text>",
		Short: "Store a decision or a fact; - reads it from standard input",
		Example: `  aurora remember "Retries use jitter, see the outage of May" --tag decision
  aurora remember "Limit is 64 MiB on purpose" --source lsp/rpc/frame.go:20
  aurora remember "Prices are in cents" --shared
  aurora remember "Prices are in cents" --team
  aurora remember --commits
  aurora remember --comments
  git log -1 --format=%B | aurora remember -`,
		Args: func(cmd *cobra.Command, args []string) error {
			if commits.given() {
				if err := cmd.ValidateFlagGroups(); err != nil {
					return err
				}
				return app.UsageArgs(cobra.NoArgs)(cmd, args)
			}
			return app.Missing("text", `aurora remember "we use tabs"`)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if commits.given() {
				return captureCommits(cmd.Context(), c, &commits.DecisionsParams)
			}
			text, err := app.TextOf(cmd.Context(), c, args)
			if err != nil {
				return err
			}
			r.Content = text
			return remember(c, cmd, r)
		},
	}
	commits.add(cmd)
	flags := cmd.Flags()
	flags.StringVar(&r.Type, "type", "knowledge", "knowledge or reasoning")
	app.CompleteFlag(cmd, "type", "knowledge", "reasoning")
	flags.StringSliceVar(&r.Tags, "tag", nil, "tags, separated by commas")
	flags.StringVar(&r.SourceRef, "source", "", "the place it is about: path:line")
	flags.StringVar(&r.GoalID, "goal", "", "the goal it belongs to")
	flags.BoolVar(&r.Shared, "shared", false, "as a file of .aurora/notes, for a team to commit")
	flags.BoolVar(&r.Team, "team", false, "for the team, through its server: see aurora team")
	flags.BoolVar(&r.Personal, "personal", false, "for every project, not only for this one")
	flags.Float64Var(&r.Importance, "importance", 1, "0 to 1")
	return cmd
}

func remember(c *app.App, cmd *cobra.Command, r *api.RememberParams) error {
	if strings.TrimSpace(r.Content) == "" {
		return app.UsageError(`Try: aurora remember "we use tabs"`, "missing text to remember")
	}
	timeout := time.Duration(0)
	if r.SourceRef != "" { // the code that it cites is looked up in the index
		timeout = workspace.IndexTimeout
	}
	project, err := workspace.OpenAnswers(cmd.Context(), c, timeout)
	if err != nil {
		return err
	}
	defer project.Close()
	if r.SourceRef != "" {
		var known bool
		if r.SourceRef, known = sourceIn(project.Root, r.SourceRef); !known {
			c.Warn(fmt.Sprintf("there is no %s here; the note keeps the source as a text, which nothing follows", display.Clean(r.SourceRef)))
		}
	}
	kept, err := api.Remember.Call(cmd.Context(), project.Client, r)
	if err == nil {
		sendToTeam(cmd.Context(), project)
	}
	switch {
	case err != nil:
		return err
	case c.JSON:
		return c.PrintJSON(kept)
	case kept.Created && r.Shared:
		fmt.Fprintf(c.Out, "Remembered in %s; commit it to share it\n", display.Clean(inProject(project.Root, kept.Path)))
	case r.Shared:
		fmt.Fprintf(c.Out, "%s says so already\n", display.Clean(inProject(project.Root, kept.Path)))
	case kept.Created:
		fmt.Fprintf(c.Out, "Remembered as %s\n", kept.ID)
	default:
		fmt.Fprintf(c.Out, "Known already as %s; its source and tags were updated\n", kept.ID)
	}
	return nil
}

// sendWithin is how long a command waits for the team's server; what it does not take is sent later, by the next editor or command.
const sendWithin = 5 * time.Second

// sendToTeam sends what was changed of the team's records, when no process is there that does so behind.
func sendToTeam(ctx context.Context, project *workspace.Answers) {
	if project.Session == nil {
		return
	}
	store := project.Session.Parts.TeamStore()
	if store == nil {
		return
	}
	if sum, err := store.TeamSummary(ctx); err != nil || sum.Waiting == 0 {
		return
	}
	if syncer := project.Session.Parts.TeamSyncer(); syncer != nil {
		ctx, cancel := context.WithTimeout(ctx, sendWithin)
		defer cancel()
		if state, err := syncer.Once(ctx); err != nil {
			project.Session.Cli.Warn("it waits to be sent: " + state.Error)
		}
	}
}

// inProject is a path as one types it in the project's folder.
func inProject(root, path string) string {
	if rel, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}

// sourceIn turns a place as one types it, from the current folder or from the project's, into one in the project at root.
// known is false when it names a file that is in neither; what is no place, as an address on the web, is left alone.
func sourceIn(root, source string) (place string, known bool) {
	path, _, _ := search.SplitPlace(source)
	if strings.Contains(source, "://") || strings.HasPrefix(source, "code:") {
		return source, true
	}
	there := func(path string) bool {
		_, err := os.Stat(path)
		return err == nil
	}
	if abs, err := filepath.Abs(path); err == nil && there(abs) {
		if real, err := filepath.EvalSymlinks(abs); err == nil {
			abs = real
		}
		if rel, err := filepath.Rel(root, abs); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel) + source[len(path):], true
		}
		return source, true
	}
	return source, there(filepath.Join(root, filepath.FromSlash(path)))
}
