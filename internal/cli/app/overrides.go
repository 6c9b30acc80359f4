package app

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/spf13/cobra"
)

// overrides are the flags that change settings for one command, and for the processes that it starts.
type overrides struct {
	file, provider, verbosity, color string
}

// verbosities are the values of --verbosity, each with what it stands for.
var verbosities = []string{"quiet", "normal", "verbose", "json"}

// colorTimes are the values of --color.
var colorTimes = []string{"auto", "always", "never"}

func (o *overrides) add(root *cobra.Command) {
	flags := root.PersistentFlags()
	flags.StringVar(&o.file, "config", "", "a settings `file` (.json, .yml, .yaml, .toml) over your own and the project's")
	flags.StringVar(&o.provider, "llm-provider", "", "the `provider` of the model: openai, anthropic, ollama, vllm or llamacpp")
	flags.StringVar(&o.verbosity, "verbosity", "", "how much to say, as a `level`: quiet, normal (as -v), verbose (as -vv) or json (as --json)")
	flags.StringVar(&o.color, "color", "auto", "`when` to print colours: auto (in a terminal, without NO_COLOR), always or never")
	_ = root.RegisterFlagCompletionFunc("color", cobra.FixedCompletions(colorTimes, cobra.ShellCompDirectiveNoFileComp))
	_ = root.MarkPersistentFlagFilename("config", "json", "yml", "yaml", "toml")
	_ = root.RegisterFlagCompletionFunc("verbosity", cobra.FixedCompletions(verbosities, cobra.ShellCompDirectiveNoFileComp))
	if info, ok := config.Describe("llm.provider"); ok {
		_ = root.RegisterFlagCompletionFunc("llm-provider", cobra.FixedCompletions(info.Words[1:], cobra.ShellCompDirectiveNoFileComp))
	}
}

// Apply makes the flags effective. Settings travel as variables, so that a daemon that is started has them, too.
func (o *overrides) Apply(c *App) error {
	switch o.color {
	case "auto":
	case "always":
		c.Color = true
	case "never":
		c.NoColor = true
	default:
		return UsageError("", "--color must be one of %s (got %q)", strings.Join(colorTimes, ", "), o.color)
	}
	if o.verbosity != "" {
		level := slices.Index(verbosities, strings.ToLower(o.verbosity))
		if level < 0 {
			return UsageError("", "--verbosity must be one of %s (got %q)", strings.Join(verbosities, ", "), o.verbosity)
		}
		if c.JSON = c.JSON || verbosities[level] == "json"; verbosities[level] != "json" {
			c.Verbose = max(c.Verbose, level)
		}
	}
	if o.provider != "" {
		provider, err := config.Parse("llm.provider", o.provider)
		if err != nil {
			info, _ := config.Describe("llm.provider")
			return UsageError("", "--llm-provider must be one of %s (got %q)", strings.Join(info.Words[1:], ", "), o.provider)
		}
		if err := os.Setenv("AURORA_LLM_PROVIDER", fmt.Sprint(provider)); err != nil {
			return fmt.Errorf("set the provider: %w", err)
		}
	}
	if c.Policies != "" {
		if _, err := os.Stat(c.Policies); err != nil {
			return Failure("Name a JSON file, or leave the flag out.", fmt.Errorf("--lifespan-policies: %w", err))
		}
	}
	if o.file == "" {
		return nil
	}
	path, err := filepath.Abs(o.file)
	if err == nil {
		_, err = os.Stat(path)
	}
	if err != nil {
		return Failure("Name a settings file, or leave the flag out.", fmt.Errorf("--config: %w", err))
	}
	if !config.CanRead(path) {
		return UsageError("Name a settings file, or leave the flag out.", "--config: %s must end with .json, .yml, .yaml or .toml", path)
	}
	if err := os.Setenv(config.FileVariable, path); err != nil {
		return fmt.Errorf("set the settings file: %w", err)
	}
	return nil
}
