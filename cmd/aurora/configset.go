package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/aurora-sidecar/aurora/cmd/aurora/internal/display"
	"github.com/aurora-sidecar/aurora/cmd/aurora/internal/jsonfile"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/spf13/cobra"
)

// maxConfigFile is the size in bytes above which a file is no configuration.
const maxConfigFile = 1 << 20

func (c *cli) configSetCommand() *cobra.Command {
	var local bool
	cmd := &cobra.Command{
		Use:   "set <key> <value>",
		Short: "Set a key in your own file, or with --local in the project's",
		Long: `Set a key in your own file, or with --local in the project's. Everything else in the file stays as it is. Lists are
written as a JSON array, or with commas between the items.`,
		Example: `  aurora config set search.limit 20
  aurora config set search.bm25.k1 1.2 --local
  aurora config set index.ignore_patterns '["*.gen.go", "third_party/"]'`,
		ValidArgsFunction: completeKeys,
		RunE: func(cmd *cobra.Command, args []string) error {
			args, err := flagsAfter(cmd, args)
			if err != nil {
				return err
			}
			if len(args) != 2 {
				return usageError(helpFor(cmd), "%s: takes a key and a value, not %d arguments", cmd.CommandPath(), len(args))
			}
			return c.setConfig(args[0], args[1], local)
		},
	}
	cmd.Flags().BoolVar(&local, "local", false, "the project's file, .aurora/config.json")
	cmd.Flags().SetInterspersed(false) // -1.5 is a value
	return cmd
}

func (c *cli) configUnsetCommand() *cobra.Command {
	var local bool
	cmd := &cobra.Command{
		Use:               "unset <key>",
		Short:             "Take a key out of your own file, or with --local out of the project's",
		Example:           "  aurora config unset search.limit\n  aurora config unset search.limit --local",
		Args:              usageArgs(cobra.ExactArgs(1)),
		ValidArgsFunction: completeKeys,
		RunE:              func(_ *cobra.Command, args []string) error { return c.unsetConfig(args[0], local) },
	}
	cmd.Flags().BoolVar(&local, "local", false, "the project's file, .aurora/config.json")
	return cmd
}

func (c *cli) unsetConfig(name string, local bool) error {
	if err := checkKey(name, false); err != nil {
		return err
	}
	info, _ := config.Describe(name)
	file, _, err := c.configFile(local)
	if err != nil {
		return err
	}
	found := false
	err = jsonfile.Update(file, maxConfigFile, func(before []byte) ([]byte, error) {
		if before == nil {
			return nil, nil
		}
		after, there, err := removeKey(file, before, info.Name)
		found = there
		return after, err
	})
	if err != nil {
		return failure("Nothing was written. See what is wrong with: aurora config validate", fmt.Errorf("change %s: %w", config.Tilde(file), err))
	}
	if c.json {
		return c.printJSON(map[string]any{"key": info.Name, "removed": found, "from": file})
	}
	if !found {
		c.wrapped("", fmt.Sprintf("%s does not set %s.", config.Tilde(file), info.Name))
		return errNothing
	}
	fmt.Fprintf(c.out, "%s taken out of %s\n", info.Name, display.Clean(config.Tilde(file)))
	return nil
}

// flagsAfter parses the flags behind a key and a value, of which the value may look like one.
func flagsAfter(cmd *cobra.Command, args []string) ([]string, error) {
	if len(args) <= 2 {
		return args, nil
	}
	if err := cmd.Flags().Parse(args[2:]); err != nil {
		return nil, flagError(cmd, err)
	}
	return append(args[:2:2], cmd.Flags().Args()...), nil
}

func (c *cli) setConfig(name, text string, local bool) error {
	if err := checkKey(name, false); err != nil {
		return err
	}
	info, _ := config.Describe(name)
	value, err := config.Parse(info.Name, text)
	var invalid *config.Error
	if errors.As(err, &invalid) {
		p := invalid.Problems[0]
		return usageError(fmt.Sprintf("Its default is %s.", valueText(info.Default)), "%s: %s (got %s)", p.Key, p.Rule, p.Got)
	}
	if err != nil {
		return err
	}
	if local && info.UserOnly {
		return usageError("Leave --local out.", "%s is yours to set: a project's file may not set it", info.Name)
	}
	file, layer, err := c.configFile(local)
	if err != nil {
		return err
	}
	err = jsonfile.Update(file, maxConfigFile, func(before []byte) ([]byte, error) {
		return setKey(file, before, info.Name, value)
	})
	if err != nil {
		return failure("Nothing was written. See what is wrong with: aurora config validate", fmt.Errorf("change %s: %w", config.Tilde(file), err))
	}
	if c.json {
		return c.printJSON(map[string]any{"key": info.Name, "value": value, "layer": layer, "from": file})
	}
	fmt.Fprintf(c.out, "%s = %s in %s\n", info.Name, valueText(value), display.Clean(config.Tilde(file)))
	c.warnIfOverridden(info.Name, file)
	return nil
}

// setKey puts a value into the text of a configuration file.
func setKey(file string, text []byte, name string, value any) ([]byte, error) {
	path := strings.Split(name, ".")
	switch filepath.Ext(file) {
	case ".yml", ".yaml":
		return jsonfile.SetYAML(text, path, value)
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
		return jsonfile.RemoveYAML(text, path)
	case ".toml":
		return nil, false, errOnlyByHand
	}
	out, found, _, err = jsonfile.Remove(text, path)
	return out, found, err
}

// errOnlyByHand is that of TOML, which nothing changes without losing its comments.
var errOnlyByHand = errors.New("TOML files are changed by hand, see: aurora config edit")

// warnIfOverridden tells when another source wins over the file.
func (c *cli) warnIfOverridden(name, file string) {
	list, err := c.inForce()
	if err != nil {
		c.warn(err.Error())
		return
	}
	for i := range list {
		if s := &list[i]; s.Name == name && s.From != file {
			c.warn(fmt.Sprintf("it has no effect here: %s says %s", s.origin(), s.text()))
		}
	}
}

func (c *cli) configEditCommand() *cobra.Command {
	var local bool
	cmd := &cobra.Command{
		Use:   "edit",
		Short: "Open your own file, or with --local the project's, in $VISUAL or $EDITOR, and check it afterwards",
		Args:  usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			file, _, err := c.configFile(local)
			if err != nil {
				return err
			}
			if err := c.editFile(cmd, file); err != nil {
				return err
			}
			return c.validateConfig()
		},
	}
	cmd.Flags().BoolVar(&local, "local", false, "the project's file, .aurora/config.json")
	return cmd
}

// editFile opens an editor on a file, which is made when it is missing, and waits for it.
func (c *cli) editFile(cmd *cobra.Command, file string) error {
	words := strings.Fields(firstSet("VISUAL", "EDITOR"))
	if len(words) == 0 {
		return failure("Set EDITOR, or open "+file+" yourself.", errors.New("neither VISUAL nor EDITOR says which editor to use"))
	}
	if _, err := os.Stat(file); errors.Is(err, os.ErrNotExist) {
		if err := jsonfile.Write(file, []byte("{\n}\n")); err != nil {
			return err
		}
	}
	editor := exec.CommandContext(cmd.Context(), words[0], append(words[1:], file)...)
	editor.Dir = filepath.Dir(file)
	editor.Stdin, editor.Stdout, editor.Stderr = c.in, c.stdout(), c.err
	if err := editor.Run(); err != nil {
		return failure("Set EDITOR to an editor that is installed.", fmt.Errorf("edit %s with %s: %w", file, words[0], err))
	}
	return nil
}

func firstSet(names ...string) string {
	for _, name := range names {
		if value := os.Getenv(name); strings.TrimSpace(value) != "" {
			return value
		}
	}
	return ""
}

func (c *cli) configValidateCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "validate",
		Short: "Check every source of settings; the exit code is 1 when something is wrong",
		Args:  usageArgs(cobra.NoArgs),
		RunE:  func(*cobra.Command, []string) error { return c.validateConfig() },
	}
}

// validateConfig lists what is wrong: bad values as an error (CFG-041), and what has no effect.
func (c *cli) validateConfig() error {
	root, err := c.projectRoot(".")
	if err != nil && c.project != "" {
		return err
	}
	if err != nil {
		root = ""
	}
	settings, warnings, err := config.Load(config.LoadOptions{Project: root})
	var invalid *config.Error
	if errors.As(err, &invalid) && c.json {
		if err := c.printJSON(map[string]any{"valid": false, "problems": invalid.Problems, "warnings": warnings}); err != nil {
			return err
		}
		return &exit{code: exitFailed}
	}
	if err != nil {
		return failure("Correct the values, or remove them: the defaults are good.", err)
	}
	if c.json {
		return c.printJSON(map[string]any{"valid": true, "problems": []config.Problem{}, "warnings": warnings})
	}
	for _, w := range warnings {
		c.warn(w.String())
	}
	changed := 0
	for _, info := range config.Keys() {
		if settings.Origin(info.Name) != "default" {
			changed++
		}
	}
	c.wrapped("", fmt.Sprintf("The settings are valid: %d of %d keys differ from the defaults, %s.",
		changed, len(config.Keys()), display.Count(len(warnings), "warning")))
	return nil
}
