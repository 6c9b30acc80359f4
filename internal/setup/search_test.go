package setup

import (
	"testing"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/lexical"
	"github.com/aurora-sidecar/aurora/internal/config"
)

func TestDefaultSettingsAreTheDefaultKeywordScore(t *testing.T) {
	if got := BM25(config.Defaults("")); got != lexical.DefaultParams {
		t.Errorf("settings give %+v, the keyword lane has %+v", got, lexical.DefaultParams)
	}
}

// TestDefaultSettingsAreTheDefaultProviders makes sure that the documented defaults are those of an engine without any.
func TestDefaultSettingsAreTheDefaultProviders(t *testing.T) {
	set := Providers(config.Defaults(""))
	ix, err := index.Open(t.Context(), index.Options{NoWatch: true})
	if err != nil {
		t.Fatal(err)
	}
	defer ix.Shutdown()
	e := engine.New(engine.Options{Index: ix})
	defer e.Close()
	list := e.Providers()
	if len(list) != len(set) {
		t.Errorf("%d providers, %d settings", len(list), len(set))
	}
	for _, p := range list {
		if s, ok := set[p.ID]; !ok || s.Enabled != p.Enabled || s.Weight != p.Weight {
			t.Errorf("%s: settings %+v, engine %+v", p.ID, s, p)
		}
	}
}
