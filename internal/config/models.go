package config

// An Endpoint is where a model is reached.
type Endpoint struct {
	// Provider: openai, anthropic, ollama, vllm or llamacpp. Empty means any other compatible endpoint.
	Provider string `json:"provider" oneof:",openai,anthropic,ollama,vllm,llamacpp" scope:"user" page:"llm"`
	// URL of an endpoint compatible with OpenAI's API, such as `http://localhost:11434/v1`. Empty means the provider's.
	BaseURL string `json:"base_url" scope:"user" page:"llm"`
	// Name of the model. May be empty for openai and anthropic, which then have a model for each tier.
	Model string `json:"model" scope:"user" page:"llm"`
	// Environment variable that contains the API key. The key itself never belongs in a file. Empty means the provider's
	// usual variable.
	APIKeyEnv string `json:"api_key_env" scope:"user" page:"llm"`
	// HTTP headers sent with every request, by name.
	Headers map[string]string `json:"headers" scope:"user"`
}

// LLM names the language model, if there is one. Without one, questions are answered from the index.
// A model is used when the mode is standalone, or when a model is named and no mode is set.
type LLM struct {
	// How a model is reached: none, standalone (an endpoint of its own) or mcp_integrated (questions of agents go to
	// the model of their host, by MCP sampling).
	Mode string `json:"mode" oneof:"none,standalone,mcp_integrated" scope:"user" page:"yes"`
	Endpoint
	// How JSON is requested. Empty means what the provider is known to support.
	ResponseFormat string `json:"response_format" oneof:",auto,json_schema,json_object,text" scope:"user"`
	// Seconds to wait for the next part of a reply.
	TimeoutSeconds int `json:"timeout_seconds" min:"1" max:"3600" scope:"user"`
	// Longest reply in tokens, including the thoughts of reasoning models.
	MaxTokens int `json:"max_tokens" min:"256" max:"1000000" scope:"user"`
	// Sampling temperature. Above 0, the same question may get different plans and reviews.
	Temperature float64 `json:"temperature" min:"0" max:"2" scope:"user"`
	// Number of subgoals worked on at once.
	MaxParallel int `json:"max_parallel" min:"1" max:"32" scope:"user"`
	// Number of search hits sent with a question, and what they lead to as far as the model's context window goes; each
	// subgoal gets six tenths of it.
	ContextBudget int `json:"context_budget" min:"1" max:"100" scope:"user"`
	// Prices by model, in US dollars per million tokens: `"2.50/10"` for prompt and completion, `"2.50/10/1.25"` with that of cached tokens of a prompt.
	Prices map[string]string `json:"prices" scope:"user"`
	// File that every exchange with a model is appended to, without keys, for debugging. Empty records nothing.
	RecordFile string `json:"record_file" scope:"user" format:"path"`
	// Recording that answers in place of the endpoint.
	ReplayFile string `json:"replay_file" scope:"user" format:"path"`

	Solving SolvingLLM `json:"solving_llm"`
	Routing LLMRouting `json:"preference_routing"`
}

// SolvingLLM is the model that works on subgoals. What is empty is taken from `llm`.
// It gets at least 60 seconds for an attempt and 8192 tokens for a reply.
type SolvingLLM struct {
	Endpoint
}

// LLMRouting chooses a model by the complexity of a question.
// Simple questions then cost less.
type LLMRouting struct {
	// Use the models of the tiers; otherwise llm.model answers every question.
	Enabled bool     `json:"enabled" scope:"user"`
	Tiers   LLMTiers `json:"tiers"`
}

// LLMTiers are the models by complexity.
type LLMTiers struct {
	// Model for simple questions. Empty means llm.model or, where that is empty too, claude-haiku-4-5 (anthropic) or
	// gpt-4o-mini (openai).
	Fast LLMTier `json:"fast"`
	// Model for questions of medium complexity. Empty means llm.model or, where that is empty too, claude-sonnet-4-5
	// (anthropic) or gpt-4.1 (openai).
	Reasoning LLMTier `json:"reasoning"`
	// Model for complex and critical questions. Empty means llm.model or, where that is empty too,
	// claude-opus-4-5-20251101 (anthropic) or gpt-4.1 (openai).
	Best LLMTier `json:"best"`
}

// LLMTier is one tier.
type LLMTier struct {
	Model string `json:"model" scope:"user"`
}

// Embeddings names an endpoint that computes vectors, in place of the built-in model. It receives the code of the
// workspace, without secrets, and is off until a provider or a base URL is named. Changes take effect at the next start.
type Embeddings struct {
	// Provider: openai, ollama, vllm or llamacpp. Empty means any other endpoint, or none.
	Provider string `json:"provider" oneof:",openai,ollama,vllm,llamacpp" scope:"user" page:"yes"`
	// URL of an endpoint compatible with OpenAI's API, such as `http://localhost:11434/v1`. Empty means the provider's.
	BaseURL string `json:"base_url" scope:"user" page:"yes"`
	// Name of the embedding model.
	Model string `json:"model" scope:"user" page:"yes"`
	// Length of its vectors; 0 accepts what it returns, up to 4096.
	Dimensions int `json:"dimensions" min:"0" max:"4096" scope:"user"`
	// Environment variable that contains the API key. Empty means the provider's usual variable.
	APIKeyEnv string `json:"api_key_env" scope:"user"`
	// Number of texts in one request.
	BatchSize int `json:"batch_size" min:"1" max:"2048" scope:"user"`
	// Limit of requests per minute; 0 means no limit.
	RequestsPerMinute int `json:"requests_per_minute" min:"0" max:"100000" scope:"user"`
	// Seconds that one request may take.
	TimeoutSeconds int `json:"timeout_seconds" min:"1" max:"600" scope:"user"`
	// Compute all vectors again when the endpoint has another model than before. Otherwise the endpoint is not used
	// until "aurora index --embeddings --remake" is run.
	ReindexOnModelChange bool `json:"reindex_on_model_change" scope:"user"`
}

// CostBudgets limit what models may cost.
// Models that run on this machine cost nothing.
type CostBudgets struct {
	// Count costs and apply the limits.
	Enabled bool `json:"enabled" scope:"user"`
	// US dollars in a period from which queries warn.
	SoftLimitUSD float64 `json:"soft_limit_usd" min:"0" scope:"user" page:"yes"`
	// US dollars in a period from which queries are refused.
	HardLimitUSD float64 `json:"hard_limit_usd" min:"0" scope:"user" page:"yes"`
	// Period after which counting starts again.
	Period string `json:"period" oneof:"daily,weekly,monthly" scope:"user"`
	// Let --force pass the hard limit.
	AllowForceOverride bool `json:"allow_force_override" scope:"user"`
}

// Guardrails check a question before a model sees it.
// What they find is reported with the answer.
type Guardrails struct {
	// Longest question, in characters.
	MaxQueryLength int `json:"max_query_length" min:"1" max:"1000000"`
	PII            PII `json:"pii"`
}

// PII is personal data and keys in a question.
// E-mail addresses, phone, social security and card numbers and API keys are recognized.
type PII struct {
	// What to do about personal data and keys: redact removes them, reject refuses the question, off sends them.
	Action string `json:"action" oneof:"redact,reject,off" scope:"user" page:"yes"`
}

func defaultLLM() LLM {
	return LLM{
		Endpoint: Endpoint{Headers: map[string]string{}},
		Mode:     "none", TimeoutSeconds: 30, MaxTokens: 4096, MaxParallel: 3, ContextBudget: 10, Prices: map[string]string{},
		Solving: SolvingLLM{Endpoint{Headers: map[string]string{}}}, Routing: LLMRouting{Enabled: true},
	}
}

func defaultEmbeddings() Embeddings {
	return Embeddings{Model: "text-embedding-3-small", BatchSize: 128, TimeoutSeconds: 30, ReindexOnModelChange: true}
}

func defaultBudgets() CostBudgets {
	return CostBudgets{Enabled: true, SoftLimitUSD: 100, HardLimitUSD: 500, Period: "monthly"}
}

// ModelConfigured reports whether questions go to a model of one's own.
func (s *Settings) ModelConfigured() bool {
	return s.LLM.Mode == "standalone" || s.LLM.Model != "" && s.Origin("llm.mode") == "default"
}

// EmbeddingsConfigured reports whether an endpoint for vectors is named.
func (s *Settings) EmbeddingsConfigured() bool {
	return s.Search.Semantic && (s.Embeddings.Provider != "" || s.Embeddings.BaseURL != "")
}
