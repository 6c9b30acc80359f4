package recall

import (
	"testing"

	"github.com/aurora-sidecar/aurora/memory"
)

// TestConversationIDs names the phase of a log, or all of one without phases.
func TestConversationIDs(t *testing.T) {
	for want, at := range map[string]memory.LogHit{
		"conv-oauth-impl-2025-12-15-phase3": {File: "2025/12/oauth-impl-2025-12-15.md", Phase: 3},
		"conv-notes":                        {File: "2025/12/notes.md"},
	} {
		if got := conversationID(at); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
