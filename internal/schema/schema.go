package schema

import (
	"bytes"
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// A Schema is ready to check documents. It may be used by several goroutines at once.
type Schema struct{ compiled *jsonschema.Schema }

// A Complaint is one mistake in a document.
type Complaint struct {
	Place   string // a JSON pointer (RFC 6901); empty for the whole document
	Problem string // such as "got string, want integer"
}

// Compile reads a schema. Its references may lead into its own $defs, and into those of others, which are named by their $id.
func Compile(source []byte, others ...[]byte) (*Schema, error) {
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	compiler.UseLoader(jsonschema.SchemeURLLoader{}) // nothing is fetched
	const own = "aurora:schema"
	main, err := add(compiler, own, source)
	if err != nil {
		return nil, err
	}
	for _, other := range others {
		if _, err := add(compiler, "", other); err != nil {
			return nil, err
		}
	}
	compiled, err := compiler.Compile(main)
	if err != nil {
		return nil, err
	}
	return &Schema{compiled}, nil
}

// add makes a schema known by its $id, or by a name when it has none.
func add(compiler *jsonschema.Compiler, name string, source []byte) (string, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(source))
	if err != nil {
		return "", err
	}
	if object, ok := doc.(map[string]any); ok {
		if id, ok := object["$id"].(string); ok {
			name = id
		}
	}
	return name, compiler.AddResource(name, doc)
}

// Check returns all that is wrong with a document as encoding/json decodes it into an any, by place; nothing when it is
// valid.
func (s *Schema) Check(document any) []Complaint {
	err := s.compiled.Validate(document)
	var invalid *jsonschema.ValidationError
	if err == nil {
		return nil
	}
	if !errors.As(err, &invalid) {
		return []Complaint{{Problem: err.Error()}}
	}
	found := complaints(invalid, message.NewPrinter(language.English))
	slices.SortStableFunc(found, func(a, b Complaint) int {
		return cmp.Or(strings.Compare(a.Place, b.Place), strings.Compare(a.Problem, b.Problem))
	})
	return found
}

// complaints are the mistakes that have no mistake below them.
func complaints(e *jsonschema.ValidationError, english *message.Printer) []Complaint {
	if len(e.Causes) == 0 {
		var place strings.Builder
		for _, name := range e.InstanceLocation {
			place.WriteString("/" + pointerEscapes.Replace(name))
		}
		return []Complaint{{Place: place.String(), Problem: e.ErrorKind.LocalizedString(english)}}
	}
	var found []Complaint
	for _, cause := range e.Causes {
		found = append(found, complaints(cause, english)...)
	}
	return found
}

// pointerEscapes makes a name a part of a JSON pointer.
var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")
