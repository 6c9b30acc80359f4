package setup

import (
	"testing"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/internal/config"
)

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
	for _, p := range e.Providers() {
		if s, ok := set[p.ID]; !ok || s.Enabled != p.Enabled || s.Weight != p.Weight {
			t.Errorf("%s: settings %+v, engine %+v", p.ID, s, p)
		}
		delete(set, p.ID)
	}
	if len(set) > 0 {
		t.Errorf("there are no providers for %v", set)
	}
}
