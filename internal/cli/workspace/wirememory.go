package workspace

import (
	"cmp"
	"context"
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

// backUp makes the backup of the day when one is due. What is wrong stands in the log and in memory's warning.
func (p *Parts) backUp(ctx context.Context) {
	store, is := p.Store.(interface {
		BackUp(ctx context.Context) (made string, err error)
	})
	if !is {
		return
	}
	if _, err := store.BackUp(ctx); err != nil && ctx.Err() == nil {
		p.Log.Warn(err.Error())
	}
}

// maxSmall is the size in bytes of a memory that a command backs up when it is done: 64 MiB, about 50,000 records, take 0.7 s, once
// a day. A larger one is left to servers.
const maxSmall = 64 << 20

// backUpSmall is backUp for commands.
func (p *Parts) backUpSmall(ctx context.Context) {
	if info, err := os.Stat(p.Settings.Memory.DatabasePath); err == nil && info.Size() <= maxSmall {
		p.backUp(ctx)
	}
}
