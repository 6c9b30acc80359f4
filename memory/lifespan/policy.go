package lifespan

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/actr"
)

// A Policy says how long the records are kept that its condition fits.
type Policy struct {
	Name        string         `json:"-"`
	Condition   string         `json:"condition"`
	Lifespan    string         `json:"lifespan"`                    // indefinite, <N>_days since the last use, or decay
	Decay       actr.Mechanism `json:"decay_mechanism,omitempty"`   // logarithmic (default), exponential, none
	Escalation  string         `json:"escalation_action,omitempty"` // a flag for who asks
	Description string         `json:"description,omitempty"`

	compiled *condition
}

// Builtin are the policies that count when nothing is configured. What people remember by hand has
// no score, so none but the first two and the last can fit it: it is kept.
var Builtin = []Policy{
	{Name: "patterns", Condition: "is_pattern == true AND success_score >= 0.8", Lifespan: "indefinite", Decay: actr.Logarithmic},
	{Name: "security_critical", Condition: "contains_tag('security') OR domain == 'security'", Lifespan: "365_days", Decay: actr.None},
	{Name: "high_usage", Condition: "access_count > 10", Lifespan: "indefinite", Decay: actr.Logarithmic, Escalation: "candidate_for_fine_tuning"},
	{Name: "inactive", Condition: "last_accessed_days > 90 AND access_count <= 2", Lifespan: "decay", Decay: actr.Exponential},
	{Name: "default", Condition: "score >= 0.5", Lifespan: "180_days", Decay: actr.Logarithmic},
	{Name: Keep, Condition: "true", Lifespan: "indefinite", Decay: actr.Logarithmic},
}

// Keep is the policy of records that no other fits.
const Keep = "keep"

// ownPlace is where policies of one's own stand among the built-in ones.
const ownPlace = 2

// Policies decide. The zero value keeps everything.
type Policies struct {
	list     []Policy
	fallback int // index of the policy for what none fits, -1 for none
}

// A Problem is a policy that can't be used.
type Problem struct {
	Policy string
	Err    error
}

func (p Problem) Error() string { return fmt.Sprintf("lifespan policy %s: %v", p.Policy, p.Err) }

// Unwrap returns the cause.
func (p Problem) Unwrap() error { return p.Err }

// New returns the built-in policies with own ones over them: of the same name they replace, others stand behind the
// first two. fallback names the policy for what none fits; "" means Keep. A policy that can't be used is left out and
// told in the error, which does not keep the others from counting.
func New(own []Policy, fallback string) (*Policies, error) {
	list := slices.Clone(Builtin)
	for _, p := range own {
		if i := slices.IndexFunc(list, func(q Policy) bool { return q.Name == p.Name }); i >= 0 {
			list[i] = p
			continue
		}
		list = slices.Insert(list, ownPlace+len(list)-len(Builtin), p)
	}
	var problems []error
	usable := list[:0]
	for _, p := range list {
		p.Decay = cmp.Or(p.Decay, actr.Logarithmic)
		compiled, err := compile(p.Condition)
		if err := errors.Join(err, p.check()); err != nil {
			problems = append(problems, Problem{p.Name, err})
			continue
		}
		p.compiled = compiled
		usable = append(usable, p)
	}
	fallback = cmp.Or(fallback, Keep)
	policies := &Policies{list: usable, fallback: slices.IndexFunc(usable, func(p Policy) bool { return p.Name == fallback })}
	if policies.fallback < 0 {
		problems = append(problems, fmt.Errorf("lifespan policies: there is no default policy %q", fallback))
	}
	return policies, errors.Join(problems...)
}

// check refuses values that no policy may have.
func (p *Policy) check() error {
	if _, err := parseLifespan(p.Lifespan); err != nil {
		return err
	}
	switch p.Decay {
	case actr.Logarithmic, actr.Exponential, actr.None:
		return nil
	}
	return fmt.Errorf("decay_mechanism %q is none of logarithmic, exponential, none", p.Decay)
}

// A span of life is a number of days, or for ever.
type span struct {
	days    int
	forever bool
}

var lifespanForm = lazyregexp.New(`^([0-9]{1,5})_days$`)

func parseLifespan(s string) (span, error) {
	if s == "indefinite" || s == "decay" {
		return span{forever: true}, nil
	}
	match := lifespanForm.FindStringSubmatch(s)
	if match == nil {
		return span{}, fmt.Errorf("lifespan %q is none of indefinite, decay, <N>_days", s)
	}
	days, err := strconv.Atoi(match[1])
	return span{days: days}, err
}

func (s span) longerThan(t span) bool { return !t.forever && (s.forever || s.days > t.days) }

// Parse reads a file of policies: {"policies": {"<name>": {...}}, "default_policy": "<name>"}. The order counts.
func Parse(text []byte) (own []Policy, fallback string, err error) {
	var file struct {
		Policies json.RawMessage `json:"policies"`
		Default  string          `json:"default_policy"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, "", fmt.Errorf("read lifespan policies: %w", err)
	}
	if len(file.Policies) == 0 {
		return nil, file.Default, nil
	}
	decoder := json.NewDecoder(bytes.NewReader(file.Policies))
	decoder.DisallowUnknownFields()
	if token, err := decoder.Token(); err != nil || token != json.Delim('{') {
		return nil, "", errors.Join(errors.New("read lifespan policies: policies is no object"), err)
	}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return nil, "", fmt.Errorf("read lifespan policies: %w", err)
		}
		p := Policy{Name: fmt.Sprint(name)}
		if err := decoder.Decode(&p); err != nil {
			return nil, "", fmt.Errorf("read lifespan policy %s: %w", p.Name, err)
		}
		own = append(own, p)
	}
	return own, file.Default, nil
}

// A Decision is what a policy says of one record.
type Decision struct {
	Policy     string
	Decay      actr.Mechanism
	Expires    time.Time // zero for never
	Inactive   bool      // it decays: it comes last, and is kept
	Escalation string
	Reason     string // the condition that held, of the policy or of the record's own rules
}

// Decide returns what the first policy says that fits, in declared order; what is pinned is kept whatever they say. The record's own retention rules can only
// lengthen its life.
func (p *Policies) Decide(h memory.Hit, now time.Time) Decision {
	if IsPinned(h.Tags) {
		return Decision{Policy: Pinned, Decay: actr.None, Reason: "a person has pinned it"}
	}
	facts := FactsOf(h, now)
	chosen := p.choose(facts)
	if chosen == nil {
		return Decision{Policy: Keep, Decay: actr.Logarithmic, Reason: "true"}
	}
	d := Decision{Policy: chosen.Name, Decay: chosen.Decay, Escalation: chosen.Escalation, Reason: chosen.Condition, Inactive: chosen.Lifespan == "decay"}
	life, _ := parseLifespan(chosen.Lifespan) // New has checked it
	life = d.apply(rulesOf(h.Chunk), facts, life)
	if !life.forever {
		d.Expires = lastUse(h).AddDate(0, 0, life.days)
	}
	return d
}

func (p *Policies) choose(f Facts) *Policy {
	for i := range p.list {
		if i != p.fallback && p.list[i].Name != Keep && p.list[i].compiled.holds(&f) {
			return &p.list[i]
		}
	}
	if p.fallback >= 0 && p.fallback < len(p.list) {
		return &p.list[p.fallback]
	}
	return nil
}

// A rule is a retention rule of a chunk.
type rule struct {
	If   string `json:"if"`
	Then string `json:"then"`
}

func rulesOf(chunk []byte) []rule {
	var c struct {
		Governance struct {
			Rules []rule `json:"retention_rules"`
		} `json:"governance"`
	}
	if len(chunk) == 0 || json.Unmarshal(chunk, &c) != nil {
		return nil
	}
	return c.Governance.Rules
}

var retainForm = lazyregexp.New(`^retain_for_([0-9]{1,5}_days)$`)

// apply lets those rules count that hold and lengthen the life. Rules that can't be read count for nothing.
func (d *Decision) apply(rules []rule, f Facts, life span) span {
	for _, r := range rules {
		c, err := compile(r.If)
		if err != nil || !c.holds(&f) {
			continue
		}
		longer := life
		switch match := retainForm.FindStringSubmatch(r.Then); {
		case match != nil:
			longer, _ = parseLifespan(match[1])
		case r.Then == "retain_indefinitely" || r.Then == "retain_while_active":
			longer.forever = true
		case r.Then == "escalation_candidate":
			d.Escalation = cmp.Or(d.Escalation, r.Then)
		}
		if longer.longerThan(life) {
			life, d.Reason = longer, r.If
		}
	}
	return life
}
