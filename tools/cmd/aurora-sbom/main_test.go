package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// The bill of this test's own program is what the standard's schema asks for, and names what is in the program.
func TestBillOfMaterials(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	first, second := filepath.Join(t.TempDir(), "a.json"), filepath.Join(t.TempDir(), "b.json")
	for _, out := range []string{first, second} {
		if err := write(program, out); err != nil {
			t.Fatal(err)
		}
	}
	text, again := read(t, first), read(t, second)
	if text != again {
		t.Error("two bills of one program differ")
	}
	for _, want := range []string{`"pkg:golang/std@1.`, `"pkg:golang/github.com/google/uuid@v`, `"golang:h1"`, `"SHA-256"`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in:\n%s", want, text)
		}
	}
	validate(t, text)
}

// validate checks against the schema that comes with the library.
func validate(t *testing.T, text string) {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/CycloneDX/cyclonedx-go").Output()
	if err != nil {
		t.Fatal(err)
	}
	schemas := filepath.Join(strings.TrimSpace(string(dir)), "schema")
	compiler := jsonschema.NewCompiler()
	for _, name := range []string{"spdx.schema.json", "jsf-0.82.schema.json", "bom-1.6.schema.json"} {
		found, _ := filepath.Glob(filepath.Join(schemas, strings.TrimSuffix(name, ".json")+"*.json")) // one is called .schemax.json
		if len(found) != 1 {
			t.Fatalf("%s: %q", name, found)
		}
		file, err := os.Open(found[0])
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(file)
		file.Close()
		if err != nil {
			t.Fatal(err)
		}
		if err := compiler.AddResource("http://cyclonedx.org/schema/"+name, doc); err != nil {
			t.Fatal(err)
		}
	}
	schema, err := compiler.Compile("http://cyclonedx.org/schema/bom-1.6.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var bom any
	if err := json.Unmarshal([]byte(text), &bom); err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(bom); err != nil {
		t.Errorf("%v", err)
	}
}

func TestNoProgram(t *testing.T) {
	err := write("main_test.go", filepath.Join(t.TempDir(), "x.json"))
	if err == nil || !strings.Contains(err.Error(), "main_test.go") {
		t.Errorf("a text file: %v", err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
