package api

import (
	"context"
	"encoding/json"
	"math"
	"strings"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/snippet"
)

// AccountParams are the parameters of account.
type AccountParams struct {
	ID string `json:"id"` // of a record, or of code
}

// AccountResult is the result of account: one of them.
type AccountResult struct {
	Record *RecordAccount  `json:"record,omitempty"`
	Code   json.RawMessage `json:"code,omitempty"` // the definition as a chunk of code, as programs exchange it
}

// A RecordAccount is all that is known of a record.
type RecordAccount struct {
	ChunkID string          `json:"chunkId"`
	Title   string          `json:"title"`
	Type    string          `json:"type"`
	Content json.RawMessage `json:"content"` // of the chunk that it was made from, else its text
	RecordActivation
	RecordUses
	RecordQuality
	Metadata RecordMetadata `json:"metadata"`
	RecordKeeping
	Log     *ConversationPlace `json:"conversationLogReference,omitempty"` // that it comes from
	Links   []RecordLink       `json:"links,omitempty"`
	Project string             `json:"project,omitempty"`
	RecordText
	Versions []RecordVersion `json:"versions,omitempty"` // what it said before, the latest first
	Standing []string        `json:"standing,omitempty"` // what ratings and other records say of it
}

// A RecordVersion is what a record said until another text took its place.
type RecordVersion struct {
	Text  string `json:"text"`
	Until string `json:"until"`
}

// RecordText is what a record says.
type RecordText struct {
	Text        string     `json:"text"`
	Tags        []string   `json:"tags"`
	Importance  float64    `json:"importance"`
	ContentHash string     `json:"contentHash"`
	Citations   []Citation `json:"citations,omitempty"`
}

// RecordActivation is the sum that decides recall.
type RecordActivation struct {
	Activation *float64 `json:"activation"` // null before the first use
	BaseLevel  *float64 `json:"baseLevelActivation"`
	Spreading  float64  `json:"spreadingActivation"`
	Context    float64  `json:"contextActivation,omitempty"`
	Decay      float64  `json:"decay"` // subtracted from the others
}

// RecordUses say when a record was used.
type RecordUses struct {
	CreatedAt    string `json:"createdAt"`
	LastAccessed string `json:"lastAccessed,omitempty"`
	AccessCount  int    `json:"accessCount"`
}

// RecordQuality says how good the answer was that a record was made from.
type RecordQuality struct {
	IsPattern    bool     `json:"isPattern"`
	SuccessScore *float64 `json:"successScore,omitempty"`
	Confidence   *float64 `json:"confidence,omitempty"`
}

// RecordMetadata is what a record is about.
type RecordMetadata struct {
	SemanticRole string   `json:"semanticRole"`
	Keywords     []string `json:"keywords"`
	Domain       string   `json:"domain"`
}

// RecordKeeping says how long a record is kept, and why.
type RecordKeeping struct {
	Governance     json.RawMessage `json:"governance"`
	Policy         string          `json:"policy"`
	PolicyReason   string          `json:"policyReason"`
	DecayMechanism string          `json:"decayMechanism"`
	Expires        string          `json:"expires,omitempty"`
}

// A ConversationPlace is where a conversation says what became a record.
type ConversationPlace struct {
	Date    string `json:"date,omitempty"`
	File    string `json:"file"`
	Section string `json:"section,omitempty"`
	Lines   []int  `json:"lineRange,omitempty"` // the first and the last, one-based
}

// A RecordLink leaves a record.
type RecordLink struct {
	Type string `json:"type"`
	To   string `json:"to"`
}

func fromAccount(a *engine.Account) *RecordAccount {
	var chunk struct {
		Content json.RawMessage `json:"content"`
		Log     struct {
			Date    string `json:"date"`
			File    string `json:"file"`
			Section string `json:"section"`
			Lines   []int  `json:"line_range"`
		} `json:"conversation_log_reference"`
	}
	if len(a.Chunk) == 0 || json.Unmarshal(a.Chunk, &chunk) != nil {
		chunk.Content, _ = json.Marshal(a.Content) // a string always encodes
	}
	level := func(f float64) *float64 {
		if math.IsInf(f, 0) || math.IsNaN(f) {
			return nil
		}
		return &f
	}
	out := &RecordAccount{
		ChunkID: a.ID, Title: a.Title, Type: string(a.Type), Content: chunk.Content, Project: a.Workspace,
		RecordActivation: RecordActivation{
			Activation: level(a.Activation), BaseLevel: level(a.Parts.BaseLevel), Spreading: a.Parts.Spreading, Context: a.Parts.Context, Decay: a.Parts.Decay,
		},
		RecordUses:    RecordUses{CreatedAt: timestamp(a.CreatedAt), LastAccessed: timestamp(a.LastUsed), AccessCount: a.AccessCount},
		RecordQuality: RecordQuality{IsPattern: a.Pattern, SuccessScore: a.SuccessScore, Confidence: a.Confidence},
		Metadata:      RecordMetadata{a.SemanticRole, list(a.Keywords), a.Domain},
		RecordKeeping: RecordKeeping{
			Governance: a.Governance(), Policy: a.Decision.Policy, PolicyReason: a.Decision.Reason, DecayMechanism: string(a.Decision.Decay), Expires: timestamp(a.Decision.Expires),
		},
		RecordText: RecordText{Text: a.Content, Tags: list(a.Tags), Importance: a.Importance, ContentHash: a.ContentHash},
	}
	if chunk.Log.File != "" {
		place := ConversationPlace(chunk.Log)
		out.Log = &place
	}
	out.Standing = a.Standing.Remarks()
	if remark := a.Author.Remark(); remark != "" {
		out.Standing = append([]string{remark}, out.Standing...)
	}
	if remark := snippet.SourceRemark(&a.Record); remark != "" {
		out.Standing = append([]string{remark}, out.Standing...)
	}
	for _, v := range a.Versions {
		out.Versions = append(out.Versions, RecordVersion{v.Content, timestamp(v.Until)})
	}
	for _, cited := range engine.CitedPlaces(&a.Hit) {
		out.Citations = append(out.Citations, FromCitation(cited))
	}
	for _, l := range a.Links {
		if l.Type != "cites" {
			out.Links = append(out.Links, RecordLink{l.Type, l.To})
		}
	}
	return out
}

// Account tells all of one.
var Account = Define(Operation{
	Name: "account", Title: "Show a record", Doors: HTTP,
	Doc: "Tell all that is known of one memory record: its activation and why, its citations, how long it is kept; or of a definition.",
}, func(ctx context.Context, c *Call, p *AccountParams) (*AccountResult, error) {
	if strings.HasPrefix(p.ID, "code:") {
		chunk, err := c.Engine.Code().CodeChunk(ctx, p.ID)
		if err != nil {
			return nil, err
		}
		return &AccountResult{Code: chunk}, nil
	}
	if err := c.recalls(false); err != nil {
		return nil, err
	}
	account, err := c.Engine.Memory().Account(ctx, p.ID)
	if err != nil {
		return nil, err
	}
	return &AccountResult{Record: fromAccount(account)}, nil
})
