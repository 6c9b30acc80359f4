package workspace

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/aurora-sidecar/aurora/memory/actr"
	"github.com/aurora-sidecar/aurora/memory/lifespan"
)

// policiesOf are the policies that stand in the settings, in the order of their names.
func policiesOf(set map[string]config.LifespanPolicy) []lifespan.Policy {
	var own []lifespan.Policy
	for _, name := range slices.Sorted(maps.Keys(set)) {
		p := set[name]
		own = append(own, lifespan.Policy{
			Name: name, Condition: p.Condition, Lifespan: p.Lifespan, Decay: actr.Mechanism(p.Decay), Escalation: p.Escalation, Description: p.Description,
		})
	}
	return own
}

// PoliciesVariable names a file of lifespan policies, over the one in the settings.
const PoliciesVariable = "AURORA_LIFESPAN_POLICIES"

// openPolicies reads the policies that say how long records live. Those that can't be used are told and left out; no
// record is lost by that, since only maintenance forgets what expired.
func openPolicies(c *app.App, p *Parts) {
	set := p.Settings.Memory.Lifespan
	if !set.Enabled {
		return
	}
	own := policiesOf(set.Policies)
	fallback := set.DefaultPolicy
	if path := cmp.Or(c.Policies, os.Getenv(PoliciesVariable), set.File); path != "" {
		text, err := os.ReadFile(path)
		if err == nil {
			var named string
			own, named, err = lifespan.Parse(text)
			fallback = cmp.Or(named, fallback)
		}
		if err != nil {
			p.Warnings = append(p.Warnings, fmt.Sprintf("The lifespan policies in %s don't count: %v", path, err))
		}
	}
	policies, err := lifespan.New(own, fallback)
	if err != nil {
		p.Warnings = append(p.Warnings, err.Error())
	}
	p.policies = policies
}
