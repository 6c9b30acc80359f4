package schema

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// A Schema is ready to check documents. It may be used by several goroutines at once.
type Schema struct {
	resolved *jsonschema.Resolved
	targets  map[*jsonschema.Schema]*jsonschema.Schema // of what has a $ref
	patterns map[*jsonschema.Schema]*regexp.Regexp
}

// A Complaint is one mistake in a document.
type Complaint struct {
	Place   string // a JSON pointer (RFC 6901); empty for the whole document
	Problem string // such as "got string, want integer"
}

// Compile reads a schema. Its references may lead into its own $defs, and into those of others, which are named by their $id.
func Compile(source []byte, others ...[]byte) (*Schema, error) {
	root, err := read(source)
	if err != nil {
		return nil, err
	}
	byID := map[string]*jsonschema.Schema{}
	for _, other := range others {
		doc, err := read(other)
		if err != nil {
			return nil, err
		}
		byID[doc.ID] = doc
	}
	resolved, err := root.Resolve(&jsonschema.ResolveOptions{Loader: func(uri *url.URL) (*jsonschema.Schema, error) {
		if doc := byID[uri.String()]; doc != nil {
			return doc, nil
		}
		return nil, fmt.Errorf("no schema has the $id %q", uri)
	}})
	if err != nil {
		return nil, err
	}
	s := &Schema{resolved: resolved, targets: map[*jsonschema.Schema]*jsonschema.Schema{}, patterns: map[*jsonschema.Schema]*regexp.Regexp{}}
	byID[""] = root
	s.prepare(byID, root, root)
	for id, doc := range byID {
		if id != "" {
			s.prepare(byID, doc, doc)
		}
	}
	return s, nil
}

func read(source []byte) (*jsonschema.Schema, error) {
	var doc jsonschema.Schema
	if err := json.Unmarshal(source, &doc); err != nil {
		return nil, err
	}
	return &doc, nil
}

// prepare finds what the references below part lead to, and compiles the patterns; Resolve has refused what is wrong with them.
func (s *Schema) prepare(byID map[string]*jsonschema.Schema, home, part *jsonschema.Schema) {
	if part == nil {
		return
	}
	if id, pointer, ok := strings.Cut(part.Ref, "#"); ok {
		doc := home
		if id != "" {
			doc = byID[id]
		}
		if name, ok := strings.CutPrefix(pointer, "/$defs/"); ok && doc != nil {
			s.targets[part] = doc.Defs[name]
		}
	}
	if part.Pattern != "" {
		s.patterns[part] = regexp.MustCompile(part.Pattern)
	}
	s.prepare(byID, home, part.Items)
	s.prepare(byID, home, part.AdditionalProperties)
	for _, sub := range part.AllOf {
		s.prepare(byID, home, sub)
	}
	for _, subs := range []map[string]*jsonschema.Schema{part.Defs, part.Properties} {
		for _, sub := range subs {
			s.prepare(byID, home, sub)
		}
	}
}

// Check returns all that is wrong with a document as encoding/json decodes it into an any; nothing when it is valid.
func (s *Schema) Check(document any) []Complaint {
	c := checker{schema: s}
	c.check(s.resolved.Schema(), "", document)
	if len(c.found) == 0 {
		if err := s.resolved.Validate(document); err != nil {
			return []Complaint{{Problem: err.Error()}}
		}
	}
	return c.found
}
