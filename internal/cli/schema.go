package cli

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/cli/admin"
	"github.com/aurora-sidecar/aurora/internal/cli/agents"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/ask"
	"github.com/aurora-sidecar/aurora/internal/cli/index"
	"github.com/aurora-sidecar/aurora/internal/cli/memory"
	"github.com/aurora-sidecar/aurora/internal/cli/search"
	"github.com/aurora-sidecar/aurora/internal/cli/serve"
	"github.com/aurora-sidecar/aurora/internal/cli/team"
	"github.com/aurora-sidecar/aurora/internal/cli/uninstall"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/aurora-sidecar/aurora/internal/schema"
	"github.com/spf13/cobra"
)

// schemaCommand prints JSON Schemas.
func schemaCommand(c *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "schema <settings|command>",
		Short: "Print the JSON Schema of settings files, or of what a command prints with --json",
		Long: `Print the JSON Schema of settings files, or of what a command prints with --json. Where flags or arguments change what
it prints, they stand behind its name, in quotes. aurora ask prints a line of JSON for each phase; its schema is that of
the result in the last one.`,
		Example: "  aurora dev schema settings > ~/.aurora/config.schema.json\n  aurora dev schema search\n  aurora dev schema \"index check --secrets\"",
		Args:    app.Missing("command", "aurora dev schema search"),

		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(_ *cobra.Command, args []string) error {
			name := strings.Join(args, " ")
			if name == "settings" {
				return c.PrintJSON(config.Schema())
			}
			return printSchema(c, name)
		},
	}
}

// results are the results of --json by command, from all packages of commands.
func results() map[string]any {
	all := map[string]any{"version": app.BuildInfo{}, "man": map[string]int{}}
	for _, some := range []map[string]any{admin.Results, agents.Results, ask.Results, index.Results, memory.Results, search.Results, serve.Results, team.Results, uninstall.Results} {
		maps.Copy(all, some)
	}
	return all
}

func printSchema(c *app.App, name string) error {
	all := results()
	result, ok := all[name]
	if !ok {
		remedy := "With a schema: " + strings.Join(slices.Sorted(maps.Keys(all)), ", ")
		return app.UsageError(remedy, "no schema of the command '%s'", name)
	}
	doc, err := schema.Of(reflect.TypeOf(result))
	if err != nil {
		return fmt.Errorf("describe the result of %s: %w", name, err)
	}
	return c.PrintJSON(json.RawMessage(camelSchema(reflect.TypeOf(result), doc)))
}

// camelSchema writes the names of properties as PrintJSON does, where they are required, too.
func camelSchema(t reflect.Type, doc []byte) []byte {
	if t.Implements(reflect.TypeFor[app.Keyed]()) {
		return doc
	}
	doc = app.CamelKeys(reflect.Zero(t), doc)
	return regexp.MustCompile(`"required":\[[^\]]*\]`).ReplaceAllFunc(doc, func(list []byte) []byte {
		return regexp.MustCompile(`"[^":]+"`).ReplaceAllFunc(list, func(name []byte) []byte {
			if string(name) == `"required"` {
				return name
			}
			return []byte(`"` + app.CamelCase(strings.Trim(string(name), `"`)) + `"`)
		})
	})
}
