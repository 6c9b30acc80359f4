package setup

import (
	"fmt"
	"os"
	"slices"

	"github.com/aurora-sidecar/aurora/engine/search/shared"
	"github.com/aurora-sidecar/aurora/internal/config"
)

// SearchTokenVariable is the environment variable with the token of the team's search server.
const SearchTokenVariable = "AURORA_SEARCH_TOKEN"

// SearchClient returns the client of the team's search server, nil when the settings name none.
func SearchClient(s *config.Settings) (*shared.Client, error) {
	o := &s.Search.Shared
	if o.URL == "" {
		return nil, nil
	}
	token := os.Getenv(SearchTokenVariable)
	if token == "" {
		return nil, fmt.Errorf("the environment variable %s, the token of the search server, is not set", SearchTokenVariable)
	}
	c, err := shared.NewClient(o.URL, token)
	if err != nil {
		return nil, fmt.Errorf("search.shared.url: %w", err)
	}
	return c, nil
}

// HoldsWhole reports whether the settings have folders indexed as a whole, so that a search server need not search them.
func HoldsWhole(s *config.Settings) bool {
	watched := s.Index.WatchPaths
	return s.Index.Bootstrap.Enabled && (len(watched) == 0 || slices.Equal(watched, []string{"auto"}))
}

// SearchOnly leaves of settings what a search server needs: it remembers nothing, asks no model and no other server.
func SearchOnly(s *config.Settings) {
	s.Memory.Enabled, s.History.Enabled, s.Logging.Conversations.Enabled = false, false, false
	s.LLM, s.Search.Shared = config.LLM{}, config.SharedSearch{}
	s.Search.Providers = config.Providers{}
	s.Embeddings.Provider, s.Embeddings.BaseURL = "", ""
}
