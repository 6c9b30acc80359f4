package engine

import (
	"fmt"
	"testing"
)

func TestTryAgainAsksTheQuestionBefore(t *testing.T) {
	var talks Conversations
	again := func(conversation, message string) QueryRequest {
		return talks.Again(conversation, QueryRequest{Query: message})
	}
	if r := again("one", "try again"); r.Query != "try again" {
		t.Errorf("a first message became %+v", r)
	}
	for _, test := range []struct {
		level, model, mode, verification string
	}{
		{"SIMPLE", "m", "soar", "self"}, {"MEDIUM", "m", "soar", "adversarial"}, {"COMPLEX", "m", "soar", "debate"}, {"SIMPLE", "", "", ""},
	} {
		result := &QueryResult{Complexity: test.level, Model: test.model}
		talks.Answered("one", result)
		talks.Asked("one", QueryRequest{Query: "why is it slow?", BudgetAccepted: true}, result)
		r := again("one", "Try again!")
		if r.Query != "why is it slow?" || !r.Fresh || r.Force || r.BudgetAccepted || r.Mode != test.mode || r.Verification != test.verification {
			t.Errorf("%+v: %+v", test, r)
		}
	}
	for _, message := range []string{"try again with the other cart", "thanks", "where is retry used?"} {
		if r := again("one", message); r.Query != message {
			t.Errorf("%q became %+v", message, r)
		}
	}
	for i := range 2 * maxConversations {
		name := fmt.Sprint(i)
		talks.Answered(name, &QueryResult{})
		talks.Asked(name, QueryRequest{}, &QueryResult{})
	}
	if len(talks.turns) > maxConversations || len(talks.last) != maxConversations {
		t.Errorf("%d questions of %d conversations are kept", len(talks.turns), len(talks.last))
	}
}
