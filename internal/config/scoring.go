package config

// Scoring says how work is judged.
type Scoring struct {
	// The score from which on plans, the work of agents and answers pass.
	PassThreshold float64 `json:"pass_threshold" min:"0.01" max:"1" scope:"user"`
	// The score from which on work that does not pass is worth another attempt; below, it has failed.
	RetryThreshold float64 `json:"retry_threshold" min:"0.01" max:"1" scope:"user"`
	// How many more attempts a piece of work gets that does not pass. Each costs further calls.
	MaxRetries  int         `json:"max_retries" min:"0" max:"10" scope:"user"`
	Weights     Weights     `json:"weighted_scoring"`
	Calibration Calibration `json:"calibration_examples"`
}

// Weights say how much each check counts in a score. Those of one kind of work add up to 1.
type Weights struct {
	Decomposition PlanWeights   `json:"decomposition"`
	AgentOutput   OutputWeights `json:"agent_output"`
	Synthesis     AnswerWeights `json:"synthesis"`
}

// PlanWeights are those of plans.
type PlanWeights struct {
	// Whether the parts together cover the question.
	Completeness float64 `json:"completeness" min:"0" max:"1" scope:"user"`
	// Whether parts, order and dependencies agree.
	Consistency float64 `json:"consistency" min:"0" max:"1" scope:"user"`
	// Whether what is taken as given is stated or shown.
	Groundedness float64 `json:"groundedness" min:"0" max:"1" scope:"user"`
	// Whether the named agents can do the parts.
	Routability float64 `json:"routability" min:"0" max:"1" scope:"user"`
}

// OutputWeights are those of what agents bring.
type OutputWeights struct {
	// Whether it answers its part of the question.
	Relevance float64 `json:"relevance" min:"0" max:"1" scope:"user"`
	// Whether it covers all of that part.
	Completeness float64 `json:"completeness" min:"0" max:"1" scope:"user"`
	// Whether its claims can be verified.
	Groundedness float64 `json:"groundedness" min:"0" max:"1" scope:"user"`
}

// AnswerWeights are those of answers.
type AnswerWeights struct {
	// Whether the answer says what was asked.
	AddressesQuery float64 `json:"addresses_query" min:"0" max:"1" scope:"user"`
	// Whether each claim comes from what was found out.
	Traceable float64 `json:"traceable" min:"0" max:"1" scope:"user"`
	// Whether it contradicts neither itself nor that.
	Consistent float64 `json:"consistent" min:"0" max:"1" scope:"user"`
	// Whether it is as sure as that is, and no surer.
	Calibrated float64 `json:"calibrated" min:"0" max:"1" scope:"user"`
}

func defaultScoring() Scoring {
	return Scoring{
		PassThreshold: 0.7, RetryThreshold: 0.5, MaxRetries: 2,
		Weights:     defaultWeights(),
		Calibration: Calibration{MergeStrategy: "replace", ScaleByComplexity: true, Counts: CalibrationCounts{0, 2, 4, 6}, ExampleMaxTokens: 200, FocusOnEdgeCases: true},
	}
}

func defaultWeights() Weights {
	return Weights{PlanWeights{0.4, 0.2, 0.2, 0.2}, OutputWeights{0.4, 0.3, 0.3}, AnswerWeights{0.3, 0.3, 0.2, 0.2}}
}

// LevelRouting says how questions are worked on, by how hard they are.
type LevelRouting struct {
	Simple   SimpleRoute   `json:"simple"`
	Medium   MediumRoute   `json:"medium"`
	Complex  ComplexRoute  `json:"complex"`
	Critical CriticalRoute `json:"critical"`
}

// SimpleRoute is for simple questions.
type SimpleRoute struct {
	// How the plan is verified: none has a simple question answered in one call, without a plan; the others are as for
	// medium questions.
	Verification string `json:"verification" oneof:"none,option_a,option_b,option_c" scope:"user"`
	// Estimates of costs are multiplied by it; what is spent is counted as it is.
	CostMultiplier float64 `json:"cost_multiplier" min:"0.01" max:"1000" scope:"user"`
}

// MediumRoute is for medium questions.
type MediumRoute struct {
	// How plans and answers are verified: by code alone (none), by the model that made them (option_a, self), by a critic
	// (option_b, adversarial), or by a debate of three plans (option_c, debate). A question can ask for another one.
	Verification string `json:"verification" oneof:"none,option_a,option_b,option_c" scope:"user"`
	// Estimates of costs are multiplied by it.
	CostMultiplier float64 `json:"cost_multiplier" min:"0.01" max:"1000" scope:"user"`
}

// ComplexRoute is for complex questions.
type ComplexRoute struct {
	// How plans and answers are verified, as for medium questions.
	Verification string `json:"verification" oneof:"none,option_a,option_b,option_c" scope:"user"`
	// Estimates of costs are multiplied by it.
	CostMultiplier float64 `json:"cost_multiplier" min:"0.01" max:"1000" scope:"user"`
}

// CriticalRoute is for critical questions, and for those that their words make critical beyond doubt.
type CriticalRoute struct {
	// How plans and answers are verified, as for medium questions.
	Verification string `json:"verification" oneof:"none,option_a,option_b,option_c" scope:"user"`
	// Estimates of costs are multiplied by it.
	CostMultiplier float64 `json:"cost_multiplier" min:"0.01" max:"1000" scope:"user"`
}

func defaultLevelRouting() LevelRouting {
	return LevelRouting{SimpleRoute{"none", 1}, MediumRoute{"option_a", 3}, ComplexRoute{"option_b", 5}, CriticalRoute{"option_c", 8}}
}
