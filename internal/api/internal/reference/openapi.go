package reference

import (
	"cmp"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/doc"
	"reflect"
	"strconv"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/api"
)

// object is a JSON object.
type object = map[string]any

// OpenAPI describes the operations that are open to HTTP, with their types, as OpenAPI 3.1.
func OpenAPI(dir string, r *api.Registry) ([]byte, error) {
	p, err := parse(dir)
	if err != nil {
		return nil, err
	}
	w := newWriter(p)
	schemas := object{"Error": errorSchema}
	paths := object{}
	for _, o := range r.Behind(api.HTTP) {
		w.addSchema(schemas, o.Params().Name())
		w.addSchema(schemas, o.Result().Name())
		paths["/api/"+o.Name] = object{"post": operation(o)}
	}
	document := object{
		"openapi": "3.1.0",
		"info": object{
			"title": "AURORA", "version": strconv.Itoa(api.Version),
			"description": "The operations of AURORA over HTTP. Paths and positions are those of docs/protocol.md; columns count UTF-16 units.",
		},
		"servers":  []object{{"url": "http://127.0.0.1:9090"}},
		"security": []object{{"bearer": []string{}}},
		"paths":    paths,
		"components": object{
			"schemas": schemas, "securitySchemes": object{"bearer": object{"type": "http", "scheme": "bearer"}},
		},
	}
	text, err := json.MarshalIndent(document, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encode the description: %w", err)
	}
	return append(text, '\n'), nil
}

var errorSchema = object{
	"type": "object", "required": []string{"error"},
	"properties": object{"error": object{
		"type": "object", "required": []string{"kind", "message"},
		"properties": object{
			"kind": object{"type": "string"}, "message": object{"type": "string"}, "detail": object{"type": "string"},
			"next": object{"type": "string", "description": "what to do"},
		},
	}},
}

func operation(o *api.Operation) object {
	content := func(schema string) object {
		return object{"application/json": object{"schema": object{"$ref": "#/components/schemas/" + schema}}}
	}
	return object{
		"operationId": o.Name, "summary": o.Doc,
		"requestBody": object{"content": content(o.Params().Name())},
		"responses": object{
			"200":     object{"description": "the result", "content": content(o.Result().Name())},
			"default": object{"description": "a failure", "content": content("Error")},
		},
	}
}

// newWriter returns a writer that knows the structs of a package.
func newWriter(p *doc.Package) *writer {
	w := &writer{parts: map[string]*ast.StructType{}, docs: map[string]string{}}
	for _, t := range p.Types {
		w.collect(t)
	}
	return w
}

// addSchema adds the schema of a struct and of those that it refers to.
func (w *writer) addSchema(schemas object, name string) {
	if schemas[name] != nil {
		return
	}
	properties, required := object{}, []string{}
	schema := object{"type": "object"}
	schemas[name] = schema // before its fields: types may refer to themselves
	if text := w.docs[name]; text != "" {
		schema["description"] = text
	}
	fields := w.parts[name]
	if fields == nil {
		return
	}
	w.addProperties(schemas, fields, properties, &required)
	schema["properties"] = properties
	if len(required) > 0 {
		schema["required"] = required
	}
}

func (w *writer) addProperties(schemas object, fields *ast.StructType, properties object, required *[]string) {
	for _, f := range fields.Fields.List {
		if part := w.embedded(f); part != nil {
			w.addProperties(schemas, part, properties, required)
			continue
		}
		name, optional := jsonName(f)
		if name == "" {
			continue
		}
		property := w.schemaOf(schemas, f.Type)
		if comment := oneLine(cmp.Or(f.Doc.Text(), f.Comment.Text())); comment != "" {
			property["description"] = comment
		}
		properties[name] = property
		if !optional {
			*required = append(*required, name)
		}
	}
}

// jsonName is the name of a field in JSON, "" for one that has none.
func jsonName(f *ast.Field) (name string, optional bool) {
	if f.Tag == nil {
		return "", false
	}
	tag, err := strconv.Unquote(f.Tag.Value)
	if err != nil {
		return "", false
	}
	name, options, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
	if name == "-" {
		return "", false
	}
	return name, strings.Contains(options, "omit")
}

// schemaOf describes a Go type.
func (w *writer) schemaOf(schemas object, e ast.Expr) object {
	switch t := e.(type) {
	case *ast.StarExpr:
		return w.schemaOf(schemas, t.X)
	case *ast.ArrayType:
		return object{"type": "array", "items": w.schemaOf(schemas, t.Elt)}
	case *ast.MapType:
		return object{"type": "object", "additionalProperties": w.schemaOf(schemas, t.Value)}
	case *ast.Ident:
		switch name := typeName(t); {
		case name == "string" || name == "boolean" || name == "number" || name == "integer":
			return object{"type": name}
		case w.parts[name] != nil:
			w.addSchema(schemas, name)
			return object{"$ref": "#/components/schemas/" + name}
		}
	}
	return object{} // anything
}

func oneLine(s string) string { return strings.TrimSpace(strings.ReplaceAll(s, "\n", " ")) }
