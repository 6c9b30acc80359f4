package admin

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/spf13/cobra"
)

// ConfigCommands look at settings and change them.
func ConfigCommands(c *app.App) *cobra.Command {
	cmd := configListCommand(c, "config")
	cmd.Short = "Show, check and change settings"
	cmd.Long = `Show, check and change settings. Of several sources that set a key the last one wins: the defaults, your own
~/.aurora/config.json, the project's .aurora/config.json, the file of --config or $AURORA_CONFIG, AURORA_* variables, the
editor's settings, flags. Each file may be YAML (.yml, .yaml) or TOML instead. What would make AURORA write elsewhere or
send data is taken from a project's file only in a workspace that you trust. "aurora config list" is the same as "aurora config".`
	cmd.Args = app.NoSuchCommand
	cmd.AddCommand(configGetCommand(c), app.Same(configListCommand(c, "list"), "config"), configSetCommand(c), configUnsetCommand(c),
		configEditCommand(c), configValidateCommand(c), configModelsCommand(c))
	return cmd
}

// A Setting is a key with its value and where that comes from.
type Setting struct {
	config.KeyInfo
	Value any    `json:"value"`
	Layer string `json:"layer"`          // default, user, project, environment
	From  string `json:"from,omitempty"` // the file or variable
}

func (s *Setting) text() string { return ValueText(s.Value) }

// ValueText is a value as it stands in a file; words stand without quotes.
func ValueText(v any) string {
	if s, ok := v.(string); ok && s != "" {
		return display.Clean(s)
	}
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return display.Clean(string(b))
}

// origin names the layer, and the file or variable.
func (s *Setting) origin() string {
	if s.From == "" {
		return s.Layer
	}
	return s.Layer + " " + display.Clean(config.Tilde(s.From))
}

// effective loads the settings of the project around the current folder, which need not be there. When some are wrong, it
// returns what is used in their place, too.
func effective(c *app.App) ([]Setting, error) {
	root, err := workspace.ProjectRoot(c, ".")
	if err != nil && c.Project != "" {
		return nil, err
	}
	if err != nil {
		root = ""
	}
	p := &workspace.Parts{}
	err = workspace.LoadSettings(c, p, workspace.Wiring{Root: root})
	if p.Settings == nil {
		return nil, err
	}
	for _, w := range p.Warnings {
		c.Warn(w)
	}
	var list []Setting
	for _, info := range config.Keys() {
		s := Setting{KeyInfo: info, Value: p.Settings.Value(info.Name)}
		s.Layer, s.From = layerOf(p.Settings.Origin(info.Name), root)
		list = append(list, s)
	}
	return list, err
}

// layerOf takes an origin apart.
func layerOf(origin, root string) (layer, from string) {
	user, err := config.UserFile()
	switch {
	case origin == "default" || origin == "editor" || origin == "flag":
		return origin, ""
	case strings.HasPrefix(origin, "AURORA_"):
		return "environment", origin
	case origin == os.Getenv(config.FileVariable):
		return "file", origin
	case err == nil && filepath.Dir(origin) == filepath.Dir(user):
		return "user", origin
	case root != "" && filepath.Dir(origin) == filepath.Dir(config.ProjectFile(root)):
		return "project", origin
	}
	return "file", origin
}

func configGetCommand(c *app.App) *cobra.Command {
	var plain bool
	cmd := &cobra.Command{
		Use:               "get <key>",
		Short:             "Show the value and source of a setting, or of a group of settings",
		Example:           "  aurora config get search.limit\n  aurora config get search\n  aurora config get search.limit --value",
		Args:              app.UsageArgs(cobra.ExactArgs(1)),
		ValidArgsFunction: completeKeys,
		RunE: func(_ *cobra.Command, args []string) error {
			if err := checkKey(args[0], true); err != nil {
				return err
			}
			list, wrong := effective(c)
			if len(list) == 0 {
				return wrong
			}
			list = slices.DeleteFunc(list, func(s Setting) bool { return !below(s.Name, args[0]) })
			if err := printSettings(c, list, plain); err != nil {
				return err
			}
			return wrong
		},
	}
	cmd.Flags().BoolVar(&plain, "value", false, "only the value, for scripts")
	return cmd
}

// below reports whether a key is name, or one of the group name.
func below(key, name string) bool {
	if info, ok := config.Describe(name); ok {
		return key == info.Name
	}
	return strings.HasPrefix(key, strings.ToLower(name)+".")
}

// checkKey refuses keys that do not exist, and names the one that was probably meant.
func checkKey(name string, group bool) error {
	if _, ok := config.Describe(name); ok || group && config.IsGroup(name) {
		return nil
	}
	if config.IsGroup(name) {
		return app.UsageError(fmt.Sprintf("Its keys: aurora config get %s", name), "'%s' is a group of keys, not a key", name)
	}
	if advice, was := config.Removed(name); was {
		if advice != "" {
			advice = "Instead: " + advice
		}
		return app.UsageError(advice, "'%s' is no longer a setting", name)
	}
	remedy := "See: aurora config list"
	if near := config.Nearest(name); near != "" {
		remedy = fmt.Sprintf("Did you mean '%s'?", near)
	}
	return app.UsageError(remedy, "unknown key '%s'", name)
}

func completeKeys(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args)%2 == 1 || len(args) > 0 && cmd.Name() != "set" {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []string
	for _, info := range config.Keys() {
		names = append(names, info.Name+"\t"+info.Doc)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

func configListCommand(c *app.App, name string) *cobra.Command {
	var changed, files bool
	cmd := &cobra.Command{
		Use:   name,
		Short: "List settings with value and source",
		Long:  "List settings with value and source. -v adds what each one means and allows.",
		Args:  app.UsageArgs(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			if files {
				return printPlaces(c)
			}
			list, wrong := effective(c)
			if len(list) == 0 {
				return wrong
			}
			if changed {
				list = slices.DeleteFunc(list, func(s Setting) bool { return s.Layer == "default" })
			}
			if len(list) == 0 && !c.JSON && wrong == nil {
				c.Wrapped("", "Everything has its default.")
				return app.ErrNothing
			}
			if err := printSettings(c, list, false); err != nil {
				return err
			}
			return app.Found(len(list), wrong)
		},
	}
	cmd.Flags().BoolVar(&files, "files", false, "print where the configuration files are instead")
	cmd.Flags().BoolVar(&changed, "changed", false, "only what differs from the defaults")
	return cmd
}

func printSettings(c *app.App, list []Setting, plain bool) error {
	switch {
	case c.JSON && len(list) == 1:
		return c.PrintJSON(list[0])
	case c.JSON:
		return c.PrintJSON(slices.Concat([]Setting{}, list))
	case plain:
		for i := range list {
			fmt.Fprintln(c.Out, list[i].text())
		}
		return nil
	case c.Verbose > 0:
		for i := range list {
			printSetting(c, &list[i])
		}
		return nil
	}
	table := display.Table{Columns: []display.Column{
		{Title: "Key", Min: 8, Left: true, Keep: 9}, {Title: "Value", Min: 6, Left: true, Keep: 8}, {Title: "Origin", Min: 7, Left: true, Keep: 7},
	}}
	for i := range list {
		table.Rows = append(table.Rows, []string{list[i].Name, list[i].text(), list[i].origin()})
	}
	c.Notes(c.PrintTable(table))
	return nil
}

// printSetting tells all about a key.
func printSetting(c *app.App, s *Setting) {
	fmt.Fprintln(c.Out, c.Bold(s.Name)+" = "+s.text())
	rows := [][2]string{{"Meaning", s.Doc}, {"Allowed", s.Rule}, {"Default", ValueText(s.Default)}, {"Origin", s.origin()}, {"Variable", s.Env}}
	if s.UserOnly {
		rows = append(rows, [2]string{"Set by", "you alone: a project's file may not set it"})
	}
	for _, row := range rows {
		c.Wrapped("  "+display.Pad(row[0]+":", 10), row[1])
	}
}

// A configPlace is a configuration file that counts, whether it is there or not.
type configPlace struct {
	Layer  string `json:"layer"`
	File   string `json:"file"`
	Exists bool   `json:"exists"`
}

// printPlaces prints where the configuration files are.
func printPlaces(c *app.App) error {
	var places []configPlace
	for _, local := range []bool{false, true} {
		file, layer, err := workspace.ConfigFile(c, local)
		if err != nil && local {
			continue // no project here
		}
		if err != nil {
			return err
		}
		_, err = os.Stat(file)
		places = append(places, configPlace{layer, file, err == nil})
	}
	if c.JSON {
		return c.PrintJSON(places)
	}
	for _, p := range places {
		state := "not there"
		if p.Exists {
			state = "there"
		}
		fmt.Fprintf(c.Out, "%s %s (%s)\n", display.Pad(p.Layer+":", 8), display.Clean(p.File), state)
	}
	return nil
}
