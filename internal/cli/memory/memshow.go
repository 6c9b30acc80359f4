package memory

import (
	"fmt"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/show"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/spf13/cobra"
)

// showCommand prints all that is known of one record.
func showCommand(c *app.App) *cobra.Command {
	return &cobra.Command{
		Use:     "show <id>",
		Short:   "Show all of one record: its text, activation, citations, and how long it is kept; or of a definition",
		Long:    "Show all of one record: its text, activation, citations, and how long it is kept. Of an id that begins with code: it\nprints the definition as a chunk of code, as JSON: calls, imports, history, activation.",
		Example: "  aurora mem show know:retries-use-jitter-1a2b3c4d\n  aurora mem show code:net/retry.go:Retry",
		Args:    app.UsageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			project, err := workspace.OpenAnswers(cmd.Context(), c, workspace.IndexTimeout)
			if err != nil {
				return err
			}
			defer project.Close()
			a, err := api.Account.Call(cmd.Context(), project.Client, &api.AccountParams{ID: args[0]})
			switch {
			case err != nil:
				if like := likeIDs(cmd.Context(), project, args[0]); len(like) > 0 {
					return &app.Exit{Code: app.ExitNothing, Err: fmt.Errorf("no memory record is called %s", args[0]), Remedy: remedyFor(like)}
				}
				return err
			case a.Record == nil:
				return c.PrintJSON(a.Code)
			case c.JSON:
				return c.PrintJSON(a.Record)
			}
			printAccount(c, a.Record)
			return nil
		},
	}
}

func printAccount(c *app.App, a *api.RecordAccount) {
	line := func(label, format string, args ...any) {
		c.Hanging(fmt.Sprintf("%-12s%s", label+":", display.Clean(fmt.Sprintf(format, args...))), 12)
	}
	line("Id", "%s", a.ChunkID)
	line("Title", "%s", a.Title)
	line("Type", "%s, %s, %s", a.Type, a.Metadata.Domain, a.Metadata.SemanticRole)
	line("Keywords", "%s", strings.Join(a.Metadata.Keywords, ", "))
	if len(a.Tags) > 0 {
		line("Tags", "%s", strings.Join(a.Tags, ", "))
	}
	line("Made", "%s", display.Date(api.Time(a.CreatedAt)))
	line("Used", "%s, last %s", display.Count(a.AccessCount, "time"), display.Ago(api.Time(a.LastAccessed), c.Now()))
	line("Activation", "%s", activationLine(a.RecordActivation))
	if a.IsPattern {
		line("Pattern", "yes")
	}
	kept := "always"
	if a.Expires != "" {
		kept = "until " + display.Date(api.Time(a.Expires))
	}
	line("Kept", "%s, policy %s (%s), decay %s", kept, a.Policy, a.PolicyReason, a.DecayMechanism)
	if a.Project != "" {
		line("Project", "%s", a.Project)
	}
	for _, cited := range a.Citations {
		line("Source", "%s", show.Citation(cited))
	}
	for _, l := range a.Links {
		line("Link", "%s %s", l.Type, l.To)
	}
	for _, remark := range a.Standing {
		line("Standing", "%s", remark)
	}
	if a.Log != nil {
		line("Stored by", "%s", conversationLine(a.Log))
	}
	fmt.Fprintf(c.Out, "\n%s\n", display.CleanLines(a.Text))
	for _, v := range a.Versions {
		fmt.Fprintf(c.Out, "\nUntil %s:\n%s\n", display.Date(api.Time(v.Until)), display.CleanLines(v.Text))
	}
}

// activationLine is the sum that decides recall; of its terms those are left out that are nothing.
func activationLine(a api.RecordActivation) string {
	if a.Activation == nil || a.BaseLevel == nil {
		return "none yet"
	}
	s := fmt.Sprintf("%.2f = base level %.2f", *a.Activation, *a.BaseLevel)
	for _, term := range []struct {
		sign, name string
		value      float64
	}{{"+", "spreading", a.Spreading}, {"+", "context", a.Context}, {"-", "decay", a.Decay}} {
		if term.value >= 0.005 {
			s += fmt.Sprintf(" %s %s %.2f", term.sign, term.name, term.value)
		}
	}
	return s
}

// conversationLine is where the conversation stands that a record comes from.
func conversationLine(p *api.ConversationPlace) string {
	s := p.File
	if len(p.Lines) == 2 {
		s = fmt.Sprintf("%s:%d-%d", s, p.Lines[0], p.Lines[1])
	}
	if p.Section != "" {
		s += " (" + p.Section + ")"
	}
	return s
}
