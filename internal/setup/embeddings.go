package setup

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/embedder"
	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/internal/config"
)

// Embeddings returns the endpoint for vectors that the settings name, nil when they name none. It asks it nothing.
func Embeddings(s *config.Settings) (*engine.Embeddings, error) {
	if !s.EmbeddingsConfigured() {
		return nil, nil
	}
	o := s.Embeddings
	variable := KeyVariable(o.Provider, o.APIKeyEnv)
	key := os.Getenv(variable)
	if variable != "" && key == "" {
		return nil, fmt.Errorf("%s is not set; export it where AURORA is started", variable)
	}
	endpoint := &engine.Embeddings{Reindex: o.ReindexOnModelChange, Batch: o.BatchSize}
	if s.Storage.Dir != "" {
		endpoint.Dir = filepath.Join(s.Storage.Dir, "embeddings")
	}
	before, err := embedder.LoadIdentity(endpoint.Dir)
	if err != nil {
		return nil, err
	}
	endpoint.Remote, err = embedder.New(embedder.Options{
		BaseURL: EmbeddingsURL(s), APIKey: key, Model: o.Model, Dimensions: o.Dimensions, Batch: o.BatchSize,
		PerMinute: o.RequestsPerMinute, Timeout: time.Duration(o.TimeoutSeconds) * time.Second, Previous: before,
	})
	if err != nil {
		return nil, err
	}
	return endpoint, nil
}

func EmbeddingsURL(s *config.Settings) string {
	return cmp.Or(s.Embeddings.BaseURL, llm.Presets[s.Embeddings.Provider].BaseURL)
}
