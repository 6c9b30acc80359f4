// Package smallyaml tells YAML that people write from YAML that is made to keep a program busy.
//
// It guarantees that a text which Check accepts takes the library go.yaml.in/yaml/v3 time that grows with its length: the
// library compares each key of a mapping with each other one, tells of each pair that is the same, and merges a mapping
// as often as it is named. Nesting and the nesting of aliases are bounded by the library. It never decodes values, which
// its callers do.
package smallyaml
