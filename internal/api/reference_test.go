package api_test

import (
	"os"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/api/internal/reference"
)

// generated compares a file with what would be generated now.
func generated(t *testing.T, path, want string, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s differs from the operations and their types: run make generate", path)
	}
}

func TestReferenceIsUpToDate(t *testing.T) {
	page, err := reference.Page(".", api.Standard)
	generated(t, "../../docs/protocol.md", page, err)
	description, err := reference.OpenAPI(".", api.Standard)
	generated(t, "../../httpapi/openapi.json", string(description), err)
}
