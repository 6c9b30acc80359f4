package admin

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/spf13/cobra"
)

// A usedModel is a model that the settings name.
type usedModel struct {
	Key    string     `json:"key"` // the setting
	Model  string     `json:"model"`
	Window int        `json:"window,omitempty"` // tokens; 0 when the endpoint has to be asked
	Price  *llm.Price `json:"price,omitempty"`  // US dollars for a million tokens; nil when it is not known
	Local  bool       `json:"local,omitempty"`  // it runs on this machine, at no cost
}

// modelTable is what the program knows of models.
type modelTable struct {
	AsOf  string           `json:"asOf"` // the day of windows and list prices
	Used  []usedModel      `json:"used"`
	Known []llm.KnownModel `json:"known"`
}

func configModelsCommand(c *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "models",
		Short: "List models with their context windows and prices",
		Long: `List the models that your settings name, and those whose context windows and list prices this program knows, with the day
of these figures. A name stands for all names that it begins. Prices are US dollars for a million tokens of prompt,
of prompt that the provider has cached, and of completion; llm.prices sets others. A model without a price counts as nothing in the budget, so that no limit binds it.`,
		Args: app.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			root, err := workspace.ProjectRoot(c, ".")
			if err != nil && c.Project != "" {
				return err
			}
			s, _, err := workspace.SettingsFor(root)
			if s == nil {
				return err
			}
			t := modelTable{Used: []usedModel{}}
			t.Known, t.AsOf = llm.KnownModels()
			if t.Used, err = usedModels(s); err != nil {
				return err
			}
			return printModels(c, t)
		},
	}
}

// usedModels are the models of the settings, each once.
func usedModels(s *config.Settings) ([]usedModel, error) {
	list := []usedModel{}
	prices, err := llm.ParsePrices(s.LLM.Prices)
	if err != nil || !s.ModelConfigured() {
		return list, err
	}
	seen := map[string]bool{}
	add := func(key, model, provider, base string) {
		if model == "" || seen[model] {
			return
		}
		seen[model] = true
		u := usedModel{Key: key, Model: model}
		u.Local = llm.Endpoint{Preset: provider, BaseURL: base, Model: model, Prices: prices}.Free()
		if price, known := prices.Of(model); known && !u.Local {
			u.Price = &price
		}
		if !llm.Presets[provider].Free {
			u.Window = llm.KnownWindow(model)
		}
		list = append(list, u)
	}
	add("llm.model", s.LLM.Model, s.LLM.Provider, s.LLM.BaseURL)
	if solving := s.LLM.Solving; solving.Model != "" {
		add("llm.solving_llm.model", solving.Model, cmp.Or(solving.Provider, s.LLM.Provider), cmp.Or(solving.BaseURL, s.LLM.BaseURL))
	}
	if tiers := s.LLM.Routing.Tiers; s.LLM.Routing.Enabled {
		add("llm.preference_routing.tiers.fast.model", tiers.Fast.Model, s.LLM.Provider, s.LLM.BaseURL)
		add("llm.preference_routing.tiers.reasoning.model", tiers.Reasoning.Model, s.LLM.Provider, s.LLM.BaseURL)
		add("llm.preference_routing.tiers.best.model", tiers.Best.Model, s.LLM.Provider, s.LLM.BaseURL)
	}
	return list, nil
}

func printModels(c *app.App, t modelTable) error {
	if c.JSON {
		return c.PrintJSON(t)
	}
	table := display.Table{Columns: []display.Column{
		{Title: "Model", Min: 8, Left: true, Keep: 9}, {Title: "Window", Min: 6, Keep: 8}, {Title: "Prompt", Min: 6, Keep: 8},
		{Title: "Cached", Min: 6, Keep: 7}, {Title: "Completion", Min: 6, Keep: 8}, {Title: "Used by", Min: 7, Left: true, Keep: 7},
	}}
	add := func(cells ...string) { table.Rows = append(table.Rows, cells) }
	for _, u := range t.Used {
		prompt, cached, completion := "unknown", "unknown", "unknown"
		switch {
		case u.Local:
			prompt, cached, completion = "0", "0", "0"
		case u.Price != nil:
			prompt, cached, completion = dollars(u.Price.Prompt), dollars(u.Price.Cached), dollars(u.Price.Completion)
		}
		add(u.Model, windowText(u.Window, "asked for"), prompt, cached, completion, u.Key)
	}
	for _, m := range t.Known {
		prompt, cached, completion := "", "", ""
		if m.Price != nil {
			prompt, cached, completion = dollars(m.Price.Prompt), dollars(m.Price.Cached), dollars(m.Price.Completion)
		}
		add(m.Name, windowText(m.Window, ""), prompt, cached, completion, "")
	}
	c.Notes(c.PrintTable(table))
	for _, u := range t.Used {
		if !u.Local && u.Price == nil {
			c.Warn(fmt.Sprintf("no price of %s is known, so that no limit binds it: set llm.prices, such as {%q: \"2.50/10\"}", u.Model, u.Model))
		}
	}
	fmt.Fprintf(c.Out, "\nWindows are tokens, prices US dollars for a million of them, as listed on %s.\n", t.AsOf)
	return nil
}

func windowText(tokens int, otherwise string) string {
	if tokens == 0 {
		return otherwise
	}
	return strconv.Itoa(tokens)
}

// dollars has at least two decimals, and all that there are.
func dollars(usd float64) string {
	whole := strconv.FormatFloat(usd, 'f', -1, 64)
	if _, decimals, _ := strings.Cut(whole, "."); len(decimals) > 2 {
		return whole
	}
	return strconv.FormatFloat(usd, 'f', 2, 64)
}
