package capture

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestSectionsOfGuides holds what is taken of the files in which tools and teams keep what they know.
func TestSectionsOfGuides(t *testing.T) {
	for _, test := range []struct {
		name, path, content string
		want                []string // line and text
		closed              string
	}{
		{"headings", "CLAUDE.md", "# Shop\n\nPrices are in cents.\n\n## Style\n\n- Tabs, never spaces.\n- No globals.\n\n### Names\nShort names in short scopes.\n\n## Empty\n", []string{
			"3 Shop\n\nPrices are in cents.", "7 Shop: Style\n\n- Tabs, never spaces.\n- No globals.", "11 Shop: Style: Names\n\nShort names in short scopes.",
		}, ""},
		{"front matter of Cursor", ".cursor/rules/a.mdc", "---\ndescription: x\nglobs: *.go\n---\nUse the clock of the tests.\n", []string{"5 Use the clock of the tests."}, ""},
		{"fences", "AGENTS.md", "Build it so:\n\n```sh\n# not a heading\nmake\n```\n", []string{"1 Build it so:\n\n```sh\n# not a heading\nmake\n```"}, ""},
		{"a fence without an end", "AGENTS.md", "Build it so:\n```\n# not a heading\n", []string{"1 Build it so:\n```\n# not a heading"}, ""},
		{"AURORA's own", "AGENTS.md", "Keep it short, please.\n<!-- aurora: begin -->\n## AURORA\ntext of the setup\n<!-- aurora: end -->\nAnd be kind to users.\n", []string{"1 Keep it short, please.\n\n\n\n\nAnd be kind to users."}, ""},
		{"Nygard", "docs/adr/0001-use-sqlite.md", "# 1. Use SQLite\n\nDate: 2024-01-01\n\n## Status\n\nAccepted\n\n## Context\n\nOne file is easy to copy.\n\n## Decision\n\nMemory is one SQLite file.\n", []string{
			"3 1. Use SQLite\n\nMemory is one SQLite file.\n\nDate: 2024-01-01\n\nContext\nOne file is easy to copy.",
		}, ""},
		{"superseded", "docs/adr/0002-x.md", "# Use XML\n\n## Status\n\nSuperseded by [5. Use JSON](0005-use-json.md)\n\n## Decision\n\nXML it is.\n", nil, "superseded"},
		{"MADR", "docs/decisions/0003-y.md", "---\nstatus: \"rejected\"\n---\n# Use Y\n\n## Decision Outcome\n\nNo.\n", nil, "rejected"},
		{"an index", "docs/adr/README.md", "# Decisions\n\nThey are listed here.\n", nil, ""},
		{"nothing", "CLAUDE.md", "", nil, ""},
		{"bytes", "CLAUDE.md", "\xff\xfe\x00# x\n---\n---", []string{"1 \xff\xfe\x00# x\n---\n---"}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			sections, closed := Sections(test.path, test.content)
			if closed != test.closed || len(sections) != len(test.want) {
				t.Fatalf("%+v, closed %q", sections, closed)
			}
			for i, s := range sections {
				if got := fmt.Sprintf("%d %s", s.Line, s.Text); got != test.want[i] {
					t.Errorf("%q, want %q", got, test.want[i])
				}
			}
		})
	}
}

// TestFindGuides holds where guides are looked for, and that no link leads out of the project.
func TestFindGuides(t *testing.T) {
	root, home := t.TempDir(), t.TempDir()
	slug := strings.NewReplacer("/", "-", ".", "-", "_", "-", `\`, "-", ":", "-").Replace(root)
	for path, folder := range map[string]string{
		"CLAUDE.md": root, ".cursor/rules/a.mdc": root, ".github/instructions/go.instructions.md": root, "docs/adr/0001-a.md": root,
		"docs/adr/picture.png": root, "README.md": root, ".claude/projects/" + slug + "/memory/MEMORY.md": home,
	} {
		file := filepath.Join(folder, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("text"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(home, ".claude"), filepath.Join(root, "adr")); err != nil {
		t.Logf("no links here: %v", err)
	}
	want := []string{"CLAUDE.md", filepath.FromSlash(".cursor/rules/a.mdc"), filepath.FromSlash(".github/instructions/go.instructions.md"),
		filepath.FromSlash("docs/adr/0001-a.md"), filepath.Join(home, ".claude", "projects", slug, "memory", "MEMORY.md")}
	if got := FindGuides(root, home); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
