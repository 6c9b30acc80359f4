package adaptive

import "github.com/aurora-sidecar/aurora/engine/reason/soar"

// Options say how much work questions of several passes may take.
type Options struct {
	Limits     Limits
	Refinement soar.PassLimits
}

// Modules returns the modules of this package, for soar.Options.
func Modules(o Options) *soar.Modules {
	return &soar.Modules{Depth: Depth{o.Limits}, Planner: Planner{}, Validator: Validator{}, Converger: Converger{}, Limits: o.Refinement}
}
