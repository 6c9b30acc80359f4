package soar

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/prompts"
)

// TestLabelledQuestions classes 100 questions on which the shapes were written, 72 more of the same writer, and two halves of a set by
// somebody who had read no rule: one that features and weights were chosen on, and one that was only measured. It prints how many
// are settled without a model, how many of those rightly, and what that saves; docs/engine.md has the tables. The floors guard
// what is there; they are no goal.
func TestLabelledQuestions(t *testing.T) {
	for file, floor := range map[string]int{"questions": 95, "heldout": 64, "chosen": 125, "measured": 89} {
		t.Run(file, func(t *testing.T) { classLabelled(t, "../complexity/testdata/"+file+".jsonl", floor) })
	}
}

func classLabelled(t *testing.T, file string, floor int) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	type tally struct{ asked, right, settled, settledRight int }
	by := map[Level]*tally{Simple: {}, Medium: {}, Complex: {}, Critical: {}}
	all := &tally{}
	tokens := 0
	for line := range bytes.Lines(text) {
		var q struct {
			Question string `json:"question"`
			Level    Level  `json:"level"`
		}
		if err := json.Unmarshal(line, &q); err != nil || by[q.Level] == nil {
			t.Fatalf("%s: %v", line, err)
		}
		a := Classify(q.Question)
		for _, into := range []*tally{by[q.Level], all} {
			into.asked++
			if a.Level == q.Level {
				into.right++
			}
			if a.settled(q.Question) {
				into.settled++
				if a.Level == q.Level {
					into.settledRight++
				}
			}
		}
		if a.Level != q.Level {
			t.Logf("%s, not %s (settled %v): %s", a.Level, q.Level, a.settled(q.Question), q.Question)
		}
		p, err := prompts.Build(prompts.Assess, prompts.Input{Query: q.Question, Assessed: prompts.Assessed{Keyword: string(a.Level), Confidence: a.Confidence}})
		if err != nil {
			t.Fatal(err)
		}
		tokens += llm.EstimateTokens(p.System) + llm.EstimateTokens(p.User)
	}
	const reply = 60 // tokens
	price, _ := llm.DefaultPrices().Of("gpt-4o-mini")
	each := (float64(tokens)/float64(all.asked)*price.Prompt + reply*price.Completion) / 1e6
	asked := 1 - float64(all.settled)/float64(all.asked)
	var table strings.Builder
	for _, level := range []Level{Simple, Medium, Complex, Critical} {
		fmt.Fprintf(&table, "| %s | %d of %d | %d, %d rightly |\n", level, by[level].right, by[level].asked, by[level].settled, by[level].settledRight)
	}
	t.Logf("level, right by keywords alone, settled without a model:\n%s| together | %d of %d | %d, %d rightly |\nan assessment by gpt-4o-mini takes about %d tokens, $%.6f; a question $%.6f on average, %.0f %% less",
		&table, all.right, all.asked, all.settled, all.settledRight, tokens/all.asked+reply, each, asked*each, 100*(1-asked))
	if all.right < floor || 10*all.settledRight < 8*all.settled {
		t.Errorf("%+v: want %d right, and eight of ten of those that are settled", *all, floor)
	}
}
