package schema_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/schema"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// TestComplaintsAreThoseOfAnotherLibrary makes valid and invalid documents for every schema of the module, and compares
// what is said about each with what a library says that finds all mistakes, too.
func TestComplaintsAreThoseOfAnotherLibrary(t *testing.T) {
	common := load(t, "../../memory/chunkschema/schema/common.json")
	files := glob(t, "../../memory/chunkschema/schema/*.json")
	files = append(files, glob(t, "../../prompts/schemas/*.json")...)
	documents, valid := 0, 0
	for _, file := range files {
		if filepath.Base(file) == "common.json" {
			continue
		}
		source := load(t, file)
		ours, err := schema.Compile(source, common)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		theirs := compile(t, source, common)
		s := &sampler{docs: map[string]any{"aurora:common": parse(t, common), "": parse(t, source)}}
		good := s.sample(s.docs[""])
		for _, document := range append([]any{good}, mutants(good)...) {
			text, err := json.Marshal(document)
			if err != nil {
				t.Fatal(err)
			}
			got, want := ourWords(ours, text), theirWords(t, theirs, text)
			if !slices.Equal(got, want) {
				t.Errorf("%s: %s\n got %q\nwant %q", file, text, got, want)
			}
			documents++
			if len(want) == 0 {
				valid++
			}
		}
		if found := ours.Check(good); len(found) > 0 {
			t.Errorf("%s: the sample %v is not valid: %v", file, good, found)
		}
	}
	if documents < 3000 || valid < 100 {
		t.Errorf("only %d documents were made, %d of them valid", documents, valid)
	}
}

func ourWords(s *schema.Schema, text []byte) []string {
	var document any
	if err := json.Unmarshal(text, &document); err != nil {
		return []string{err.Error()}
	}
	var words []string
	for _, c := range s.Check(document) {
		words = append(words, withoutExample(c.Place+": "+c.Problem))
	}
	slices.Sort(words)
	return words
}

func theirWords(t *testing.T, s *jsonschema.Schema, text []byte) []string {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var invalid *jsonschema.ValidationError
	if err := s.Validate(document); err == nil {
		return nil
	} else if !errors.As(err, &invalid) {
		t.Fatal(err)
	}
	var words []string
	english := message.NewPrinter(language.English)
	var walk func(v *jsonschema.ValidationError)
	walk = func(v *jsonschema.ValidationError) {
		if len(v.Causes) == 0 {
			place := ""
			for _, name := range v.InstanceLocation {
				place += "/" + name
			}
			words = append(words, withoutExample(place+": "+v.ErrorKind.LocalizedString(english)))
		}
		for _, cause := range v.Causes {
			walk(cause)
		}
	}
	walk(invalid)
	slices.Sort(words)
	return words
}

// withoutExample cuts what follows on the name of a format: there, each has its own words.
func withoutExample(text string) string {
	before, after, found := strings.Cut(text, " is not valid ")
	if !found {
		return text
	}
	return before + " is not valid " + strings.FieldsFunc(after, func(r rune) bool { return r == ':' || r == ',' })[0]
}

// A sampler makes documents with everything that a schema names.
type sampler struct{ docs map[string]any }

func (s *sampler) sample(of any) any {
	part := of.(map[string]any)
	if ref, ok := part["$ref"].(string); ok {
		id, pointer, _ := strings.Cut(ref, "#")
		doc := s.docs[id]
		if id == "" && doc.(map[string]any)["$defs"] == nil {
			doc = s.docs["aurora:common"]
		}
		return s.sample(doc.(map[string]any)["$defs"].(map[string]any)[strings.TrimPrefix(pointer, "/$defs/")])
	}
	if values, ok := part["enum"].([]any); ok {
		return values[0]
	}
	if value, ok := part["const"]; ok {
		return value
	}
	properties, _ := part["properties"].(map[string]any)
	switch kind := part["type"]; {
	case kind == "object" || properties != nil:
		object := map[string]any{}
		for name, sub := range properties {
			object[name] = s.sample(sub)
		}
		return object
	case kind == "array":
		item := any("x")
		if part["items"] != nil {
			item = s.sample(part["items"])
		}
		return []any{item, item}
	case kind == "string":
		return samples[cmp.Or(word(part["format"]), word(part["pattern"]))]
	case kind == "boolean":
		return true
	}
	return 1.0
}

func word(value any) string {
	text, _ := value.(string)
	return text
}

// samples are texts by format or pattern.
var samples = map[string]string{
	"":                               "text",
	"date":                           "2026-01-31",
	"date-time":                      "2026-01-31T10:11:12Z",
	"^SG[1-9][0-9]*$":                "SG1",
	"^code:.+":                       "code:a",
	"^reas:.+":                       "reas:a",
	"^(know:.+|conv-.+-phase[1-9])$": "know:a",
	"^(retain_indefinitely|retain_while_active|retain_for_[0-9]{1,5}_days|decay_to_inactive|escalation_candidate)$": "retain_for_30_days",
}

// mutants are copies of a document, each with one or two parts gone, added, or in place of another one.
func mutants(good any) []any {
	var all []any
	others := []any{nil, true, -1.0, 0.5, 3.0, 101.0, "", "yesterday", "2026-13-01", "it's \"so\"", strings.Repeat("ü", 600), []any{}, []any{"a", "b", "c"}, map[string]any{"odd": 1.0}}
	switch good := good.(type) {
	case map[string]any:
		names := make([]string, 0, len(good))
		for name := range good {
			names = append(names, name)
		}
		slices.Sort(names)
		for i, name := range names {
			less := clone(good)
			delete(less, name)
			all = append(all, less)
			if i > 0 {
				fewer := clone(less)
				delete(fewer, names[0])
				all = append(all, fewer)
			}
			for _, mutant := range mutants(good[name]) {
				with := clone(good)
				with[name] = mutant
				all = append(all, with)
			}
		}
		more := clone(good)
		more["odd"] = "x"
		all = append(all, more)
	case []any:
		for _, mutant := range mutants(good[0]) {
			all = append(all, append([]any{mutant}, good[1:]...))
		}
	}
	return append(all, others...)
}

func clone(object map[string]any) map[string]any {
	copied := map[string]any{}
	for name, value := range object {
		copied[name] = value
	}
	return copied
}

func TestWhatTheLibraryRefuses(t *testing.T) {
	s, err := schema.Compile([]byte(`{"anyOf":[{"type":"string"},{"type":"null"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if found := s.Check("x"); found != nil {
		t.Error(found)
	}
	if found := s.Check(1.0); len(found) != 1 || !strings.Contains(found[0].Problem, "anyOf") {
		t.Errorf("a number: %v", found)
	}
}

func TestBadSchemas(t *testing.T) {
	for source, want := range map[string]string{
		`{`:                           "unexpected end",
		`{"pattern":"("}`:             "missing closing )",
		`{"$ref":"#/$defs/none"}`:     "none",
		`{"$ref":"aurora:none#/a"}`:   `no schema has the $id "aurora:none"`,
		`{"type":"object","items":1}`: "cannot unmarshal",
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

func compile(t *testing.T, source, common []byte) *jsonschema.Schema {
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	for url, text := range map[string][]byte{"aurora:common": common, "mem:///test.json": source} {
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := compiler.AddResource(url, doc); err != nil {
			t.Fatal(err)
		}
	}
	compiled, err := compiler.Compile("mem:///test.json")
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

func load(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %v, %v", pattern, files, err)
	}
	return files
}

func parse(t *testing.T, text []byte) any {
	t.Helper()
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		t.Fatal(err)
	}
	return value
}
