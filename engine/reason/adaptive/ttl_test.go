package adaptive

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/aurora-sidecar/aurora/engine/reason/soar"
)

// TestTTL holds the formula on sample tasks.
func TestTTL(t *testing.T) {
	for _, tt := range []struct {
		task    string
		profile soar.TaskProfile
		limits  Limits
		want    int
	}{
		{"nothing is known", Default, Limits{}, 40}, // 16 · 2 · 1.25 · 1
		{"rename a variable", soar.TaskProfile{Depth: 1, Information: 1, Tools: "none", Breadth: "narrow", Confidence: "low"}, Limits{}, 11}, // one pass
		{"explain one function", soar.TaskProfile{Depth: 2, Information: 0.8, Tools: "light", Breadth: "narrow", Confidence: "medium"}, Limits{}, 18},
		{"compare two modules", soar.TaskProfile{Depth: 2, Information: 0.5, Tools: "moderate", Breadth: "moderate", Confidence: "medium"}, Limits{}, 30},
		{"design a subsystem", soar.TaskProfile{Depth: 4, Information: 0.3, Tools: "heavy", Breadth: "broad", Confidence: "medium"}, Limits{}, 91},
		{"audit for security", soar.TaskProfile{Depth: 5, Information: 0, Tools: "heavy", Breadth: "broad", Confidence: "high"}, Limits{TTL: 1000}, 182},
		{"the same, limited", soar.TaskProfile{Depth: 5, Information: 0, Tools: "heavy", Breadth: "broad", Confidence: "high"}, Limits{}, 120},
		{"the same, at a slow endpoint", soar.TaskProfile{Depth: 5, Information: 0, Tools: "heavy", Breadth: "broad", Confidence: "high"}, Limits{CallsPerMinute: 3}, 30},
		{"figures out of range", soar.TaskProfile{Depth: 99, Information: -3, Tools: "a lot", Breadth: "", Confidence: "?"}, Limits{}, 72}, // 16 · 3 · 1.5
		{"no figure at all", soar.TaskProfile{Depth: 3, Information: math.NaN(), Tools: "moderate", Breadth: "moderate", Confidence: "medium"}, Limits{}, 40},
	} {
		if got := (Depth{tt.limits}).TTL(tt.profile); got != tt.want {
			t.Errorf("%s: %d calls, want %d", tt.task, got, tt.want)
		}
	}
}

// TestTTLProperties holds for any profile: the same profile has the same TTL, no dimension that asks for more gives
// less, and the limit is kept.
func TestTTLProperties(t *testing.T) {
	pick := func(words ...string) string { return words[rand.IntN(len(words))] }
	for range 2000 {
		p := soar.TaskProfile{
			Depth: rand.IntN(9) - 2, Information: rand.Float64()*1.4 - 0.2, Tools: pick("none", "light", "moderate", "heavy", "odd"),
			Breadth: pick("narrow", "moderate", "broad"), Confidence: pick("low", "medium", "high"),
		}
		d := Depth{Limits{TTL: 1 + rand.IntN(200)}}
		ttl := d.TTL(p)
		if ttl != d.TTL(p) || ttl < 1 || ttl > d.Limits.TTL {
			t.Fatalf("%+v: %d of %d", p, ttl, d.Limits.TTL)
		}
		deeper, unsure := p, p
		deeper.Depth++
		unsure.Information -= 0.1
		if d.TTL(deeper) < ttl || d.TTL(unsure) < ttl {
			t.Fatalf("%+v: %d, deeper %d, with less information %d", p, ttl, d.TTL(deeper), d.TTL(unsure))
		}
	}
}
