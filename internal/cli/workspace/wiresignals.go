package workspace

import (
	"strings"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/aurora-sidecar/aurora/memory/signal"
)

// followUps are the settings of what messages of a conversation mean.
func followUps(s *config.Settings) *engine.FollowUps {
	set := &s.Signals
	if !set.Enabled {
		return &engine.FollowUps{}
	}
	p := &set.Patterns
	level := func(name string) soar.Level { return soar.Level(strings.ToUpper(name)) }
	to := p.Recourse.EscalationMap
	return &engine.FollowUps{
		Detector: signal.New(signal.Keywords{
			signal.Positive: p.Positive.Keywords, signal.Followup: p.Followup.Keywords, signal.Negative: p.Negative.Keywords,
			signal.Recourse: p.Recourse.Keywords, signal.Abort: p.Abort.Keywords,
		}, set.ConfidenceThreshold),
		Actions: map[signal.Class]engine.SignalAction{
			signal.Positive: engine.SignalAction(p.Positive.Action), signal.Followup: engine.SignalAction(p.Followup.Action),
			signal.Negative: engine.SignalAction(p.Negative.Action), signal.Recourse: engine.SignalAction(p.Recourse.Action),
			signal.Abort: engine.SignalAction(p.Abort.Action),
		},
		Boost: p.Positive.BoostAmount, Reassess: !p.Followup.SkipComplexityReassessment, KeepState: !p.Negative.ClearCurrentState,
		DropWork: !p.Abort.SavePartialState,
		Escalation: map[soar.Level]soar.Level{
			soar.Simple: level(to.Simple), soar.Medium: level(to.Medium), soar.Complex: level(to.Complex), soar.Critical: soar.Critical,
		},
	}
}
