package llm

import (
	_ "embed"
	"encoding/json"
	"slices"
	"strings"
	"sync"
)

//go:embed models.json
var modelsFile []byte

// A KnownModel is what the program knows of a hosted model without asking anybody.
type KnownModel struct {
	Name   string `json:"name"`            // that model names begin with
	Window int    `json:"window"`          // tokens; 0 when it is not known
	Price  *Price `json:"price,omitempty"` // nil when it is not known
}

type knownModels struct {
	AsOf   string `json:"asOf"`
	Models map[string]struct {
		Window int    `json:"window"`
		Price  string `json:"price"`
	} `json:"models"`
}

var readModels = sync.OnceValue(func() knownModels {
	var known knownModels
	if err := json.Unmarshal(modelsFile, &known); err != nil {
		panic(err) // the file is part of the program
	}
	return known
})

// KnownModels are the hosted models that the program knows, by name, and the day (YYYY-MM-DD) on which windows and list
// prices were written down.
func KnownModels() (models []KnownModel, asOf string) {
	known := readModels()
	prices := DefaultPrices()
	for name, m := range known.Models {
		model := KnownModel{Name: name, Window: m.Window}
		if price, ok := prices[name]; ok {
			model.Price = &price
		}
		models = append(models, model)
	}
	slices.SortFunc(models, func(a, b KnownModel) int { return strings.Compare(a.Name, b.Name) })
	return models, known.AsOf
}

// KnownWindow is the context window of a hosted model in tokens, 0 when it is not known.
func KnownWindow(model string) int {
	model = model[strings.LastIndexByte(model, '/')+1:] // openai/gpt-4o
	window, length := 0, 0
	for name, m := range readModels().Models {
		if (model == name || strings.HasPrefix(model, name+"-") || strings.HasPrefix(model, name+":")) && len(name) > length {
			window, length = m.Window, len(name)
		}
	}
	return window
}
