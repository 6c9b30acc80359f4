package reference

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/config"
)

//go:embed intro.md
var opening string

// Page returns docs/configuration.md.
func Page() (string, error) {
	var b strings.Builder
	b.WriteString("<!-- Generated from internal/config/settings.go by make generate; edit that file, or internal/config/internal/reference/intro.md. -->\n\n")
	b.WriteString(opening)
	group := ""
	for _, k := range config.Keys() {
		if now := groupOf(k.Name); now != group {
			writeGroup(&b, group, now)
			group = now
		}
		if k.Doc == "" {
			return "", fmt.Errorf("the field of %s has no comment", k.Name)
		}
		if err := writeKey(&b, k); err != nil {
			return "", err
		}
	}
	return b.String(), nil
}

// writeGroup begins a group of keys: a section for each first part of a key, a paragraph for the groups inside.
func writeGroup(b *strings.Builder, before, group string) {
	first, _, _ := strings.Cut(group, ".")
	if !strings.HasPrefix(before+".", first+".") {
		fmt.Fprintf(b, "\n### `%s`\n\n%s\n", first, intro(first))
	}
	if text := intro(group); group != first && text != "" {
		fmt.Fprintf(b, "\n%s\n", text)
	}
}

// intro is the comment of a group's type as a sentence without the type's name; "" for types that several groups share.
func intro(group string) string {
	doc := config.GroupDoc(group)
	name, rest, _ := strings.Cut(doc, " ")
	verb, _, _ := strings.Cut(rest, " ")
	switch {
	case name == "A" || name == "LLMTier":
		return ""
	case verb == "are":
		return "These " + rest
	case verb == "is":
		return "This " + rest
	}
	return strings.ToUpper(rest[:1]) + rest[1:]
}

func writeKey(b *strings.Builder, k config.KeyInfo) error {
	value, err := json.Marshal(k.Default)
	if err != nil {
		return fmt.Errorf("default of %s: %w", k.Name, err)
	}
	fmt.Fprintf(b, "\n**`%s`**: %s\n\n* %s; default `%s`\n* `%s`", k.Name, k.Doc, k.Rule, value, k.Env)
	b.WriteByte('\n')
	if k.UserOnly {
		b.WriteString("* a project's own file can't set it\n")
	}
	return nil
}

// groupOf is the part of a key that its heading names: index, index.bootstrap.
func groupOf(name string) string { return name[:strings.LastIndexByte(name, '.')] }
