package config

// Adaptive says how much work a question may take that is worked on in several passes.
type Adaptive struct {
	// Whether questions of medium complexity and above get as many passes as they take; otherwise only those that ask
	// for it.
	Enabled bool `json:"enabled" scope:"user"`
	// The longest time to live of a question, in calls of models and agents.
	TTLLimit int `json:"ttl_limit" min:"1" max:"10000" scope:"user"`
	// How many calls a minute the endpoint allows; a question then gets what ten minutes hold. 0 means it sets no limit.
	CallsPerMinute int         `json:"calls_per_minute" min:"0" max:"100000" scope:"user"`
	Convergence    Convergence `json:"convergence"`
	Refinement     Refinement  `json:"refinement"`
}

// Convergence are the scores from which on a question needs no further pass.
type Convergence struct {
	// How much of the goal is reached.
	Completeness float64 `json:"completeness" min:"0.01" max:"1" scope:"user"`
	// How well the parts fit.
	Coherence float64 `json:"coherence" min:"0.01" max:"1" scope:"user"`
	// How free it is of contradictions.
	Consistency float64 `json:"consistency" min:"0.01" max:"1" scope:"user"`
}

// Refinement bounds how often a plan is changed.
type Refinement struct {
	// Levels of steps within steps.
	MaxNesting int `json:"max_nesting" min:"1" max:"5" scope:"user"`
	// Changes of one step.
	PerFragment int `json:"per_fragment" min:"1" max:"100" scope:"user"`
	// Changes in all.
	Total int `json:"total" min:"1" max:"1000" scope:"user"`
}

func defaultAdaptive() Adaptive {
	return Adaptive{TTLLimit: 120, Convergence: Convergence{0.95, 0.9, 0.9}, Refinement: Refinement{5, 3, 10}}
}

// History keeps what became of questions.
type History struct {
	// Whether each question is kept with its phases, passes and calls, so that it can be shown and played again.
	Enabled bool `json:"enabled" scope:"user"`
	// The folder. Empty keeps nothing.
	Dir string `json:"dir" scope:"user" format:"path"`
	// How many questions are kept; the oldest go first.
	Keep int `json:"keep" min:"1" max:"100000" scope:"user"`
}

func defaultHistory(home string) History {
	return History{Enabled: true, Dir: below(home, "history"), Keep: 200}
}

// Headless bounds what AURORA does with nobody watching.
type Headless struct {
	// Whether it may run at all.
	Enabled bool `json:"enabled" scope:"user"`
	// How many iterations a run has at most.
	DefaultMaxIterations int `json:"default_max_iterations" min:"1" max:"1000" scope:"user"`
	// How many US dollars an experiment may cost, over all its runs; 0 means no limit.
	DefaultBudgetLimitUSD float64 `json:"default_budget_limit_usd" min:"0" max:"100000" scope:"user"`
	// The branch that it works on. main and master are never worked on.
	RequiredBranch string `json:"required_branch" scope:"user"`
	// Whether it refuses to start on another branch. Commits are made on the required branch only, whatever is set here.
	EnforceBranchCheck bool `json:"enforce_branch_check" scope:"user"`
	// The file with the goal and the rules, relative to the project.
	PromptFile string `json:"prompt_file"`
	// The file with the notes from one iteration to the next, relative to the project.
	ScratchpadFile string `json:"scratchpad_file"`
	// What stands in the notes when the goal is reached.
	GoalAchievementSignal string `json:"goal_achievement_signal"`
	// What stands in the notes when the money is spent.
	BudgetExceededSignal string `json:"budget_exceeded_signal"`
}

func defaultHeadless() Headless {
	return Headless{
		Enabled: true, DefaultMaxIterations: 10, DefaultBudgetLimitUSD: 5, RequiredBranch: "headless", EnforceBranchCheck: true,
		PromptFile: "./headless/prompt.md", ScratchpadFile: "./headless/scratchpad.md",
		GoalAchievementSignal: "GOAL_ACHIEVED", BudgetExceededSignal: "BUDGET_EXCEEDED",
	}
}
