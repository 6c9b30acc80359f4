package memory

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/show"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/aurora-sidecar/aurora/memory"
	"github.com/spf13/cobra"
)

// showCommand prints all that is known of one record.
func showCommand(c *app.App) *cobra.Command {
	return &cobra.Command{
		Use:     "show <id>",
		Short:   "Show all of one record: its text, activation, citations, and how long it is kept; or of a definition",
		Long:    "Show all of one record: its text, activation, citations, and how long it is kept. Of an id that begins with code: it\nprints the definition as a chunk of code, as JSON: calls, imports, history, activation.",
		Example: "  aurora mem show know:retries-use-jitter-1a2b3c4d\n  aurora mem show code:net/retry.go:Retry",
		Args:    app.UsageArgs(cobra.ExactArgs(1)),
		RunE: onReadyProject(c, func(cmd *cobra.Command, s *workspace.Session, args []string) error {
			if strings.HasPrefix(args[0], "code:") {
				chunk, err := s.Engine.CodeChunk(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				return c.PrintJSON(chunk)
			}
			a, err := s.Engine.Account(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			if c.JSON {
				return c.PrintJSON(newAccountJSON(a))
			}
			printAccount(c, a)
			return nil
		}),
	}
}

func printAccount(c *app.App, a *engine.Account) {
	line := func(label, format string, args ...any) {
		c.Hanging(fmt.Sprintf("%-12s%s", label+":", display.Clean(fmt.Sprintf(format, args...))), 12)
	}
	line("Id", "%s", a.ID)
	line("Title", "%s", a.Title)
	line("Type", "%s, %s, %s", a.Type, a.Domain, a.SemanticRole)
	line("Keywords", "%s", strings.Join(a.Keywords, ", "))
	if len(a.Tags) > 0 {
		line("Tags", "%s", strings.Join(a.Tags, ", "))
	}
	line("Made", "%s", display.Date(a.CreatedAt))
	line("Used", "%s, last %s", display.Count(a.AccessCount, "time"), display.Ago(a.LastUsed, c.Now()))
	line("Activation", "%s", activationLine(a))
	if a.Pattern {
		line("Pattern", "yes")
	}
	kept := "always"
	if !a.Decision.Expires.IsZero() {
		kept = "until " + display.Date(a.Decision.Expires)
	}
	line("Kept", "%s, policy %s (%s), decay %s", kept, a.Decision.Policy, a.Decision.Reason, a.Decision.Decay)
	if a.Workspace != "" {
		line("Project", "%s", a.Workspace)
	}
	for _, cited := range engine.CitedPlaces(&a.Hit) {
		line("Source", "%s", show.Citation(api.FromCitation(cited)))
	}
	for _, l := range a.Links {
		if l.Type != "cites" {
			line("Link", "%s %s", l.Type, l.To)
		}
	}
	if log := logOf(a.Chunk); log != "" {
		line("Stored by", "%s", log)
	}
	fmt.Fprintf(c.Out, "\n%s\n", display.CleanLines(a.Content))
}

// activationLine is the sum that decides recall; of its terms those are left out that are nothing.
func activationLine(a *engine.Account) string {
	s := fmt.Sprintf("%.2f = base level %.2f", a.Activation, a.Parts.BaseLevel)
	for _, term := range []struct {
		sign, name string
		value      float64
	}{{"+", "spreading", a.Parts.Spreading}, {"+", "context", a.Parts.Context}, {"-", "decay", a.Parts.Decay}} {
		if term.value >= 0.005 {
			s += fmt.Sprintf(" %s %s %.2f", term.sign, term.name, term.value)
		}
	}
	return s
}

// logOf is where the conversation stands that a chunk comes from, "" when it says none.
func logOf(chunk []byte) string {
	var parsed struct {
		Log struct {
			File    string `json:"file"`
			Section string `json:"section"`
			Lines   []int  `json:"line_range"`
		} `json:"conversation_log_reference"`
	}
	if len(chunk) == 0 || json.Unmarshal(chunk, &parsed) != nil || parsed.Log.File == "" {
		return ""
	}
	s := parsed.Log.File
	if len(parsed.Log.Lines) == 2 {
		s = fmt.Sprintf("%s:%d-%d", s, parsed.Log.Lines[0], parsed.Log.Lines[1])
	}
	if parsed.Log.Section != "" {
		s += " (" + parsed.Log.Section + ")"
	}
	return s
}

// An accountJSON has the keys of a stored row, and what else is known.
type accountJSON struct {
	ChunkID      string          `json:"chunk_id"`
	Type         memory.Type     `json:"type"`
	Content      json.RawMessage `json:"content"` // of the chunk that it was made from, else its text
	Activation   *float64        `json:"activation"`
	BaseLevel    *float64        `json:"base_level_activation"`
	Spreading    float64         `json:"spreading_activation"`
	Decay        float64         `json:"decay"` // subtracted from the others
	CreatedAt    string          `json:"created_at"`
	LastAccessed string          `json:"last_accessed,omitempty"`
	AccessCount  int             `json:"access_count"`
	IsPattern    bool            `json:"is_pattern"`
	SuccessScore *float64        `json:"success_score,omitempty"`
	Confidence   *float64        `json:"confidence,omitempty"`
	Metadata     metadataJSON    `json:"metadata"`
	Governance   json.RawMessage `json:"governance"`
	Policy       string          `json:"policy"`
	PolicyReason string          `json:"policy_reason"`
	Expires      string          `json:"expires,omitempty"`
	Log          json.RawMessage `json:"conversation_log_reference,omitempty"`
	Tags         []string        `json:"tags"`
	Importance   float64         `json:"importance"`
	ContentHash  string          `json:"content_hash"`
	Citations    []string        `json:"citations,omitempty"`
}

type metadataJSON struct {
	SemanticRole string   `json:"semantic_role"`
	Keywords     []string `json:"keywords"`
	Domain       string   `json:"domain"`
}

func newAccountJSON(a *engine.Account) accountJSON {
	finite := func(f float64) *float64 {
		if math.IsInf(f, 0) || math.IsNaN(f) {
			return nil
		}
		return &f
	}
	stamp := func(t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return t.UTC().Format(time.RFC3339)
	}
	var chunk struct {
		Content json.RawMessage `json:"content"`
		Log     json.RawMessage `json:"conversation_log_reference"`
	}
	if len(a.Chunk) == 0 || json.Unmarshal(a.Chunk, &chunk) != nil {
		chunk.Content, _ = json.Marshal(a.Content) // a string always encodes
	}
	out := accountJSON{
		ChunkID: a.ID, Type: a.Type, Content: chunk.Content, Activation: finite(a.Activation), BaseLevel: finite(a.Parts.BaseLevel),
		Spreading: a.Parts.Spreading, Decay: a.Parts.Decay, CreatedAt: stamp(a.CreatedAt), LastAccessed: stamp(a.LastUsed), AccessCount: a.AccessCount,
		IsPattern: a.Pattern, SuccessScore: a.SuccessScore, Confidence: a.Confidence,
		Metadata: metadataJSON{a.SemanticRole, append([]string{}, a.Keywords...), a.Domain}, Governance: a.Governance(),
		Policy: a.Decision.Policy, PolicyReason: a.Decision.Reason, Expires: stamp(a.Decision.Expires), Log: chunk.Log,
		Tags: append([]string{}, a.Tags...), Importance: a.Importance, ContentHash: a.ContentHash,
	}
	for _, cited := range engine.CitedPlaces(&a.Hit) {
		out.Citations = append(out.Citations, show.Citation(api.FromCitation(cited)))
	}
	return out
}
