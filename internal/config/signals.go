package config

// Signals say what messages of a conversation mean that say something of the answer before them.
type Signals struct {
	// Whether messages are listened to. While it is off every message is a question like any other.
	Enabled bool `json:"enabled"`
	// How sure it must be that a message says so: 1 is a message that says nothing else, 0.9 one that opens with a word
	// that stands by itself, 0.8 one that opens with a word and goes on, 0.4 one that has the word in it.
	ConfidenceThreshold float64        `json:"confidence_threshold" min:"0" max:"1"`
	Patterns            SignalPatterns `json:"patterns"`
}

// SignalPatterns are the classes.
type SignalPatterns struct {
	// The answer was right.
	Positive PositiveSignal `json:"positive"`
	// The message goes on from the answer.
	Followup FollowupSignal `json:"followup"`
	// The answer was wrong.
	Negative NegativeSignal `json:"negative"`
	// The answer was not good enough.
	Recourse RecourseSignal `json:"recourse"`
	// The question is left.
	Abort AbortSignal `json:"abort"`
}

// PositiveSignal is heard in "thanks".
type PositiveSignal struct {
	// The words by which it is known.
	Keywords []string `json:"keywords" alias:"signals.positive"`
	// What follows from it. The actions are boost_confidence (what the answer rested on has helped), maintain_context (the
	// message goes on from the answer), re_decompose (the answer was wrong: from scratch), escalate_verification (the
	// same question, verified more strictly), graceful_exit (what runs is left, and nothing is learned) and none.
	Action string `json:"action" oneof:"boost_confidence,maintain_context,re_decompose,escalate_verification,graceful_exit,none"`
	// What it adds to the confidence of what the answer became.
	BoostAmount float64 `json:"boost_amount" min:"0" max:"1"`
}

// FollowupSignal is heard in "and its tests?".
type FollowupSignal struct {
	// The words by which it is known.
	Keywords []string `json:"keywords" alias:"signals.followup"`
	// What follows from it; see signals.patterns.positive.action.
	Action string `json:"action" oneof:"boost_confidence,maintain_context,re_decompose,escalate_verification,graceful_exit,none"`
	// Whether the message is as complex as the question before it, and not assessed anew.
	SkipComplexityReassessment bool `json:"skip_complexity_reassessment"`
}

// NegativeSignal is heard in "that's wrong".
type NegativeSignal struct {
	// The words by which it is known.
	Keywords []string `json:"keywords" alias:"signals.negative"`
	// What follows from it; see signals.patterns.positive.action.
	Action string `json:"action" oneof:"boost_confidence,maintain_context,re_decompose,escalate_verification,graceful_exit,none"`
	// Whether what was found for the question counts for nothing when it is asked again.
	ClearCurrentState bool `json:"clear_current_state"`
}

// RecourseSignal is heard in "try again".
type RecourseSignal struct {
	// The words by which it is known.
	Keywords []string `json:"keywords" alias:"signals.recourse"`
	// What follows from it; see signals.patterns.positive.action.
	Action        string        `json:"action" oneof:"boost_confidence,maintain_context,re_decompose,escalate_verification,graceful_exit,none"`
	EscalationMap EscalationMap `json:"escalation_map"`
}

// EscalationMap names the level of complexity whose verification a question gets that is asked again.
type EscalationMap struct {
	// Of a simple question.
	Simple string `json:"simple" oneof:"simple,medium,complex,critical"`
	// Of one of medium complexity.
	Medium string `json:"medium" oneof:"simple,medium,complex,critical"`
	// Of a complex one.
	Complex string `json:"complex" oneof:"simple,medium,complex,critical"`
}

// AbortSignal is heard in "never mind".
type AbortSignal struct {
	// The words by which it is known.
	Keywords []string `json:"keywords" alias:"signals.abort"`
	// What follows from it; see signals.patterns.positive.action.
	Action string `json:"action" oneof:"boost_confidence,maintain_context,re_decompose,escalate_verification,graceful_exit,none"`
	// Whether "resume" goes on from where the question was left.
	SavePartialState bool `json:"save_partial_state"`
}

func defaultSignals() Signals {
	return Signals{
		Enabled: true, ConfidenceThreshold: 0.8,
		Patterns: SignalPatterns{
			Positive: PositiveSignal{
				Keywords: []string{"thanks", "thank you", "great", "perfect", "excellent", "good", "awesome"}, Action: "boost_confidence", BoostAmount: 0.1,
			},
			Followup: FollowupSignal{
				Keywords: []string{"also", "additionally", "and", "furthermore", "plus"}, Action: "maintain_context", SkipComplexityReassessment: true,
			},
			Negative: NegativeSignal{
				Keywords: []string{"wrong", "no", "incorrect", "not what I meant", "that's not right", "that is wrong", "that's wrong"},
				Action:   "re_decompose", ClearCurrentState: true,
			},
			Recourse: RecourseSignal{
				Keywords: []string{"try again", "different approach", "retry", "rethink"}, Action: "escalate_verification",
				EscalationMap: EscalationMap{Simple: "medium", Medium: "complex", Complex: "critical"},
			},
			Abort: AbortSignal{
				Keywords: []string{"never mind", "nevermind", "skip", "cancel", "stop", "forget it"}, Action: "graceful_exit", SavePartialState: true,
			},
		},
	}
}
