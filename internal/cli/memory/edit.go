package memory

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/spf13/cobra"
)

// editCommand changes the text of a record, or accepts it as it is.
func editCommand(c *app.App) *cobra.Command {
	accept := false
	cmd := &cobra.Command{
		Use:   "edit <id> [text]",
		Short: "Change the text of a record, in $VISUAL or $EDITOR without a text; - reads it from standard input",
		Long: `Change the text of a record, in $VISUAL or $EDITOR when no text is given. The id, the citations and what was learned of it
stay, and "aurora mem show" has the former text. What a person has edited is accepted; --accept accepts a record as it stands:
the code that it cites is cited as it is now, and what contradicts it no longer does.`,
		Example: `  aurora mem edit know:retries-use-jitter-1a2b3c4d
  aurora mem edit know:retries-use-jitter-1a2b3c4d "Retries use full jitter"
  aurora mem edit --accept know:retries-use-jitter-1a2b3c4d`,
		Args: app.UsageArgs(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			project, err := workspace.OpenAnswers(cmd.Context(), c, workspace.IndexTimeout)
			if err != nil {
				return err
			}
			defer project.Close()
			p := &api.ReviseParams{ID: args[0], Accept: true}
			if !accept || len(args) > 1 {
				if err := newText(cmd.Context(), c, project, p, args[1:]); err != nil {
					return err
				}
			}
			revised, err := api.Revise.Call(cmd.Context(), project.Client, p)
			sendToTeam(cmd.Context(), project)
			switch {
			case err != nil:
				return err
			case c.JSON:
				return c.PrintJSON(revised)
			case revised.ID != p.ID:
				fmt.Fprintf(c.Out, "%s says so already; the two are one now\n", revised.ID)
			case p.Content == nil:
				fmt.Fprintf(c.Out, "Accepted %s\n", revised.ID)
			default:
				fmt.Fprintf(c.Out, "Changed %s; the former text is in: aurora mem show %s\n", revised.ID, revised.ID)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&accept, "accept", false, "take the record for right as it is")
	return cmd
}

// newText fills in the text as the arguments, standard input or an editor have it. It fails when nothing was changed.
func newText(ctx context.Context, c *app.App, m *workspace.Answers, p *api.ReviseParams, args []string) error {
	if len(args) > 0 {
		text, err := app.TextOf(ctx, c, args)
		p.Content = &text
		return err
	}
	known, err := api.Records.Call(ctx, m.Client, &api.RecordsParams{ID: p.ID})
	if err != nil {
		return err
	}
	record := known.Records[0]
	if !record.Editable {
		return app.Failure("Remember what should be known instead, or edit the file of a note.", fmt.Errorf("the text of %s can't be changed", p.ID))
	}
	text, err := editText(ctx, c, record.Content)
	switch {
	case err != nil:
		return err
	case text == strings.TrimSpace(record.Content):
		return app.Failure("Change the text, and save it.", fmt.Errorf("nothing was changed"))
	}
	p.Content = &text
	return nil
}

// editText lets the person edit a text in a file that only they can read.
func editText(ctx context.Context, c *app.App, text string) (string, error) {
	edit, err := app.Editor(c)
	if err != nil {
		return "", err
	}
	folder, err := os.MkdirTemp("", "aurora-edit-") // mode 0700
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "record.md")
	if err := os.WriteFile(file, []byte(text+"\n"), 0o600); err != nil {
		return "", err
	}
	if err := edit(ctx, file); err != nil {
		return "", err
	}
	edited, err := os.ReadFile(file)
	return strings.TrimSpace(string(edited)), err
}
