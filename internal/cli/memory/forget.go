package memory

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/spf13/cobra"
)

// ForgetCommand removes records from every answer, and brings them back.
func ForgetCommand(c *app.App) *cobra.Command {
	undo, purge, limit, text := false, false, 0, ""
	cmd := &cobra.Command{
		Use:   "forget <id>...",
		Short: "Remove memory records from every answer, or restore them",
		Long: `Remove memory records from every answer. --undo brings them back for 30 days, and so does remembering the same text
again; --undo without ids lists what was forgotten.

--purge deletes for good and at once, for secrets: the records with their former texts, uses and links, the questions and
conversations that quote them, and backups; in logs and exports in AURORA's own folder it is written over. With --text, all that holds
a text goes. What lies elsewhere (exports, copies of the folder, backups of the machine, blocks that the disk has freed) can't be
reached.`,
		Example: "  aurora forget --purge --text 'hunter2-prod'\n  aurora forget know:retries-use-jitter-1a2b3c4d\n  aurora forget --undo\n  aurora forget --undo know:retries-use-jitter-1a2b3c4d",
		Args: func(cmd *cobra.Command, args []string) error {
			if text != "" && !purge {
				return app.UsageError("Try: aurora forget --purge --text 'hunter2-prod'", "--text goes with --purge")
			}
			if purge && undo {
				return app.UsageError("Leave one of them out.", "what is purged can't be brought back: --purge and --undo")
			}
			if undo || len(args) > 0 || text != "" {
				return nil
			}
			return app.UsageError("Try: aurora forget know:retries-use-jitter-1a2b3c4d", "missing id of a record")
		},
		RunE: onMemory(c, func(ctx context.Context, m *workspace.Answers, ids []string) error {
			if undo {
				return undoForget(ctx, c, m, &api.RestoreParams{IDs: ids, Limit: limit})
			}
			if purge {
				return purgeRecords(ctx, c, m, &api.PurgeParams{IDs: ids, Text: text})
			}
			removed, err := api.Forget.Call(ctx, m.Client, &api.ForgetParams{IDs: ids})
			sendToTeam(ctx, m)
			if err != nil {
				return err
			}
			return printForgotten(ctx, c, m, removed, ids)
		}),
	}
	cmd.Flags().BoolVar(&undo, "undo", false, "restore these records, or list what was forgotten")
	cmd.Flags().BoolVar(&purge, "purge", false, "delete for good and at once, with versions, history, conversations and backups")
	cmd.Flags().StringVar(&text, "text", "", "with --purge: everything that holds this `text`, such as a secret")
	cmd.Flags().IntVar(&limit, "limit", 0, "with --undo: most records to list; 0 means 10")
	return cmd
}

// purgeRecords deletes for good, and tells what could not be reached.
func purgeRecords(ctx context.Context, c *app.App, m *workspace.Answers, p *api.PurgeParams) error {
	purged, err := api.Purge.Call(ctx, m.Client, p)
	sendToTeam(ctx, m)
	switch {
	case err != nil:
		return err
	case c.JSON:
		return app.Found(purged.Deleted+purged.Questions+len(purged.Files), c.PrintJSON(purged))
	}
	fmt.Fprintf(c.Out, "Deleted for good: %s, %s\n", display.Count(purged.Deleted, "record"), display.Count(purged.Questions, "question"))
	for _, file := range purged.Files {
		c.Hanging("Written over in "+display.Clean(file), 2)
	}
	for _, file := range purged.Left {
		c.Warn("it may still be in " + display.Clean(file) + "; delete it there yourself")
	}
	c.Wrapped("", "Exports and copies elsewhere are not reached.")
	if purged.Deleted+purged.Questions+len(purged.Files) == 0 {
		return app.ErrNothing
	}
	return nil
}

func printForgotten(ctx context.Context, c *app.App, m *workspace.Answers, removed *api.ForgetResult, ids []string) error {
	if c.JSON {
		return app.Found(removed.Deleted, c.PrintJSON(removed))
	}
	if removed.Deleted == 0 {
		c.Wrapped("", "Nothing forgotten: no memory record is called "+strings.Join(ids, " or ")+".")
		if len(ids) == 1 {
			c.Wrapped("", remedyFor(likeIDs(ctx, m, ids[0])))
		}
		return app.ErrNothing
	}
	fmt.Fprintf(c.Out, "Forgot %s\n", display.Count(removed.Deleted, "record"))
	c.Wrapped("", "Until "+api.Time(removed.Until).Local().Format(time.DateOnly)+" this brings back: aurora forget --undo "+strings.Join(removed.IDs, " "))
	return nil
}

// undoForget brings forgotten records back; without ids it lists them.
func undoForget(ctx context.Context, c *app.App, m *workspace.Answers, p *api.RestoreParams) error {
	if len(p.IDs) == 0 {
		p.IDs = nil
	}
	back, err := api.Restore.Call(ctx, m.Client, p)
	sendToTeam(ctx, m)
	switch {
	case err != nil:
		return err
	case c.JSON && p.IDs == nil:
		return app.Found(back.Total, c.PrintJSON(back))
	case c.JSON:
		return app.Found(back.Restored, c.PrintJSON(back))
	case p.IDs == nil:
		return printUndoable(c, back)
	case back.Restored == 0:
		c.Wrapped("", "Nothing restored: none of these was forgotten within the last 30 days.")
		return app.ErrNothing
	}
	fmt.Fprintf(c.Out, "Restored %s\n", display.Count(back.Restored, "record"))
	return nil
}

// printUndoable lists what can be restored.
func printUndoable(c *app.App, r *api.RestoreResult) error {
	if r.Total == 0 {
		c.Wrapped("", "Nothing was forgotten within the last 30 days.")
		return app.ErrNothing
	}
	for _, f := range r.Forgotten {
		c.Hanging(fmt.Sprintf("%s  %s  %s", display.Ago(api.Time(f.ForgottenAt), c.Now()), display.Clean(f.ID), display.Clean(f.Title)), 2)
	}
	if more := r.Total - len(r.Forgotten); more > 0 {
		c.Wrapped("", fmt.Sprintf("%d more; --limit shows up to 100.", more))
	}
	return nil
}
