package main

import (
	"bytes"
	"os"
	"testing"
)

// TestGenerated holds that the product has the rules of the version of gitleaks that go.mod names.
func TestGenerated(t *testing.T) {
	want, err := marshal()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../../internal/scrub/gitleaks.json")
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("internal/scrub/gitleaks.json is stale (%v): make generate", err)
	}
}
