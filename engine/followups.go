package engine

import (
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/memory/signal"
)

// A SignalAction is what a signal does.
type SignalAction string

// The actions.
const (
	BoostConfidence SignalAction = "boost_confidence"      // what the answer rested on has helped
	MaintainContext SignalAction = "maintain_context"      // the message goes on from the answer
	Redecompose     SignalAction = "re_decompose"          // the answer was wrong: from scratch
	EscalateChecks  SignalAction = "escalate_verification" // the same question, verified more strictly
	LeaveQuietly    SignalAction = "graceful_exit"         // what runs is left, and nothing is learned
	NoAction        SignalAction = "none"                  // the message is a question like any other
)

// FollowUps say what messages of a conversation mean, and what follows from it.
type FollowUps struct {
	Detector *signal.Detector // nil hears nothing
	Actions  map[signal.Class]SignalAction

	Boost      float64                   // 0..1, of the confidence of a record by a positive signal
	Reassess   bool                      // a follow-up's complexity is assessed again
	KeepState  bool                      // what was found before counts after a negative signal, too
	Escalation map[soar.Level]soar.Level // whose verification a question gets that is asked again
	DropWork   bool                      // what was left can't be resumed
}

// UsualFollowUps are those without settings.
func UsualFollowUps() *FollowUps {
	return &FollowUps{
		Detector: signal.Usual(), Boost: 0.1,
		Actions: map[signal.Class]SignalAction{
			signal.Positive: BoostConfidence, signal.Followup: MaintainContext, signal.Negative: Redecompose,
			signal.Recourse: EscalateChecks, signal.Abort: LeaveQuietly,
		},
		Escalation: map[soar.Level]soar.Level{
			soar.Simple: soar.Medium, soar.Medium: soar.Complex, soar.Complex: soar.Critical, soar.Critical: soar.Critical,
		},
	}
}

// classify returns what a message says of the answer before it, and what to do about it.
func (f *FollowUps) classify(message string) (signal.Signal, SignalAction) {
	if f.Detector == nil {
		return signal.Signal{}, NoAction
	}
	s := f.Detector.Classify(message)
	action, ok := f.Actions[s.Class]
	if !ok {
		return s, NoAction
	}
	return s, action
}

// stricter is how the plan of a question is verified that is asked again.
func (f *FollowUps) stricter(level soar.Level) string {
	to, ok := f.Escalation[level]
	if !ok {
		return ""
	}
	return string(soar.Assessment{Level: to}.Recommended())
}
