package reference

import (
	"os"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/config"
)

func TestPageIsUpToDate(t *testing.T) {
	want, err := Page()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../../../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("docs/configuration.md differs from the settings: run make generate")
	}
	for _, k := range config.Keys() {
		if !strings.Contains(want, "**`"+k.Name+"`**") || !strings.Contains(want, "`"+k.Env+"`") {
			t.Errorf("docs/configuration.md does not tell of %s", k.Name)
		}
	}
}
