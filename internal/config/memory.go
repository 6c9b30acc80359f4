package config

// Memory is where records are kept for good.
type Memory struct {
	// Whether anything is remembered and recalled. What is there is kept.
	Enabled bool `json:"enabled"`
	// The database file. Empty keeps memory only until AURORA exits.
	DatabasePath string     `json:"database_path" scope:"user" format:"path"`
	Encryption   Encryption `json:"encryption"`
	Activation   Activation `json:"activation"`
	UseWeights   UseWeights `json:"use_weights"`
	Lifespan     Lifespan   `json:"lifespan_policies"`
	Learning     Learning   `json:"learning"`
	Caching      Caching    `json:"caching_policy"`
}

// Learning is what the score of an answer changes in the activation of what was retrieved for it.
type Learning struct {
	// Added to all of it, when the answer is good enough to be marked.
	SuccessBoost float64 `json:"success_boost" min:"0" max:"5"`
	// Added to what helped and taken from what did not, when it is only good enough to be kept.
	PartialBoost float64 `json:"partial_boost" min:"0" max:"5"`
	// Added to earlier answers that were retrieved, when it is not.
	FailurePenalty float64 `json:"failure_penalty" min:"-5" max:"0"`
}

// Caching says which answers are remembered.
type Caching struct {
	// The score from which on an answer is remembered.
	CacheFrom float64 `json:"cache_if_score_gte" min:"0" max:"1"`
	// The score from which on it is marked as a pattern: an example for the plans of later questions, and no longer told to
	// be uncertain.
	MarkFrom float64 `json:"mark_as_pattern_if_gte" min:"0" max:"1" alias:"scoring.cache_threshold"`
}

// Encryption says whether what is remembered is encrypted on disk. The command aurora mem encryption changes it, and
// what is there.
type Encryption struct {
	// Whether new databases, conversations and records of questions are encrypted. What is there stays as it is: to
	// change that, too, run aurora mem encryption --enable or disable.
	Enabled bool `json:"enabled" scope:"owner" alias:"context.security.encrypt_db"`
	// Where the key is: keyring (that of the system), file or env (an environment variable).
	KeySource string `json:"key_source" scope:"owner" oneof:"keyring,file,env"`
	// The file with the key, which nobody but you may read.
	KeyFile string `json:"key_file" scope:"owner" format:"path"`
	// The environment variable with the key. Editors and agents that start AURORA must have it, too.
	KeyEnv string `json:"key_env" scope:"owner"`
}

// Activation are the constants of ACT-R.
type Activation struct {
	// How fast uses lose weight: the exponent of their age.
	DecayRate float64 `json:"decay_rate" min:"0.05" max:"2"`
	// What is left of activation after one link.
	SpreadFactor float64 `json:"spread_factor" min:"0.05" max:"1"`
	// Over how many links activation spreads.
	MaxSpreadHops int `json:"max_spread_hops" min:"1" max:"3"`
	// The most that the words of a query add.
	ContextBoostMax float64 `json:"context_boost_max" min:"0.01" max:"0.5"`
	// The least probability with which something counts as recalled.
	RetrievalThreshold float64 `json:"retrieval_threshold" min:"0.01" max:"1"`
	// What ages are counted in: wall (the clock) or activity (time at work).
	Time string `json:"time" oneof:"wall,activity"`
}

// UseWeights are what one use adds to an activation, in full uses.
type UseWeights struct {
	Edited   float64 `json:"edited" min:"0" max:"10"`
	Accepted float64 `json:"accepted" min:"0" max:"10"`
	Copied   float64 `json:"copied" min:"0" max:"10"`
	Cited    float64 `json:"cited" min:"0" max:"10"`
	Opened   float64 `json:"opened" min:"0" max:"10"`
	// Being merely shown.
	Returned float64 `json:"returned" min:"0" max:"0.1"`
	// Being told to be wrong.
	Rejected float64 `json:"rejected" min:"-10" max:"0"`
	// What a rating of -1 to 1 multiplies.
	Rated float64 `json:"rated" min:"0" max:"10"`
}

// Lifespan says how long records are kept.
type Lifespan struct {
	Enabled bool `json:"enabled"`
	// A JSON file with further policies; those of the same name are replaced.
	File string `json:"file" format:"path"`
	// The policy of records that no condition fits.
	DefaultPolicy string `json:"default_policy"`
	// Further policies by name, such as {"fintech": {"condition": "domain == 'fintech'", "lifespan": "730_days"}}; those
	// of the same name are replaced. Where a file is named, the file counts in their place.
	Policies map[string]LifespanPolicy `json:"policies"`
}

// A LifespanPolicy is one of them; docs/memory.md has the language of conditions.
type LifespanPolicy struct {
	Condition   string `json:"condition"`
	Lifespan    string `json:"lifespan"`
	Decay       string `json:"decay_mechanism" oneof:",logarithmic,exponential,none"`
	Escalation  string `json:"escalation_action"`
	Description string `json:"description"`
}
