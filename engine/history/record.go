package history

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"github.com/aurora-sidecar/aurora/engine/reason/adaptive"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/internal/scrub"
)

// An Entry is a question as lists show it.
type Entry struct {
	ID           string        `json:"queryId"`
	Question     string        `json:"query"` // personal data and keys are taken out
	Asked        time.Time     `json:"askedAt"`
	Conversation string        `json:"conversationId,omitempty"`
	Folder       string        `json:"folder,omitempty"`
	Complexity   string        `json:"complexity,omitempty"`
	Model        string        `json:"model,omitempty"`
	Verified     bool          `json:"verified"`
	Score        *float64      `json:"overallScore,omitempty"`
	Confidence   float64       `json:"confidence"`
	USD          float64       `json:"usd"`
	Tokens       int           `json:"tokens"`
	Calls        int           `json:"calls"`
	Passes       int           `json:"passes"`
	Total        time.Duration `json:"durationNs"`
	Signature    string        `json:"signature,omitempty"` // of questions like this one, see soar.Signature
	Error        string        `json:"error,omitempty"`     // why there was no answer
}

// A Record is all that is known of a question.
type Record struct {
	Entry
	Request   soar.Request          `json:"request"`
	Setup     Setup                 `json:"setup"`
	Answer    string                `json:"answer"`
	Warnings  []string              `json:"warnings,omitempty"`
	Citations []Citation            `json:"citations,omitempty"`
	Phases    []soar.Phase          `json:"phases"`
	Events    []Event               `json:"events,omitempty"`
	History   []*soar.ExecutionPass `json:"executionHistory,omitempty"`
	Recording *soar.Recording       `json:"tape,omitempty"` // nil when no model was asked
}

// Setup is what, besides the question, decides which prompts are sent.
type Setup struct {
	Tiers soar.Models `json:"tiers"`
	soar.Sizes
	PII      string           `json:"pii,omitempty"`
	Keywords soar.Keywords    `json:"keywords"`
	Adaptive adaptive.Options `json:"adaptive"`
	Scoring  soar.Scoring     `json:"scoring"`
}

// A Citation is a source of an answer.
type Citation struct {
	ID   string `json:"id"`
	Path string `json:"path,omitempty"`
	Line int    `json:"line,omitempty"` // one-based
	Name string `json:"name"`
}

// An Event is something that happened while the question was worked on.
type Event struct {
	At     time.Duration `json:"atNs"` // since the question was asked
	Phase  string        `json:"phase"`
	Status string        `json:"status"`
	Detail string        `json:"detail,omitempty"`
}

// names are keys whose values are made by AURORA itself; a hash looks like a secret.
var names = []string{"prompt", "queryId", "id", "askedAt", "startedAt"}

// scrubbed is a value as JSON without what looks like a secret, in whatever text. Prompts are scrubbed, too, before
// they are sent, so that a record plays as it went.
func scrubbed(v any) (any, error) {
	encoded, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(encoded))
	dec.UseNumber()
	var tree any
	if err := dec.Decode(&tree); err != nil {
		return nil, err
	}
	return cleaned(tree), nil
}

func cleaned(v any) any {
	switch v := v.(type) {
	case string:
		text, _ := scrub.Text(v)
		return text
	case []any:
		for i := range v {
			v[i] = cleaned(v[i])
		}
	case map[string]any:
		for key := range v {
			if !slices.Contains(names, key) {
				v[key] = cleaned(v[key])
			}
		}
	}
	return v
}
