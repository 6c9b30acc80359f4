package smallyaml

import (
	"bytes"
	"fmt"

	"go.yaml.in/yaml/v3"
)

const (
	maxKeys    = 1000 // of one mapping
	maxAliases = 100  // of a document
)

// Check says what of a text would keep a decoder busy, or which key is there twice, with its line. What is no YAML it leaves
// to the decoder to tell.
func Check(data []byte) error {
	documents := yaml.NewDecoder(bytes.NewReader(data))
	for {
		var document yaml.Node
		if documents.Decode(&document) != nil { // the end, or no YAML
			return nil
		}
		aliases := 0
		if err := check(&document, &aliases); err != nil {
			return err
		}
	}
}

func check(n *yaml.Node, aliases *int) error {
	switch n.Kind {
	case yaml.AliasNode:
		if *aliases++; *aliases > maxAliases {
			return fmt.Errorf("line %d: there are more than %d aliases", n.Line, maxAliases)
		}
	case yaml.MappingNode:
		if err := checkKeys(n); err != nil {
			return err
		}
	}
	for _, part := range n.Content {
		if err := check(part, aliases); err != nil {
			return err
		}
	}
	return nil
}

// checkKeys looks at the keys of a mapping, which are the even ones of its nodes.
func checkKeys(n *yaml.Node) error {
	seen := map[string]int{}
	for i := 0; i < len(n.Content); i += 2 {
		key := n.Content[i]
		name := key.ShortTag() + key.Value
		if line, twice := seen[name]; twice && key.Kind == yaml.ScalarNode {
			return fmt.Errorf("line %d: mapping key %q already defined at line %d", key.Line, key.Value, line)
		}
		if i/2 == maxKeys {
			return fmt.Errorf("line %d: a mapping has more than %d keys", n.Line, maxKeys)
		}
		seen[name] = key.Line
	}
	return nil
}
