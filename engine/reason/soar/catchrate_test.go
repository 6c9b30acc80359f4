package soar

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/engine/reason/claims"
)

// A world is what the plans, outputs and answers of testdata/catchrate are about.
type world struct {
	Query  string `json:"query"`
	Agents []struct {
		ID           string   `json:"id"`
		Capabilities []string `json:"capabilities"`
	} `json:"agents"`
	Sources []struct {
		ID         string `json:"id"`
		Path       string `json:"path"`
		Line, Last int
		Name, Text string
	} `json:"sources"`
}

func (w *world) sources() []Source {
	var list []Source
	for _, s := range w.Sources {
		list = append(list, Source{ID: s.ID, Key: s.ID, Path: s.Path, Line: s.Line, First: s.Line, Last: s.Last, Name: s.Name, Text: s.Text})
	}
	return list
}

func (w *world) cards() []Card {
	var list []Card
	for _, a := range w.Agents {
		list = append(list, Card{ID: a.ID, Capabilities: a.Capabilities})
	}
	return list
}

// An injected case is a plan, an output of an agent or an answer that is known to be good or bad.
type injected struct {
	Kind   string    `json:"kind"`
	World  string    `json:"world"`
	Name   string    `json:"name"`
	Plan   *Plan     `json:"plan"`
	Output *Envelope `json:"output"`
	Text   string    `json:"text"`
}

func readInjected(t *testing.T, name string) []injected {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "catchrate", name))
	if err != nil {
		t.Fatal(err)
	}
	var list []injected
	for line := range bytes.Lines(text) {
		d := json.NewDecoder(bytes.NewReader(line))
		d.DisallowUnknownFields()
		var c injected
		if err := d.Decode(&c); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		list = append(list, c)
	}
	return list
}

// problems are what the checks by code find.
func (c *injected) problems(t *testing.T, w *world) []claims.Problem {
	t.Helper()
	switch c.Kind {
	case "plan":
		return checkPlan(c.Plan, w.cards(), w.sources(), w.Query)
	case "output":
		subgoal := Subgoal{ID: "SG1", Description: "answer a part of the question"}
		return checkedEnvelope(c.Output, Task{Subgoal: subgoal, Query: w.Query, Sources: w.sources()})
	case "answer":
		return claims.Check(c.Text, w.Query, w.sources()).Problems
	}
	t.Fatalf("%s: unknown kind %q", c.Name, c.Kind)
	return nil
}

// leastCaught is the share of bad cases that the checks by code must find; a false alarm on a good one is an error.
const leastCaught = 0.9

// TestCatchRate has the checks that need no model judge 60 bad and 60 good plans, outputs and answers of three made-up
// programs, and prints how many they caught; docs/engine.md has the table.
func TestCatchRate(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "catchrate", "worlds.json"))
	if err != nil {
		t.Fatal(err)
	}
	var worlds map[string]*world
	if err := json.Unmarshal(text, &worlds); err != nil {
		t.Fatal(err)
	}
	good, bad := readInjected(t, "good.jsonl"), readInjected(t, "bad.jsonl")
	if len(good) != 60 || len(bad) != 60 {
		t.Fatalf("%d good and %d bad ones, want 60 each", len(good), len(bad))
	}
	alarms, caught, total := map[string]int{}, map[string]int{}, map[string]int{}
	for _, c := range good {
		if found := c.problems(t, worlds[c.World]); len(found) > 0 {
			alarms[c.Kind]++
			t.Errorf("false alarm: %s %s, %s: %v", c.World, c.Kind, c.Name, found)
		}
	}
	for _, c := range bad {
		total[c.Kind]++
		if found := c.problems(t, worlds[c.World]); len(found) > 0 {
			caught[c.Kind]++
			t.Logf("caught: %s %s, %s: %s", c.World, c.Kind, c.Name, found[0].Message)
		} else {
			t.Logf("NOT CAUGHT: %s %s, %s", c.World, c.Kind, c.Name)
		}
	}
	var table strings.Builder
	sum := 0
	for _, kind := range []string{"plan", "output", "answer"} {
		fmt.Fprintf(&table, "| %ss | %d of %d | %d of %d |\n", kind, caught[kind], total[kind], alarms[kind], total[kind])
		sum += caught[kind]
	}
	t.Logf("caught and false alarms:\n%s| together | %d of %d (%.0f %%) | %d of %d |", &table, sum, len(bad), 100*float64(sum)/float64(len(bad)),
		alarms["plan"]+alarms["output"]+alarms["answer"], len(good))
	if float64(sum) < leastCaught*float64(len(bad)) {
		t.Errorf("%d of %d caught, want at least %.0f %%", sum, len(bad), 100*leastCaught)
	}
}
