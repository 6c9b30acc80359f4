package engine

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

func TestFollowUpsTeachAboutTheirAnswer(t *testing.T) {
	w := openWorkspace(t, shop)
	ctx := context.Background()
	var talks Conversations
	if reply := talks.Heed(ctx, w.engine, "one", "thanks"); reply != nil {
		t.Errorf("a first message got %+v", reply)
	}
	answered := func(conversation, id string) {
		talks.Answered(conversation, &QueryResult{Citations: []Hit{{ID: id}}})
	}
	level := func(id string) (float64, bool) {
		t.Helper()
		levels, err := w.engine.opts.Memory.Activation(ctx, []string{id})
		if err != nil {
			t.Fatal(err)
		}
		l, used := levels[id]
		return l, used
	}
	for _, test := range []struct {
		message, reply string
		used, rejected bool
	}{
		{"Thanks!", "more active", true, false},
		{"Great. And who calls it?", "", true, false},
		{"no", "What did I misunderstand?", true, true},
		{"No, the other cart", "", true, true},
		{"never mind", "nothing was learned", false, false},
		{"also its tests", "", false, false},
		{"try again", "", false, false},
		{"where is no used", "", false, false},
	} {
		t.Run(test.message, func(t *testing.T) {
			id := "code:x:" + test.message
			answered("one", id)
			answered("two", "code:of another conversation")
			reply := talks.Heed(ctx, w.engine, "one", test.message)
			if (reply == nil) != (test.reply == "") || reply != nil && !strings.Contains(reply.Answer, test.reply) {
				t.Errorf("reply %+v", reply)
			}
			l, used := level(id)
			if used != test.used || used && (l == -20) != test.rejected {
				t.Errorf("used %v, level %v", used, l)
			}
		})
	}
	if _, used := level("code:of another conversation"); used {
		t.Error("another conversation was learned from")
	}
	for i := range 2 * maxConversations {
		answered(fmt.Sprint(i), "x")
	}
	if len(talks.last) != maxConversations || len(talks.order) != maxConversations {
		t.Errorf("%d conversations are kept", len(talks.last))
	}
}
