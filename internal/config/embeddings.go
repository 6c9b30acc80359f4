package config

// Embeddings names an endpoint that makes vectors in place of the model in the program. It is off until a provider or a
// base URL is named, because it is sent the code of the workspace, with secrets blanked. It counts at the next start.
type Embeddings struct {
	// What is known of the endpoint: openai, ollama, vllm or llamacpp. Empty for any other, or none.
	Provider string `json:"provider" oneof:",openai,ollama,vllm,llamacpp" scope:"user"`
	// The endpoint, compatible with OpenAI's, such as http://localhost:11434/v1. Empty means the provider's.
	BaseURL string `json:"base_url" scope:"user"`
	// The model's name at that endpoint.
	Model string `json:"model" scope:"user" alias:"semantic_memory.embedding_model,context.embedding.model"`
	// How long its vectors are; 0 takes what it gives, up to 4096.
	Dimensions int `json:"dimensions" min:"0" max:"4096" scope:"user" alias:"context.embedding.dimension"`
	// The environment variable that holds the key. The key itself never stands in a file. Empty means the provider's
	// usual one.
	APIKeyEnv string `json:"api_key_env" scope:"user"`
	// How many texts go in one request.
	BatchSize int `json:"batch_size" min:"1" max:"2048" scope:"user" alias:"context.embedding.batch_size"`
	// How many requests a minute are made at most; 0 is no limit.
	RequestsPerMinute int `json:"requests_per_minute" min:"0" max:"100000" scope:"user"`
	// How many seconds one request may take.
	TimeoutSeconds int `json:"timeout_seconds" min:"1" max:"600" scope:"user"`
	// Whether vectors are kept on disk, in the folder of the index. Otherwise all are asked for again at every start.
	CacheEnabled bool `json:"cache_enabled" scope:"user" alias:"context.embedding.cache_enabled"`
	// Whether all vectors are made anew when the endpoint turns out to have another model than before. Otherwise the
	// endpoint is not used until "aurora index --embeddings --remake" is run.
	ReindexOnModelChange bool `json:"reindex_on_model_change" scope:"user" alias:"semantic_memory.reindex_on_model_change"`
}

// EmbeddingsConfigured reports whether an endpoint for vectors is named.
func (s *Settings) EmbeddingsConfigured() bool {
	return s.Search.Semantic && (s.Embeddings.Provider != "" || s.Embeddings.BaseURL != "")
}

func defaultEmbeddings() Embeddings {
	return Embeddings{Model: "text-embedding-3-small", BatchSize: 128, TimeoutSeconds: 30, CacheEnabled: true, ReindexOnModelChange: true}
}
