package lsp_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/engine/llm/llmtest"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/lsp"
)

// TestPassesAndHistory has an editor ask for several passes, see their boundaries, and look the question up afterwards.
func TestPassesAndHistory(t *testing.T) {
	models, model := scripted(t, 50)
	low := 0.6
	model.Script(llmtest.Step{Task: "convergence", Scores: &low, Issue: "who calls it", Times: 1})
	e := connectModel(t, models, lsp.Config{})
	var answer api.QueryResult
	e.Call("aurora/query", map[string]any{"query": "design a cache for Checkout", "adaptive": true, "workDoneToken": "w"}, &answer)
	if len(answer.Passes) != 2 || answer.Passes[0].Convergence == nil || answer.Passes[0].Convergence.Converged || !answer.Passes[1].Best || answer.Passes[1].Ended != "converged" ||
		len(answer.Passes[1].Actions) != 1 || answer.Passes[0].TTL != 40 || answer.TokensUsed == nil || answer.TokensUsed.Agents == 0 {
		t.Errorf("%+v", answer.Passes)
	}
	state := e.Await("the end of the progress", func(s *lsp.State) bool {
		kinds := s.Progress["w"]
		return len(kinds) > 0 && kinds[len(kinds)-1] == "end"
	})
	if told := strings.Join(state.Aurora, "\n"); !strings.Contains(told, `"stage":"PASS"`) || !strings.Contains(told, "pass 1 did not converge") || !strings.Contains(told, `"stage":"REFINE"`) {
		t.Errorf("events:\n%s", told)
	}
	e.Call("aurora/query", map[string]any{"query": "what is Checkout?", "conversationId": "talk"}, nil)
	var list api.HistoryResult
	e.Call("aurora/history", map[string]any{"search": "CACHE"}, &list)
	if len(list.Queries) != 1 || list.Queries[0].QueryID != answer.QueryID || list.Queries[0].Passes != 2 || list.Queries[0].Calls != answer.Cost.Calls || list.Record != nil {
		t.Errorf("%+v", list)
	}
	e.Call("aurora/history", map[string]any{"conversationId": "talk"}, &list)
	if len(list.Queries) != 1 || list.Queries[0].Query != "what is Checkout?" {
		t.Errorf("of the conversation: %+v", list.Queries)
	}
	e.Call("aurora/history", map[string]any{"queryId": answer.QueryID}, &list)
	var record struct {
		Answer    string
		Recording struct {
			Calls []struct{ Prompt, Purpose string }
		} `json:"tape"`
	}
	if err := json.Unmarshal(list.Record, &record); err != nil || record.Answer != answer.Answer || len(record.Recording.Calls) < answer.Cost.Calls || len(record.Recording.Calls[0].Prompt) != 64 {
		t.Errorf("%+v, %v", record, err)
	}
	if err := e.Try("aurora/history", map[string]any{"queryId": "aurora-20200101-000000-nosuch"}, nil); lsp.Code(err) != 1011 {
		t.Errorf("an unknown question: %v", err)
	}
}
