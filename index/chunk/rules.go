package chunk

import (
	"encoding/json"
	"slices"

	"github.com/aurora-sidecar/aurora/index/syntax"
)

// A Rule says how texts of one language are cut. The zero value is the default.
type Rule struct {
	MaxTokens int `json:",omitempty"` // of a piece; 0 means 600, and 400 for a section
	// OverlapPercent is the most that a part of a function repeats of the one before; 0 means 15, less none.
	OverlapPercent int           `json:",omitempty"`
	Merged         []syntax.Kind `json:",omitempty"` // definitions that are no chunks of their own
	CutBlocks      bool          `json:",omitempty"` // fenced code may be cut in two
	LooseDocs      bool          `json:",omitempty"` // comments above a definition are no part of it
}

// Rules are those of some languages, by their names; the others are cut by default.
type Rules map[string]Rule

// Tag is different for what is cut differently, and "" for what is cut by default.
func (r Rules) Tag(language string) string {
	rule, ok := r[language]
	if !ok {
		return ""
	}
	tag, err := json.Marshal(rule)
	if err != nil || string(tag) == "{}" {
		return ""
	}
	return string(tag)
}

// apply changes an outline as the rule has it. The outline itself stays as it is.
func (r Rule) apply(src []byte, out *syntax.Outline) *syntax.Outline {
	if len(r.Merged) == 0 && !r.CutBlocks && !r.LooseDocs {
		return out
	}
	changed := *out
	if r.CutBlocks {
		changed.Blocks = nil
	}
	changed.Definitions = r.definitions(src, out.Definitions)
	return &changed
}

// definitions leaves out what is merged into its surroundings; what it held moves up.
func (r Rule) definitions(src []byte, all []syntax.Definition) []syntax.Definition {
	kept := make([]syntax.Definition, 0, len(all))
	place := make([]int, len(all)) // of each definition, or of the one around it, among the kept ones
	for i, d := range all {
		if d.Parent >= 0 {
			d.Parent = place[d.Parent]
		}
		if slices.Contains(r.Merged, d.Kind) {
			place[i] = d.Parent
			continue
		}
		if r.LooseDocs {
			if d.Doc.Start == d.Span.Start && d.Doc.End < d.Signature.Start {
				d.Span.Start = trim(src, Span{d.Doc.End, d.Span.End}).Start
			}
			d.Doc = syntax.Span{}
		}
		place[i] = len(kept)
		kept = append(kept, d)
	}
	return kept
}

// limits are the most bytes of a piece of code, and of a section.
func (r Rule) limits() (piece, section int) {
	if r.MaxTokens > 0 {
		return r.MaxTokens * bytesPerToken, r.MaxTokens * bytesPerToken
	}
	return maxBytes, maxSection
}

// overlap is the share of a piece, in percent, that the next one repeats at most.
func (r Rule) overlap() int {
	if r.OverlapPercent == 0 {
		return maxOverlap
	}
	return max(0, r.OverlapPercent)
}
