package recall

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/memory/sqlite"
	"github.com/aurora-sidecar/aurora/memory/sqlite/sqlitetest"
)

// TestPracticeIsLearned holds that combinations of tools and agents are told with how well they did, from chunks as they are
// exported and as others write them, and from what this program remembers of its own answers.
func TestPracticeIsLearned(t *testing.T) {
	store := sqlitetest.Open(t, sqlite.Options{})
	records := New(Options{Store: store})
	const form = `{"id":"reas:%s","type":"reasoning","content":{"pattern":"p","original_query":"q","success_score":%v,%s}}` + "\n"
	chunks := fmt.Sprintf(form, "a", 0.9, `"tool_sequence":["grep","grep","edit"],"subgoals":[{"id":"SG1","description":"d","agent":"ada"},{"id":"SG2","description":"d","agent":"bob"}]`) +
		fmt.Sprintf(form, "b", 0.7, `"tools_used":[{"subgoal":"SG1","agent":"ada","tools":["grep"]},{"subgoal":"SG2","tools":["edit"]}],"subgoals":[{"id":"SG2","description":"d","agent":"ada"}]`) +
		fmt.Sprintf(form, "c", 0.6, `"tool_sequence":["edit"]`)
	if _, err := store.Import(t.Context(), strings.NewReader(chunks)); err != nil {
		t.Fatal(err)
	}
	got, err := records.Practice(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range [][]Practised{got.Tools, got.Agents} {
		for i := range list {
			list[i].Score = float64(int(1000*list[i].Score+0.5)) / 1000
		}
	}
	want := &Practice{
		Tools:  []Practised{{"grep, edit", 2, 0.8}, {"edit", 1, 0.6}},
		Agents: []Practised{{"ada", 3, 0.767}, {"bob", 1, 0.9}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
