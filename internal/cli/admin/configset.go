package admin

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/jsonfile"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/spf13/cobra"
)

func configSetCommand(c *app.App) *cobra.Command {
	var local bool
	cmd := &cobra.Command{
		Use:   "set <key> <value> [<key> <value> ...]",
		Short: "Set keys in your own file, or with --local in the project's",
		Long: `Set keys in your own file, or with --local in the project's: all of them, or none. Everything else in the file stays as
it is. Lists are written as a JSON array, or with commas between the items.`,
		Example: `  aurora config set search.limit 20
  aurora config set search.semantic false --local
  aurora config set llm.provider ollama llm.model qwen3
  aurora config set index.ignore_patterns '["*.gen.go", "third_party/"]'`,
		ValidArgsFunction: completeKeys,
		RunE: func(cmd *cobra.Command, args []string) error {
			args, err := flagsAfter(cmd, args)
			if err != nil {
				return err
			}
			if len(args) == 0 {
				return app.UsageError("Try: aurora config set search.limit 20", "missing key and value")
			}
			if len(args)%2 != 0 {
				return app.UsageError(app.HelpFor(cmd), "%s: takes a key and a value, or several pairs of them, not %d arguments", cmd.CommandPath(), len(args))
			}
			return setConfig(c, args, local)
		},
	}
	cmd.Flags().BoolVar(&local, "local", false, "the project's file, .aurora/config.json")
	cmd.Flags().SetInterspersed(false) // -1.5 is a value
	return cmd
}

func configUnsetCommand(c *app.App) *cobra.Command {
	var local bool
	cmd := &cobra.Command{
		Use:               "unset <key>",
		Short:             "Remove a key from your own file, or with --local from the project's",
		Example:           "  aurora config unset search.limit\n  aurora config unset search.limit --local",
		Args:              app.UsageArgs(cobra.ExactArgs(1)),
		ValidArgsFunction: completeKeys,
		RunE:              func(_ *cobra.Command, args []string) error { return unsetConfig(c, args[0], local) },
	}
	cmd.Flags().BoolVar(&local, "local", false, "the project's file, .aurora/config.json")
	return cmd
}

func unsetConfig(c *app.App, name string, local bool) error {
	if err := checkKey(name, false); err != nil {
		return err
	}
	info, _ := config.Describe(name)
	file, _, err := workspace.ConfigFile(c, local)
	if err != nil {
		return err
	}
	found := false
	err = jsonfile.Update(file, config.MaxFile, func(before []byte) ([]byte, error) {
		if before == nil {
			return nil, nil
		}
		after, there, err := removeKey(file, before, info.Name)
		found = there
		return after, err
	})
	if err != nil {
		return app.Failure("Nothing was written. See what is wrong with: aurora config validate", fmt.Errorf("change %s: %w", config.Tilde(file), err))
	}
	if c.JSON {
		err := c.PrintJSON(unsetResult{Key: info.Name, Removed: found, From: file})
		return app.Found(map[bool]int{true: 1}[found], err)
	}
	if !found {
		c.Wrapped("", fmt.Sprintf("%s does not set %s.", config.Tilde(file), info.Name))
		return app.ErrNothing
	}
	fmt.Fprintf(c.Out, "%s taken out of %s\n", info.Name, display.Clean(config.Tilde(file)))
	return nil
}

// flagsAfter parses the flags behind pairs of a key and a value, of which the value may look like one.
func flagsAfter(cmd *cobra.Command, args []string) ([]string, error) {
	pairs := 0
	for pairs+1 < len(args) && !strings.HasPrefix(args[pairs], "-") {
		pairs += 2
	}
	if pairs >= len(args) {
		return args, nil
	}
	if err := cmd.Flags().Parse(args[pairs:]); err != nil {
		return nil, app.FlagError(cmd, err)
	}
	return append(args[:pairs:pairs], cmd.Flags().Args()...), nil
}

// A change is a key with its new value.
type change struct {
	info  config.KeyInfo
	value any
}

// changesOf reads pairs of a key and a value.
func changesOf(pairs []string, local bool) ([]change, error) {
	var changes []change
	for i := 0; i < len(pairs); i += 2 {
		if err := checkKey(pairs[i], false); err != nil {
			return nil, err
		}
		info, _ := config.Describe(pairs[i])
		value, err := config.Parse(info.Name, pairs[i+1])
		var invalid *config.Error
		if errors.As(err, &invalid) {
			p := invalid.Problems[0]
			return nil, app.UsageError(fmt.Sprintf("Its default is %s.", ValueText(info.Default)), "%s: %s (got %s)", p.Key, p.Rule, p.Got)
		}
		if err != nil {
			return nil, err
		}
		if local && info.UserOnly {
			return nil, app.UsageError("Leave --local out.", "%s is yours to set: a project's file may not set it", info.Name)
		}
		changes = append(changes, change{info, value})
	}
	return changes, nil
}

func setConfig(c *app.App, pairs []string, local bool) error {
	changes, err := changesOf(pairs, local)
	if err != nil {
		return err
	}
	file, layer, err := workspace.ConfigFile(c, local)
	if err != nil {
		return err
	}
	err = jsonfile.Update(file, config.MaxFile, func(before []byte) ([]byte, error) {
		after := before
		for _, ch := range changes {
			if after, err = setKey(file, after, ch.info.Name, ch.value); err != nil {
				return nil, err
			}
		}
		return after, nil
	})
	switch {
	case err != nil:
		return app.Failure("Nothing was written. See what is wrong with: aurora config validate", fmt.Errorf("change %s: %w", config.Tilde(file), err))
	case c.JSON:
		return printSet(c, changes, layer, file)
	}
	for _, ch := range changes {
		fmt.Fprintf(c.Out, "%s = %s in %s\n", ch.info.Name, ValueText(ch.value), display.Clean(config.Tilde(file)))
	}
	warnIfOverridden(c, changes, file)
	return nil
}

// A setResult is a key that was set.
type setResult struct {
	Key   string `json:"key"`
	Value any    `json:"value"`
	Layer string `json:"layer"`
	From  string `json:"from"` // the file
}

// An unsetResult is a key that was taken out of a file.
type unsetResult struct {
	Key     string `json:"key"`
	Removed bool   `json:"removed"`
	From    string `json:"from"`
}

func printSet(c *app.App, changes []change, layer, file string) error {
	var all []setResult
	for _, ch := range changes {
		all = append(all, setResult{Key: ch.info.Name, Value: ch.value, Layer: layer, From: file})
	}
	if len(all) == 1 {
		return c.PrintJSON(all[0])
	}
	return c.PrintJSON(all)
}

// setKey puts a value into the text of a configuration file.
func setKey(file string, text []byte, name string, value any) ([]byte, error) {
	path := strings.Split(name, ".")
	switch filepath.Ext(file) {
	case ".yml", ".yaml":
		after, err := jsonfile.SetYAML(text, path, value)
		return likeLines(after, text), err
	case ".toml":
		return nil, errOnlyByHand
	}
	return jsonfile.Set(text, path, value)
}

// removeKey takes a key out of the text of a configuration file.
func removeKey(file string, text []byte, name string) (out []byte, found bool, err error) {
	path := strings.Split(name, ".")
	switch filepath.Ext(file) {
	case ".yml", ".yaml":
		after, found, err := jsonfile.RemoveYAML(text, path)
		return likeLines(after, text), found, err
	case ".toml":
		return nil, false, errOnlyByHand
	}
	out, found, _, err = jsonfile.Remove(text, path)
	return out, found, err
}

// likeLines ends the lines of a text as those of another one do.
func likeLines(text, like []byte) []byte {
	if !bytes.Contains(like, []byte("\r\n")) {
		return text
	}
	return bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
}

// errOnlyByHand is that of TOML, which nothing changes without losing its comments.
var errOnlyByHand = errors.New("TOML files are changed by hand, see: aurora config edit")

// warnIfOverridden tells when another source wins over the file.
func warnIfOverridden(c *app.App, changes []change, file string) {
	list, err := effective(c)
	if err != nil {
		c.Warn(err.Error())
	}
	for i := range list {
		s := &list[i]
		changed := slices.ContainsFunc(changes, func(ch change) bool { return ch.info.Name == s.Name })
		if changed && s.From != file && s.From != "" {
			c.Warn(fmt.Sprintf("%s has no effect here: %s says %s", s.Name, s.origin(), s.text()))
		}
	}
}
