package lifespan

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/actr"
)

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func TestConditions(t *testing.T) {
	facts := Facts{IsPattern: true, SuccessScore: 0.9, Score: 0.9, Confidence: math.NaN(), Domain: "it's", Type: "knowledge", AccessCount: 11,
		LastAccessedDays: 90, ContainsTag: hasTag([]string{"Security", "AND"})}
	for condition, want := range map[string]bool{
		"is_pattern == true AND success_score >= 0.8": true,
		"is_pattern":               true,
		"contains_tag('security')": true,
		`contains_tag("security") AND NOT contains_tag('x')`: true,
		"contains_tag('AND') AND contains_tag('OR')":         false,
		`domain == "it's"`:                                   true,
		"access_count > 10 OR score < 0":                     true,
		"inactive_for_90_days":                               true,
		"inactive_for_91_days":                               false,
		"last_accessed_days > 90 AND access_count <= 2":      false,
		"confidence >= 0.1":                                  false,
		"confidence < 0.1":                                   false,
		"(score >= 0.5 and is_pattern) or access_count == 0": true,
		"type == 'inactive_for_90_days'":                     false,
		"type == 'knowledge' and not is_pattern == false":    true,
		`domain != 'a"b\' OR false`:                          true,
		"-score + 2 * 0.5 - access_count / 11 > -0.91":       true,
		"inactive_for_007_days == true":                      true,
		"contains_tag('and') == contains_tag('security')":    true,
	} {
		c, err := compile(condition)
		if err != nil {
			t.Errorf("%s: %v", condition, err)
			continue
		}
		if got := c.holds(&facts); got != want {
			t.Errorf("%s: %v", condition, got)
		}
	}
}

// What is malformed, asks for what is not there, or could take long is refused before it runs.
func TestBadConditions(t *testing.T) {
	for _, condition := range []string{
		"", "score >=", "score >= 'much'", "1 + 1", "unknown == 1", "score = 1", "contains_tag(1)", "contains_tag()", "((((", "\x00",
		"all(1..1000000000, # > 0)", "len(map(1..100000000, #)) > 0", "1..10 == 1..10", "domain matches '(a+)+$'",
		"Tags[0] == 'x'", "ContainsTag", "let x = 1; x == 1", "{'a': 1}.a == 1", "[1, 2][0] == 1", "sum([1]) == 1", "$env == nil",
		"score > 0 ? true : false", strings.Repeat("score > 0 AND ", 200) + "true", strings.Repeat("(", 400), "1 ** 99999 > 2",
		strings.Repeat("!", 400) + "true", "func() bool { return true }()", "domain < 'x'", "NOT score", "-domain == 'x'", "contains_tag", "f(1)",
		"is_pattern + is_pattern == true", "score && is_pattern", "0x10p99999 > score", "score.x > 1", "`raw` == domain && 'x' == 1",
	} {
		if _, err := compile(condition); !errors.Is(err, ErrCondition) {
			t.Errorf("%.60q: %v", condition, err)
		}
	}
}

func share(f float64) *float64 { return &f }

func record(daysIdle int, change func(*memory.Hit)) memory.Hit {
	at := now.AddDate(0, 0, -daysIdle)
	h := memory.Hit{Record: memory.Record{Type: memory.Knowledge, Stamp: memory.Stamp{CreatedAt: at, UpdatedAt: at}, Importance: 1}, AccessCount: 1, LastUsed: at}
	if change != nil {
		change(&h)
	}
	return h
}

func TestBuiltinPolicies(t *testing.T) {
	policies, err := New(nil, "")
	if err != nil {
		t.Fatal(err)
	}
	inDays := func(n int) time.Time { return now.AddDate(0, 0, n) }
	for name, test := range map[string]struct {
		hit  memory.Hit
		want Decision // Reason left out
	}{
		"by hand": {record(1, nil), Decision{Policy: "keep", Decay: actr.Logarithmic}},
		"pattern": {record(400, func(h *memory.Hit) { h.Pattern, h.SuccessScore = true, share(0.8) }), Decision{Policy: "patterns", Decay: actr.Logarithmic}},
		"security": {record(65, func(h *memory.Hit) { h.Domain = "security" }),
			Decision{Policy: "security_critical", Decay: actr.None, Expires: inDays(300)}},
		"often used": {record(1, func(h *memory.Hit) { h.AccessCount = 12 }),
			Decision{Policy: "high_usage", Decay: actr.Logarithmic, Escalation: "candidate_for_fine_tuning"}},
		"idle":  {record(91, nil), Decision{Policy: "inactive", Decay: actr.Exponential, Inactive: true}},
		"good":  {record(80, func(h *memory.Hit) { h.SuccessScore = share(0.5) }), Decision{Policy: "default", Decay: actr.Logarithmic, Expires: inDays(100)}},
		"worse": {record(80, func(h *memory.Hit) { h.SuccessScore = share(0.49) }), Decision{Policy: "keep", Decay: actr.Logarithmic}},
		"lengthened": {record(80, func(h *memory.Hit) {
			h.SuccessScore = share(0.5)
			h.Chunk = []byte(`{"governance":{"retention_rules":[{"if":"score >= 0.5","then":"retain_for_365_days"},
				{"if":"score >= 0.5","then":"retain_for_10_days"},{"if":"broken (","then":"retain_indefinitely"},{"if":"score > 0.9","then":"retain_indefinitely"}]}}`)
		}), Decision{Policy: "default", Decay: actr.Logarithmic, Expires: inDays(285)}},
		"a clock set back": {record(-365, nil), Decision{Policy: "keep", Decay: actr.Logarithmic}},
	} {
		got := policies.Decide(test.hit, now)
		if got.Reason == "" {
			t.Errorf("%s: no reason", name)
		}
		if got.Reason = ""; got != test.want {
			t.Errorf("%s: %+v, want %+v", name, got, test.want)
		}
	}
}

func TestOwnPolicies(t *testing.T) {
	own, fallback, err := Parse([]byte(`{"default_policy": "default", "policies": {
		"fintech_critical": {"condition": "domain == 'fintech' OR contains_tag('security')", "lifespan": "730_days", "decay_mechanism": "none"},
		"default": {"condition": "score >= 0.5", "lifespan": "90_days", "decay_mechanism": "exponential"},
		"broken": {"condition": "score >=", "lifespan": "90_days"},
		"endless": {"condition": "all(1..100000000, # > 0)", "lifespan": "1_days"},
		"odd": {"condition": "true", "lifespan": "soon"},
		"rotten": {"condition": "true", "lifespan": "1_days", "decay_mechanism": "rot"}}}`))
	if err != nil || fallback != "default" {
		t.Fatal(fallback, err)
	}
	policies, err := New(own, fallback)
	for _, name := range []string{"broken", "endless", "odd", "rotten"} {
		if err == nil || !strings.Contains(err.Error(), "lifespan policy "+name) {
			t.Errorf("%s is not named: %v", name, err)
		}
	}
	if d := policies.Decide(record(1, func(h *memory.Hit) { h.Domain = "fintech" }), now); d.Policy != "fintech_critical" || !d.Expires.Equal(now.AddDate(0, 0, 729)) {
		t.Errorf("%+v", d)
	}
	if d := policies.Decide(record(1, nil), now); d.Policy != "default" || d.Decay != actr.Exponential || !d.Expires.Equal(now.AddDate(0, 0, 89)) {
		t.Errorf("%+v", d)
	}
	for _, bad := range []string{"", "[]", `{"policies": []}`, `{"policies": {"a": 1}}`, `{"policies": {"a": {"lifespam": "x"}}}`} {
		if _, _, err := Parse([]byte(bad)); err == nil {
			t.Errorf("%s is no error", bad)
		}
	}
	if _, err := New(nil, "absent"); err == nil {
		t.Error("an absent default policy is no error")
	}
	if d := (&Policies{}).Decide(record(1000, nil), now); d.Policy != Keep || !d.Expires.IsZero() {
		t.Errorf("without policies %+v", d)
	}
}
