package api_test

import (
	"os"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/api/internal/reference"
)

func TestReferenceIsUpToDate(t *testing.T) {
	want, err := reference.Page(".", api.Standard)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../docs/protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("docs/protocol.md differs from the operations and their types: run make generate")
	}
}
