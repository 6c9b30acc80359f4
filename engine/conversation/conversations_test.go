package conversation

import (
	"fmt"
	"testing"

	"github.com/aurora-sidecar/aurora/engine/reason"
)

func TestOldConversationsAreForgotten(t *testing.T) {
	var talks Talks
	for i := range 2 * maxConversations {
		talks.Answered(reason.QueryRequest{ConversationID: fmt.Sprint(i), Query: "what is Cart?"}, &reason.QueryResult{})
	}
	if len(talks.talks) != maxConversations || len(talks.order) != maxConversations || len(talks.answers) != maxConversations {
		t.Errorf("%d conversations, %d answers are kept", len(talks.talks), len(talks.answers))
	}
}
