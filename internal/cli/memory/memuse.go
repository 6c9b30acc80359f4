package memory

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/aurora-sidecar/aurora/memory"
	"github.com/spf13/cobra"
)

// onMemory adapts a command that works on memory alone.
func onMemory(c *app.App, run func(cmd *cobra.Command, s *workspace.Session, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		s, err := workspace.OpenMemory(cmd.Context(), c)
		if err != nil {
			return err
		}
		defer s.Close()
		if s.Memory == nil {
			return app.Failure("Set memory.enabled to true, or AURORA_MEMORY_ENABLED=true.", errors.New("memory is switched off"))
		}
		if err := s.MemoryOpen(); err != nil {
			return err
		}
		return run(cmd, s, args)
	}
}

// onKeptMemory adapts a command that changes memory.
func onKeptMemory(c *app.App, run func(cmd *cobra.Command, s *workspace.Session, args []string) error) func(*cobra.Command, []string) error {
	return onMemory(c, func(cmd *cobra.Command, s *workspace.Session, args []string) error {
		if err := s.MemoryKept(); err != nil {
			return err
		}
		return run(cmd, s, args)
	})
}

// uses are what can be told of a hit besides a rating.
var uses = []string{"opened", "accepted", "copied", "edited", "cited", "returned", "rejected"}

// rateCommand rates memory or code, or reports what was done with it, for editors and scripts without a connection of their own.
func rateCommand(c *app.App) *cobra.Command {
	return &cobra.Command{
		Use:     "rate <good|bad|-1..1|use> <id>...",
		Aliases: []string{"use"},
		Short:   "Rate memory or code, or report how it was used",
		Long: `Rate memory or code, or report how it was used; activation learns from it, and what is rated badly comes last.
A use is one of: ` + strings.Join(uses, ", ") + `. Ids are those that "aurora search --json" prints.`,
		Example: `  aurora mem rate bad know:retries-use-jitter-1a2b3c4d
  aurora mem rate accepted know:retries-use-jitter-1a2b3c4d
  aurora mem rate -- -0.5 know:retries-use-jitter-1a2b3c4d`,
		Args: app.UsageArgs(cobra.MinimumNArgs(2)),

		ValidArgsFunction: app.CompleteFirst(append([]string{"good", "bad"}, uses...)...),
		RunE: onKeptMemory(c, func(cmd *cobra.Command, s *workspace.Session, args []string) error {
			if slices.Contains(uses, strings.ToLower(args[0])) {
				return use(c, cmd, s, args[1:], args[0], 0)
			}
			value, err := rating(args[0])
			if err != nil {
				return err
			}
			return use(c, cmd, s, args[1:], string(memory.Rated), value)
		}),
	}
}

func rating(word string) (float64, error) {
	switch strings.ToLower(word) {
	case "good":
		return 1, nil
	case "bad":
		return -1, nil
	}
	value, err := strconv.ParseFloat(word, 64)
	if err != nil || !(value >= -1 && value <= 1) {
		return 0, app.UsageError("Write good, bad, a number from -1 to 1, or one of: "+strings.Join(uses, ", ")+".", "unknown rating %q", word)
	}
	return value, nil
}

func use(c *app.App, cmd *cobra.Command, s *workspace.Session, ids []string, action string, value float64) error {
	if err := s.Engine.Use(cmd.Context(), ids, action, value); err != nil {
		return err
	}
	if c.JSON {
		return c.PrintJSON(map[string]int{"noted": len(ids)})
	}
	fmt.Fprintf(c.Out, "Noted %s for %s\n", strings.ToLower(action), display.Count(len(ids), "id"))
	return nil
}

// relateCommand links two records.
func relateCommand(c *app.App) *cobra.Command {
	link := memory.Link{}
	cmd := &cobra.Command{
		Use:   "relate <from> <to>",
		Short: "Link two records, or a record with code; activation spreads along links",
		Example: `  aurora mem relate know:new-limit-1a2b3c4d know:old-limit-5e6f7a8b --as contradicts
  aurora mem relate know:why-jitter-1a2b3c4d code:net/retry.go:Retry --as explains`,
		Args: app.UsageArgs(cobra.ExactArgs(2)),
		RunE: onKeptMemory(c, func(cmd *cobra.Command, s *workspace.Session, args []string) error {
			link.From, link.To = args[0], args[1]
			if err := s.Memory.Relate(cmd.Context(), []memory.Link{link}); err != nil {
				return err
			}
			if c.JSON {
				return c.PrintJSON(map[string]int{"related": 1})
			}
			fmt.Fprintf(c.Out, "%s %s %s\n", display.Clean(link.From), display.Clean(link.Type), display.Clean(link.To))
			return nil
		}),
	}
	cmd.Flags().StringVar(&link.Type, "as", "relates to", "what the first is to the second; the audit shows contradicts")
	cmd.Flags().Float64Var(&link.Weight, "weight", 1, "how strongly, 0 to 1")
	return cmd
}

// learnCommand reports the outcome of a query.
func learnCommand(c *app.App) *cobra.Command {
	o, result := memory.Outcome{}, ""
	cmd := &cobra.Command{
		Use:   "learn <query>",
		Short: "Report how well a query went; what helped becomes more active",
		Example: `  aurora mem learn "how do we deploy" --score 0.9 --helpful know:deploy-by-tag-1a2b3c4d
  aurora mem learn "how do we deploy" --score 0.2`,
		Args: app.UsageArgs(cobra.MinimumNArgs(1)),
		RunE: onKeptMemory(c, func(cmd *cobra.Command, s *workspace.Session, args []string) error {
			o.Query = strings.Join(args, " ")
			learned, err := s.Memory.Learn(cmd.Context(), o)
			if errors.Is(err, memory.ErrInvalid) {
				return app.UsageError("", "%w", err)
			}
			if err == nil && learned.Cached && result != "" {
				_, _, err = s.Memory.Remember(cmd.Context(), memory.Record{
					Type: memory.Reasoning, Title: o.Query, Content: o.Query + "\n\n" + result, SourceType: "output",
					Quality: memory.Quality{SuccessScore: &o.Score, Pattern: learned.Pattern},
				})
			}
			if err != nil {
				return err
			}
			return printLearned(c, learned)
		}),
	}
	cmd.Flags().Float64Var(&o.Score, "score", 0, "how well it went, 0 to 1")
	cmd.Flags().StringVar(&result, "result", "", "what came out; remembered as reasoning when the score allows")
	cmd.Flags().StringSliceVar(&o.Helpful, "helpful", nil, "ids of what helped")
	cmd.Flags().StringSliceVar(&o.Unhelpful, "unhelpful", nil, "ids of what was retrieved and did not help")
	_ = cmd.MarkFlagRequired("score")
	return cmd
}

// learnedJSON is the result of mem learn.
type learnedJSON struct {
	Cached    bool `json:"cached"`
	Pattern   bool `json:"pattern"`
	Difficult bool `json:"difficult"`
	Adjusted  int  `json:"adjusted"`
}

func printLearned(c *app.App, l memory.Learned) error {
	if c.JSON {
		return c.PrintJSON(learnedJSON{Cached: l.Cached, Pattern: l.Pattern, Difficult: l.Difficult, Adjusted: l.Adjusted})
	}
	verdict := "good enough to be remembered"
	switch {
	case l.Pattern:
		verdict = "good enough to be a pattern"
	case l.Difficult:
		verdict = "too bad to be remembered; the query is marked as difficult"
	}
	fmt.Fprintf(c.Out, "%s; %s adjusted\n", verdict, display.Count(l.Adjusted, "activation"))
	return nil
}
