package soar

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestClassify(t *testing.T) {
	long := strings.Repeat("word ", 21)
	tests := []struct {
		query      string
		level      Level
		score      float64
		confidence float64
	}{
		{"", Simple, 0, 0.9},
		{"What is X?", Simple, 0, 0.9},
		{"Compare A and B", Medium, 0.3, 0.6},
		{"Design a system for X", Complex, 0.7, 0.6},
		{"is this safe in production", Critical, 1, 0.9},
		{"what is the security strategy", Critical, 1, 0.9},
		{long, Simple, 0.1, 0.6},
		{"compare a? or b?", Medium, 0.4, 0.6},
		{"production " + long, Critical, 1, 0.9},
		{"redesigned", Complex, 0.7, 0.6}, // phrases match inside words
	}
	for _, tt := range tests {
		a := Classify(tt.query)
		if a.Level != tt.level || a.Score != tt.score || a.Confidence != tt.confidence {
			t.Errorf("Classify(%q) = %+v, want %s %v %v", tt.query, a, tt.level, tt.score, tt.confidence)
		}
	}
}

func TestRunAccountsForEveryPhase(t *testing.T) {
	clock := time.Unix(1000, 0)
	now := func() time.Time { clock = clock.Add(time.Second); return clock }
	var events []Event
	run := NewRun(now, func(e Event) { events = append(events, e) })
	if err := run.Do(Assess, func() (string, error) { return "done", nil }); err != nil {
		t.Fatal(err)
	}
	cause := errors.New("boom")
	if err := run.Do(Retrieve, func() (string, error) { return "", cause }); !errors.Is(err, cause) {
		t.Fatalf("got %v", err)
	}
	run.Skip(Decompose, "no model configured")
	phases, total := run.Done()
	var names []string
	share := 0.0
	for _, p := range phases {
		names = append(names, p.Name)
		share += p.Percentage
		if p.Status == Skipped && p.Detail == "" {
			t.Errorf("%s was skipped without a reason", p.Name)
		}
	}
	if !slices.Equal(names, Phases) {
		t.Errorf("phases %q", names)
	}
	if phases[0].Status != OK || phases[1].Status != Failed || phases[2].Status != Skipped {
		t.Errorf("statuses %s %s %s", phases[0].Status, phases[1].Status, phases[2].Status)
	}
	if total <= 0 || share <= 0 || share > 100 {
		t.Errorf("total %v, shares sum to %v", total, share)
	}
	if last := events[len(events)-1]; last.Done != 1 {
		t.Errorf("the last event is at %v", last.Done)
	}
}
