package config

// LLM names the language models, if there are any. A model is in use when mode is standalone, or when a model is named
// and mode is not set.
type LLM struct {
	// How a model is reached: none, standalone (an endpoint of its own) or mcp_integrated (questions of agents go to the
	// model of their host, by MCP sampling; all others are answered from the index).
	Mode string `json:"mode" oneof:"none,standalone,mcp_integrated" scope:"user"`
	// What is known of the endpoint: openai, anthropic, ollama, vllm or llamacpp. Empty for any other.
	Provider string `json:"provider" oneof:",openai,anthropic,ollama,vllm,llamacpp" scope:"user" alias:"llm.reasoning_llm.provider"`
	// The endpoint, compatible with OpenAI's, such as http://localhost:11434/v1. Empty means the provider's.
	BaseURL string `json:"base_url" scope:"user" alias:"llm.reasoning_llm.base_url"`
	// The model's name at that endpoint. For openai and anthropic it may be left out; each tier has a model then.
	Model string `json:"model" scope:"user" alias:"llm.reasoning_llm.model"`
	// The environment variable that holds the key. The key itself never stands in a file. Empty means the provider's
	// usual one.
	APIKeyEnv string `json:"api_key_env" scope:"user" alias:"llm.reasoning_llm.api_key_env"`
	// Headers sent with every request, by name.
	Headers map[string]string `json:"headers" scope:"user" alias:"llm.reasoning_llm.headers"`
	// How JSON is asked for; empty means what the provider is known to understand.
	ResponseFormat string `json:"response_format" oneof:",auto,json_schema,json_object,text" scope:"user"`
	// How many seconds one attempt may take; for a streamed answer, the wait for its next piece.
	TimeoutSeconds int `json:"timeout_seconds" min:"1" max:"3600" scope:"user" alias:"llm.reasoning_llm.timeout_seconds"`
	// The longest reply in tokens, the thoughts of reasoning models included.
	MaxTokens int `json:"max_tokens" min:"256" max:"1000000" scope:"user" alias:"llm.reasoning_llm.max_tokens"`
	// How freely it writes, 0 to 2; above 0 the same question may get other plans and reviews.
	Temperature float64 `json:"temperature" min:"0" max:"2" scope:"user" alias:"llm.reasoning_llm.temperature"`
	// How many subgoals are worked on at a time.
	MaxParallel int `json:"max_parallel" min:"1" max:"32" scope:"user"`
	// How many passages of code and memory a question is given; each subgoal gets six tenths as many.
	ContextBudget int `json:"context_budget" min:"1" max:"100" scope:"user" alias:"context_budget"`
	// How many replies are kept for the same question at temperature 0; 0 keeps none.
	CacheEntries int `json:"cache_entries" min:"0" max:"100000" scope:"user"`
	// Prices by model, in US dollars for a million tokens: "2.50/10" for the prompt and the completion.
	Prices map[string]string `json:"prices" scope:"user"`
	// A file that every exchange with a model is added to, without keys; for finding faults. Empty records nothing.
	RecordFile string `json:"record_file" scope:"user" format:"path"`
	// A recording that answers in place of the endpoint.
	ReplayFile string `json:"replay_file" scope:"user" format:"path"`

	Solving SolvingLLM `json:"solving_llm"`
	Routing LLMRouting `json:"preference_routing"`
}

// SolvingLLM is the model that works on subgoals. What is empty is that of llm.
type SolvingLLM struct {
	// What is known of its endpoint, as in llm.provider.
	Provider string `json:"provider" oneof:",openai,anthropic,ollama,vllm,llamacpp" scope:"user"`
	// Its endpoint. Empty means the provider's or, when no provider is named either, that of llm.
	BaseURL string `json:"base_url" scope:"user"`
	// Its name there. Empty means llm.model.
	Model string `json:"model" scope:"user"`
	// The environment variable that holds the key of that endpoint.
	APIKeyEnv string `json:"api_key_env" scope:"user"`
	// How many seconds one attempt may take.
	TimeoutSeconds int `json:"timeout_seconds" min:"1" max:"3600" scope:"user"`
	// The longest reply in tokens; llm.max_tokens when that is more.
	MaxTokens int `json:"max_tokens" min:"256" max:"1000000" scope:"user"`
	// How freely it writes, 0 to 2.
	Temperature float64 `json:"temperature" min:"0" max:"2" scope:"user"`
	// Headers sent with every request to an endpoint of its own, by name. Where it has none, those of llm are sent.
	Headers map[string]string `json:"headers" scope:"user"`
}

// LLMRouting chooses a model by the complexity of a question.
type LLMRouting struct {
	// Whether the models below are used; otherwise llm.model answers every question.
	Enabled bool     `json:"enabled" scope:"user"`
	Tiers   LLMTiers `json:"tiers"`
}

// LLMTiers are the models by complexity; an empty one is llm.model.
type LLMTiers struct {
	// The model of simple questions. Empty means llm.model or, where that is empty, too, claude-haiku-4-5 of
	// anthropic and gpt-4o-mini of openai.
	Fast LLMTier `json:"fast"`
	// The model of medium questions. Empty means llm.model or, where that is empty, too, claude-sonnet-4-5 of
	// anthropic and gpt-4.1 of openai.
	Reasoning LLMTier `json:"reasoning"`
	// The model of complex and critical questions. Empty means llm.model or, where that is empty, too,
	// claude-opus-4-5-20251101 of anthropic and gpt-4.1 of openai.
	Best LLMTier `json:"best"`
}

// LLMTier is one tier.
type LLMTier struct {
	Model string `json:"model" scope:"user"`
}

// CostBudgets bound what models may cost.
type CostBudgets struct {
	// Whether costs are counted and the limits below hold.
	Enabled bool `json:"enabled" scope:"user"`
	// From how many US dollars on a query warns.
	SoftLimitUSD float64 `json:"soft_limit_usd" min:"0" scope:"user"`
	// At how many US dollars queries are refused.
	HardLimitUSD float64 `json:"hard_limit_usd" min:"0" scope:"user"`
	// After which time counting begins anew.
	Period string `json:"period" oneof:"daily,weekly,monthly" scope:"user"`
	// Whether it does so by itself.
	AutoReset bool `json:"auto_reset" scope:"user"`
	// From how many percent of the hard limit on a query warns.
	WarnAtPercent float64 `json:"warn_at_percent" min:"0" max:"100" scope:"user"`
	// At how many percent of the hard limit queries are refused.
	BlockAtPercent float64 `json:"block_at_percent" min:"0" max:"100" scope:"user"`
	// Whether --force passes the hard limit.
	AllowForceOverride bool `json:"allow_force_override" scope:"user"`
	// The file of the account. Empty keeps it only until AURORA exits.
	TrackingFile string `json:"tracking_file" scope:"user" format:"path"`
}

// Guardrails check a question before a model sees it.
type Guardrails struct {
	// Whether personal data and keys are looked for. The length of questions, their form and the budget are always checked.
	Enabled bool `json:"enabled" scope:"user"`
	// The longest question, in characters.
	MaxQueryLength int `json:"max_query_length" min:"1" max:"1000000"`
	PII            PII `json:"pii"`
}

// PII is personal data and keys in a question.
type PII struct {
	// Whether it is looked for.
	Enabled bool `json:"enabled" scope:"user"`
	// What is done about it: redact takes it out, reject refuses the question.
	Action string `json:"action" oneof:"redact,reject,off" scope:"user"`
}

// Complexity says how it is told how hard a question is.
type Complexity struct {
	Keywords KeywordClassifier `json:"keyword_classifier"`
	Routing  LevelRouting      `json:"routing"`
}

// KeywordClassifier classes questions by their words.
type KeywordClassifier struct {
	// Whether it is used; otherwise a model classes every question.
	Enabled bool `json:"enabled"`
	// Whether a model is asked where the words are not sure.
	BorderlineLLMVerify bool           `json:"borderline_llm_verify"`
	Custom              CustomKeywords `json:"custom_keywords"`
	Lists               LevelKeywords  `json:"keywords"`
}

// LevelKeywords stand in place of the built-in words and phrases, level by level; an empty list is the built-in one.
type LevelKeywords struct {
	// Of simple questions. What holds a blank is looked for anywhere, a single word among the words of the question.
	Simple []string `json:"simple" alias:"complexity.keyword_classifier.simple_keywords"`
	// Of medium ones.
	Medium []string `json:"medium" alias:"complexity.keyword_classifier.medium_keywords"`
	// Of complex ones.
	Complex []string `json:"complex" alias:"complexity.keyword_classifier.complex_keywords"`
	// Of critical ones.
	Critical []string `json:"critical" alias:"complexity.keyword_classifier.critical_keywords"`
}

// CustomKeywords are words and phrases of a project's own.
type CustomKeywords struct {
	// Those of simple questions.
	Simple []string `json:"domain_specific_simple"`
	// Those of complex ones.
	Complex []string `json:"domain_specific_complex"`
}

func defaultComplexity() Complexity {
	return Complexity{Routing: defaultLevelRouting(), Keywords: KeywordClassifier{
		Enabled: true, BorderlineLLMVerify: true, Custom: CustomKeywords{Simple: []string{"status", "version"}, Complex: []string{"migrate", "refactor"}},
		Lists: LevelKeywords{Simple: []string{}, Medium: []string{}, Complex: []string{}, Critical: []string{}},
	}}
}

// Calibration are the examples by which models learn to score.
type Calibration struct {
	// A file of examples. Empty means the built-in ones.
	ExternalPath string `json:"external_path" scope:"user" format:"path"`
	// Whether the file's examples stand in place of the built-in ones, or before them.
	MergeStrategy string `json:"merge_strategy" oneof:"replace,merge" scope:"user"`
	// Whether harder questions get more examples; otherwise all are used.
	ScaleByComplexity bool `json:"scale_by_complexity" scope:"user"`
	// The most tokens that one example of the file may take; longer ones are left out.
	ExampleMaxTokens int `json:"example_max_tokens" min:"50" max:"4000" scope:"user"`
	// Whether examples whose score is near a threshold come before others.
	FocusOnEdgeCases bool              `json:"focus_on_edge_cases" scope:"user"`
	Counts           CalibrationCounts `json:"counts"`
}

// CalibrationCounts are the numbers of examples by complexity.
type CalibrationCounts struct {
	Simple   int `json:"simple" min:"0" max:"100" scope:"user"`
	Medium   int `json:"medium" min:"0" max:"100" scope:"user"`
	Complex  int `json:"complex" min:"0" max:"100" scope:"user"`
	Critical int `json:"critical" min:"0" max:"100" scope:"user"`
}

func defaultLLM() LLM {
	return LLM{
		Mode: "none", TimeoutSeconds: 30, MaxTokens: 4096, MaxParallel: 3, ContextBudget: 10, CacheEntries: 256, Headers: map[string]string{}, Prices: map[string]string{},
		Solving: SolvingLLM{TimeoutSeconds: 60, MaxTokens: 8192, Temperature: 0.7, Headers: map[string]string{}}, Routing: LLMRouting{Enabled: true},
	}
}

func defaultBudgets(home string) CostBudgets {
	return CostBudgets{
		Enabled: true, SoftLimitUSD: 100, HardLimitUSD: 500, Period: "monthly", AutoReset: true, WarnAtPercent: 80, BlockAtPercent: 100,
		TrackingFile: below(home, "budget_tracker.json"),
	}
}

// ModelConfigured reports whether questions go to a model of one's own.
func (s *Settings) ModelConfigured() bool {
	return s.LLM.Mode == "standalone" || s.LLM.Model != "" && s.Origin("llm.mode") == "default"
}
