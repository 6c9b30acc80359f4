package convlog

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// summarize is what TestParse compares.
func summarize(c *Conversation) string {
	out := fmt.Sprintf("%s|%s|%s", c.Topic, c.Query, c.Date.Format(time.DateOnly))
	for _, s := range c.Sections {
		out += fmt.Sprintf(" [%d %s %d-%d]", s.Phase, s.Title, s.Start, s.End)
	}
	return out
}

func TestParse(t *testing.T) {
	const older = "# Conversation: auth\nDate: 2025-12-15\nQuery: How do we log in?\n\n## Phase 1: Assessment\nSimple.\n\n## Phase 3: Decomposition\n\nTwo parts.\n\n```\n# comment\n```\n"
	const newer = "---\n## Query: 2025-12-13T14:32:15Z | ID: aurora-20251213-143215-abc123\n\n**User Query**: \"Build OAuth2\"\n**Keywords**: oauth\n\n### Phase 1: ASSESS\n```json\n{\"phase\": \"assess\"}\n```\n### Phase 4: VERIFY (Decomposition)\n### Phase 4b: VERIFY (Synthesis)\n```json\n{}\n```\n\n### Execution Summary\n- **Total Duration**: 1 s\n\n---\n"
	for _, test := range []struct{ name, file, text, want string }{
		{"the older format", "auth-2025-12-15.md", older,
			"auth|How do we log in?|2025-12-15 [1 Phase 1: Assessment 5-6] [3 Phase 3: Decomposition 8-14]"},
		{"the newer format", "oauth-2025-12-13.md", newer,
			"oauth|Build OAuth2|2025-12-13 [1 Phase 1: ASSESS 7-10] [4 Phase 4: VERIFY (Decomposition) 11-11] [4 Phase 4b: VERIFY (Synthesis) 12-15] [0 Execution Summary 17-18]"},
		{"windows line ends and a byte order mark", "x.md", "\uFEFF" + strings.ReplaceAll(older, "\n", "\r\n"),
			"auth|How do we log in?|2025-12-15 [1 Phase 1: Assessment 5-6] [3 Phase 3: Decomposition 8-14]"},
		{"topic and date from the name", "auth-oauth-impl-2025-12-15.md", "## Phase 1: Assessment\nx",
			"auth-oauth-impl||2025-12-15 [1 Phase 1: Assessment 1-2]"},
		{"the date of the name goes before that of the text", "a-2025-12-01.md", older,
			"auth|How do we log in?|2025-12-01 [1 Phase 1: Assessment 5-6] [3 Phase 3: Decomposition 8-14]"},
		{"misspelt headings", "x-2025-12-01.md", "## Phse 1 : Assess\na\n### PHASE 2 Retrieval\nb\n##Phase 3- Plan\nc\n## Phaes 4.\nd",
			"x||2025-12-01 [1 Phase 1: Assess 1-2] [2 Phase 2: Retrieval 3-4] [3 Phase 3: Plan 5-6] [4 Phase 4 7-8]"},
		{"other headings are text", "x-2025-12-01.md", "## Phone 1: call\n# Phase 1: a\n#### Phase 2: b\n## Phase ten\nPhase 3: c\n",
			"x||2025-12-01 [0 x 1-5]"},
		{"no headings", "auth-2025-12-15.md", "We talked.\n", "auth||2025-12-15 [0 auth 1-1]"},
		{"an empty file", "auth-2025-12-15.md", "", "auth||2025-12-15 [0 auth 1-1]"},
		{"no date anywhere", "notes.md", "text", "notes||0001-01-01 [0 notes 1-1]"},
		{"no date in the field", "notes.md", "Date: soon\nDate: 2025-13-45\n", "notes||0001-01-01 [0 notes 1-2]"},
		{"cut inside a block", "x-2025-12-13.md", newer[:strings.Index(newer, `"assess"`)],
			"x|Build OAuth2|2025-12-13 [1 Phase 1: ASSESS 7-9]"},
		{"a block that never ends hides no heading", "x-2025-12-13.md", "## Phase 1: A\n```json\n{\n## Phase 2: B\nb\n",
			"x||2025-12-13 [1 Phase 1: A 1-3] [2 Phase 2: B 4-5]"},
		{"UTF-8", "größe-2025-12-13.md", "# Conversation: Größe 日本\n## Phase 1: Einschätzung\nä\n", "Größe 日本||2025-12-13 [1 Phase 1: Einschätzung 2-3]"},
		{"no UTF-8", "x-2025-12-13.md", "\xff\xfe\x00## Phase\n## Phase 1: \xff\n", "x||2025-12-13 [1 Phase 1: \uFFFD 2-2]"},
	} {
		got := summarize(parse(strings.NewReader(test.text), test.file))
		if got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.name, got, test.want)
		}
	}
}

// TestPhasesBecomeChunks counts what the index keeps of a log: one section for each phase, the whole of a
// log that has no headings, nothing of one that has no text.
func TestPhasesBecomeChunks(t *testing.T) {
	log := func(phases ...int) string {
		text := "# Conversation: OAuth\nDate: 2025-12-20\nQuery: implement oauth\n"
		for _, n := range phases {
			text += fmt.Sprintf("\n## Phase %d: Größe 日本\nWhat phase %d said about tokens.\n", n, n)
		}
		return text
	}
	for _, test := range []struct{ name, file, text, phases, date, query string }{
		{"all phases", "oauth-impl-2025-12-15.md", log(1, 2, 3, 4, 5, 6, 7, 8, 9), "[1 2 3 4 5 6 7 8 9]", "2025-12-15", "implement oauth"},
		{"some phases", "oauth-impl.md", log(1, 3, 7), "[1 3 7]", "2025-12-20", "implement oauth"},
		{"no phase by its heading", "oauth-impl.md", "Date: 2025-12-20\n## Phases\n## Paths 1: a\nb\n", "[0]", "2025-12-20", ""},
		{"an empty log", "oauth-impl-2025-12-15.md", "", "[]", "2025-12-15", ""},
	} {
		kept := parse(strings.NewReader(test.text), test.file).Index()
		phases := []int{}
		for _, s := range kept.Sections {
			phases = append(phases, s.Phase)
			if want := fmt.Sprintf("Phase %d: Größe 日本", s.Phase); s.Phase > 0 && s.Section != want {
				t.Errorf("%s: section %q, want %q", test.name, s.Section, want)
			}
		}
		if got := fmt.Sprint(phases); got != test.phases || kept.Date.Format(time.DateOnly) != test.date || kept.Query != test.query {
			t.Errorf("%s: phases %s, date %v, query %q", test.name, got, kept.Date, kept.Query)
		}
	}
}

// A file of hundreds of megabytes is read in pieces: what is kept of it does not grow with it.
func TestLongSections(t *testing.T) {
	line := strings.Repeat("x", 1000) + "\n"
	text := "## Phase 1: Assessment\n" + strings.Repeat(line, 2000) + strings.Repeat("y", 3<<20) + "\n## Phase 2: Retrieval\nend\n"
	c := parse(strings.NewReader(text), "x-2025-12-01.md")
	if len(c.Sections) != 2 || len(c.Sections[0].Text) > maxSection+len(line)+64<<10+maxSection || c.Sections[0].End != 2002 || c.Sections[1].Start != 2003 {
		t.Errorf("%d sections, %d bytes, to line %d", len(c.Sections), len(c.Sections[0].Text), c.Sections[0].End)
	}
}

func FuzzParse(f *testing.F) {
	text, err := os.ReadFile("testdata/format.md")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(text))
	f.Add("## Phase 1:\n```json\n{\"a\": \"b\\")
	f.Fuzz(func(t *testing.T, text string) {
		c := parse(strings.NewReader(text), "a-2025-12-13.md")
		last := 0
		for _, s := range c.Sections {
			if s.Start <= last || s.End < s.Start || s.End > max(1, c.Lines) {
				t.Errorf("%d lines, sections %s", c.Lines, summarize(c))
			}
			last = s.End
			s.Prose()
		}
		c.matches([]string{"a"})
		c.Index()
	})
}
