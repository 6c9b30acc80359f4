package schema_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/schema"
)

// TestSchemasOfTheModule compiles every schema that is checked against.
func TestSchemasOfTheModule(t *testing.T) {
	common, err := os.ReadFile("../../memory/chunkschema/schema/common.json")
	if err != nil {
		t.Fatal(err)
	}
	chunks, _ := filepath.Glob("../../memory/chunkschema/schema/*.json")
	replies, _ := filepath.Glob("../../prompts/schemas/*.json")
	files := slices.DeleteFunc(append(chunks, replies...), func(f string) bool { return filepath.Base(f) == "common.json" })
	if len(files) < 8 {
		t.Fatalf("only %d schemas", len(files))
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		compiled, err := schema.Compile(source, common)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if found := compiled.Check("no object"); len(found) == 0 {
			t.Errorf("%s: a text is valid", file)
		}
	}
}

// TestComplaints has one mistake of each kind that models make.
func TestComplaints(t *testing.T) {
	s, err := schema.Compile([]byte(`{"type":"object","required":["name","age"],"additionalProperties":false,"properties":{
		"name":{"type":"string","minLength":2,"maxLength":5,"pattern":"^[a-z]+$"},"age":{"type":"integer","minimum":0,"maximum":150},
		"kind":{"enum":["a","b"]},"born":{"type":"string","format":"date"},"tags":{"type":"array","minItems":1,"maxItems":2,"items":{"type":"string"}},
		"any":{"anyOf":[{"type":"string"},{"type":"null"}]},"fixed":{"const":1}}}`))
	if err != nil {
		t.Fatal(err)
	}
	valid := func() map[string]any { return map[string]any{"name": "ada", "age": 36.0} }
	if found := s.Check(valid()); found != nil {
		t.Errorf("a valid document: %v", found)
	}
	for _, tt := range []struct {
		key   string
		value any
		want  string
	}{
		{"name", 1.0, "/name: got number, want string"},
		{"name", "a", "/name: minLength: got 1, want 2"},
		{"name", "adalove", "/name: maxLength: got 7, want 5"},
		{"name", "Ada", "/name: 'Ada' does not match pattern '^[a-z]+$'"},
		{"age", 1.5, "/age: got number, want integer"},
		{"age", -1.0, "/age: minimum: got -1, want 0"},
		{"age", 151.0, "/age: maximum: got 151, want 150"},
		{"kind", "c", "/kind: value must be one of 'a', 'b'"},
		{"born", "yesterday", "/born: 'yesterday' is not valid date"},
		{"tags", []any{}, "/tags: minItems: got 0, want 1"},
		{"tags", []any{"a", "b", "c"}, "/tags: maxItems: got 3, want 2"},
		{"tags", []any{"a", nil}, "/tags/1: got null, want string"},
		{"any", 1.0, "/any: got number, want null; /any: got number, want string"},
		{"fixed", 2.0, "/fixed: value must be 1"},
		{"odd", 1.0, ": additional properties 'odd' not allowed"},
	} {
		document := valid()
		document[tt.key] = tt.value
		var words []string
		for _, c := range s.Check(document) {
			words = append(words, c.Place+": "+c.Problem)
		}
		if got := strings.Join(words, "; "); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s = %v: %q, want %q", tt.key, tt.value, got, tt.want)
		}
	}
	if found := s.Check(map[string]any{}); len(found) != 1 || found[0].Problem != "missing properties 'name', 'age'" {
		t.Errorf("an empty object: %v", found)
	}
}

func TestBadSchemas(t *testing.T) {
	for source, want := range map[string]string{
		`{`:                           "unexpected EOF",
		`{"pattern":"("}`:             "pattern",
		`{"$ref":"#/$defs/none"}`:     "none",
		`{"$ref":"aurora:none#/a"}`:   "aurora:none",
		`{"type":"object","items":1}`: "at '/items': got number, want boolean or object",
	} {
		if _, err := schema.Compile([]byte(source)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", source, err, want)
		}
	}
}

func TestPlaces(t *testing.T) {
	s, err := schema.Compile([]byte(`{"additionalProperties":{"type":"array","items":{"type":"integer","minimum":1}}}`))
	if err != nil {
		t.Fatal(err)
	}
	found := s.Check(map[string]any{"a/b~c": []any{1.0, 0.0, 1.5}})
	want := []schema.Complaint{{Place: "/a~1b~0c/1", Problem: "minimum: got 0, want 1"}, {Place: "/a~1b~0c/2", Problem: "got number, want integer"}}
	if !slices.Equal(found, want) {
		t.Errorf("%v, want %v", found, want)
	}
}
