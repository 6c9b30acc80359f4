package mcp

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

// absurd are values that no argument of that type should have, as JSON.
var absurd = map[string][]string{
	"string":  {`17`, `true`, `{}`, `[]`, `["a"]`, `""`, `" \n\t"`, `"\u0000"`, `"\ud800"`, `"../../../etc/passwd"`, `"/"`, `"𝓠\u202e\u001b[31m"`, `"**/[[["`},
	"integer": {`"7"`, `-1`, `0`, `1.5`, `1e300`, `9223372036854775807`, `-9223372036854775808`, `true`, `[]`, `{}`},
	"number":  {`"0.5"`, `-1`, `1e300`, `-1e-300`, `true`, `[]`, `{}`},
	"boolean": {`"true"`, `1`, `[]`, `{}`},
	"array":   {`"a"`, `{}`, `[]`, `[""]`, `[1]`, `[null]`, `[["a"]]`, `["\u0000"]`, `["../.."]`},
	"object":  {`"a"`, `[]`, `7`, `{}`, `{"a": {"a": {"a": 1}}}`, `{"subgoals": 7}`, `{"subgoals": [{"id": "a", "dependsOn": ["a"]}]}`},
}

// good are arguments with which each tool works.
var good = map[string]map[string]string{
	"search":  {"query": `"tax"`},
	"context": {"task": `"change the tax"`}, "related": {"symbol": `"WithTax"`},
	"remember": {"content": `"Taxes round down"`}, "ask": {"question": `"where is WithTax defined?"`},
	"recall": {}, "revise": {"id": `"know:none-00000000"`, "content": `"Taxes round up"`}, "review": {"staged": `true`}, "why": {"path": `"cart/cart.go"`, "line": `5`}, "forget": {"ids": `["know:none-00000000"]`},
	"query_context": {"query": `"tax"`}, "refresh_context": {"paths": `["cart"]`}, "get_context_stats": {},
	"rebuild_context": {"options": `{"validateOnly": true}`}, "get_rebuild_status": {"jobId": `"rebuild-1"`}, "cancel_rebuild": {"jobId": `"rebuild-1"`},
	"aurora_assess": {"query": `"tax"`}, "aurora_retrieve_context": {"query": `"tax"`}, "aurora_learn": {"result": `"Solved"`, "score": `0.9`},
	"aurora_decompose": {"query": `"tax"`}, "aurora_verify": {"query": `"tax"`, "output": `"cart/cart.go:5"`},
}

// Whatever an argument is, each tool answers or says what is wrong and what to do next.
func TestAbsurdArguments(t *testing.T) {
	w := newWorld(t, "all")
	huge := `"` + strings.Repeat("tax ", 1<<16) + `"`
	many := "[" + strings.TrimSuffix(strings.Repeat(`"cart/cart.go",`, 3_000), ",") + "]"
	schemas := map[string]*jsonschema.Schema{}
	list, err := w.client.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		encoded, err := json.Marshal(tool.InputSchema)
		if err != nil {
			t.Fatal(err)
		}
		schemas[tool.Name] = new(jsonschema.Schema)
		if err := json.Unmarshal(encoded, schemas[tool.Name]); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(schemas)) {
		if good[name] == nil {
			t.Errorf("%s is not tested", name)
		}
		for property, schema := range schemas[name].Properties {
			values := append([]string{`null`}, absurd[schema.Type]...)
			switch schema.Type {
			case "string":
				values = append(values, huge)
			case "array":
				values = append(values, many, "["+huge+"]")
			}
			for _, value := range values {
				w.survives(name, property, value)
			}
			for inner, schema := range schema.Properties {
				for _, value := range absurd[schema.Type] {
					w.survives(name, property, fmt.Sprintf(`{%q: %s}`, inner, value))
				}
			}
		}
		w.survives(name, "no_such_argument", `1`)
	}
}

// survives calls a tool with good arguments but one.
func (w *world) survives(tool, property, value string) {
	w.Helper()
	arguments := map[string]json.RawMessage{}
	for name, given := range good[tool] {
		arguments[name] = json.RawMessage(given)
	}
	arguments[property] = json.RawMessage(value)
	text, data, isError := w.call(tool, arguments)
	said, _ := data["error"].(map[string]any)
	if isError && (!strings.HasPrefix(text, "Error: ") || !strings.Contains(text, "\nNext: ") || said["next"] == "" || len(text) > 2000) {
		w.Errorf("%s %s=%.60s says no way out in %d bytes: %.500s", tool, property, value, len(text), text)
	}
	if strings.ContainsAny(text, "\x00\x1b\u202e") {
		w.Errorf("%s %s=%.60s passes control characters on: %.500q", tool, property, value, text)
	}
}
