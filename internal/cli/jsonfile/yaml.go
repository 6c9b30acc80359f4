package jsonfile

import (
	"bytes"
	"errors"
	"fmt"

	"go.yaml.in/yaml/v3"
)

// SetYAML is Set for YAML: comments, order and every other key stay.
func SetYAML(text []byte, path []string, value any) ([]byte, error) {
	document, err := parseYAML(text)
	if err != nil {
		return nil, err
	}
	var encoded yaml.Node
	if err := encoded.Encode(value); err != nil {
		return nil, fmt.Errorf("encode %v: %w", value, err)
	}
	at := document.Content[0]
	for i, name := range path {
		inner := member(at, name)
		last := i == len(path)-1
		switch {
		case inner == nil && last:
			at.Content = append(at.Content, yamlName(name), &encoded)
		case inner == nil:
			inner = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
			at.Content = append(at.Content, yamlName(name), inner)
		case last:
			encoded.LineComment, encoded.HeadComment, encoded.FootComment = inner.LineComment, inner.HeadComment, inner.FootComment
			*inner = encoded
		}
		if !last && inner.Kind != yaml.MappingNode {
			return nil, fmt.Errorf("%s is not a mapping", name)
		}
		at = inner
	}
	return packYAML(document)
}

// RemoveYAML is Remove for YAML. Mappings that it leaves empty go, too.
func RemoveYAML(text []byte, path []string) (out []byte, found bool, err error) {
	document, err := parseYAML(text)
	if err != nil {
		return nil, false, err
	}
	if !removeYAML(document.Content[0], path) {
		return text, false, nil
	}
	out, err = packYAML(document)
	return out, true, err
}

func removeYAML(at *yaml.Node, path []string) bool {
	for i := 0; i+1 < len(at.Content); i += 2 {
		if at.Content[i].Value != path[0] {
			continue
		}
		inner := at.Content[i+1]
		if len(path) > 1 && (inner.Kind != yaml.MappingNode || !removeYAML(inner, path[1:])) {
			return false
		}
		if len(path) == 1 || len(inner.Content) == 0 {
			at.Content = append(at.Content[:i], at.Content[i+2:]...)
		}
		return true
	}
	return false
}

func parseYAML(text []byte) (*yaml.Node, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, err
	}
	if document.Kind == 0 {
		document = yaml.Node{Kind: yaml.DocumentNode, Content: []*yaml.Node{{Kind: yaml.MappingNode, Tag: "!!map"}}}
	}
	if document.Content[0].Kind != yaml.MappingNode {
		return nil, errors.New("it is not a mapping of keys to values")
	}
	return &document, nil
}

func packYAML(document *yaml.Node) ([]byte, error) {
	if len(document.Content[0].Content) == 0 {
		return []byte{}, nil
	}
	var b bytes.Buffer
	encoder := yaml.NewEncoder(&b)
	encoder.SetIndent(2)
	err := errors.Join(encoder.Encode(document), encoder.Close())
	return b.Bytes(), err
}

// member is the value of a name in a mapping, nil when it has none.
func member(at *yaml.Node, name string) *yaml.Node {
	for i := 0; i+1 < len(at.Content); i += 2 {
		if at.Content[i].Value == name {
			if inner := at.Content[i+1]; inner.Kind == yaml.AliasNode {
				return inner.Alias
			}
			return at.Content[i+1]
		}
	}
	return nil
}

func yamlName(name string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: name}
}
